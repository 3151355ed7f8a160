"""The patterns of ignore files, matched as git matches them: the last one that fits decides.

A walk asks level by level and never enters what is ignored, so a pattern has to fit a path
itself and never its parents. That is all there is to it, and it is where the usual library
differs: `*`, `!*/`, `!*.md`, the way to say "nothing but Markdown", leaves nothing there.
The test asks git itself (tests/ingest/test_ignore.py).
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "xdigit": "0-9a-fA-F",
    "space": r"\s", "blank": r" \t", "punct": r"!-/:-@\[-`{-~", "cntrl": r"\x00-\x1f\x7f",
    "print": " -~", "graph": "!-~",
}  # fmt: skip


class Pattern(NamedTuple):
    """One line of an ignore file. `of_name` compares with the last part of a path only."""

    regex: re.Pattern[str]
    wanted: bool  # it began with "!"
    only_folders: bool
    of_name: bool


class Patterns:
    """Several lines, in order, behind one look that dismisses most paths."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._backwards = list(patterns)[::-1]
        self._any_name = _either(pattern for pattern in self._backwards if pattern.of_name)
        self._any_path = _either(pattern for pattern in self._backwards if not pattern.of_name)

    def ignores(self, path: str, is_folder: bool) -> bool | None:
        """What the last fitting line says of a path that is relative to its file; None when none fits."""
        name = path.rpartition("/")[2]
        if not self._any_name.match(name) and not self._any_path.match(path):
            return None
        for pattern in self._backwards:
            if (is_folder or not pattern.only_folders) and pattern.regex.match(name if pattern.of_name else path):
                return not pattern.wanted
        return None


def parsed(line: str) -> Pattern | None:
    """A line of an ignore file that is neither empty nor a comment. Raises ValueError when it fits nothing."""
    line = _without_trailing_spaces(line.removesuffix("\r"))
    if not line or line.startswith("#"):
        return None
    wanted = line.startswith("!")
    body = line[wanted:]
    only_folders = body.endswith("/")
    body = body[: len(body) - only_folders]
    of_name = "/" not in body
    if not body:
        raise ValueError("there is nothing in it")
    return Pattern(re.compile(_regex(body.removeprefix("/")) + r"\Z", re.S), wanted, only_folders, of_name)


def _without_trailing_spaces(line: str) -> str:
    bare = line.rstrip(" ")
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 and len(bare) < len(line)
    return bare + " " if escaped else bare


def _either(patterns: Iterable[Pattern]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern.regex.pattern})" for pattern in patterns) or r"(?!)", re.S)


def _regex(pattern: str) -> str:
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            made, at = _stars(pattern, at)
            parts.append(made)
        elif char == "[":
            made, at = _bracket(pattern, at + 1)
            parts.append(made)
        elif char == "\\":
            if at + 1 == len(pattern):
                raise ValueError("it ends in a backslash")
            parts.append(re.escape(pattern[at + 1]))
            at += 2
        else:
            parts.append("[^/]" if char == "?" else re.escape(char))
            at += 1
    return "".join(parts)


def _stars(pattern: str, at: int) -> tuple[str, int]:
    """`**` means folders where it stands alone between slashes; elsewhere any number of stars is one."""
    end = at
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    alone = end - at == 2 and (at == 0 or pattern[at - 1] == "/")
    if alone and pattern[end : end + 1] == "/":
        return "(?:[^/]+/)*", end + 1
    if alone and end == len(pattern):
        return ".+", end
    return "[^/]*", end


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """`[a-z]`, `[!a]`, `[[:digit:]]`, from behind the opening bracket."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    parts: list[str] = []
    first = True
    while first or pattern[at : at + 1] != "]":
        first = False
        named = re.compile(r"\[:(\w+):\]").match(pattern, at)
        if named and named.group(1) in _CLASSES:
            parts.append(_CLASSES[named.group(1)])
            at = named.end()
            continue
        low, at = _member(pattern, at)
        if pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("]", ""):
            high, at = _member(pattern, at + 1)
            if low <= high:
                parts.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            parts.append(re.escape(low))
    inside = "".join(parts)
    if not inside:  # a range that runs backwards holds nothing
        return ("[^/]" if negated else "(?!)"), at + 1
    return f"(?!/)[{'^' if negated else ''}{inside}]", at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    at += pattern[at : at + 1] == "\\"
    if at >= len(pattern):
        raise ValueError("a bracket is not closed")
    return pattern[at], at + 1
