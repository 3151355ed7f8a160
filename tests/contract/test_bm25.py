"""BM25 by three ways: both scorers of the channel, and numpy in FTS5's place; same ids, order and scores."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from scrubjay.search.parse import parse
from scrubjay.store.sqlite import bm25
from scrubjay.store.sqlite.bm25 import PlainScorer, totals, varints
from scrubjay.store.sqlite.bm25_numpy import NumpyScorer, _varints
from scrubjay.store.sqlite.keyword import Keyword
from scrubjay.store.sqlite.match import plain_terms
from scrubjay.store.sqlite.store import SqliteStore

WEIGHTS = (2.0, 1.0, 0.5, 1.0, 1.0)
WORDS = ["install", "installing", "git", "Git", "café", "the", "node", "cake", "of", "Привет", "数据库", "x"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
NOTES = st.lists(st.tuples(TEXTS, TEXTS | st.just("")), min_size=1, max_size=12)
QUERIES = st.lists(st.sampled_from([*WORDS, "nothing", "node.js", "git-install", "C++"]), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def store() -> Iterator[SqliteStore]:
    with scrubjay.open(":memory:", config={"graph.enabled": False}) as kb:
        yield kb.store  # type: ignore[misc]


def refill(store: SqliteStore, notes: list[tuple[str, str]]) -> None:
    from scrubjay.types import Draft, Piece

    store.remove([document.id for document in store.documents()])
    store.put_many((Draft(title, "note"), [Piece(text, (1, 1))]) for text, title in notes)


def scorers(store: SqliteStore) -> list[PlainScorer | NumpyScorer]:
    return [PlainScorer(store._connection, WEIGHTS), NumpyScorer(store._connection, WEIGHTS)]


@given(NOTES, QUERIES, st.sampled_from([(1.2, 0.75), (0.0, 0.0), (2.0, 1.0)]), st.integers(1, 20), st.booleans())
def test_both_scorers_give_the_same(
    store: SqliteStore,
    notes: list[tuple[str, str]],
    query: list[str],
    how: tuple[float, float],
    limit: int,
    filtered: bool,
) -> None:
    refill(store, notes)
    numbers = [chunk.number for chunk in store.chunks([document.id for document in store.documents()])]
    allowed = array("q", sorted(numbers)[::2]) if filtered else None
    terms = store.stems(" ".join(query))
    plain, fast = (scorer.rank(terms, *how, limit, allowed) for scorer in scorers(store))
    assert fast == plain


@given(NOTES, QUERIES, st.integers(1, 20), st.booleans())
def test_numpy_in_the_place_of_fts5(
    store: SqliteStore, notes: list[tuple[str, str]], query: list[str], limit: int, filtered: bool
) -> None:
    refill(store, notes)
    numbers = [chunk.number for chunk in store.chunks([document.id for document in store.documents()])]
    allowed = array("q", sorted(numbers)[1::2]) if filtered else None
    words = parse(" ".join(query))
    fast = scorers(store)[1]
    assert isinstance(fast, NumpyScorer)
    ways = [
        Keyword(store._connection, store.stems, (2.0, 1.0, 0.5), allowed, way).search(words, limit)
        for way in (None, fast.as_fts5)
    ]
    assert [(c.chunk, c.note) for c in ways[0].candidates] == [(c.chunk, c.note) for c in ways[1].candidates]
    assert [c.score for c in ways[0].candidates] == pytest.approx([c.score for c in ways[1].candidates], rel=1e-12)
    assert ways[0].tier == ways[1].tier


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("install git", ["instal", "git"]),
        ("how to install git", ["instal", "git"]),
        ("install installing", ["instal", "instal"]),
        ("install install", ["instal"]),
        ("node.js", None),
        ('"install git"', None),
        ("inst*", None),
        ("数据库", None),
        ("git +++", ["git"]),
    ],
)
def test_only_plain_words_take_the_fast_way(store: SqliteStore, query: str, terms: list[str] | None) -> None:
    assert plain_terms(parse(query), store.stems) == terms


def test_many_equal_chunks_are_cut_by_their_number(store: SqliteStore) -> None:
    refill(store, [("install git", "")] * 3000)
    plain, fast = (scorer.rank(["git"], 1.2, 0.75, 30, None) for scorer in scorers(store))
    assert fast == plain
    assert [c.chunk for c in fast.candidates] == sorted(c.chunk for c in fast.candidates)


def test_what_was_read_is_dropped_when_the_file_changes(place: str) -> None:
    with scrubjay.open(place, config={"graph.enabled": False}) as kb, scrubjay.open(place) as other:
        kb.notes({"text": f"git {'log ' * n}"} for n in range(5))
        connection = kb.store._connection  # type: ignore[attr-defined]
        fast = NumpyScorer(connection, WEIGHTS)
        for change in (
            lambda: other.note("git push"),
            lambda: other.remove(other.list()[0].id),
            lambda: kb.note("a longer note about git and much more"),
        ):
            fast.rank(["git", "log"], 1.2, 0.75, 30, None)
            change()
            fresh = NumpyScorer(connection, WEIGHTS).rank(["git", "log"], 1.2, 0.75, 30, None)
            assert fast.rank(["git", "log"], 1.2, 0.75, 30, None) == fresh
            assert PlainScorer(connection, WEIGHTS).rank(["git", "log"], 1.2, 0.75, 30, None) == fresh


@pytest.mark.parametrize("kind", [PlainScorer, NumpyScorer])
def test_what_was_rolled_back_is_not_remembered(
    store: SqliteStore, kind: type[PlainScorer] | type[NumpyScorer]
) -> None:
    refill(store, [("git", "")])
    scorer = kind(store._connection, WEIGHTS)
    before = scorer.rank(["git"], 1.2, 0.75, 9, None)

    def change_of_mind() -> None:
        with store.writing():
            refill(store, [("git", ""), ("git git", "")])
            assert len(scorer.rank(["git"], 1.2, 0.75, 9, None).candidates) == 2
            raise RuntimeError

    with pytest.raises(RuntimeError):
        change_of_mind()
    assert scorer.rank(["git"], 1.2, 0.75, 9, None) == before


def test_a_column_without_weight_finds_nothing(store: SqliteStore) -> None:
    refill(store, [("cake", "git"), ("git", "cake")])
    weights = (0.0, 1.0, 1.0, 1.0, 1.0)
    plain = PlainScorer(store._connection, weights).rank(["git"], 0.0, 0.75, 9, None)
    assert NumpyScorer(store._connection, weights).rank(["git"], 0.0, 0.75, 9, None) == plain
    assert len(plain.candidates) == 1


@given(st.lists(st.integers(0, 2**40), max_size=40))
def test_numbers_of_any_length_are_read(numbers: list[int]) -> None:
    def packed(value: int) -> bytes:
        parts = [value & 0x7F]
        while value := value >> 7:
            parts.append(value & 0x7F | 0x80)
        return bytes(reversed(parts))

    data = b"".join(map(packed, numbers))
    assert list(varints(data)) == numbers
    assert _varints(data).tolist() == numbers


def test_numpy_is_not_imported_for_a_small_base(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "numpy_is_there", lambda: False)
    assert isinstance(bm25.scorer(store._connection, WEIGHTS), PlainScorer)
    monkeypatch.setattr(bm25, "totals", lambda connection: (1_000_000, (0,) * 5))
    assert isinstance(bm25.scorer(store._connection, WEIGHTS), NumpyScorer)


def test_an_empty_base(place: str) -> None:
    connection = apsw.Connection(place)
    connection.close()
    with scrubjay.open(place) as kb:
        own = kb.store._connection  # type: ignore[attr-defined]
        assert totals(own)[0] == 0
        for scorer in (PlainScorer(own, WEIGHTS), NumpyScorer(own, WEIGHTS)):
            assert scorer.rank(["git"], 1.2, 0.75, 9, None).candidates == ()
