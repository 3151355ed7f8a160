"""What the store calls: write vectors, find the nearest, read them back, keep them tidy.

One index belongs to one connection and to whoever holds it at the moment. Writing happens inside
the caller's transaction, so a note and its vector appear together or not at all. The engine is
chosen at the first search, because importing numpy costs more than many a whole run of `kb`.
"""

from __future__ import annotations

from array import array

from scrubjay.store.sqlite.vectors import blocks, engines, merging, rows
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.store.sqlite.vectors.engines import Engine
    from scrubjay.types import Check

    Vectors = NDArray[np.float32]


class VectorIndex:
    """The vectors of one base. `notices` collects what went wrong without stopping anything."""

    def __init__(self, connection: apsw.Connection, location: str, engine: str = "auto") -> None:
        self.notices: list[Notice] = []
        self._connection = connection
        self._base = None if location in ("", ":memory:") else location
        self._wanted = engine
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = engines.choose(self._wanted, self._connection, self._base, self.notices)
        return self._engine

    def put(self, model: int, numbers: Sequence[int], vectors: Sequence[Sequence[float]] | Vectors) -> None:
        """Stores one vector a chunk, replacing what it had; inside the caller's write transaction.

        A chunk that is gone by now is passed over. Raises before anything is written when a
        vector has another dimension, no direction, or holds NaN.
        """
        dim = blocks.dimension(self._connection, model)
        data = memoryview(rows.unit_rows(numbers, vectors, dim))
        if not len(numbers):
            return
        last = {int(number): place for place, number in enumerate(numbers)}
        there = blocks.existing(self._connection, array("q", last))
        chunks = array("q", sorted(there))
        if not chunks:
            return
        # before the new block: a merged one that held it would be news to every reader, all of it
        merging.merge_small(self._connection, model)
        blocks.take_note(self._connection, model, chunks)
        size = dim * rows.FLOAT
        for start in range(0, len(chunks), blocks.BLOCK_ROWS):
            part = chunks[start : start + blocks.BLOCK_ROWS]
            held = b"".join(data[size * last[chunk] : size * (last[chunk] + 1)] for chunk in part)
            blocks.append(self._connection, model, part, held)

    def nearest(
        self, model: int, query: Sequence[float], limit: int, allowed: array[int] | None = None
    ) -> list[tuple[int, float]]:
        """Chunk numbers with their cosine, best first; only `allowed` ones (ascending), when given."""
        unit = rows.unit_query(query, blocks.dimension(self._connection, model))
        if unit is None:
            self._tell(Notice("vector", "the query's vector is all zeros or not a number", "use another embedder"))
            return []
        if limit <= 0 or (allowed is not None and not len(allowed)):
            return []
        return self.engine.nearest(model, unit, limit, allowed)

    def vectors_of(self, model: int, numbers: Sequence[int]) -> tuple[array[int], Any]:
        """The stored rows of these chunks, ascending by number; those without one are left out."""
        wanted = array("q", sorted({int(number) for number in numbers}))
        if not wanted:
            return wanted, self._matrix([], model)
        found, held = self.engine.rows_of(model, wanted)
        return array("q", found.tolist() if hasattr(found, "tolist") else found), self._matrix(held, model)

    def all(self, model: int) -> Iterator[tuple[array[int], Any]]:
        """Every vector once, a block at a time; another process may write meanwhile."""
        given: set[int] = set()
        while True:
            try:
                for extent in blocks.extents(self._connection, model, [], without=given):
                    held = memoryview(blocks.vectors(self._connection, extent.block))
                    size = blocks.dimension(self._connection, model) * rows.FLOAT
                    places = extent.rows or range(len(extent.chunks))
                    given.update(extent.chunks)
                    parts = [rows.unpacked("f", held[size * at : size * (at + 1)]) for at in places]
                    yield extent.chunks, self._matrix(parts, model)
                return
            except blocks.Gone:
                continue  # merged into another block while we read: go on with what is left

    def count(self, model: int) -> int:
        return blocks.count(self._connection, model)

    def compact(self, model: int, *, force: bool = True) -> bool:
        """Drops rows that no longer count and fills the blocks; unforced, only when that pays.

        Inside the caller's write transaction. Says whether anything was done.
        """
        if not force and not merging.wasteful(self._connection, model):
            return False
        merging.compact(self._connection, model, self.notices)
        return True

    def follow(self, model: int) -> None:
        """Brings the matrix beside the base up to date now, so that the next search need not."""
        self.engine.follow(model)

    def engines(self) -> list[Check]:
        return engines.available()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _matrix(self, held: Any, model: int) -> Any:
        """As one float32 matrix where there is numpy, else as a list of rows."""
        np = rows.numpy_or_none()
        if np is None:
            return list(held)
        return np.asarray(held, dtype=np.float32).reshape(-1, blocks.dimension(self._connection, model))

    def _tell(self, notice: Notice) -> None:
        if notice not in self.notices:
            self.notices.append(notice)
