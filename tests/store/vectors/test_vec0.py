"""The `chunks_vec` table is derived: it may be dropped, locked, behind or another model's."""

from __future__ import annotations

import apsw
import numpy as np
import pytest

from scrubjay.store.sqlite.vectors import VectorIndex
from store.vectors.vector_bases import Base, clustered, expected, ids


@pytest.fixture
def filled(make):
    base = make(dim=8, chunks=200, engine="sqlite-vec")
    base.vectors = dict(zip(range(1, 101), clustered(100, 8), strict=True))
    base.put(list(base.vectors), list(base.vectors.values()))
    return base


def agrees(base: Base) -> bool:
    query = base.vectors[50]
    return ids(base.index.nearest(base.model, query, 20)) == expected(base.vectors, query, 20)


def test_r030_the_table_is_called_chunks_vec_and_compares_by_cosine(filled):
    assert agrees(filled)
    assert filled.connection.execute("SELECT count(*) FROM chunks_vec").get == 100
    (declared,) = filled.connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'chunks_vec'").fetchone()
    assert "distance_metric=cosine" in declared


def test_it_may_be_dropped_at_any_time(filled):
    assert agrees(filled)
    filled.connection.execute("DROP TABLE chunks_vec")
    assert agrees(filled)
    filled.connection.execute("DELETE FROM meta")
    assert agrees(filled)


def test_it_catches_up_with_another_connection_and_keeps_what_it_has(filled):
    assert agrees(filled)
    filled.connection.execute("UPDATE chunks_vec SET vector = vector WHERE rowid = 1")
    other = Base(filled.location, dim=8)
    other.put([101, 50], [filled.vectors[50] * 2, -filled.vectors[50]])
    other.remove([3])
    other.close()
    filled.vectors |= {101: filled.vectors[50] * 2, 50: -filled.vectors[50]}
    del filled.vectors[3]
    assert agrees(filled)
    assert filled.connection.execute("SELECT count(*) FROM chunks_vec").get == 100


def test_a_base_that_another_process_is_writing_to_is_searched(filled):
    other = apsw.Connection(filled.location)
    other.execute("BEGIN IMMEDIATE")
    assert agrees(filled)
    assert filled.connection.pragma("busy_timeout") == 1000
    other.execute("ROLLBACK")
    other.close()
    filled.put([150], [np.ones(8)])
    filled.vectors[150] = np.ones(8)
    assert agrees(filled)


def test_another_models_table_is_replaced(filled):
    assert agrees(filled)
    filled.model = filled.add_model("m2", 3)
    filled.vectors = {50: np.array([1, 2, 3.0]), 60: np.array([3, 2, 1.0])}
    filled.put([50, 60], list(filled.vectors.values()))
    assert agrees(filled)


def test_a_base_with_the_table_opens_without_the_extension(filled):
    assert agrees(filled)
    again = Base(filled.location, dim=8, engine="numpy")
    query = filled.vectors[50]
    assert ids(again.index.nearest(again.model, query, 20)) == expected(filled.vectors, query, 20)
    assert again.connection.execute("PRAGMA integrity_check").get == "ok"
    again.close()


def test_inside_a_transaction_it_goes_back_with_it(filled):
    assert agrees(filled)
    filled.connection.execute("BEGIN IMMEDIATE")
    filled.index.put(filled.model, [120], [filled.vectors[50]])
    assert 120 in ids(filled.index.nearest(filled.model, filled.vectors[50], 20))
    filled.connection.execute("ROLLBACK")
    assert agrees(filled)


def test_loading_it_leaves_the_connection_closed_to_other_extensions(filled):
    VectorIndex(filled.connection, filled.location, "sqlite-vec").nearest(filled.model, [1.0] * 8, 1)
    with pytest.raises(apsw.ExtensionLoadingError):
        filled.connection.load_extension("/nowhere/else")
    with pytest.raises(apsw.SQLError, match="not authorized"):
        filled.connection.execute("SELECT load_extension('/nowhere/else')")
