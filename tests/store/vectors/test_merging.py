"""Blocks stay few, full and free of rows that no longer count."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.store.sqlite.vectors import blocks, merging
from store.vectors.vector_bases import clustered, expected, ids


def sizes(base) -> list[int]:
    return [count for (count,) in base.connection.execute("SELECT count FROM vector_blocks ORDER BY number")]


def test_single_notes_do_not_pile_up(make):
    base = make(dim=4, chunks=400)
    vectors = dict(zip(range(1, 401), clustered(400, 4), strict=True))
    most = 0
    for number, vector in vectors.items():
        base.put([number], [vector])
        most = max(most, len(sizes(base)))
    assert most <= 2 * merging.PILE + 5
    assert sum(sizes(base)) == 400
    assert ids(base.index.nearest(base.model, vectors[1], 9)) == expected(vectors, vectors[1], 9)


def test_a_reader_that_keeps_up_is_told_each_row_once(make):
    base = make(dim=4, chunks=400)
    seen, told = 0, []
    for number in range(1, 301):
        base.put([number], [[number, 1, 1, 1]])
        told.append(blocks.news(base.connection, base.model, seen))
        seen = blocks.latest(base.connection).number
    assert set(told) == {1}


def test_blocks_hold_at_most_the_agreed_number_of_rows(make):
    base = make(dim=2, chunks=2500)
    base.put(range(1, 2501), np.ones((2500, 2)))
    assert sizes(base) == [1024, 1024, 452]


def test_compacting_drops_dead_rows_and_shortens_the_log(make, monkeypatch):
    monkeypatch.setattr(merging, "KEPT_LINES", 5)
    base = make(dim=4, chunks=3000)
    vectors = dict(zip(range(1, 3001), clustered(3000, 4), strict=True))
    base.put(list(vectors), list(vectors.values()))
    assert not base.index.compact(base.model, force=False)
    base.remove(range(1, 1500))
    base.put([2000], [-vectors[2000]])
    vectors = {n: v for n, v in vectors.items() if n >= 1500} | {2000: -vectors[2000]}
    with base.connection:
        assert base.index.compact(base.model, force=False)
    assert sum(sizes(base)) == len(vectors) == base.index.count(base.model)
    assert len(sizes(base)) == 2
    assert base.connection.execute("SELECT count(*) FROM vector_log").get <= 5
    assert ids(base.index.nearest(base.model, vectors[1600], 40)) == expected(vectors, vectors[1600], 40)


def test_compacting_a_tidy_base_changes_nothing(make):
    base = make(dim=2, chunks=2500)
    base.put(range(1, 2501), np.ones((2500, 2)))
    before = base.connection.execute("SELECT number FROM vector_blocks").fetchall()
    with base.connection:
        base.index.compact(base.model)
    assert base.connection.execute("SELECT number FROM vector_blocks").fetchall() == before


def test_compacting_what_is_all_gone_leaves_no_block(make):
    base = make(dim=2)
    base.put([1, 2], [[1, 0], [0, 1]])
    base.remove([1, 2])
    with base.connection:
        base.index.compact(base.model)
    assert sizes(base) == []
    assert base.index.nearest(base.model, [1, 0], 5) == []


def test_a_block_that_cannot_be_read_is_left_for_whoever_can(make):
    base = make(dim=2)
    base.put([1], [[1, 0]])
    base.put([2], [[0, 1]])
    base.connection.execute("UPDATE vector_blocks SET vectors = zeroblob(3) WHERE number = 1")
    with base.connection:
        base.index.compact(base.model)
    assert sizes(base) == [1, 1]
    assert len(base.index.notices) == 1


@pytest.mark.parametrize("where", ["documents", "chunks"])
def test_deleting_what_a_vector_belongs_to_ends_the_vector(make, where):
    base = make(dim=2)
    base.put([1, 2], [[1, 0], [0, 1]])
    base.connection.execute(f"DELETE FROM {where} WHERE number = 1")
    assert base.index.count(base.model) == (0 if where == "documents" else 1)
    assert ids(base.index.nearest(base.model, [1, 1], 5)) == ([] if where == "documents" else [2])
