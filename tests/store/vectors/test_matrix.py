"""The scan finds every row that could win, and the scoring is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.store.sqlite.vectors import kernel, matrix
from store.vectors.vector_bases import clustered


def made(rows: np.ndarray, *, coded: bool) -> matrix.Matrix:
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return matrix.Matrix(np.arange(len(rows)) * 3 + 5, rows, *(matrix.quantised(rows) if coded else ()))


def full_sort(held: matrix.Matrix, query: matrix.Query, limit: int) -> list[int]:
    scores = np.round((held.rows * query.exact).sum(axis=1), 9)
    return held.numbers[np.lexsort((held.numbers, -scores))[:limit]].tolist()


def query_like(row: np.ndarray) -> matrix.Query:
    row = row.astype(np.float64)
    return matrix.query_of((row / np.linalg.norm(row)).tolist())


@pytest.fixture(params=[True, False], ids=["int8", "float32"])
def scan(request, monkeypatch):
    monkeypatch.setattr(matrix, "GATHER_FLOATS", 20)
    return kernel.simd_kernel() if request.param else None


KINDS = {
    "uniform": lambda rng: rng.standard_normal((1500, 48)),
    "clustered": lambda rng: clustered(1500, 48, 3),
    "near copies": lambda rng: np.ones((1500, 48)) + rng.standard_normal((1500, 48)) * 1e-4,
    "copies": lambda rng: np.repeat(rng.standard_normal((15, 48)), 100, axis=0),
    "one axis": lambda rng: np.eye(48)[rng.integers(0, 48, 1500)],
    "odd width": lambda rng: rng.standard_normal((1500, 13)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", [1, 10, 100, 1499, 1500, 2000])
def test_r010_the_best_are_those_of_a_full_sort(kind, limit, scan):
    rng = np.random.default_rng(1)
    held = made(KINDS[kind](rng), coded=True)
    for row in (0, 700, 1499):
        query = query_like(held.rows[row] + rng.standard_normal(held.rows.shape[1]) * 0.05)
        found, scores = matrix.nearest(held, query, limit, None, scan)
        assert found.tolist() == full_sort(held, query, limit)
        assert (np.diff(scores) <= 0).all()


@pytest.mark.parametrize(
    "where",
    [range(10), range(400, 900), range(0, 1500, 2), range(0, 1500, 9), range(1500), range(1490, 1500), range(0)],
    ids=str,
)
def test_a_filter_is_applied_before_the_best_are_taken(where, scan):
    held = made(clustered(1500, 48, 3), coded=True)
    query = query_like(held.rows[33])
    places = np.array(where, np.int64)
    found, _ = matrix.nearest(held, query, 7, places, scan)
    some = matrix.Matrix(held.numbers[places], held.rows[places])
    assert found.tolist() == full_sort(some, query, 7)


def test_r009_scores_equal_a_plain_loop():
    held = made(np.random.default_rng(0).standard_normal((1000, 64)), coded=False)
    query = query_like(held.rows[5])
    found, scores = matrix.nearest(held, query, 1000, None, None)
    loop = {
        number: sum(float(a) * b for a, b in zip(row, query.exact, strict=True))
        for number, row in zip(held.numbers.tolist(), held.rows, strict=True)
    }
    assert max(abs(loop[n] - s) for n, s in zip(found.tolist(), scores.tolist(), strict=True)) < 1e-6


@settings(max_examples=50, deadline=None)
@given(st.sets(st.integers(-5, 60)), st.sets(st.integers(0, 50), min_size=1))
def test_places_are_where_the_numbers_are(allowed, numbers):
    held = matrix.Matrix(np.array(sorted(numbers)), np.empty((len(numbers), 2), np.float32))
    where = matrix.places(held, np.array(sorted(allowed), np.int64))
    assert held.numbers[where].tolist() == sorted(allowed & numbers)


@pytest.mark.parametrize("where", [None, np.array([20, 33, 60]), np.arange(0, 1500, 3)])
def test_rows_that_contradict_their_codes_are_noticed(where):
    held = made(clustered(1500, 48, 3), coded=True)
    query = query_like(held.rows[33])
    rows = held.rows.copy()
    rows[33] = np.nan
    with pytest.raises(matrix.Damaged):
        matrix.nearest(held._replace(rows=rows), query, 3, where, kernel.simd_kernel())


def test_a_kernel_that_multiplies_wrongly_is_not_used():
    def saturating(query, rows):
        return np.clip(rows.astype(np.int32) @ query[0].astype(np.int32), -32768, 32767).astype(np.float32)

    def failing(query, rows):
        raise ValueError

    def right(query, rows):
        return (rows.astype(np.int32) @ query[0].astype(np.int32)).astype(np.float32)

    assert kernel.trustworthy(right)
    assert not kernel.trustworthy(saturating)
    assert not kernel.trustworthy(failing)
