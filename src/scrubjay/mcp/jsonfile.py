"""Changes one member of a JSON file as a person would: no other character of it moves.

Clients' files have comments, trailing commas and a layout of their own, and writing a parsed tree
back would lose all three. So the place is found in the text and only that is replaced. Every
result is parsed again and compared with what it should say, so that an odd file is refused
instead of damaged.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*.*?\*/|\ufeff", re.DOTALL)
_TRAILING = re.compile(_STRING + r"|,(?=\s*[}\]])")
_SPACE = re.compile(r"\s*")
_decode = json.JSONDecoder().raw_decode


class _Member(NamedTuple):
    """Where one stands: its name's beginning, its value's beginning and end."""

    name: str
    start: int
    value: int
    end: int


class _Object(NamedTuple):
    """The places of its braces, and what is between them."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def find(self, name: str) -> _Member | None:
        return next((member for member in reversed(self.members) if member.name == name), None)


def loads(text: str) -> Any:
    """What JSON with comments and trailing commas says; an empty file says {}."""
    plain = _plain(_without_comments(text))
    return json.loads(plain) if plain.strip() else {}


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text in which the member at `path` has that value. Raises ValueError where that cannot be."""
    tree = loads(text)
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    holder = _holder(tree, path[:-1])
    if path[-1] in holder and holder[path[-1]] == value:
        return text
    holder[path[-1]] = value
    return _checked(_put(text, path, value), tree)


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`."""
    tree = loads(text)
    holder = tree
    for name in path[:-1]:
        holder = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(holder, dict) or path[-1] not in holder:
        return text
    del holder[path[-1]]
    return _checked(_drop(text, path), tree)


def _holder(tree: Any, path: Sequence[str]) -> dict[str, Any]:
    for name in ("", *path):
        if name:
            tree = tree.setdefault(name, {})
        if not isinstance(tree, dict):
            raise ValueError(f"{name or 'the whole file'} is no object")
    return tree  # type: ignore[no-any-return]


def _nested(path: Sequence[str], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _checked(text: str, expected: Any) -> str:
    if loads(text) != expected:
        raise ValueError("it is laid out in an unusual way")
    return text


# --- the text with what is no JSON blanked out, so that every place stays where it is ---


def _without_comments(text: str) -> str:
    def blank(found: re.Match[str]) -> str:
        part = found.group()
        return part if part.startswith('"') else re.sub(r"[^\n]", " ", part)

    return _COMMENT.sub(blank, text)


def _plain(bare: str) -> str:
    return _TRAILING.sub(lambda found: " " if found.group() == "," else found.group(), bare)


def _object(plain: str, start: int) -> _Object:
    members: list[_Member] = []
    place = _after_space(plain, start + 1)
    while plain[place] != "}":
        name, end = _decode(plain, place)
        value = _after_space(plain, _after_space(plain, end) + 1)
        _, end = _decode(plain, value)
        members.append(_Member(name, place, value, end))
        place = _after_space(plain, end)
        if plain[place] == ",":
            place = _after_space(plain, place + 1)
    return _Object(start, place, tuple(members))


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _way(text: str, path: Sequence[str]) -> tuple[list[_Object], _Member | None]:
    """The objects that `path` leads through, and the member at its end if it is there."""
    plain = _plain(_without_comments(text))
    way = [_object(plain, _after_space(plain, 0))]
    for name in path[:-1]:
        member = way[-1].find(name)
        if member is None:
            return way, None
        way.append(_object(plain, member.value))
    return way, way[-1].find(path[-1])


# --- the two changes ---


def _put(text: str, path: Sequence[str], value: Any) -> str:
    way, member = _way(text, path)
    unit = _unit(text)
    depth, target = len(way), way[-1]
    one_line = "\n" not in text[target.start : target.end]
    if member is not None:
        margin = _margin(text, member.start, unit * depth)
        if one_line:
            return text[: member.value] + json.dumps(value, ensure_ascii=False) + text[member.end :]
        return text[: member.value] + _written(text, value, unit, margin) + text[member.end :]
    name = path[depth - 1]
    value = _nested(path[depth:], value)
    line = "\r\n" if "\r\n" in text else "\n"
    if not target.members:
        outer = _margin(text, target.start, unit * (depth - 1))
        inner = outer + unit
        kept = text[target.start + 1 : target.end].rstrip()
        new = f"{kept}{line}{inner}{json.dumps(name)}: {_written(text, value, unit, inner)}{line}{outer}"
        return text[: target.start + 1] + new + text[target.end :]
    last = target.members[-1]
    comma = _without_comments(text).find(",", last.end, target.end)  # a trailing one, where that is the custom
    place = comma + 1 if comma >= 0 else last.end
    if one_line:
        new = f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        return text[: last.end] + ", " + new + text[last.end if comma < 0 else place :]
    margin = _margin(text, last.start, unit * depth)
    new = f"{line}{margin}{json.dumps(name)}: {_written(text, value, unit, margin)}" + ("," if comma >= 0 else "")
    break_ = text.find("\n", place, target.end)
    break_ = break_ - 1 if break_ > 0 and text[break_ - 1] == "\r" else break_
    rest = break_ if break_ >= 0 else place  # a remark after the last member stays with it
    return text[: last.end] + "," + text[place if comma >= 0 else last.end : rest] + new + text[rest:]


def _drop(text: str, path: Sequence[str]) -> str:
    way, member = _way(text, path)
    assert member is not None
    holder = way[-1]
    bare = _without_comments(text)
    end = _after_space(bare, member.end)
    if bare[end] == ",":
        end += 1
        before = -1
    else:
        end = member.end
        before = bare.rfind(",", holder.start, member.start) if holder.members[0] != member else -1
    start = text.rfind("\n", 0, member.start) + 1
    own_line = not text[start : member.start].strip()
    start = start if own_line else member.start
    line_end = re.compile(r"[ \t]*\r?\n?").match(text, end)
    if own_line and line_end and line_end.group().endswith("\n"):
        end = line_end.end()
    head = text[:start] if before < 0 else text[:before] + text[before + 1 : start]
    if len(holder.members) == 1 and not text[holder.start + 1 : start].strip() and text[end:].lstrip()[:1] == "}":
        return text[: holder.start + 1] + text[end:].lstrip()
    return head + text[end:]


def _written(text: str, value: Any, unit: str, margin: str) -> str:
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return ("\r\n" if "\r\n" in text else "\n").join([lines[0], *(margin + line for line in lines[1:])])


def _margin(text: str, place: int, otherwise: str) -> str:
    """The white space that the line of a place begins with, if nothing else is before it."""
    start = text.rfind("\n", 0, place) + 1
    before = text[start:place]
    return before[: len(before) - len(before.lstrip())] if "\n" in text[:place] else otherwise


def _unit(text: str) -> str:
    """One step of the file's own indentation."""
    for line in text.splitlines()[1:]:
        margin = line[: len(line) - len(line.lstrip())]
        if margin and line.strip() and not line.lstrip().startswith(("/", "*")):
            return "\t" if margin.startswith("\t") else margin
    return "  "
