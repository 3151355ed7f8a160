"""Writing, changing and removing documents through the store's own port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from scrubjay.errors import DuplicateId, ModelMismatch, UnknownId
from scrubjay.store.identity import require_same
from scrubjay.store.sqlite.bm25 import varints
from scrubjay.store.sqlite.clock import stamp
from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import EVERYTHING, Draft, Filter, ModelIdentity, Piece, Term, Words


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = SqliteStore(":memory:")
    yield opened
    opened.close()


def pieces(*texts: str) -> list[Piece]:
    return [Piece(text, (place, place)) for place, text in enumerate(texts, 1)]


def draft(path: str | None = "/n/a.md", title: str = "A", **more: object) -> Draft:
    return Draft(title, "markdown", path)._replace(**more)  # type: ignore[arg-type]


def test_a_changed_document_keeps_its_id_and_its_unchanged_chunks(store: SqliteStore) -> None:
    first = store.put(draft(), pieces("one", "two", "three"))
    before = {chunk.text: (chunk.id, chunk.number) for chunk in store.chunks([first.id])}
    second = store.put(draft(), pieces("zero", "one", "three"))
    after = {chunk.text: (chunk.id, chunk.number) for chunk in store.chunks([first.id])}
    assert (second.id, second.added, second.kept, second.removed) == (first.id, 1, 2, 1)
    assert {text: after[text] for text in ("one", "three")} == {text: before[text] for text in ("one", "three")}
    assert [chunk.text for chunk in store.chunks([first.id])] == ["zero", "one", "three"]
    assert [chunk.lines for chunk in store.chunks([first.id])] == [(1, 1), (2, 2), (3, 3)]


def test_equal_pieces_of_one_document_have_ids_of_their_own(store: SqliteStore) -> None:
    written = store.put(draft(), pieces("same", "same", "same"))
    ids = [chunk.id for chunk in store.chunks([written.id])]
    assert len(set(ids)) == 3
    again = store.put(draft(), pieces("same", "same"))
    assert (again.kept, again.removed) == (2, 1)
    assert [chunk.id for chunk in store.chunks([written.id])] == ids[:2]


def test_a_path_added_again_gets_the_same_id(store: SqliteStore) -> None:
    first = store.put(draft(), pieces("one"))
    assert store.remove([first.id]) == 1
    assert store.put(draft(), pieces("something else")).id == first.id


def test_equal_notes_are_two_notes(store: SqliteStore) -> None:
    written = store.put_many([(draft(None, content_hash="h"), pieces("note"))] * 50)
    assert len({done.id for done in written}) == 50


def test_numbers_are_never_used_again(store: SqliteStore) -> None:
    first = store.put(draft(), pieces("one"))
    number = store.chunks([first.id])[0].number
    store.remove([first.id])
    second = store.put(draft("/n/b.md"), pieces("two"))
    assert store.chunks([second.id])[0].number > number


def test_a_new_title_is_findable_and_the_old_one_is_not(store: SqliteStore) -> None:
    store.put(draft(title="Marmalade"), pieces("text"))
    store.put(draft(title="Quince"), pieces("text"))
    assert words(store, "marmalade") == []
    assert len(words(store, "quince")) == 1


def words(store: SqliteStore, *texts: str) -> list[int]:
    ranking = store.keyword(Words(" ".join(texts), tuple(map(Term, texts))), 10, None)
    return [candidate.chunk for candidate in ranking.candidates]


def test_a_moved_file_keeps_everything_but_its_path(store: SqliteStore) -> None:
    written = store.put(draft("/n/old.md", path_words="n/old.md"), pieces("text"))
    chunk = store.chunks([written.id])[0]
    store.move(written.id, "/n/new.md", "n/new.md")
    moved = store.chunks([written.id])[0]
    assert (moved.number, moved.id, moved.path) == (chunk.number, chunk.id, "/n/new.md")
    assert words(store, "new") == [chunk.number]
    assert words(store, "old") == []
    assert store.file_state("/n/old.md") is None


def test_a_transaction_is_all_or_nothing(store: SqliteStore) -> None:
    with suppress(RuntimeError), store.writing():
        store.put(draft("/n/a.md"), pieces("one"))
        with store.writing():
            store.put(draft("/n/b.md"), pieces("two"))
        raise RuntimeError
    assert store.documents(EVERYTHING) == []
    assert words(store, "one") == []


def test_an_id_given_twice_writes_nothing(store: SqliteStore) -> None:
    with pytest.raises(DuplicateId):
        store.put_many([(draft(None, id="x"), pieces("one")), (draft(None, id="x"), pieces("two"))])
    assert store.documents(EVERYTHING) == []


def test_tags_given_by_hand_stay_when_a_file_is_read_again(store: SqliteStore) -> None:
    written = store.put(draft(tags=("from-file",)), pieces("one"))
    assert store.retag(written.id, ["mine"], []) == ("from-file", "mine")
    store.put(draft(tags=("other",)), pieces("one"))
    document = store.document(written.id)
    assert document is not None
    assert document.tags == ("mine", "other")
    assert store.retag(written.id, [], ["mine"]) == ("other",)


def test_tags_do_not_mind_their_case(store: SqliteStore) -> None:
    written = store.put(draft(tags=("Ops",)), pieces("one"))
    assert store.retag(written.id, ["OPS"], []) == ("Ops",)
    assert [document.id for document in store.documents(Filter(tags=("oPs",)))] == [written.id]


def test_unknown_ids_are_named(store: SqliteStore) -> None:
    with pytest.raises(UnknownId, match="d_nobody"):
        store.retag("d_nobody", ["x"], [])
    with pytest.raises(UnknownId, match="d_nobody"):
        store.timeline(EVERYTHING, None, anchor="d_nobody")
    assert store.document("d_nobody") is None
    assert store.chunk_by_id("c_nobody") is None
    assert store.remove(["d_nobody"]) == 0


def test_fetch_keeps_the_asked_order_and_leaves_out_what_is_gone(store: SqliteStore) -> None:
    written = store.put(draft(), pieces("one", "two", "three"))
    one, two, three = (chunk.number for chunk in store.chunks([written.id]))
    assert [chunk.text for chunk in store.fetch([three, 999, one, two])] == ["three", "one", "two"]
    assert store.fetch([]) == []


@pytest.mark.parametrize(
    ("where", "left"),
    [
        (Filter(path="/n"), 2),
        (Filter(path="/n/"), 2),
        (Filter(path="/n/sub"), 1),
        (Filter(path="/"), 4),
        (Filter(path="sub"), 2),
        (Filter(path="a.md"), 1),
        (Filter(path="n/sub"), 1),
        (Filter(path="%"), 0),
        (Filter(path="_"), 0),
        (Filter(kinds=("markdown",)), 4),
        (Filter(kinds=("pdf", "code")), 0),
        (Filter(since="2026-01-02T00:00:00Z"), 3),
        (Filter(until="2026-01-02T00:00:00Z"), 2),
        (Filter(tags=("t1", "t2")), 0),
    ],
)
def test_filters(store: SqliteStore, where: Filter, left: int) -> None:
    for day, path in enumerate(("/n/a.md", "/n/sub/b.md", "/nn/sub/c.md", "/other/d.md"), 1):
        store.put(draft(path, created_at=f"2026-01-{day:02}T00:00:00Z", tags=(f"t{day}",)), pieces("text"))
    assert store.count(where) == left
    assert len(store.documents(where)) == left
    allowed = store.allowed(where)
    assert allowed is not None
    assert list(allowed) == sorted(set(allowed))
    assert len(allowed) == left


def test_no_filter_allows_everything(store: SqliteStore) -> None:
    assert store.allowed(EVERYTHING) is None


def test_places_of_tokens_count_characters(store: SqliteStore) -> None:
    text = "Ünï 🦊 installing"
    found = [(text[start:end], token) for start, end, token in store.tokens(text)]
    assert found == [("Ünï", "uni"), ("🦊", "🦊"), ("installing", "instal")]


def test_varints_are_read_as_sqlite_writes_them() -> None:
    assert list(varints(b"\x05\x81\x00\x7f\x82\x01")) == [5, 128, 127, 257]
    assert list(varints(b"")) == []


def test_times_of_wild_clocks_are_no_failure() -> None:
    assert stamp(0) == "1970-01-01T00:00:00Z"
    assert stamp(1e30) == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("2026-03-02", "2026-03-02T00:00:00Z"),
        ("2026-03-02T10:15:00", "2026-03-02T10:15:00Z"),
        ("2026-03-02T10:15:00.250", "2026-03-02T10:15:00Z"),
        ("2026-03-02T01:15:00+02:00", "2026-03-01T23:15:00Z"),
        ("2026-03-02T10:15:00Z", "2026-03-02T10:15:00Z"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z"),
    ],
)
def test_times_are_stored_in_one_form(store: SqliteStore, given: str, stored: str) -> None:
    written = store.put(draft(created_at=given, modified_at=given), pieces("text"))
    document = store.document(written.id)
    assert document is not None
    assert (document.created_at, document.modified_at) == (stored, stored)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (ModelIdentity("x", 1536), ["1024", "1536"]),
        (ModelIdentity("y", 1024), ["x", "y"]),
        (ModelIdentity("x", 1024, query_prefix="q: "), ["query_prefix"]),
    ],
)
def test_two_models_are_never_taken_for_one(given: ModelIdentity, named: list[str]) -> None:
    stored = ModelIdentity("x", 1024)
    require_same(stored, ModelIdentity("x", 1024))
    with pytest.raises(ModelMismatch) as raised:
        require_same(stored, given)
    assert all(word in raised.value.why for word in named)
    assert "kb reindex" in raised.value.cure
