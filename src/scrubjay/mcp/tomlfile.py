"""Changes one table of a TOML file: the lines that are ours, and no other."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def written(path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The table as it is added to a file."""
    return "\n".join([f"[{'.'.join(path)}]", *(_line(name, value) for name, value in values.items())]) + "\n"


def put(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The text in which the table at `path` has those values; its other keys stay as they are."""
    tree = tomllib.loads(text)
    table = _table(tree, path)
    if table is not None and all(table.get(name) == value for name, value in values.items()):
        return text
    lines = text.splitlines(keepends=True)
    found = _lines(lines, path)
    if found is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        new = text + gap + written(path, values)
    else:
        start, end = found
        kept = _without(lines[start + 1 : end], values)
        ours = [_line(name, value) + "\n" for name, value in values.items()]
        new = "".join([*lines[: start + 1], *ours, *kept, *lines[end:]])
    return _checked(new, _set(tree, path, {**(table or {}), **values}))


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the table at `path` and the tables within it."""
    tree = tomllib.loads(text)
    if _table(tree, path) is None:
        return text
    lines = text.splitlines(keepends=True)
    while (found := _lines(lines, path, within=True)) is not None:
        start, end = found
        if end == len(lines) and start and not lines[start - 1].strip():
            start -= 1  # the empty line that was put before it
        del lines[start:end]
    holder = _table(tree, path[:-1]) or {}
    holder.pop(path[-1], None)
    remaining = tomllib.loads("".join(lines))
    if _without_empty(remaining) != _without_empty(tree):
        raise ValueError("the server is written there in another way")
    return "".join(lines)


def _table(tree: Any, path: Sequence[str]) -> dict[str, Any] | None:
    for name in path:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree if isinstance(tree, dict) else None


def _set(tree: dict[str, Any], path: Sequence[str], table: dict[str, Any]) -> dict[str, Any]:
    holder = tree
    for name in path[:-1]:
        holder = holder.setdefault(name, {})
    holder[path[-1]] = table
    return tree


def _without_empty(tree: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tree.items() if value != {}}


def _checked(text: str, expected: dict[str, Any]) -> str:
    if tomllib.loads(text) != expected:
        raise ValueError("the server is written there in another way")
    return text


def _lines(lines: Sequence[str], path: Sequence[str], *, within: bool = False) -> tuple[int, int] | None:
    """From the table's header up to the next one. `within` finds the tables inside it, too."""
    name = re.escape(".".join(path))
    inside = r"(?:\..*)?" if within else ""
    header = re.compile(rf"\s*\[\s*{name}{inside}\s*\]\s*(#.*)?$")
    start = next((number for number, line in enumerate(lines) if header.match(line.rstrip("\r\n"))), None)
    if start is None:
        return None
    end = next((n for n in range(start + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    while start + 1 < end < len(lines) and not lines[end - 1].partition("#")[0].strip():
        end -= 1  # what stands before the next header belongs to that one
    return start, end


def _without(lines: Sequence[str], values: Mapping[str, Any]) -> list[str]:
    """The lines that do not set one of `values`; a list may go over several."""
    kept: list[str] = []
    depth = 0
    for line in lines:
        if depth > 0:
            depth += line.count("[") - line.count("]")
            continue
        name, equals, value = line.partition("=")
        if equals and name.strip() in values:
            depth = value.count("[") - value.count("]")
        else:
            kept.append(line)
    return kept


def _line(name: str, value: Any) -> str:
    return f"{name} = {json.dumps(value, ensure_ascii=False)}"
