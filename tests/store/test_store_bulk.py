"""Many documents at once: written together, and each as if it had been written alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.sqlite import write
from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import Draft, Piece

# a path (few, so that some come again) and its passages
ITEMS = st.lists(
    st.tuples(st.integers(0, 5), st.lists(st.sampled_from(["git", "cake", "库"]), max_size=4)), max_size=12
)


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    made = SqliteStore(":memory:")
    yield made
    made.close()


def drafts(items: list[tuple[int, list[str]]]) -> list[tuple[Draft, list[Piece]]]:
    return [
        (Draft(f"title {n}", "note", path=f"/{n}", tags=("x",)), [Piece(text, (k, k)) for k, text in enumerate(texts)])
        for n, texts in items
    ]


def content(store: SqliteStore) -> list[object]:
    chunks = store.chunks([document.id for document in store.documents()])
    return sorted((c.document_id, c.ordinal, c.id, c.text, c.lines, c.tags) for c in chunks)


@given(ITEMS, st.integers(1, 4))
def test_together_or_alone(items: list[tuple[int, list[str]]], together: int) -> None:
    one, many = SqliteStore(":memory:"), SqliteStore(":memory:")
    alone = [one.put(draft, pieces) for draft, pieces in drafts(items)]
    before, write._TOGETHER = write._TOGETHER, together
    try:
        written = many.put_many(drafts(items), replace=True)
    finally:
        write._TOGETHER = before
    assert content(many) == content(one)
    assert [w[:4] for w in written] == [w[:4] for w in alone]
    numbers = {chunk.number: chunk for chunk in many.chunks([w.id for w in written])}
    last = {draft.path: done for (draft, _), done in zip(drafts(items), written, strict=True)}
    for done in last.values():
        assert all(numbers[number].document_id == done.id for number in done.chunk_ids)
        assert len(done.chunk_ids) == done.added
    many.check()
    many._connection.execute("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('integrity-check', 1)")
    one.close()
    many.close()


def test_each_is_told_the_numbers_of_its_chunks(store: SqliteStore) -> None:
    items = [(n, [f"text {n}.{k}" for k in range(n % 4)]) for n in range(2000)]
    written = store.put_many(drafts(items))
    for (n, texts), done in zip(items, written, strict=True):
        assert [chunk.text for chunk in store.fetch(done.chunk_ids)] == texts, n


def test_nothing_stays_of_a_bulk_that_fails(store: SqliteStore) -> None:
    def failing() -> Iterator[tuple[Draft, list[Piece]]]:
        yield from drafts([(n, ["git"]) for n in range(1000)])
        raise OSError("the source went away")

    with pytest.raises(OSError, match="went away"):
        store.put_many(failing())
    assert store.documents() == []


def test_words_of_many_chunks_are_written_together(store: SqliteStore) -> None:
    """One small index a chunk is what made adding slow; FTS5 counts its indexes in its own tables."""
    store.put_many(drafts([(n, [f"git {n}"]) for n in range(3000)]))
    segments = store._connection.execute("SELECT count(DISTINCT segid) FROM chunks_fts_idx").get
    assert segments <= 7
