"""One suite for every vector engine: the same ids in the same order, from the same base."""

from __future__ import annotations

import math
import random
from array import array

import pytest

from scrubjay.store.sqlite.connect import connect
from scrubjay.store.sqlite.vectors import VectorIndex
from scrubjay.store.sqlite.vectors.exact_numpy import NumpyEngine

ENGINES = ("numpy", "numpy without kernel", "sqlite-vec", "python")
COUNT, DIM = 5000, 12


def index_of(connection, location: str, engine: str) -> VectorIndex:
    index = VectorIndex(connection, location, engine.partition(" ")[0])
    if engine.endswith("without kernel"):
        index._engine = NumpyEngine(connection, None, index.notices, kernel=False)
    return index


def new_base(location: str, dim: int, chunks: int):
    connection = connect(location)
    with connection:
        connection.execute("INSERT INTO models (identity, name, dim, created_at) VALUES ('m', 'm', ?, '')", (dim,))
        connection.execute(
            "INSERT INTO documents (number, id, title, kind, created_at, modified_at, indexed_at)"
            " VALUES (1, 'd', '', 'note', '', '', '')"
        )
        connection.executemany(
            "INSERT INTO chunks (id, document, ordinal, text) VALUES (?, 1, ?, 'x')",
            [(f"c{n}", n) for n in range(1, chunks + 1)],
        )
    return connection


def made_up(count: int, seed: int) -> list[list[float]]:
    """Rows around a few centres, every seventh one a copy of another."""
    dice = random.Random(seed)
    centres = [[dice.gauss(0, 1) for _ in range(DIM)] for _ in range(20)]
    rows = [[c + dice.gauss(0, 0.2) for c in dice.choice(centres)] for _ in range(count)]
    for place in range(7, count, 7):
        rows[place] = list(rows[dice.randrange(place)])
    return rows


def by_definition(vectors: dict[int, list[float]], query, limit: int, allowed=None) -> list[tuple[float, int]]:
    unit = [q / math.hypot(*query) for q in query]
    scored = []
    for number in vectors if allowed is None else [n for n in allowed if n in vectors]:
        row = array("f", [v / math.hypot(*vectors[number]) for v in vectors[number]])
        scored.append((-round(math.fsum(a * b for a, b in zip(row, unit, strict=True)), 8), number))
    return sorted(scored)[:limit]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    location = str(tmp_path_factory.mktemp("contract") / "kb.db")
    connection = new_base(location, DIM, COUNT)
    vectors = dict(enumerate(made_up(COUNT, 1), 1))
    writer = VectorIndex(connection, location, "python")
    with connection:
        writer.put(1, list(vectors), list(vectors.values()))
        for number, row in zip(range(100, 130), made_up(30, 2), strict=True):
            vectors[number] = row
            writer.put(1, [number], [row])
        connection.execute("DELETE FROM chunks WHERE number BETWEEN 200 AND 230")
    vectors = {n: v for n, v in vectors.items() if not 200 <= n <= 230}
    yield connection, location, vectors
    connection.close()


@pytest.fixture(params=ENGINES)
def index(request, base):
    made = index_of(base[0], base[1], request.param)
    yield made
    made.close()


FILTERS = {
    "all": None,
    "one": array("q", [4321]),
    "few": array("q", range(3, COUNT, 97)),
    "some": array("q", range(1, COUNT, 9)),
    "most": array("q", range(1, COUNT - 50)),
    "a folder": array("q", range(2000, 2600)),
    "gone and never there": array("q", [205, 206, COUNT + 7]),
}


@pytest.mark.parametrize("limit", [1, 30])
@pytest.mark.parametrize("wanted", FILTERS)
def test_r030_same_ids_same_order(index, base, wanted, limit):
    vectors = base[2]
    for seed in (3, 4):
        query = made_up(1, seed)[0]
        found = index.nearest(1, query, limit, FILTERS[wanted])
        truth = by_definition(vectors, query, limit, FILTERS[wanted])
        assert [number for number, _ in found] == [number for _, number in truth]
        assert [score for _, score in found] == pytest.approx([-score for score, _ in truth], abs=1e-6)


def test_more_than_a_vec0_search_can_return(index, base):
    query = made_up(1, 5)[0]
    for limit in (4500, COUNT + 10):
        found = index.nearest(1, query, limit)
        assert [n for n, _ in found] == [n for _, n in by_definition(base[2], query, limit)]


def test_more_copies_than_a_vec0_search_can_return(tmp_path):
    location = str(tmp_path / "copies.db")
    connection = new_base(location, 2, 4300)
    with connection:
        VectorIndex(connection, location, "python").put(1, range(4300, 0, -1), [[1.0, 2.0]] * 4300)
    for engine in ENGINES:
        found = index_of(connection, location, engine).nearest(1, [1.0, 0.0], 3)
        assert [n for n, _ in found] == [1, 2, 3], engine
    connection.close()


def test_r010_none_asked_none_found(index):
    assert index.nearest(1, [1.0] * DIM, 0) == []


def test_f008_the_filter_comes_before_the_nearest_are_taken(index, base):
    query = base[2][1]
    worst = max(base[2], key=lambda n: by_definition({n: base[2][n]}, query, 1))
    assert [n for n, _ in index.nearest(1, query, 1, array("q", [worst]))] == [worst]


def test_r035_twice_the_same(index):
    query = made_up(1, 8)[0]
    assert index.nearest(1, query, 50) == index.nearest(1, query, 50)


def test_f011_the_best_do_not_change_with_the_limit(index):
    query = made_up(1, 9)[0]
    assert index.nearest(1, query, 100)[:5] == index.nearest(1, query, 5)


def test_f009_length_does_not_count(index, base):
    query = made_up(1, 10)[0]
    assert index.nearest(1, query, 10) == index.nearest(1, [1000 * q for q in query], 10)


def test_the_same_rows_are_read_back(index, base):
    numbers, rows = index.vectors_of(1, [1, 100, 205, 4999])
    assert list(numbers) == [1, 100, 4999]
    for number, row in zip(numbers, rows, strict=True):
        given = base[2][number]
        assert list(row) == pytest.approx([v / math.hypot(*given) for v in given], abs=1e-6)


def test_a_changed_base_is_seen_at_once(index, base):
    connection, _, vectors = base
    query = made_up(1, 11)[0]
    index.nearest(1, query, 5)
    connection.execute("SAVEPOINT trial")
    try:
        index.put(1, [77], [query])
        connection.execute("DELETE FROM chunks WHERE number = 78")
        changed = {n: v for n, v in vectors.items() if n != 78} | {77: query}
        found = index.nearest(1, query, COUNT)
        assert [n for n, _ in found] == [n for _, n in by_definition(changed, query, COUNT)]
    finally:
        connection.execute("ROLLBACK TO trial; RELEASE trial")
    assert [n for n, _ in index.nearest(1, query, 9)] == [n for _, n in by_definition(vectors, query, 9)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_base_that_cannot_be_written_is_searched(base, engine, tmp_path):
    import apsw

    source, copy = base[0], str(tmp_path / "copy.db")
    source.execute("VACUUM INTO ?", (copy,))
    before = sorted(tmp_path.iterdir())
    connection = apsw.Connection(f"file:{copy}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection.execute("DROP TABLE IF EXISTS temp.anything")
    query = made_up(1, 12)[0]
    index = index_of(connection, ":memory:", engine)
    assert [n for n, _ in index.nearest(1, query, 9)] == [n for _, n in by_definition(base[2], query, 9)]
    assert sorted(tmp_path.iterdir()) == before
    connection.close()
