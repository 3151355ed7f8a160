"""Small texts for people: places, counts, sizes, ages, and text cut or wrapped to a width.

Widths are those of a terminal: a Chinese character is two columns wide, a combining accent none.
Text from a document is cleaned before it reaches a terminal, because an escape sequence hidden in
a file could otherwise repaint the screen.
"""

from __future__ import annotations

import os

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Marked = list[tuple[str, bool]]

_JOINERS = "\u200c\u200d"  # parts of emoji and of Indic words, though they do not print
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def clean(text: str, keep: str = "") -> str:
    """The text without what a terminal would obey; `keep` may name "\\n" and "\\t"."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep or char in _JOINERS else " " if char.isspace() else "�"
        for char in text
    )


def one_line(text: str) -> str:
    return clean(" ".join(text.split()))


def readable(text: str) -> str:
    """An argument as text that any store takes: UTF-8 whatever the locale says, and � for the rest."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # half a pair, which no argument of a Unix system has
        return text.encode("utf-8", "replace").decode("utf-8")


def place(path: str | None, lines: tuple[int, int] | None = None, page: int | None = None) -> str:
    """A path as short as it stays clear, with where in it: notes/git.md:12-40, or paper.pdf p. 3."""
    if path is None:
        return ""
    short = shorten_path(path)
    if page is not None:
        return f"{short} p. {page}"
    if lines is None:
        return short
    first, last = lines
    return f"{short}:{first}" if first == last else f"{short}:{first}-{last}"


def shorten_path(path: str) -> str:
    """Relative below the current folder, with ~ below the home folder, else as it is."""
    for folder, instead in ((_here(), ""), (os.path.expanduser("~"), "~" + os.sep)):
        beginning = folder.rstrip(os.sep) + os.sep
        if len(beginning) > 1 and path.startswith(beginning):
            return instead + path[len(beginning) :]
    return path


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


def counted(number: int, noun: str) -> str:
    if number != 1:
        noun = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{number:,} {noun}"


def size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            break
        number /= 1000
    return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.1f} {unit}"


def duration(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s" if seconds < 10 and isinstance(seconds, float) else f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), _MINUTE)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def age(moment: str | None, now: float | None = None) -> str:
    """How long ago, in the one unit a person would use; the text itself when it is no date."""
    if not moment:
        return "never"
    from datetime import UTC, datetime

    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    present = datetime.now(UTC).timestamp() if now is None else now
    seconds = present - then.timestamp()
    if seconds < -_MINUTE:
        return "in " + _span(-seconds)
    if seconds < _MINUTE:
        return "just now"
    if _DAY <= seconds < 2 * _DAY:  # by the calendar: a day and a half may reach back to two days ago
        days = (datetime.fromtimestamp(present).date() - then.astimezone().date()).days
        return "yesterday" if days == 1 else f"{days} days ago"
    return _span(seconds) + " ago"


def _span(seconds: float) -> str:
    for length, noun, until in (
        (_MINUTE, "minute", _HOUR),
        (_HOUR, "hour", _DAY),
        (_DAY, "day", 14 * _DAY),
        (7 * _DAY, "week", 60 * _DAY),
        (30.44 * _DAY, "month", 730 * _DAY),
    ):
        if seconds < until:
            return counted(int(seconds / length), noun)
    return counted(int(seconds / (365.25 * _DAY)), "year")


def width(text: str) -> int:
    """How many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) or char in _JOINERS or char == "\ufe0f" else 1 + (east_asian_width(char) in "WF")
        for char in text
    )


def cut(text: str, columns: int) -> str:
    """The text in at most so many columns, with … where something is left out."""
    if width(text) <= columns:
        return text
    taken, used = [], 1
    for char in text:
        used += width(char)
        if used > columns:
            break
        taken.append(char)
    return "".join(taken).rstrip() + "…"


def cut_start(text: str, columns: int) -> str:
    """As `cut`, but the end is kept: of a path, that is the telling part."""
    return text if width(text) <= columns else cut(text[::-1], columns)[::-1]


def filled(text: str, columns: int) -> list[str]:
    """A text of our own as lines of at most `columns`, broken at spaces."""
    lines = [""]
    for word in text.split():
        if lines[-1] and width(lines[-1]) + 1 + width(word) > columns:
            lines.append(word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def marked(text: str, marks: Iterable[tuple[int, int]]) -> Marked:
    """The text as characters that know whether they are highlighted, on one line, cleaned."""
    lit = {position for start, end in marks for position in range(start, end)}
    flowing: Marked = []
    for position, char in enumerate(text):
        if char.isspace():
            if flowing and flowing[-1][0] != " ":
                flowing.append((" ", position in lit))
        else:
            flowing.append((char if char.isprintable() or char in _JOINERS else "�", position in lit))
    return flowing


def wrap(text: Marked, columns: int, most: int) -> list[Marked]:
    """Lines of at most `columns`, broken at spaces and between wide characters, `most` lines."""
    lines: list[Marked] = [[]]
    used = 0
    for unit in _units(text):
        wide = width("".join(char for char, _ in unit))
        if used + wide > columns and lines[-1]:
            lines.append([])
            used = 0
        if not lines[-1] and unit[0][0] == " ":
            continue
        while wide > columns:  # a word longer than a line
            lines[-1] = unit[:columns]
            unit = unit[columns:]
            wide = width("".join(char for char, _ in unit))
            lines.append([])
        lines[-1] = lines[-1] + unit
        used += wide
    lines = [line for line in lines if line]
    if len(lines) > most:
        lines = lines[:most]
        last = lines[-1]
        while last and width("".join(char for char, _ in last)) > columns - 2:
            last = last[:-1]
        lines[-1] = [*last, (" ", False), ("…", False)]
    return lines


def _units(text: Sequence[tuple[str, bool]]) -> Iterable[Marked]:
    unit: Marked = []
    for pair in text:
        breaks = pair[0] == " " or (not pair[0].isascii() and width(pair[0]) == 2)
        if breaks:
            if unit:
                yield unit
            yield [pair]
            unit = []
        else:
            unit.append(pair)
    if unit:
        yield unit


def pieces(line: Marked) -> list[tuple[str, bool]]:
    """A line's characters joined into runs of the same kind."""
    runs: list[tuple[str, bool]] = []
    for char, lit in line:
        if runs and runs[-1][1] == lit:
            runs[-1] = (runs[-1][0] + char, lit)
        else:
            runs.append((char, lit))
    return runs
