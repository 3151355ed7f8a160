"""What was learned about searching this base, and the chunks that it is learned from.

Kept in the file, so that it travels with it. The sample is the same every time while the base
is: chunks ordered by a number that has nothing to do with where they stand.
"""

from __future__ import annotations

from array import array

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    import apsw

_KEY = "learned"
_LEAST = 60  # characters; shorter chunks say too little to be asked for
_FAMILY = 50  # parts of one work; a title that more documents have (README) says nothing
_SPREAD = "(number * 2654435761) % 4294967296"  # Knuth's multiplicative hash


class Tuning:
    """See `scrubjay.ports.Tuning`."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[Any]],
        writing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing

    def learned(self) -> dict[str, Any] | None:
        """What `remember` was given last; None when nothing was."""
        with self._reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
        if row is None:
            return None
        import json

        value: dict[str, Any] = json.loads(row[0])
        return value

    def remember(self, learned: Mapping[str, Any] | None) -> None:
        """Keeps it in the base instead of what was there; None forgets."""
        import json

        with self._writing():
            if learned is None:
                self._connection.execute("DELETE FROM meta WHERE key = ?", (_KEY,))
                return
            text = json.dumps(learned, ensure_ascii=False)
            self._connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (_KEY, text),
            )

    def sample(self, count: int) -> list[int]:
        """Numbers of chunks from all over the base, the same while the base is the same."""
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT number FROM chunks WHERE length(text) >= ? ORDER BY {_SPREAD} LIMIT ?", (_LEAST, count)
            )
            return [number for (number,) in rows]

    def related(self, chunks: Sequence[int]) -> dict[int, frozenset[int]]:
        """For each chunk the others that belong to it: linked, of its document, or of its title."""
        import apsw

        if not chunks:  # an empty array has no address that SQLite would take
            return {}
        found: dict[int, set[int]] = {}
        with self._reading() as connection:
            for statement in (_LINKED, _SIBLINGS, _NAMESAKES):
                asked = apsw.carray(array("q", chunks))
                for chunk, other in connection.execute(statement, {"chunks": asked, "most": _FAMILY}):
                    found.setdefault(chunk, set()).add(other)
        return {chunk: frozenset(others - {chunk}) for chunk, others in found.items() if others - {chunk}}


_LINKED = """
    SELECT e.source_chunk, t.number FROM edges AS e
    JOIN chunks AS t ON t.document = e.target
        AND (t.number = e.target_chunk OR (e.target_chunk = 0 AND t.ordinal = 0))
    WHERE e.source_chunk IN (SELECT value FROM carray(:chunks)) AND e.origin <> 'learned'
"""
_SIBLINGS = """
    SELECT c.number, o.number FROM chunks AS c JOIN chunks AS o ON o.document = c.document
    WHERE c.number IN (SELECT value FROM carray(:chunks))
        AND (SELECT count(*) FROM chunks WHERE document = c.document) <= :most
"""
_NAMESAKES = """
    SELECT c.number, o.number FROM chunks AS c
    JOIN documents AS d ON d.number = c.document
    JOIN documents AS n ON n.title = d.title COLLATE NOCASE AND n.number <> d.number
    JOIN chunks AS o ON o.document = n.number
    WHERE c.number IN (SELECT value FROM carray(:chunks)) AND c.title <> ''
        AND (SELECT count(*) FROM documents WHERE title = d.title COLLATE NOCASE) <= :most
"""
