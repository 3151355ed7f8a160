"""Remembers which memories were used, because what is used stays and what is not fades.

Looking something up must not wait for a writer, nor make other processes read again what they
hold. So it leaves one line with the ids in a small file beside the base, and whoever writes next
takes the lines into it. Only notes are followed, and files that say which kind of memory they
are: a manual is no better known for being opened.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import time

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrubjay.ports import Store
    from scrubjay.types import Found
    from scrubjay.types.memory import Life

_MOST = 20  # who opens more at once exports, and means nothing by it
_MOST_BYTES = 262_144
_ASSERTED = ("given", "metadata")


class Uses:
    """The uses of one base that are not in it yet."""

    def __init__(self, store: Store, enabled: bool) -> None:
        self._store = store
        self._lines: list[str] = []
        in_a_file = not store.location.startswith(":") and "://" not in store.location
        self._place = f"{store.location}-uses" if in_a_file else None
        self._enabled = enabled and (not in_a_file or os.access(store.location, os.W_OK))

    def opened(self, found: Found) -> None:
        """Notes what was opened just now."""
        ids = list(dict.fromkeys(passage.document_id for passage in found.documents))
        if not self._enabled or not ids or len(ids) > _MOST:
            return
        if any(character.isspace() for identity in ids for character in identity):
            return  # an id of the caller's own that would not read back as one
        line = f"{time():.0f} {' '.join(ids)}\n"
        if self._place is None:
            self._lines = [*self._lines[-1000:], line]
            return
        with suppress(OSError):
            file = os.open(self._place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                if os.fstat(file).st_size < _MOST_BYTES:
                    os.write(file, line.encode())
            finally:
                os.close(file)

    def settle(self) -> int:
        """Takes the lines into the base; how many documents they were about. They are kept if it is busy."""
        uses = self._taken()
        if not uses:
            return 0
        lives = dict(self._lives(uses))
        if not lives:
            return 0
        if not self._store.memory.used(lives):
            self._give_back(uses)
            return 0
        return len(lives)

    def _taken(self) -> dict[str, list[int]]:
        """The moments at which each document was used; what is taken is no more in the file."""
        lines, self._lines = self._lines, []
        if self._place is not None:
            aside = f"{self._place}.{os.getpid()}"
            try:
                os.replace(self._place, aside)  # one of two processes gets it
            except OSError:
                return {}
            with suppress(OSError):
                with open(aside, encoding="utf-8", errors="replace") as file:
                    lines = file.readlines()
                os.remove(aside)
        uses: dict[str, list[int]] = {}
        for line in lines:
            moment, _, ids = line.partition(" ")
            if moment.isascii() and moment.isdecimal() and len(moment) < 12:
                for identity in ids.split():
                    uses.setdefault(identity, []).append(int(moment))
        return uses

    def _give_back(self, uses: Mapping[str, list[int]]) -> None:
        lines = [f"{moment} {identity}\n" for identity, moments in uses.items() for moment in moments]
        if self._place is None:
            self._lines = lines + self._lines
            return
        with suppress(OSError), open(self._place, "a", encoding="utf-8") as file:
            file.writelines(lines)

    def _lives(self, uses: Mapping[str, list[int]]) -> Iterator[tuple[str, Life]]:
        """How these documents were used, all in all, by now."""
        from datetime import UTC, datetime

        from scrubjay.memory.life import used

        documents = self._store.documents_by_id(list(uses))
        for identity, (facts, life) in self._store.memory.facts(documents).items():
            document = documents[identity]
            if document.path is not None and facts.kind_source not in _ASSERTED:
                continue
            after = life
            for moment in sorted(uses[identity]):
                after = used(after, facts.kind, document.created_at, datetime.fromtimestamp(moment, UTC)) or after
            if after != life:
                yield identity, after
