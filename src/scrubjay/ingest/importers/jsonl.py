"""Reads JSON lines: our own export, or plain notes, one object a line.

A line that is none is told with its number and passed over, so that one slip in a file of a
hundred thousand lines costs one line.
"""

from __future__ import annotations

import json

from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.carrying import Told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

KINDS = ("scrubjay", "source", "document", "edge", "row", "vectors")
_CURE = "Mend the line and import the file again: what is there already is passed over."


def told(lines: Iterable[bytes]) -> Iterator[Told | Notice]:
    """Each record with its place; blank lines mean nothing."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = f"line {number}"
            try:
                yield _told(place, json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8")))
            except ValueError as error:
                yield refused(place, _reason(error))


def refused(place: str, reason: str) -> Notice:
    return Notice("import", f"{place}: {reason}", _CURE)


def _reason(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON ({error.msg} at character {error.colno})"
    return str(error)


def _told(place: str, value: Any) -> Told:
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    if len(value) == 1:
        [(kind, record)] = value.items()
        if kind in KINDS:
            if not isinstance(record, dict):
                raise ValueError(f"its {kind} is no JSON object")
            return Told(place, kind, record)
    if "text" in value:
        return Told(place, "document", value)
    raise ValueError(f"it is neither one of {', '.join(KINDS)} nor a note with a text")
