"""The token vectors that are kept beside the chunks: which are missing, what one holds, how much they take."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    import apsw

    from scrubjay.types.tokens import KeptRow


class Tokens:
    """See `scrubjay.types.tokens`."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[Any]],
        writing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing

    def missing(self, model: int, form: int, limit: int, after: int) -> list[int]:
        """Chunks that have this model's vector but no token vectors of this form, in the order of their numbers."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT chunk FROM embeddings AS e WHERE model = ?1 AND chunk > ?3 AND status IN ('success', 'partial')"
                " AND NOT EXISTS (SELECT 1 FROM token_vectors AS t WHERE t.chunk = e.chunk AND t.model = ?1"
                " AND t.form = ?2) ORDER BY chunk LIMIT ?4",
                (model, form, after, limit),
            )
            return [number for (number,) in rows]

    def put(self, model: int, form: int, rows: Sequence[KeptRow]) -> None:
        with self._writing():
            self._connection.executemany(
                "INSERT INTO token_vectors (chunk, model, form, hash, scales, rows)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (chunk, model) DO UPDATE SET"
                " form = excluded.form, hash = excluded.hash, scales = excluded.scales, rows = excluded.rows",
                [(chunk, model, form, digest, scales, packed) for chunk, digest, scales, packed in rows],
            )

    def get(self, model: int, form: int, digest: bytes) -> tuple[bytes, bytes] | None:
        """The scales and the rows of the passage with this hash."""
        with self._reading() as connection:
            row: tuple[bytes, bytes] | None = connection.execute(
                "SELECT scales, rows FROM token_vectors WHERE hash = ? AND model = ? AND form = ? LIMIT 1",
                (digest, model, form),
            ).fetchone()
        return row

    def clear(self) -> int:
        """Takes all of them out of the base; how many there were."""
        with self._reading() as connection:
            count = int(connection.execute("SELECT count(*) FROM token_vectors").get)
        if count:
            with self._writing():
                self._connection.execute("DELETE FROM token_vectors")
        return count
