"""The edges of the base: written, listed, followed; all by one statement however many.

An edge belongs to the chunk that it was read in and goes with it; what a person said of two
documents stays as long as both do. A hop of a search follows all its chunks at once, and never
more than `fan` edges of one of them, so that a page which everything links to costs no more
than any other.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager

from scrubjay.errors import BaseLocked, BaseReadOnly, UnknownId
from scrubjay.store.sqlite import clock
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import Edge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    import apsw

    from scrubjay.store.sqlite.linking import Linking
    from scrubjay.types.graph import Row

# What was learned from use fades: half of it is gone after so many days. `pow` and `julianday` are SQLite's.
_STRENGTH = (
    "CASE WHEN e.relation = 'opened_with' THEN e.strength"
    " * pow(0.5, max(0, julianday('now') - julianday(e.updated_at)) / {half_life}) ELSE e.strength END"
)
_HEAD = "(SELECT number FROM chunks WHERE document = e.{end} ORDER BY ordinal LIMIT 1)"
# Each index is read in its own order, and no further than `fan`: a document that half of the base
# links to would otherwise be sorted as a whole.
_SIDE = (
    "SELECT s.chunk, e.{end}_chunk, e.{end}, e.relation, {forward}, " + _STRENGTH + " FROM seed AS s CROSS JOIN edges"
    " AS e ON e.number IN (SELECT number FROM edges WHERE {start} = s.document AND {start}_chunk = {place}"
    " AND target IS NOT NULL {order} LIMIT {fan:d})"
)
_HOP = (
    "WITH seed (chunk, document) AS MATERIALIZED (SELECT c.number, c.document FROM carray(?) AS q"
    " CROSS JOIN chunks AS c ON c.number = q.value) "
)
_EDGE = (
    "SELECT a.id, b.id, e.relation, " + _STRENGTH + ", e.origin, e.evidence, e.created_at, e.updated_at,"
    " (SELECT id FROM chunks WHERE number = e.source_chunk), (SELECT id FROM chunks WHERE number = e.target_chunk),"
    " a.title, coalesce(b.title, ''), CASE WHEN b.id IS NULL THEN substr(e.wanted, 3) ELSE '' END"
    " FROM edges AS e JOIN documents AS a ON a.number = e.source LEFT JOIN documents AS b ON b.number = e.target"
)


class Graph:
    """See `scrubjay.ports.Graph`. Each call takes the store's lock for itself."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[apsw.Connection]],
        writing: Callable[[], AbstractContextManager[None]],
        busy_seconds: float = 10.0,
        half_life_days: float = 30.0,
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing
        self._busy_ms = int(busy_seconds * 1000)
        self._half_life = f"{half_life_days:.6f}"

    @property
    def linking(self) -> Linking:
        """What finding links needs of the store."""
        from scrubjay.store.sqlite.linking import Linking

        return Linking(self._connection)

    # said by a person

    def put(self, source: str, target: str, relation: str, strength: float, evidence: str) -> Edge:
        """Between documents or chunks; the same edge again is brought up to date."""
        with self._writing():
            start, end = self._end(source), self._end(target)
            now = clock.now()
            self._connection.execute(
                "INSERT INTO edges (source, source_chunk, target, target_chunk, relation, origin, strength, evidence,"
                " created_at, updated_at) VALUES (?, ?, ?, ?, ?, 'user', ?, ?, ?, ?)"
                " ON CONFLICT (source, source_chunk, target, target_chunk, relation) DO UPDATE SET"
                " strength = excluded.strength, evidence = excluded.evidence, updated_at = excluded.updated_at,"
                " origin = 'user'",
                (*start, *end, relation, strength, evidence, now, now),
            )
            return self._edges(
                "e.source = ? AND e.source_chunk = ? AND e.target = ? AND e.target_chunk = ? AND e.relation = ?",
                (*start, *end, relation),
            )[0]

    def remove(self, source: str, target: str, relation: str | None) -> int:
        """Takes back what a person said; how many edges went."""
        with self._writing():
            self._connection.execute(
                "DELETE FROM edges WHERE origin = 'user' AND source = ? AND source_chunk = ? AND target = ?"
                " AND target_chunk = ? AND (? IS NULL OR relation = ?)",
                (*self._end(source), *self._end(target), relation, relation),
            )
            return self._connection.changes()

    def resemble(self, one: str, other: str, strength: float) -> bool:
        """Two documents that say nearly the same draw each other; False when an edge said so before."""
        with self._writing():
            now = clock.now()
            self._connection.execute(
                "INSERT INTO edges (source, target, relation, origin, strength, created_at, updated_at)"
                " VALUES (?, ?, 'resembles', 'learned', ?, ?, ?) ON CONFLICT DO NOTHING",
                (self._end(one)[0], self._end(other)[0], strength, now, now),
            )
            return self._connection.changes() > 0

    def part(self, one: str, other: str) -> int:
        """Takes back what `resemble` did."""
        with self._writing():
            self._connection.execute(
                "DELETE FROM edges WHERE relation = 'resembles' AND source = ? AND target = ?",
                (self._end(one)[0], self._end(other)[0]),
            )
            return self._connection.changes()

    def document_of(self, identity: str) -> str:
        """The document of an id that is a document's or a chunk's."""
        with self._reading() as connection:
            return str(connection.execute("SELECT id FROM documents WHERE number = ?", self._end(identity)[:1]).get)

    def heads(self, document_ids: Sequence[str]) -> list[int]:
        """The first chunk of each document, in the order asked."""
        import apsw

        if not document_ids:
            return []
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT e.id, {_HEAD.format(end='number')} FROM documents AS e"
                " WHERE e.id IN (SELECT value FROM carray(?))",
                (apsw.carray(tuple(document_ids)),),
            )
            known = dict(rows)
        return [known[identity] for identity in document_ids if known.get(identity) is not None]

    def _end(self, identity: str) -> tuple[int, int]:
        """An id as the numbers of its document and its chunk, 0 where it is the document's own."""
        row = self._connection.execute(
            "SELECT number, 0 FROM documents WHERE id = ? UNION ALL SELECT document, number FROM chunks WHERE id = ?",
            (identity, identity),
        ).fetchone()
        if row is None:
            raise UnknownId(f"There is no document or passage {identity!r}.", "", "`kb list` and `kb search` show ids.")
        return int(row[0]), int(row[1])

    # listed

    def edges_of(self, identity: str) -> list[Edge]:
        """Everything that begins or ends at a document, or just at one of its chunks; strongest first."""
        with self._reading():
            document, chunk = self._end(identity)
            if not chunk:
                return self._edges("e.source = ? OR e.target = ?", (document, document))
            return self._edges(
                "(e.source = ? AND e.source_chunk IN (0, ?)) OR (e.target = ? AND e.target_chunk IN (0, ?))",
                (document, chunk, document, chunk),
            )

    def _edges(self, condition: str, values: Sequence[object]) -> list[Edge]:
        rows = self._connection.execute(
            f"{_EDGE.format(half_life=self._half_life)} WHERE {condition} ORDER BY e.target IS NULL, 4 DESC, e.number",
            tuple(values),
        )
        return [Edge(*row) for row in rows]

    # followed

    def neighbours(self, chunks: Sequence[int], fan: int) -> list[Row]:
        """One hop from all these chunks, both ways, in one statement."""
        import apsw

        if not chunks:
            return []
        sides = [
            _SIDE.format(
                end=end, start=start, forward=forward, order=order, place=place, fan=fan, half_life=self._half_life
            )
            for start, end, forward, order in (
                ("source", "target", 1, ""),
                ("target", "source", 0, "ORDER BY strength DESC"),
            )
            for place in ("s.chunk", "0")
        ]
        with self._reading() as connection:
            rows = connection.execute(f"{_HOP}{' UNION ALL '.join(sides)}", (apsw.carray(array("q", chunks)),))
            return rows.fetchall()  # type: ignore[return-value] # the columns are those of a Row

    def openings(self, documents: Sequence[int]) -> dict[int, int]:
        """The first chunk of each document."""
        return self._of_each(
            "SELECT e.value, " + _HEAD.format(end="value") + " AS head FROM carray(?) AS e WHERE head IS NOT NULL",
            documents,
        )

    def titles(self, chunks: Sequence[int]) -> dict[int, str]:
        """What the documents of these chunks are called."""
        return self._of_each(
            "SELECT c.number, d.title FROM carray(?) AS q CROSS JOIN chunks AS c ON c.number = q.value"
            " JOIN documents AS d ON d.number = c.document",
            chunks,
        )

    def documents_of(self, chunks: Sequence[int]) -> dict[int, int]:
        """The number of each chunk's document."""
        return self._of_each(
            "SELECT c.number, c.document FROM carray(?) AS q CROSS JOIN chunks AS c ON c.number = q.value", chunks
        )

    def _of_each(self, statement: str, numbers: Sequence[int]) -> dict[int, Any]:
        import apsw

        if not numbers:
            return {}
        with self._reading() as connection:
            return dict(connection.execute(statement, (apsw.carray(array("q", numbers)),)))

    def is_empty(self) -> bool:
        """Whether there is nothing to follow."""
        with self._reading() as connection:
            return connection.execute("SELECT 1 FROM edges WHERE target IS NOT NULL LIMIT 1").fetchone() is None

    def is_behind(self) -> bool:
        """Whether something was written that nobody has looked through for links yet."""
        with self._reading() as connection:
            return bool(
                connection.execute(
                    "SELECT EXISTS (SELECT 1 FROM unread_chunks) OR EXISTS (SELECT 1 FROM unread_documents)"
                ).get
            )

    # learned from use

    def strengthen(self, pairs: Iterable[tuple[str, str]], step: float) -> int:
        """Each pair of documents draws nearer by a share of what is missing to 1; how many there were.

        Nobody waits for this: where another process is writing, nothing is learned this time.
        """
        try:
            with self.at_once():
                return sum(self._draw_together(one, other, step) for one, other in pairs)
        except (BaseLocked, BaseReadOnly):
            return 0

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """A transaction that is not waited for: BaseLocked where another process is writing."""
        with self._reading() as connection:  # holds the lock, so no other thread meets the short patience
            connection.set_busy_timeout(0)
            try:
                with self._writing():
                    yield
            finally:
                connection.set_busy_timeout(self._busy_ms)

    def _draw_together(self, one: str, other: str, step: float) -> int:
        ends = self._connection.execute(
            "SELECT number FROM documents WHERE id IN (?, ?) ORDER BY number", (one, other)
        ).fetchall()
        if len(ends) != 2:  # removed since, or one and the same
            return 0
        now = clock.now()
        self._connection.execute(
            "INSERT INTO edges AS e (source, target, relation, origin, strength, created_at, updated_at)"
            " VALUES (?, ?, 'opened_with', 'learned', ?, ?, ?)"
            " ON CONFLICT (source, source_chunk, target, target_chunk, relation) DO UPDATE SET"
            f" strength = 1 - (1 - {_STRENGTH.format(half_life=self._half_life)}) * (1 - ?),"
            " updated_at = excluded.updated_at",
            (ends[0][0], ends[1][0], step, now, now, step),
        )
        return 1

    def learned(self) -> list[Edge]:
        """What was learned, by what is left of it."""
        with self._reading():
            return self._edges("e.origin = 'learned'", ())

    def unlearn(self, identity: str | None) -> int:
        """Forgets what was learned, of everything or of one document; how many edges went."""
        with self._writing():
            if identity is None:
                self._connection.execute("DELETE FROM edges WHERE origin = 'learned'")
            else:
                document = self._end(identity)[0]
                self._connection.execute(
                    "DELETE FROM edges WHERE origin = 'learned' AND (source = ? OR target = ?)", (document, document)
                )
            return self._connection.changes()
