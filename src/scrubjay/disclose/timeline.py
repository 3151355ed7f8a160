"""Groups the entries of a timeline by day, the way people look for "when was that".

A helper for whatever draws a timeline; the order is the store's and is never changed here.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrubjay.types import Entry


class Day(NamedTuple):
    """A day and what was written on it."""

    day: str
    entries: tuple[Entry, ...]


def by_day(entries: Iterable[Entry]) -> list[Day]:
    """Neighbouring entries of one day together, in the order given."""
    days: list[Day] = []
    for entry in entries:
        day = entry.created_at[:10]
        if days and days[-1].day == day:
            days[-1] = Day(day, (*days[-1].entries, entry))
        else:
            days.append(Day(day, (entry,)))
    return days


def line(entry: Entry) -> str:
    """One entry on one line: time, id, title, tags and what it is about."""
    title = entry.title or "(no title)"
    tags = "".join(f" #{tag}" for tag in entry.tags)
    about = f" — {entry.summary}" if entry.summary and entry.summary != entry.title else ""
    return f"{entry.created_at[11:16] or '--:--'}  {entry.id}  {title}{tags}{about}"
