"""The two streams: results go to one, everything else to the other, each in what it can show.

Colours, bars and hyperlinks appear only on a terminal that can show them; NO_COLOR and TERM=dumb
are obeyed. Nothing that is printed can fail for its characters: what an encoding lacks is escaped.
The codes are written by hand because the usual library costs seven starts of Python.
"""

from __future__ import annotations

import os

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_CODES = {
    "title": "1",
    "place": "36",
    "match": "1;33",
    "tag": "35",
    "faint": "2",
    "good": "32",
    "bad": "31",
    "heading": "1;4",
}
_LINKING_PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio")
_LINKING_MARKS = ("KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION")


class Screen:
    """One stream, and what it can show."""

    def __init__(self, stream: TextIO | None, environment: Callable[[str], str]) -> None:
        self._stream = stream
        self._environment = environment
        self.is_terminal = stream is not None and _is_terminal(stream)
        self.colour = self.is_terminal and not environment("NO_COLOR") and environment("TERM") != "dumb"
        self.can_redraw = self.is_terminal and environment("TERM") != "dumb"

    def line(self, text: str = "") -> None:
        self.write(text + "\n")

    def write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
        except UnicodeEncodeError:
            encoding = self._stream.encoding or "ascii"
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding, "replace"))

    def can_encode(self, text: str) -> bool:
        try:
            text.encode(getattr(self._stream, "encoding", None) or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def paragraph(self, text: str, margin: int, style: str = "") -> None:
        """Indented lines, wrapped on a terminal; off one a single line, which is easier to grep."""
        from scrubjay.cli.words import filled

        for line in filled(text, self.width - margin) if self.is_terminal else [text]:
            self.line(" " * margin + (self.paint(style, line) if style else line))

    def flush(self) -> None:
        if self._stream is not None:
            self._stream.flush()

    def paint(self, style: str, text: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and text else text

    def link(self, path: str | None, text: str) -> str:
        """The text as something to click on, where the terminal is known to understand it."""
        if path is None or not self.colour or not self._links or not os.path.isabs(path):
            return text
        from urllib.parse import quote

        return f"\x1b]8;;file://{quote(os.fsencode(path))}\x1b\\{text}\x1b]8;;\x1b\\"

    @property
    def _links(self) -> bool:
        version = self._environment("VTE_VERSION")
        return (
            self._environment("TERM_PROGRAM") in _LINKING_PROGRAMS
            or any(self._environment(name) for name in _LINKING_MARKS)
            or (version.isdigit() and int(version) >= 5000)
        )

    @property
    def width(self) -> int:
        """Columns to fill: the terminal's; off a terminal a fixed number, so that output is stable."""
        if not self.is_terminal or self._stream is None:
            return 100
        columns = self._environment("COLUMNS")
        if columns.isdigit() and int(columns) > 0:
            return max(30, int(columns))
        try:
            return max(30, os.get_terminal_size(self._stream.fileno()).columns or 80)
        except (OSError, ValueError):
            return 80


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


class Console:
    """Both streams of a run, with the environment they were started in."""

    def __init__(self, out: TextIO | None, err: TextIO | None, environment: Callable[[str], str]) -> None:
        self.out = Screen(out, environment)
        self.err = Screen(err, environment)

    def hint(self, text: str) -> None:
        """Something worth knowing that is no result."""
        self.err.line(self.err.paint("faint", text))

    def notice(self, stage: str, reason: str, remedy: str = "") -> None:
        from scrubjay.cli.words import clean, filled

        between = " " if reason.endswith((".", "!", "?")) else "; "
        text = clean(f"{stage}: {reason}{between + remedy if remedy else ''}")
        if not self.err.is_terminal:
            self.err.line(f"note {text}")
            return
        self.err.write(self.err.paint("tag", "note "))
        first, *rest = filled(text, self.err.width - len("note "))
        self.err.line(first)
        for line in rest:
            self.err.line("     " + line)
