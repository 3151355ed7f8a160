"""Makes a matrix out of the blocks, one block at a time, in memory or straight into a file.

The chunk numbers are read first (eight bytes each) and tell every row its place; the rows then
stream through, so building takes the memory of one block however large the base is. A row that
is no unit vector (a damaged base) is left out with a notice instead of spoiling every search.
"""

from __future__ import annotations

import numpy as np

from scrubjay.store.sqlite.vectors import blocks, matrix
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    import apsw
    from numpy.typing import NDArray

    from scrubjay.store.sqlite.vectors.blocks import Extent
    from scrubjay.store.sqlite.vectors.matrix import Codes, Floats, Matrix, Numbers

    class Target(Protocol):
        """Where rows are put: arrays, or a file."""

        def begin(self, numbers: Numbers, dim: int, coded: bool) -> None: ...
        def put(self, at: NDArray[np.int64], rows: Floats, codes: Codes | None, steps: Floats | None) -> None: ...
        def finish(self) -> Matrix: ...


class InMemory:
    """The target for small bases, for what is new, and for bases whose folder cannot be written."""

    def begin(self, numbers: Numbers, dim: int, coded: bool) -> None:
        count = len(numbers)
        self._made = matrix.Matrix(
            numbers,
            np.empty((count, dim), np.float32),
            np.empty((count, matrix.code_width(dim)), np.int8) if coded else None,
            np.empty(count, np.float32) if coded else None,
        )

    def put(self, at: NDArray[np.int64], rows: Floats, codes: Codes | None, steps: Floats | None) -> None:
        self._made.rows[at] = rows
        if codes is not None and self._made.codes is not None:
            self._made.codes[at] = codes
        if steps is not None and self._made.steps is not None:
            self._made.steps[at] = steps

    def finish(self) -> Matrix:
        return self._made


def build(
    connection: apsw.Connection,
    model: int,
    target: Target,
    notices: list[Notice],
    *,
    after: int = 0,
    coded: bool = False,
) -> Matrix:
    """All rows that count (or only the news since a line of the log), inside the caller's snapshot."""
    dim = blocks.dimension(connection, model)
    bad: set[int] = set()
    while True:
        told: list[Notice] = []
        found = blocks.extents(connection, model, told, after, without=bad)
        worse = _fill(connection, found, dim, target, coded)
        if not worse - bad:
            break
        bad |= worse
    notices.extend(told)
    if bad:
        notices.append(
            Notice(
                "vector", f"{len(bad)} stored vectors are damaged and were skipped", "rebuild the vectors: kb reindex"
            )
        )
    return target.finish()


def _fill(connection: apsw.Connection, found: Sequence[Extent], dim: int, target: Target, coded: bool) -> set[int]:
    """Puts every row in its place and returns the chunks whose row is no unit vector."""
    numbers = np.concatenate([np.asarray(extent.chunks, np.int64) for extent in found] or [np.empty(0, np.int64)])
    order = np.argsort(numbers, kind="stable")
    at = np.empty_like(order)
    at[order] = np.arange(len(order))
    target.begin(numbers[order], dim, coded)
    bad: set[int] = set()
    start = 0
    for extent, rows in read(connection, found, dim):
        usable = matrix.sound(rows)
        if not usable.all():
            bad.update(int(chunk) for chunk, fine in zip(extent.chunks, usable, strict=True) if not fine)
        elif not bad:
            codes, steps = matrix.quantised(rows) if coded else (None, None)
            target.put(at[start : start + len(rows)], rows, codes, steps)
        start += len(rows)
    return bad


def read(connection: apsw.Connection, found: Sequence[Extent], dim: int) -> Iterator[tuple[Extent, Floats]]:
    """The rows of each extent, read-only where all of a block counts."""
    for extent in found:
        rows = np.frombuffer(blocks.vectors(connection, extent.block), "<f4").reshape(-1, dim)
        yield extent, (rows if extent.rows is None else rows[np.asarray(extent.rows, np.int64)])
