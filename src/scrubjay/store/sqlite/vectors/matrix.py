"""A matrix of unit rows in chunk-number order, and the search of it: scan, then score the few exactly.

The scan only has to say which rows may be among the best. In float32 it errs by rounding; in
int8 (a quarter of the bytes, read by SIMD kernels) by half a step a component. Both errors have
a bound, so the scan keeps every row that could still win, a few dozen as a rule, and those are
scored in float64 from the float32 rows. The answer is the exact one, whichever way it was found.

Imported late, because numpy is: see `engines`.
"""

from __future__ import annotations

import math

import numpy as np

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Codes = NDArray[np.int8]
    Numbers = NDArray[np.int64]
    Kernel = Callable[[Codes, Codes], Floats]  # one row of codes, many rows of codes → their products

DECIMALS = 9  # more than float32 rows can tell, so that equal vectors score equal in every engine
ROUNDING = 1e-5  # how far a float32 product of unit vectors can be off
SIGMAS = 6 / math.sqrt(12)  # six standard deviations of a rounding error, in steps of the int8 code
GATHER_FLOATS = 256  # rows: so few are gathered in float32; for more, the int8 copy is read faster
SLICE = 4096  # rows that are scored at a time
GATHER_SHARE = 6  # a filter that leaves less than one row in six is gathered, else all is scanned


class Damaged(Exception):
    """The two copies of a row contradict each other: the file they come from is not sound."""


class Query(NamedTuple):
    """The query in the three forms that the scan and the scoring need."""

    exact: NDArray[np.float64]
    single: Floats
    codes: Codes
    step: float


class Matrix(NamedTuple):
    """`numbers` ascend. `codes × steps` is the int8 copy, absent where no kernel reads it."""

    numbers: Numbers
    rows: Floats
    codes: Codes | None = None
    steps: Floats | None = None


def query_of(unit: array[float]) -> Query:
    exact = np.asarray(unit, dtype=np.float64)
    single = exact.astype(np.float32)
    codes, steps = quantised(single[None, :])
    return Query(exact, single, codes, float(steps[0]))


def code_width(dim: int) -> int:
    """Rows of codes are padded to whole words, so that a checksum can read them as such."""
    return (dim + 7) // 8 * 8


def quantised(rows: Floats) -> tuple[Codes, Floats]:
    """Each row as int8 with its own step: one outlying row does not coarsen the others."""
    steps = np.abs(rows).max(axis=1, initial=0.0) / np.float32(127)
    codes = np.zeros((len(rows), code_width(rows.shape[1])), np.int8)
    scaled = rows / np.where(steps > 0, steps, 1)[:, None]
    codes[:, : rows.shape[1]] = np.rint(scaled, out=scaled)
    return codes, steps.astype(np.float32)


def sound(rows: Floats) -> NDArray[np.bool_]:
    """Which rows are unit vectors, as all stored ones must be."""
    with np.errstate(invalid="ignore", over="ignore"):
        fine: NDArray[np.bool_] = np.abs(np.einsum("ij,ij->i", rows, rows) - 1) < 1e-3
    return fine


def places(matrix: Matrix, allowed: Numbers) -> NDArray[np.int64]:
    """Where in the matrix these chunks are; those it does not hold are left out."""
    if not len(matrix.numbers):
        return np.empty(0, np.int64)
    low, high = int(matrix.numbers[0]), int(matrix.numbers[-1])
    inside = allowed[np.searchsorted(allowed, low) : np.searchsorted(allowed, high, side="right")]
    if high - low + 1 == len(matrix.numbers):  # no gaps: the place is the number
        return inside - low
    at = np.searchsorted(matrix.numbers, inside)
    held: NDArray[np.int64] = at[matrix.numbers[at] == inside]
    return held


def nearest(
    matrix: Matrix, query: Query, limit: int, where: NDArray[np.int64] | None, kernel: Kernel | None
) -> tuple[Numbers, NDArray[np.float64]]:
    """The best `limit` of the rows at these places (None: all), best first, equal ones by number."""
    near, slack = _scan(matrix, query, where, kernel)
    candidates = _contenders(near, slack, limit)
    chosen = candidates if where is None else where[candidates]
    if slack is not ROUNDING:
        closer = _products(matrix.rows, chosen, query)
        _agree(closer, near[candidates], matrix, chosen, query)
        chosen = chosen[_contenders(closer, ROUNDING, limit)]
    return best(matrix.numbers[chosen], exact_scores(matrix.rows, chosen, query), limit)


def best(numbers: Numbers, scores: NDArray[np.float64], limit: int) -> tuple[Numbers, NDArray[np.float64]]:
    order = np.lexsort((numbers, -scores))[:limit]
    return numbers[order], scores[order]


def exact_scores(rows: Floats, chosen: NDArray[np.int64], query: Query) -> NDArray[np.float64]:
    """Cosines in float64. Summed row by row: the same row scores the same wherever it stands."""
    scores = np.empty(len(chosen), np.float64)
    for start in range(0, len(chosen), SLICE):
        part = slice(start, start + SLICE)
        scores[part] = (rows[chosen[part]] * query.exact).sum(axis=1)
    return np.round(scores, DECIMALS) + 0.0


def _products(rows: Floats, chosen: NDArray[np.int64], query: Query) -> Floats:
    near = np.empty(len(chosen), np.float32)
    for start in range(0, len(chosen), SLICE):
        part = slice(start, start + SLICE)
        with np.errstate(invalid="ignore", over="ignore"):  # a damaged file is found out by the result
            near[part] = rows[chosen[part]] @ query.single
    return near


def _scan(
    matrix: Matrix, query: Query, where: NDArray[np.int64] | None, kernel: Kernel | None
) -> tuple[Floats, Floats | float]:
    """About how near each row is, and by how much that may be off."""
    wanted = len(matrix.numbers) if where is None else len(where)
    coded = kernel is not None and matrix.codes is not None and matrix.steps is not None
    if not coded or (where is not None and wanted <= GATHER_FLOATS):
        return _scan_floats(matrix, query, where), ROUNDING
    assert kernel is not None
    assert matrix.codes is not None
    assert matrix.steps is not None
    margin = np.float32(min(SIGMAS, math.sqrt(len(query.exact) / 2)))
    steps = matrix.steps if where is None else matrix.steps[where]
    if where is None:
        near = kernel(query.codes, matrix.codes)
    elif _in_a_row(where):
        near = kernel(query.codes, matrix.codes[where[0] : where[-1] + 1])
    elif wanted * GATHER_SHARE < len(matrix.numbers):
        near = kernel(query.codes, matrix.codes[where])
    else:
        near = kernel(query.codes, matrix.codes)[where]
    near *= steps
    near *= np.float32(query.step)
    slack = steps * steps  # the two errors, of the row and of the query, are independent
    slack += np.float32(query.step**2)
    np.sqrt(slack, out=slack)
    slack *= margin
    return near, slack


def _scan_floats(matrix: Matrix, query: Query, where: NDArray[np.int64] | None) -> Floats:
    rows = matrix.rows
    if where is not None and len(where) <= GATHER_FLOATS:
        gathered = rows[where]
        if matrix.codes is not None and not sound(gathered).all():  # not checked when the file was opened
            raise Damaged
        return gathered @ query.single
    if where is None:
        return rows @ query.single
    if _in_a_row(where):
        return rows[where[0] : where[-1] + 1] @ query.single
    if len(where) * 2 * GATHER_SHARE < len(rows):
        return rows[where] @ query.single
    return (rows @ query.single)[where]


def _in_a_row(where: NDArray[np.int64]) -> bool:
    """A folder's chunks often stand together; then nothing need be gathered."""
    return len(where) > 0 and int(where[-1] - where[0]) + 1 == len(where)


def _contenders(near: Floats, slack: Floats | float, limit: int) -> NDArray[np.int64]:
    """Every row that may be among the best `limit`: its most is not below their least."""
    if len(near) <= limit:
        return np.arange(len(near))
    return np.flatnonzero(near + slack >= floor(near - slack, limit))


def floor(least: NDArray[Any], limit: int) -> Any:
    """A value that at least `limit` rows reach, close to the greatest such value.

    The rows are dealt into many more heaps than are asked for, like cards, and only the heaps'
    best are partitioned: that reads the array once, where a partition of all of it takes as long
    as the scan itself and much longer when many values are equal.
    """
    heaps = len(least) // 64
    if heaps >= 8 * limit:
        least = least[: heaps * 64].reshape(64, heaps).max(axis=0)
    return least[np.argpartition(least, len(least) - limit)[len(least) - limit]]


def _agree(scores: Floats, near: Floats, matrix: Matrix, chosen: NDArray[np.int64], query: Query) -> None:
    """The exact score must lie where the int8 copy said it could: each row is read from two places."""
    assert matrix.steps is not None
    reach = (matrix.steps[chosen] + query.step) * (math.sqrt(len(query.exact)) / 2) * 1.01 + 10 * ROUNDING
    if not (np.abs(scores - near) <= reach).all():
        raise Damaged
