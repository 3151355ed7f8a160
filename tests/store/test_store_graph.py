"""Hops as the store takes them: bounded, both ways, over edges that name a passage or a document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import Draft, Piece
from scrubjay.types.graph import FoundEdge

DOCUMENTS = 60


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    made = SqliteStore(":memory:")
    made.put_many((Draft(f"T{n}", "note"), [Piece(f"text {n}.{k}", (1, 1)) for k in (1, 2)]) for n in range(DOCUMENTS))
    yield made
    made.close()


def edge(source: int, target: int | None, source_chunk: int = 0, target_chunk: int = 0) -> FoundEdge:
    return FoundEdge(source, source_chunk, target, target_chunk, "links", "link", 1.0, "", "", f"{source}>{target}")


def put(store: SqliteStore, *edges: FoundEdge) -> None:
    with store.writing():
        store.graph.linking.put_found(edges)


def test_both_ways_and_both_kinds_of_ends(store: SqliteStore) -> None:
    put(store, edge(1, 2, 1, 0), edge(1, 3, 2, 5), edge(4, 1, 7, 1), edge(5, 1), edge(1, None, 1))
    assert sorted(store.graph.neighbours([1], 32)) == [
        (1, 0, 2, "links", 1, 1.0),
        (1, 0, 5, "links", 0, 1.0),
        (1, 7, 4, "links", 0, 1.0),
    ]
    assert sorted(store.graph.neighbours([2], 32)) == [(2, 0, 5, "links", 0, 1.0), (2, 5, 3, "links", 1, 1.0)]
    assert store.graph.neighbours([], 32) == []


def test_no_more_than_fan_of_a_document_that_all_link_to(store: SqliteStore) -> None:
    put(store, *(edge(n, 1) for n in range(2, DOCUMENTS)), *(edge(1, n, 1) for n in range(2, DOCUMENTS)))
    for fan in (1, 7):
        steps = store.graph.neighbours([1], fan)
        assert len([step for step in steps if step[4]]) == fan
        assert len([step for step in steps if not step[4]]) == fan


def test_the_strongest_of_many_are_followed(store: SqliteStore) -> None:
    put(store, *(edge(n, 1)._replace(strength=n / 100) for n in range(2, 12)))
    assert {step[2] for step in store.graph.neighbours([1], 3)} == {9, 10, 11}


def test_what_is_known_of_chunks_and_documents(store: SqliteStore) -> None:
    assert store.graph.openings([3, 1, 999]) == {1: 1, 3: 5}
    assert store.graph.documents_of([1, 2, 3, 999]) == {1: 1, 2: 1, 3: 2}
    assert store.graph.titles([1, 3, 999]) == {1: "T0", 3: "T1"}
    assert store.graph.openings([]) == {}
