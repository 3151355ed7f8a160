"""Learns what belongs together from use: documents found by one search and opened after it.

A search leaves one line with the ids it found in a small file beside the base, never its words,
and never a write to the base itself: a search must not wait for a writer, nor make other
processes read again what they hold. Opening reads the lines of the last half hour and draws
those documents together that were found and opened together. `graph.learn` switches it off;
the file may be deleted at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import time

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrubjay.ports import Store
    from scrubjay.types import Found, SearchResult

_WINDOW = 1800  # seconds in which opening still belongs to the search
_STEP = 0.2  # of what is missing to certainty, each time
_MOST_FOUND = 20
_MOST_OPENED = 8  # who opens more at once exports, and means nothing by it
_MOST_BYTES = 65536


class Habits:
    """The recent searches of one base, kept in a file so that one command learns from another."""

    def __init__(self, store: Store, enabled: bool) -> None:
        self._store = store
        self._memory: list[str] = []
        in_a_file = not store.location.startswith(":") and "://" not in store.location
        self._place = f"{store.location}-recent" if in_a_file else None
        self._enabled = enabled and (not in_a_file or os.access(store.location, os.W_OK))

    def found(self, result: SearchResult) -> None:
        """Remembers which documents a search showed."""
        if self._enabled and len(result.hits) > 1:
            documents = dict.fromkeys(hit.document_id for hit in result.hits)
            self._append("s", list(documents)[:_MOST_FOUND])

    def opened(self, found: Found) -> None:
        """Draws together what was opened now and what was opened before, if one search showed both."""
        now = dict.fromkeys(passage.document_id for passage in found.documents)
        if not self._enabled or not now or len(now) > _MOST_OPENED:
            return
        shown: list[set[str]] = []
        before: dict[str, None] = {}
        for sign, ids in self._recent():
            if sign == "s":
                shown.append(set(ids))
            else:
                before |= dict.fromkeys(ids)
        pairs = list(_pairs(list(now), list(before)))
        together = [pair for pair in pairs if any(pair[0] in ids and pair[1] in ids for ids in shown)]
        if together:
            self._store.graph.strengthen(together, _STEP)
        if any(one in ids for one in now for ids in shown):
            self._append("o", list(now))

    def forget(self) -> None:
        """Nothing was found or opened lately."""
        self._memory.clear()
        if self._place is not None:
            with suppress(OSError):
                os.remove(self._place)

    def _append(self, sign: str, ids: Sequence[str]) -> None:
        if any(character.isspace() for each in ids for character in each):
            return  # an id of the caller's own that would not read back as one
        line = f"{sign} {time():.0f} {' '.join(ids)}\n"
        if self._place is None:
            self._memory = [*self._memory[-50:], line]
            return
        with suppress(OSError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            file = os.open(self._place, flags, 0o600)
            try:
                if os.fstat(file).st_size > _MOST_BYTES:
                    os.ftruncate(file, 0)
                os.write(file, line.encode())
            finally:
                os.close(file)

    def _recent(self) -> Iterator[tuple[str, list[str]]]:
        """What was noted within the window; a line that is no use is passed over."""
        lines: Iterable[str] = self._memory
        if self._place is not None:
            try:
                with open(self._place, encoding="utf-8", errors="replace") as file:
                    lines = file.readlines()
            except OSError:
                lines = ()
        since = time() - _WINDOW
        for line in lines:
            sign, _, rest = line.partition(" ")
            moment, _, ids = rest.partition(" ")
            if sign in ("s", "o") and moment.isdecimal() and int(moment) >= since and ids.split():
                yield sign, ids.split()


def _pairs(now: Sequence[str], before: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each pair once: among those opened now, and of each of them with one opened before."""
    for place, one in enumerate(now):
        for other in (*now[place + 1 :], *(each for each in before if each not in now)):
            yield one, other
