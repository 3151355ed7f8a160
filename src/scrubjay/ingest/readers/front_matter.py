"""Reads the block of facts at the head of a note: title, tags, date and whatever else is there.

It is YAML as people write it, not YAML as it is specified: `key: value`, quoted text, lists on
one line or one item a line, maps inside maps, `|` and `>` blocks, comments. A whole YAML parser
would bring types nobody meant (`no` as false, 1.10 as 1.1, a date as an object) and one bad line
would cost all the others. Here each line that is not understood is named and the rest is used.
"""

from __future__ import annotations

import re

from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

_BLOCK = re.compile(r"---[ \t]*\r?\n(.*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S)
_TOML_BLOCK = re.compile(r"\+\+\+[ \t]*\r?\n(.*?)(?<=\n)\+\+\+[ \t]*(?:\r?\n|\Z)", re.S)
_KEY = re.compile(
    r"""( *)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#\-\[{"'][^:#]*?|-[^\s:][^:#]*?)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$"""
)
_ITEM = re.compile(r"( *)-(?:[ \t]+(.*)|[ \t]*)$")
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?$""", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "\\": "\\", '"': '"', "/": "/", " ": " "}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.S)
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_DECIMAL = re.compile(r"-?\d{1,9}\.\d{1,6}")
_DEEPEST = 20
_MOST_LINES_INLINE = 100
_LARGEST = 65_536  # characters: what is larger is not a note's head


class FrontMatter(NamedTuple):
    """The facts, where the text after them begins, and what was not understood."""

    facts: dict[str, Any]
    end: int = 0
    notices: tuple[Notice, ...] = ()


def front_matter(text: str) -> FrontMatter:
    """The facts at the head of `text`; `end` is 0 when there are none."""
    if text.startswith("+++"):
        return _toml(text)
    block = _BLOCK.match(text, 0, _LARGEST) if text.startswith("---") else None
    if block is None:
        return FrontMatter({})
    parser = _Parser([line.rstrip("\r") for line in block.group(1).expandtabs(2).split("\n")])
    first = next((line for line in parser.lines if line.strip()), "")
    facts = parser.mapping(len(first) - len(first.lstrip()), 0)
    if len(parser.bad) > (max(2, len(facts)) if facts else 0):  # prose between two rules, not facts
        return FrontMatter({}, 0, _not_understood(parser.bad) if facts else ())
    return FrontMatter(facts, block.end(), _not_understood(parser.bad))


def _not_understood(lines: list[int]) -> tuple[Notice, ...]:
    if not lines:
        return ()
    shown = ", ".join(map(str, lines[:5])) + (" …" if len(lines) > 5 else "")
    what = "line" if len(lines) == 1 else "lines"
    return (Notice("read", f"front matter not understood in {what} {shown}", "write it as `key: value`"),)


def _toml(text: str) -> FrontMatter:
    import tomllib

    block = _TOML_BLOCK.match(text)
    if block is None:
        return FrontMatter({})
    try:
        facts = tomllib.loads(block.group(1))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        return FrontMatter({}, block.end(), (Notice("read", f"front matter is not TOML: {problem}", "correct it"),))
    return FrontMatter({key: _plain(value) for key, value in facts.items()}, block.end())


def _plain(value: Any) -> Any:
    """Only what JSON knows: dates and times as text."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


class _Parser:
    """Walks over the lines; `bad` are the numbers of those that it passed over."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.bad: list[int] = []

    def _skip(self) -> str | None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and not line.lstrip().startswith("#"):
                return line
            self.at += 1
        return None

    def _refuse(self) -> None:
        self.bad.append(self.at + 2)  # counted from one, after the opening rule
        self.at += 1

    def mapping(self, indent: int, depth: int) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        while (line := self._skip()) is not None:
            match = _KEY.match(line)
            own = len(line) - len(line.lstrip())
            if own < indent and depth:
                break
            if match is None or (own > indent and not depth):
                if depth and _ITEM.match(line):
                    break
                self._refuse()
                continue
            self.at += 1
            facts[_scalar_text(match.group(2))] = self._value(match.group(3) or "", own, depth)
        return facts

    def _value(self, rest: str, indent: int, depth: int) -> Any:
        rest = rest.strip()
        if rest[:1] in ("|", ">") and re.fullmatch(r"[|>][-+0-9]*(?:\s+#.*)?", rest):
            return self._block(indent, folded=rest[0] == ">")
        if rest[:1] in ("[", "{"):
            return self._inline(rest)
        if rest and not rest.startswith("#"):
            return self._text(rest, indent)
        line = self._skip()
        if line is None or depth >= _DEEPEST:
            return None
        item, own = _ITEM.match(line), len(line) - len(line.lstrip())
        if item and own >= indent:
            return self._items(own, depth + 1)
        return self.mapping(own, depth + 1) if own > indent and _KEY.match(line) else self._continued(indent)

    def _items(self, indent: int, depth: int) -> list[Any]:
        items: list[Any] = []
        while (line := self._skip()) is not None:
            item = _ITEM.match(line)
            if item is None or len(item.group(1)) != indent:
                break
            rest = (item.group(2) or "").strip()
            if _KEY.match(rest) and not rest.startswith(("[", "{", '"', "'")) and depth < _DEEPEST:
                self.lines[self.at] = " " * (len(line) - len(rest)) + rest  # a map as an item
                items.append(self.mapping(len(line) - len(rest), depth + 1))
                continue
            self.at += 1
            items.append(self._value(rest, indent, depth))
        return items

    def _block(self, indent: int, folded: bool) -> str:
        taken: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            taken.append(line)
            self.at += 1
        margin = min((len(line) - len(line.lstrip()) for line in taken if line.strip()), default=0)
        text = "\n".join(line[margin:].rstrip() for line in taken).strip("\n")
        return re.sub(r"(?<!\n)\n(?!\n)", " ", text) if folded else text

    def _continued(self, indent: int) -> str | None:
        parts = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.strip() or len(line) - len(line.lstrip()) <= indent:
                break
            parts.append(line.strip())
            self.at += 1
        return " ".join(parts) or None

    def _text(self, rest: str, indent: int) -> Any:
        if rest[0] in "\"'" and not _QUOTED.match(rest):
            more = self._continued(indent)  # a quoted text over several lines
            rest = f"{rest} {more}" if more else rest
            return _unquoted(rest) if _QUOTED.match(rest) else rest
        if rest[0] in "\"'":
            return _unquoted(rest)
        plain = _COMMENT.sub("", rest).strip()
        more = self._continued(indent)
        return f"{plain} {more}" if more else _scalar(plain)

    def _inline(self, rest: str) -> Any:
        first, given = self.at, rest
        while not _is_closed(rest) and self.at < len(self.lines) and self.at - first < _MOST_LINES_INLINE:
            if _KEY.match(self.lines[self.at]) and not self.lines[self.at].startswith(" "):
                break  # the next fact: this one was never closed
            rest += " " + self.lines[self.at].strip()
            self.at += 1
        if not _is_closed(rest):
            self.at = first
            self.bad.append(first + 1)
            return given
        return _inline_value(rest, 0, 0)[0]


# --- values ----------------------------------------------------------------------------------


def _is_closed(text: str) -> bool:
    bare = re.sub(r""""(?:[^"\\]|\\.)*"|(?<![^\s,\[{:])'(?:[^']|'')*'""", "", text)
    bare = bare.split(" #", 1)[0]
    return bare.count("[") <= bare.count("]") and bare.count("{") <= bare.count("}")


def _inline_value(text: str, at: int, depth: int) -> tuple[Any, int]:
    """One value of `[a, "b", {c: d}]` and where it ends."""
    at = _after_space(text, at)
    if text[at : at + 1] in ("[", "{") and depth < _DEEPEST:
        return _inline_group(text, at, depth)
    quoted = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""").match(text, at)
    if quoted:
        return _unquoted(quoted.group()), quoted.end()
    plain = re.compile(r"[^,\]}]*").match(text, at)
    assert plain is not None
    return _scalar(plain.group().strip()), plain.end()


def _inline_group(text: str, at: int, depth: int) -> tuple[Any, int]:
    closing = {"[": "]", "{": "}"}[text[at]]
    items: list[Any] = []
    pairs: dict[str, Any] = {}
    at += 1
    while (at := _after_space(text, at)) < len(text) and text[at] != closing:
        if closing == "}":
            key = re.compile(r"\s*([^:,}]*)\s*(:?)").match(text, at)
            assert key is not None
            value, at = _inline_value(text, key.end(), depth + 1) if key.group(2) else (None, key.end())
            pairs[_scalar_text(key.group(1).strip())] = value
        else:
            value, at = _inline_value(text, at, depth + 1)
            items.append(value)
        at = _after_space(text, at)
        if at < len(text) and text[at] != closing:
            at += 1  # the comma, or a bracket that has no partner
    items = [item for item in items if item is not None]
    return (items if closing == "]" else pairs), at + 1


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _scalar(plain: str) -> Any:
    """A number or true/false only where writing it back gives the same; text otherwise."""
    if plain.lower() in _CONSTANTS:
        return _CONSTANTS[plain.lower()]
    if _INTEGER.fullmatch(plain):
        return int(plain)
    if _DECIMAL.fullmatch(plain) and repr(float(plain)) == plain:
        return float(plain)
    return plain


def _scalar_text(text: str) -> str:
    return _unquoted(text) if text[:1] in ('"', "'") else text.strip()


def _unquoted(text: str) -> str:
    match = _QUOTED.match(text)
    inner = match.group(1)[1:-1] if match else text.strip("\"'")
    return _ESCAPE.sub(_character, inner) if text[0] == '"' else inner.replace("''", "'")


def _character(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2) or match.group(3)
    if code is None:
        return _ESCAPES.get(match.group(4), match.group())
    number = int(code, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
