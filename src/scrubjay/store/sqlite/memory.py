"""What is known of memories beside their text: kinds, tiers, scopes, triggers, and how they are used.

A document without a row is an ordinary one, so a base of plain files pays nothing. What a use
changes is written only where no other process is writing: reading must never wait.
"""

from __future__ import annotations

from array import array

from scrubjay.errors import BaseLocked, BaseReadOnly
from scrubjay.store.sqlite import clock
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import ORDINARY, UNUSED, Facts, Life, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    import apsw

    from scrubjay.store.sqlite.records import Records
    from scrubjay.store.sqlite.vectors import VectorIndex

    Reading = Callable[[], AbstractContextManager[apsw.Connection]]
    Writing = Callable[[], AbstractContextManager[None]]

_FACTS = (
    "coalesce(m.kind, 'declarative'), coalesce(m.kind_source, 'default'), coalesce(m.kind_evidence, ''),"
    " coalesce(m.tier, 'normal'), m.expires_at, coalesce(m.project, ''), coalesce(m.session, ''),"
    " coalesce(m.source, ''), m.stability, coalesce(m.uses, 0), m.used_at"
)
# What is not searched: what somebody corrected away, and what was only meant for a while.
HIDDEN = (
    "SELECT document FROM memories WHERE tier = 'deprecated'"
    " UNION SELECT document FROM memories WHERE expires_at IS NOT NULL AND expires_at <= ?"
    " UNION SELECT document FROM memory_records WHERE kind IN ('deprecated', 'merged') AND undone_at IS NULL"
)
_KEPT = ("kind", "kind_source", "kind_evidence", "tier", "expires_at", "project", "session", "source")


def put(connection: apsw.Connection, document: int, facts: Facts, fresh: bool) -> None:
    """What is known of a document, inside the caller's transaction; how it was used stays."""
    if facts[:-1] != ORDINARY[:-1] or not fresh:
        values = ", ".join("?" * len(_KEPT))
        changes = ", ".join(f"{name} = excluded.{name}" for name in _KEPT)
        guard = "" if facts[:-1] != ORDINARY[:-1] else " AND EXISTS (SELECT 1 FROM memories WHERE document = ?1)"
        connection.execute(
            f"INSERT INTO memories (document, {', '.join(_KEPT)}) SELECT ?1, {values} WHERE 1{guard}"
            f" ON CONFLICT (document) DO UPDATE SET {changes}",
            (document, *facts[:-1]),
        )
    if not fresh:
        connection.execute("DELETE FROM trigger_phrases WHERE document = ?", (document,))
    if facts.triggers:
        connection.executemany(
            "INSERT INTO trigger_phrases VALUES (?, ?, ?)",
            [(document, place, phrase) for place, phrase in enumerate(facts.triggers)],
        )


class Memory:
    """See `scrubjay.ports.Memory`. Each call takes the store's lock for itself."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Reading,
        writing: Writing,
        at_once: Writing,
        index: Callable[[], VectorIndex],
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing
        self._at_once = at_once
        self._index = index

    @property
    def records(self) -> Records:
        """What was decided about memories, and undoing it."""
        from scrubjay.store.sqlite.records import Records

        return Records(self._connection, self._reading, self._writing)

    # what is known

    def put(self, document_id: str, facts: Facts) -> None:
        """Replaces what is known of a document."""
        from scrubjay.store.sqlite.write import document_number

        with self._writing():
            put(self._connection, document_number(self._connection, document_id), facts, fresh=False)

    def facts(self, document_ids: Iterable[str]) -> dict[str, tuple[Facts, Life]]:
        """What is known of these documents and how they were used; unknown ids are left out."""
        import apsw

        asked = tuple(dict.fromkeys(document_ids))
        if not asked:
            return {}
        with self._reading() as connection:
            rows: list[Any] = connection.execute(
                f"SELECT d.id, d.number, {_FACTS} FROM documents AS d LEFT JOIN memories AS m ON m.document = d.number"
                " WHERE d.id IN (SELECT value FROM carray(?))",
                (apsw.carray(asked),),
            ).fetchall()
            phrases = self._phrases(connection, [row[1] for row in rows])
        return {
            identity: (Facts(*known[:8])._replace(triggers=phrases.get(number, ())), Life(*known[8:]))
            for identity, number, *known in rows
        }

    def standings(self, chunks: Sequence[int], *, telling: bool = False) -> dict[int, Standing]:
        """By chunk number, what ranking asks of its document; phrases are not among it.

        `telling` leaves out ordinary files, of which there are hundreds in a search and nothing to say.
        """
        import apsw

        if not chunks:
            return {}
        only = " WHERE m.document IS NOT NULL OR d.path IS NULL OR d.path LIKE '%specs/%'" if telling else ""
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT c.number, d.id, d.path, d.created_at, m.document, {_FACTS} FROM carray(?) AS q"
                " CROSS JOIN chunks AS c ON c.number = q.value JOIN documents AS d ON d.number = c.document"
                f" LEFT JOIN memories AS m ON m.document = d.number{only}",
                (apsw.carray(array("q", chunks)),),
            )
            return {
                number: Standing(number, identity, path, created, ORDINARY, UNUSED)
                if said is None
                else Standing(number, identity, path, created, Facts(*known[:8]), Life(*known[8:]))
                for number, identity, path, created, said, *known in rows
            }

    @staticmethod
    def _phrases(connection: apsw.Connection, documents: Sequence[int]) -> dict[int, tuple[str, ...]]:
        import apsw

        if not documents:
            return {}
        rows = connection.execute(
            "SELECT t.document, t.phrase FROM carray(?) AS q CROSS JOIN trigger_phrases AS t ON t.document = q.value"
            " ORDER BY t.document, t.place",
            (apsw.carray(array("q", documents)),),
        )
        found: dict[int, list[str]] = {}
        for document, phrase in rows:
            found.setdefault(document, []).append(phrase)
        return {document: tuple(phrases) for document, phrases in found.items()}

    def same(self, content_hash: str, kind: str, project: str) -> list[tuple[str, str]]:
        """Notes with exactly this text and scope, the oldest first: their ids and dates."""
        with self._reading() as connection:
            return connection.execute(  # type: ignore[return-value]
                "SELECT d.id, d.created_at FROM documents AS d LEFT JOIN memories AS m ON m.document = d.number"
                " WHERE d.content_hash = ? AND d.path IS NULL AND d.kind = ? AND coalesce(m.project, '') = ?"
                f" AND d.number NOT IN ({HIDDEN}) ORDER BY d.number",
                (content_hash, kind, project, clock.now()),
            ).fetchall()

    def vectors_of(self, model: int, chunks: Sequence[int]) -> list[Sequence[float]]:
        """The vectors of these chunks by one model; of those that have one."""
        with self._reading():
            return list(self._index().vectors_of(model, chunks)[1])

    def scopes(self, document_ids: Iterable[str]) -> dict[str, tuple[str | None, str, str]]:
        """Path, type and project of these documents, without those that are not searched."""
        import apsw

        asked = tuple(document_ids)
        if not asked:
            return {}
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT d.id, d.path, d.kind, coalesce(m.project, '') FROM documents AS d"
                " LEFT JOIN memories AS m ON m.document = d.number WHERE d.id IN (SELECT value FROM carray(?1))"
                f" AND d.number NOT IN ({HIDDEN.replace('?', '?2')})",
                (apsw.carray(asked), clock.now()),
            )
            return {identity: (path, kind, project) for identity, path, kind, project in rows}

    def triggers(self) -> list[tuple[str, str, str | None, str, str]]:
        """Every phrase that may be said: (document, title, path, tier, phrase), a document's in its order."""
        with self._reading() as connection:
            return connection.execute(  # type: ignore[return-value]
                "SELECT d.id, d.title, d.path, coalesce(m.tier, 'normal'), t.phrase FROM trigger_phrases AS t"
                " JOIN documents AS d ON d.number = t.document LEFT JOIN memories AS m ON m.document = d.number"
                f" WHERE t.document NOT IN ({HIDDEN}) ORDER BY t.document, t.place",
                (clock.now(),),
            ).fetchall()

    # what searching asks

    def hidden_chunks(self) -> dict[int, int]:
        """The chunks of all documents that are not searched, nearly always none, and those documents."""
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT number, document FROM chunks WHERE document IN ({HIDDEN})", (clock.now(),)
            )
            return dict(rows)

    def hidden(self, document_ids: Iterable[str]) -> set[str]:
        """Those of these documents that are not searched."""
        import apsw

        asked = tuple(document_ids)
        if not asked:
            return set()
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT id FROM documents WHERE id IN (SELECT value FROM carray(?1))"
                f" AND number IN ({HIDDEN.replace('?', '?2')})",
                (apsw.carray(asked), clock.now()),
            )
            return {identity for (identity,) in rows}

    def successors(self, chunks: Sequence[int]) -> dict[int, list[str]]:
        """Chunk number → the documents that supersede its own, where there are any."""
        import apsw

        if not chunks:
            return {}
        with self._reading() as connection:
            if connection.execute("SELECT 1 FROM edges WHERE relation = 'supersedes' LIMIT 1").fetchone() is None:
                return {}
            rows = connection.execute(
                "SELECT c.number, d.id FROM carray(?) AS q CROSS JOIN chunks AS c ON c.number = q.value"
                " JOIN edges AS e ON e.target = c.document AND e.relation = 'supersedes'"
                " JOIN documents AS d ON d.number = e.source ORDER BY e.number",
                (apsw.carray(array("q", chunks)),),
            )
            found: dict[int, list[str]] = {}
            for number, identity in rows:
                found.setdefault(number, []).append(identity)
            return found

    def superseded_by(self, document_ids: Iterable[str]) -> dict[str, list[str]]:
        """Document → those that supersede it, where there are any."""
        import apsw

        asked = tuple(document_ids)
        if not asked:
            return {}
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT a.id, b.id FROM documents AS a JOIN edges AS e ON e.target = a.number"
                " AND e.relation = 'supersedes' JOIN documents AS b ON b.number = e.source"
                " WHERE a.id IN (SELECT value FROM carray(?)) ORDER BY e.number",
                (apsw.carray(asked),),
            )
            found: dict[str, list[str]] = {}
            for identity, newer in rows:
                found.setdefault(identity, []).append(newer)
            return found

    # use

    def live(self, lives: Mapping[str, Life]) -> None:
        """How these documents were used, as it now is."""
        with self._writing():
            self._live(lives)

    def used(self, lives: Mapping[str, Life]) -> bool:
        """As `live`, but never waits: where another process is writing, nothing is kept of this use."""
        try:
            with self._at_once():
                self._live(lives)
        except (BaseLocked, BaseReadOnly):
            return False
        return True

    def _live(self, lives: Mapping[str, Life]) -> None:
        self._connection.executemany(
            "INSERT INTO memories (document, stability, uses, used_at) SELECT number, ?, ?, ? FROM documents"
            " WHERE id = ? ON CONFLICT (document) DO UPDATE SET stability = excluded.stability,"
            " uses = excluded.uses, used_at = excluded.used_at",
            [(life.stability, life.uses, life.used_at, identity) for identity, life in lives.items()],
        )
