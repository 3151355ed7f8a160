"""Turns the places where something begins into spans that cover a text exactly.

A reader only says where each stretch begins; where it ends follows from the next one. So no
reader can leave a gap or an overlap, and none has to prove that it did not.
"""

from __future__ import annotations

import re

from scrubjay.types import Span
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrubjay.types import Reading

_DATE = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")


class Mark(NamedTuple):
    """Here begins a stretch. The fields are those of `Span`, without its end."""

    start: int
    trail: tuple[str, ...] = ()
    form: str = "prose"
    opens: bool = False
    page: int | None = None


def spans_from(marks: Iterable[Mark], length: int) -> tuple[Span, ...]:
    """Spans from mark to mark over `length` characters; of two at one place the later one holds."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.start >= length:
            break
        if kept and kept[-1].start == mark.start:
            mark = mark._replace(opens=kept.pop().opens or mark.opens)
        kept.append(mark)
    if not length:
        return ()
    if not kept or kept[0].start > 0:
        kept.insert(0, Mark(0))
    ends = [mark.start for mark in kept[1:]] + [length]
    return tuple(
        Span(mark.start, end, mark.trail, mark.page, mark.form, mark.opens)
        for mark, end in zip(kept, ends, strict=True)
    )


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Each line with where it begins, its end taken off."""
    at = 0
    for line in text.split("\n"):
        yield at, line.rstrip("\r")
        at += len(line) + 1


def stem_of(path: str) -> str:
    """The name of a file without its folder and its last ending: what to call it when it does not say."""
    name = re.split(r"[/\\]", path)[-1]
    stem = name.rpartition(".")[0]
    return stem or name


def date_in(value: str) -> str | None:
    """The first date in a text as an ISO string, with its time if that follows; None if it is none."""
    match = _DATE.search(value)
    if match is None:
        return None
    from datetime import date, datetime

    try:
        day = date(*map(int, match.groups())).isoformat()
    except ValueError:
        return None
    rest = value[match.end() :].strip().lstrip("T").strip()
    clock = re.match(r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?\s*(?:Z|[+-]\d{2}:?\d{2})?", rest)
    if clock is None:
        return day
    try:
        return datetime.fromisoformat(f"{day}T{clock.group().replace(' ', '').rjust(5, '0')}").isoformat()
    except ValueError:
        return day


def with_date_of_name(reading: Reading, path: str) -> Reading:
    """`reading` dated by its file's name when it does not say itself: 2026-01-01.md, notes 2026-01-01.txt."""
    match = re.search(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)", stem_of(path)) if reading.created_at is None else None
    found = date_in(match.group()) if match else None
    return reading._replace(created_at=found) if found else reading
