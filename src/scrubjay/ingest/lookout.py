"""Sees what has changed below some folders, by looking at them again.

Names, sizes and times are compared, nothing is opened. A change counts when it has stood still
from one look to the next, because files are written in pieces; what never stands still counts
after a while all the same. A folder that is away is told once, and what it held is not taken
for deleted: a disk may just not be mounted.
"""

from __future__ import annotations

import os

from scrubjay.ingest.walk import Found, walk
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrubjay.types import Source

    Looks = dict[str, tuple[int, int]]  # path → time and size

PATIENCE = 10  # looks after which a change counts though it has not stood still


class Seen(NamedTuple):
    """What one look saw of one source: files that came, went or changed; None while it is away."""

    source: Source
    paths: tuple[str, ...]
    present: bool = True


class Lookout:
    """Remembers what each source looked like when it was last read."""

    def __init__(self, base: str, *, hidden: bool = False, max_bytes: int = 200_000_000) -> None:
        self._base = base
        self._hidden = hidden
        self._max_bytes = max_bytes
        self._read: dict[str, Looks] = {}
        self._last: dict[str, Looks] = {}
        self._waited: dict[str, int] = {}
        self._away: set[str] = set()

    def look(self, sources: Iterable[Source]) -> list[Seen]:
        """The sources in which something has changed and stands still, and those that went or came back."""
        found = []
        for source in sources:
            if not os.path.lexists(source.path):
                if source.path not in self._away:
                    self._away.add(source.path)
                    found.append(Seen(source, (), present=False))
                continue
            back = source.path in self._away
            self._away.discard(source.path)
            seen = self._look(source)
            if seen is not None or back:
                found.append(seen or Seen(source, ()))
        return found

    def was_read(self, source: Source) -> None:
        """What the last look saw is in the base now."""
        self._read[source.path] = self._last.get(source.path, {})
        self._waited.pop(source.path, None)

    def _look(self, source: Source) -> Seen | None:
        now = self._looks(source)
        before, read = self._last.get(source.path), self._read.get(source.path)
        self._last[source.path] = now
        if read is None:  # never read while we watch: it counts as it is
            return Seen(source, tuple(now))
        changed = _differing(read, now)
        if not changed:
            self._waited.pop(source.path, None)
            return None
        waited = self._waited[source.path] = self._waited.get(source.path, 0) + 1
        return Seen(source, changed) if now == before or waited >= PATIENCE else None

    def _looks(self, source: Source) -> Looks:
        return {
            item.path: (item.mtime_ns, item.size)
            for item in walk(
                [source.path], exclude=source.exclude, max_bytes=self._max_bytes, include_hidden=self._hidden
            )
            if isinstance(item, Found) and not item.path.startswith(self._base)  # its own writing is no news
        }


def _differing(read: Looks, now: Looks) -> tuple[str, ...]:
    return tuple(sorted(path for path in read.keys() | now.keys() if read.get(path) != now.get(path)))
