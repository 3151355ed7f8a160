"""Writing, finding, replacing, forgetting: what the store asks of the index."""

from __future__ import annotations

import builtins
import math
from array import array

import apsw
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.errors import EmbeddingError, MissingExtra, ModelMismatch, UnknownId, UsageError
from scrubjay.store.sqlite.vectors import VectorIndex, rows
from store.vectors.vector_bases import Base, clustered, expected, ids


@pytest.fixture
def no_numpy(monkeypatch):
    real = builtins.__import__

    def refusing(name, *args, **kwargs):
        if name.partition(".")[0] in ("numpy", "numkong"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refusing)


def test_cosine_of_what_was_stored(make):
    base = make(dim=2)
    base.put([1, 2, 3], [[2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    found = base.index.nearest(base.model, [1.0, 0.0], 3)
    assert ids(found) == [1, 3, 2]
    assert [score for _, score in found] == pytest.approx([1.0, math.sqrt(0.5), 0.0], abs=1e-6)


def test_zero_asked_is_zero_found_and_more_than_there_are_is_all(make):
    base = make(dim=2)
    base.put([1, 2], [[1, 0], [0, 1]])
    assert base.index.nearest(base.model, [1, 0], 0) == []
    assert len(base.index.nearest(base.model, [1, 0], 99)) == 2


def test_nothing_stored_is_nothing_found(make):
    base = make()
    assert base.index.nearest(base.model, [1.0] * 16, 5) == []
    assert base.index.count(base.model) == 0
    assert list(base.index.all(base.model)) == []


def test_equal_vectors_come_in_the_order_of_their_numbers(make):
    base = make(dim=4, chunks=40)
    base.put([*range(40, 20, -1), *range(1, 21)], [[1, 2, 3, 4]] * 40)
    assert ids(base.index.nearest(base.model, [1, 2, 3, 4], 7)) == [1, 2, 3, 4, 5, 6, 7]


def test_only_allowed_chunks_are_ranked(make):
    base = make(dim=8)
    vectors = dict(zip(range(1, 51), clustered(50, 8), strict=True))
    base.put(list(vectors), list(vectors.values()))
    allowed = array("q", [3, 17, 18, 44, 99])
    assert ids(base.index.nearest(base.model, vectors[1], 3, allowed)) == expected(vectors, vectors[1], 3, allowed)
    assert base.index.nearest(base.model, vectors[1], 3, array("q")) == []


def test_a_new_vector_replaces_the_old_one(make):
    base = make(dim=2)
    base.put([1, 2], [[1, 0], [0, 1]])
    assert ids(base.index.nearest(base.model, [1, 0], 1)) == [1]
    base.put([1], [[-1, 0]])
    assert base.index.nearest(base.model, [1, 0], 9) == [(2, 0.0), (1, -1.0)]
    assert base.index.count(base.model) == 2


def test_the_last_of_two_vectors_for_one_chunk_counts(make):
    base = make(dim=2)
    base.put([1, 1], [[1, 0], [0, 1]])
    assert base.index.nearest(base.model, [0, 1], 9) == [(1, 1.0)]


def test_a_removed_chunk_is_not_found_and_a_changed_one_waits(make):
    base = make(dim=2)
    base.put([1, 2, 3], [[1, 0], [1, 0.1], [1, 0.2]])
    base.remove([1])
    base.connection.execute("UPDATE chunks SET text = 'new' WHERE number = 2")
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [3]
    base.put([2], [[0, 1]])
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [3, 2]


def test_a_vector_withdrawn_by_its_status_is_not_found(make):
    base = make(dim=2)
    base.put([1, 2], [[1, 0], [0, 1]])
    base.connection.execute("UPDATE embeddings SET status = 'retry' WHERE chunk = 1")
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [2]


def test_a_chunk_that_went_while_it_was_embedded_is_passed_over(make):
    base = make(dim=2)
    base.remove([1])
    base.put([1, 2], [[1, 0], [0, 1]])
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [2]


def test_what_is_rolled_back_was_never_there(make):
    base = make(dim=2)
    base.put([1], [[1, 0]])
    base.connection.execute("BEGIN IMMEDIATE")
    base.index.put(base.model, [2], [[1, 0]])
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [1, 2]
    base.connection.execute("ROLLBACK")
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [1]
    base.put([3], [[1, 0]])  # takes the log number that was rolled back
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [1, 3]


@pytest.mark.parametrize("bad", [[0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0]])
@pytest.mark.parametrize("numpy", [True, False])
def test_a_vector_without_direction_is_refused_and_named(make, request, bad, numpy):
    base = make(dim=2, engine="python")
    if not numpy:
        request.getfixturevalue("no_numpy")
    with pytest.raises(EmbeddingError, match="chunk 2"):
        base.put([1, 2], [[1.0, 0.0], bad])
    assert base.index.count(base.model) == 0


@pytest.mark.parametrize("query", [[0.0, 0.0], [math.nan, 1.0], [math.inf, 0.0]])
def test_a_query_without_direction_finds_nothing_and_says_why(make, query):
    base = make(dim=2)
    base.put([1], [[1, 0]])
    assert base.index.nearest(base.model, query, 5) == []
    assert base.index.nearest(base.model, query, 5) == []
    assert [notice.stage for notice in base.index.notices] == ["vector"]


def test_very_large_and_very_small_vectors_keep_their_direction(make):
    base = make(dim=2)
    base.put([1, 2], np.array([[3e200, 4e200], [3e-300, -4e-300]]))
    assert dict(base.index.nearest(base.model, [3, 4], 2)) == pytest.approx({1: 1.0, 2: -0.28}, abs=1e-6)


def test_another_dimension_is_a_named_error(make):
    base = make(dim=2)
    for vectors in ([[1, 0, 0]], [[1]], np.ones((1, 5))):
        with pytest.raises(ModelMismatch, match="makes 2"):
            base.put([1], vectors)
    with pytest.raises(ModelMismatch, match="has 1 dim"):
        base.put([1, 2], [[1, 0], [1]])
    with pytest.raises(ModelMismatch, match="reindex"):
        base.index.nearest(base.model, [1, 0, 0], 5)


def test_too_few_vectors_are_an_error(make):
    base = make(dim=2)
    with pytest.raises(EmbeddingError, match="1 vectors came for 2"):
        base.put([1, 2], [[1, 0]])


def test_an_unknown_model_is_an_error(make):
    with pytest.raises(UnknownId):
        make().index.nearest(77, [1.0] * 16, 5)


@pytest.mark.parametrize("engine", ["numpy", "python", "sqlite-vec"])
def test_r008_a_stored_row_of_another_dimension_is_skipped_with_a_notice(make, engine):
    base = make(dim=2, engine=engine)
    base.put([1, 2], [[1, 0], [0, 1]])
    base.put([3], [[1, 1]])
    base.connection.execute("UPDATE vector_blocks SET vectors = zeroblob(20) WHERE count = 1")
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [1, 2]
    assert any("5 dimensions" in notice.reason for notice in base.index.notices)


@pytest.mark.parametrize("engine", ["numpy", "python", "sqlite-vec"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 0.0, 1e30])
def test_a_damaged_row_in_the_base_spoils_nothing_else(make, engine, value):
    base = make(dim=2, engine=engine)
    base.put([1, 2, 3], [[1, 0], [0, 1], [1, 1]])
    held = base.connection.execute("SELECT vectors FROM vector_blocks").get
    base.connection.execute(
        "UPDATE vector_blocks SET vectors = ?", (held[:8] + rows.packed(array("f", [value, value])) + held[16:],)
    )
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [1, 3]


def test_r097_a_row_is_its_floats_and_nothing_else():
    values = array("f", [i / 7 for i in range(768)])
    data = rows.packed(values)
    assert len(data) == 3072
    assert rows.unpacked("f", data) == values
    assert len(rows.packed(values[10:20])) == 40
    assert rows.unpacked("f", memoryview(data)[40:80]) == values[10:20]


def test_rows_are_the_same_with_and_without_numpy(monkeypatch):
    vectors = clustered(20, 24).tolist()
    with_numpy = np.frombuffer(rows.unit_rows(range(20), vectors, 24), np.float32)
    monkeypatch.setattr(rows, "numpy_or_none", lambda: None)
    without = np.frombuffer(rows.unit_rows(range(20), vectors, 24), np.float32)
    assert np.abs(with_numpy - without).max() < 1e-7


@pytest.mark.parametrize("engine", ["numpy", "python", "sqlite-vec"])
def test_stored_rows_can_be_read_back(make, engine):
    base = make(dim=2, engine=engine)
    base.put([1, 2, 3], [[2, 0], [0, 3], [0, -1]])
    base.remove([3])
    numbers, held = base.index.vectors_of(base.model, [2, 40, 1, 3, 2])
    assert list(numbers) == [1, 2]
    assert np.asarray(held).tolist() == [[1, 0], [0, 1]]
    none, held = base.index.vectors_of(base.model, [])
    assert len(none) == len(held) == 0


def test_all_gives_every_vector_once_also_while_blocks_are_merged(make):
    base = make(dim=4, chunks=60)
    for number in range(1, 15):
        base.put([number], [[number, 1, 0, 0]])
    seen: list[int] = []
    for numbers, held in base.index.all(base.model):
        assert held.shape == (len(numbers), 4)
        seen += numbers
        if len(seen) == 3:
            with base.connection:
                base.index.compact(base.model)
    assert sorted(seen) == list(range(1, 15))


def test_two_models_are_never_mixed(make):
    base = make(dim=2)
    base.put([1], [[1, 0]])
    other = base.add_model("m2", 3)
    with base.connection:
        base.index.put(other, [1, 2], [[1, 0, 0], [0, 1, 0]])
    assert ids(base.index.nearest(base.model, [1, 0], 9)) == [1]
    assert ids(base.index.nearest(other, [0, 1, 0], 9)) == [2, 1]
    base.connection.execute("DELETE FROM models WHERE number = ?", (base.model,))
    assert ids(base.index.nearest(other, [0, 1, 0], 9)) == [2, 1]
    assert base.add_model("m1", 2) not in (base.model, other)  # a number is never given again


def test_r011_without_numpy_everything_works(make, no_numpy):
    base = make(dim=4, engine="python")
    vectors = {n: [math.sin(n * k) for k in range(1, 5)] for n in range(1, 51)}
    base.put(list(vectors), list(vectors.values()))
    found = base.index.nearest(base.model, vectors[7], 5)
    assert found[0] == (7, pytest.approx(1.0, abs=1e-6))
    assert [list(n) for n, _ in base.index.all(base.model)] == [list(range(1, 51))]
    numbers, held = base.index.vectors_of(base.model, [7])
    assert list(numbers) == [7]
    assert math.hypot(*held[0]) == pytest.approx(1.0)


def test_auto_without_numpy_takes_the_extension(make, no_numpy):
    base = make(dim=2, engine="auto")
    base.put([1, 2], [[1, 0], [0, 1]])
    assert ids(base.index.nearest(base.model, [0, 1], 1)) == [2]
    assert base.index.engine.name == "sqlite-vec"
    assert base.index.notices == []


def test_auto_without_anything_takes_python_and_says_so(make, no_numpy, monkeypatch):
    monkeypatch.setattr("sqlite_vec.loadable_path", lambda: "/nowhere/vec0")
    base = make(dim=2, engine="auto")
    base.put([1, 2], [[1, 0], [0, 1]])
    assert ids(base.index.nearest(base.model, [0, 1], 1)) == [2]
    assert base.index.engine.name == "python"
    assert [notice.remedy for notice in base.index.notices] == ["pip install numpy"]


def test_an_engine_asked_for_is_never_silently_replaced(make, no_numpy, monkeypatch):
    monkeypatch.setattr("sqlite_vec.loadable_path", lambda: "/nowhere/vec0")
    for engine in ("numpy", "sqlite-vec"):
        base = make(f"{engine}.db", dim=2, engine=engine)
        base.put([1], [[1, 0]])
        with pytest.raises(MissingExtra, match="pip install"):
            base.index.nearest(base.model, [1, 0], 1)
    with pytest.raises(UsageError, match="no vector engine"):
        make("faiss.db", engine="faiss").index.nearest(1, [1.0] * 16, 1)


def test_the_doctor_hears_of_every_engine(make, no_numpy):
    checks = {check.name: check for check in make().index.engines()}
    assert checks["vector engine numpy"].ok is None
    assert "pip install" in checks["vector engine numpy"].cure
    assert checks["vector engine python"].ok is True


def test_the_doctor_tries_what_is_there(make):
    assert all(check.ok for check in make().index.engines())


def test_a_base_in_memory_writes_no_file(make, tmp_path):
    base = make(":memory:", dim=4, chunks=5000)
    base.put(range(1, 5001), clustered(5000, 4))
    assert len(base.index.nearest(base.model, [1, 0, 0, 0], 5)) == 5
    assert list(tmp_path.iterdir()) == []


def test_closing_twice_is_harmless(make):
    base = make()
    base.index.nearest(base.model, [1.0] * 16, 1)
    base.index.close()
    base.index.close()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["put", "put", "put", "remove", "compact", "search"]),
            st.lists(st.integers(1, 40), min_size=1, max_size=8),
        ),
        max_size=30,
    )
)
def test_any_history_ends_with_the_same_answer_in_every_engine(steps):
    base = Base(":memory:", dim=3, chunks=40)
    others = [VectorIndex(base.connection, ":memory:", engine) for engine in ("python", "sqlite-vec")]
    vectors: dict[int, np.ndarray] = {}
    there = set(range(1, 41))
    for turn, (what, numbers) in enumerate(steps):
        if what == "put":
            rows_ = np.random.default_rng(turn).integers(-2, 3, (len(numbers), 3)) + np.array([0.5, 0, 0])
            base.put(numbers, rows_)
            vectors |= {n: r for n, r in zip(numbers, rows_, strict=True) if n in there}
        elif what == "remove":
            base.remove(numbers)
            there -= set(numbers)
            vectors = {n: r for n, r in vectors.items() if n in there}
        elif what == "compact":
            with base.connection:
                base.index.compact(base.model)
        for index in (base.index, *others) if what == "search" or turn == len(steps) - 1 else ():
            for limit in (3, 100):
                got = ids(index.nearest(base.model, [1, 2, 3], limit))
                assert got == expected(vectors, [1, 2, 3], limit), index.engine.name
    base.close()


def test_writing_needs_no_numpy_engine(make):
    base = make(dim=2)
    base.put([1], [[1, 0]])
    assert base.index._engine is None


def test_a_connection_closed_under_it_is_sqlites_error_not_a_wrong_answer(make):
    base = Base(":memory:", dim=2)
    base.connection.close()
    with pytest.raises(apsw.ConnectionClosedError):
        base.index.nearest(base.model, [1, 0], 1)
