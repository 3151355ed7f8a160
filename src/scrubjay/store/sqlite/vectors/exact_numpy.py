"""The numpy engine: exact, over mapped matrices, scanned in int8 where a SIMD kernel is installed.

Results are the same with and without the kernel; only the time differs.
"""

from __future__ import annotations

import numpy as np

from scrubjay.store.sqlite.vectors import matrix
from scrubjay.store.sqlite.vectors.following import Follower
from scrubjay.store.sqlite.vectors.kernel import simd_kernel
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array

    import apsw

    from scrubjay.types import Notice


class NumpyEngine:
    """See `engines.Engine`. `base` is None when there is no file to put a cache beside."""

    name = "numpy"

    def __init__(
        self, connection: apsw.Connection, base: str | None, notices: list[Notice], *, kernel: bool = True
    ) -> None:
        self._kernel = simd_kernel() if kernel else None
        self._follower = Follower(connection, base, self._kernel is not None, notices)

    def nearest(
        self, model: int, unit: array[float], limit: int, allowed: array[int] | None
    ) -> list[tuple[int, float]]:
        query = matrix.query_of(unit)
        wanted = None if allowed is None else np.frombuffer(allowed, np.int64)
        try:
            return self._search(model, query, limit, wanted)
        except matrix.Damaged:
            self._follower.distrust(model)
            return self._search(model, query, limit, wanted)

    def _search(
        self, model: int, query: matrix.Query, limit: int, wanted: matrix.Numbers | None
    ) -> list[tuple[int, float]]:
        found = [
            matrix.nearest(part.matrix, query, limit, part.among(wanted), self._kernel)
            for part in self._follower.view(model).parts
        ]
        if not found:
            return []
        numbers, scores = found[0]
        if len(found) > 1:
            merged = np.concatenate([n for n, _ in found]), np.concatenate([s for _, s in found])
            numbers, scores = matrix.best(*merged, limit)
        return list(zip(numbers.tolist(), scores.tolist(), strict=True))

    def rows_of(self, model: int, numbers: array[int]) -> tuple[matrix.Numbers, matrix.Floats]:
        """The stored rows of these chunks, ascending; those without a vector are left out."""
        wanted = np.unique(np.frombuffer(numbers, np.int64))
        kept: list[tuple[matrix.Numbers, matrix.Floats]] = []
        for part in self._follower.view(model).parts:
            where = part.among(wanted)
            at = np.arange(len(part.matrix.numbers)) if where is None else where
            kept.append((part.matrix.numbers[at], part.matrix.rows[at]))
        if not kept:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        found, rows = np.concatenate([n for n, _ in kept]), np.concatenate([r for _, r in kept])
        order = np.argsort(found)
        return found[order], rows[order]

    def follow(self, model: int) -> None:
        """Brings the matrix, and its file when that is due, up to the present."""
        self._follower.view(model)

    def close(self) -> None:
        self._follower.forget()
