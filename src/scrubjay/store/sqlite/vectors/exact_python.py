"""The engine that needs nothing: plain Python over the blocks, row by row.

It keeps nothing between searches and is therefore always in step. `math.dist` is the fastest way
to compare two rows without numpy, and of unit vectors the distance tells the cosine to seven
digits; a row that could be among the best by that is then scored exactly.
"""

from __future__ import annotations

import math
import struct
from heapq import heappush, heappushpop
from operator import mul

from scrubjay.store.sqlite.vectors import blocks, rows
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    import apsw

    from scrubjay.types import Notice

DECIMALS = 9  # as in the numpy engine: more than float32 rows can tell
ROUNDING = 1e-5  # a stored row's length is one only to float32's precision


class PythonEngine:
    """See `engines.Engine`."""

    name = "python"

    def __init__(self, connection: apsw.Connection, notices: list[Notice]) -> None:
        self._connection = connection
        self._notices = notices

    def nearest(
        self, model: int, unit: array[float], limit: int, allowed: array[int] | None
    ) -> list[tuple[int, float]]:
        query = tuple(unit)
        wanted = None if allowed is None else frozenset(allowed)
        best: list[tuple[float, int]] = []  # a heap of (score, -chunk): the worst of the best is first
        with blocks.snapshot(self._connection):
            for chunk, row in self._rows(model, wanted):
                near = 1 - math.dist(row, query) ** 2 / 2
                if len(best) == limit and not near >= best[0][0] - ROUNDING:
                    continue
                if not abs(math.hypot(*row) - 1) < 1e-3:  # a damaged row is no answer
                    continue
                item = (cosine(row, query), -chunk)
                if len(best) < limit:
                    heappush(best, item)
                else:
                    heappushpop(best, item)
        return [(-chunk, score) for score, chunk in sorted(best, reverse=True)]

    def _rows(self, model: int, wanted: frozenset[int] | None) -> Iterator[tuple[int, tuple[float, ...]]]:
        dim = blocks.dimension(self._connection, model)
        row = struct.Struct(f"<{dim}f")
        for extent in blocks.extents(self._connection, model, self._notices):
            places = [at for at, chunk in enumerate(extent.chunks) if wanted is None or chunk in wanted]
            if places:
                data = blocks.vectors(self._connection, extent.block)
                for at in places:
                    yield extent.chunks[at], row.unpack_from(data, row.size * (extent.rows[at] if extent.rows else at))

    def rows_of(self, model: int, numbers: array[int]) -> tuple[list[int], list[array[float]]]:
        """The stored rows of these chunks, ascending; those without a vector are left out."""
        wanted = frozenset(numbers)
        found: dict[int, array[float]] = {}
        with blocks.snapshot(self._connection):
            dim = blocks.dimension(self._connection, model)
            for extent in blocks.extents(self._connection, model, self._notices):
                places = [at for at, chunk in enumerate(extent.chunks) if chunk in wanted]
                data = blocks.some_rows(self._connection, extent, places, dim) if places else ()
                found |= {extent.chunks[at]: rows.unpacked("f", row) for at, row in zip(places, data, strict=True)}
        return sorted(found), [found[number] for number in sorted(found)]

    def follow(self, model: int) -> None:
        """Nothing is kept, so nothing falls behind."""

    def close(self) -> None:
        """Nothing is held."""


def cosine(row: tuple[float, ...] | array[float], query: tuple[float, ...]) -> float:
    """In float64, rounded to what float32 rows can tell, so that equal rows score equal anywhere."""
    return float(round(sum(map(mul, row, query)), DECIMALS)) + 0.0
