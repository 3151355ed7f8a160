"""Follows what was added: looks, reads what changed, tells each change.

One process, one thread, nothing to install: folders are looked at again and again, as often as
that may cost a fiftieth of one processor (docs/adr/0052-watching.md). What goes wrong with one
change is told and tried again; nothing but a stop ends it.
"""

from __future__ import annotations

from time import process_time

from scrubjay.errors import ScrubjayError
from scrubjay.ingest.lookout import Lookout
from scrubjay.ingest.pipeline import Request
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.watching import Noticed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrubjay.ingest.lookout import Seen
    from scrubjay.ports import Store
    from scrubjay.types import AddReport, FileState

    Read = Callable[[Iterable[Request]], AddReport]
    States = dict[str, FileState | None]

_SHARE = 50  # a look may take one part in so many of the time


class Watch:
    """One watch over one base. `read` brings sources up to date; `tell` hears of each change."""

    def __init__(self, store: Store, lookout: Lookout, read: Read, tell: Callable[[Noticed], None]) -> None:
        self._store = store
        self._lookout = lookout
        self._read = read
        self._tell = tell
        self._trouble = ""
        self._cost = 0.0

    def run(self, every: float, wait: Callable[[float], object]) -> None:
        """Until `wait` says something true, or raises."""
        while True:
            self.look()
            if wait(max(every, self._cost * _SHARE)):
                return

    def look(self) -> int:
        """One look at everything; how many changes it brought into the base."""
        try:
            sources = self._store.sources()
            started = process_time()
            found = self._lookout.look(sources)
            self._cost = process_time() - started  # of looking; reading what changed is work that was asked for
            changes = sum(self._follow(seen) for seen in found)
            self._trouble = ""
            return changes
        except ScrubjayError as error:
            if error.what != self._trouble:  # told once, tried again with every look
                self._tell(Noticed("note", "", detail=f"{error.what} {error.why} {error.cure}".strip()))
                self._trouble = error.what
            return 0

    def _follow(self, seen: Seen) -> int:
        source = seen.source
        if not seen.present and self._store.file_state(source.path) is None:  # a folder, not a file added alone
            self._tell(Noticed("away", source.path, detail="What it held stays in the base."))
            return 0
        before = {path: self._store.file_state(path) for path in (*seen.paths, source.path)}
        known = self._store.file_states(source.path)
        report = self._read([Request(source.path, source.tags, source.exclude, source.kind)])
        self._lookout.was_read(source)
        changes = _changes({**known, **before}, self._store)
        for change in changes:
            self._tell(change)
        for notice in report.notices:
            self._tell(Noticed("note", "", detail=f"{notice.reason} {notice.remedy}".strip()))
        return len(changes)


def _changes(before: States, store: Store) -> list[Noticed]:
    """What reading did, by what the base held before and holds now."""
    after = {path: store.file_state(path) for path in before}
    gone = {state.id: path for path, state in before.items() if state is not None and after[path] is None}
    changes = []
    for path in sorted(before):
        was, now = before[path], after[path]
        if now is None:
            continue
        if was is None:
            old = gone.pop(now.id, "")
            changes.append(Noticed("moved" if old else "added", path, now.id, old))
        elif was.content_hash != now.content_hash:
            changes.append(Noticed("changed", path, now.id))
    return [*changes, *(Noticed("removed", path, identity) for identity, path in sorted(gone.items()))]
