"""What every store must do, through the port alone: the same suite for a file and for a base in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import DuplicateId, UnknownId
from scrubjay.ports import Store
from scrubjay.search.parse import parse
from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import EVERYTHING, Draft, Filter, ModelIdentity, Piece


@pytest.fixture(params=["file", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "kb.db") if request.param == "file" else ":memory:"


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    opened = SqliteStore(place)
    yield opened
    opened.close()


def pieces(*texts: str) -> list[Piece]:
    return [Piece(text, (at, at)) for at, text in enumerate(texts, 1)]


def draft(name: str, **more: object) -> Draft:
    return Draft(name.title(), "markdown", f"/n/{name}.md", path_words=f"n/{name}.md")._replace(**more)  # type: ignore[arg-type]


def found(store: Store, query: str, where: Filter = EVERYTHING) -> list[str]:
    ranking = store.keyword(parse(query), 50, store.allowed(where))
    chunks = store.fetch([candidate.chunk for candidate in ranking.candidates])
    return [chunk.text for chunk in chunks]


# --- documents -------------------------------------------------------------------------------


def test_what_is_put_is_there(store: Store) -> None:
    written = store.put(draft("git", tags=("ops",), summary="About git"), pieces("install git", "use git"))
    assert (written.added, written.kept, written.removed) == (2, 0, 0)
    document = store.document(written.id)
    assert document is not None
    assert (document.title, document.path, document.tags, document.summary, document.chunks) == (
        "Git", "/n/git.md", ("ops",), "About git", 2,
    )  # fmt: skip
    assert [chunk.text for chunk in store.chunks([written.id])] == ["install git", "use git"]
    assert store.count(EVERYTHING) == 1


def test_putting_again_changes_only_what_changed(store: Store) -> None:
    first = store.put(draft("git"), pieces("one", "two"))
    before = {chunk.text: chunk.id for chunk in store.chunks([first.id])}
    second = store.put(draft("git"), pieces("zero", "two"))
    assert (second.id, second.added, second.kept, second.removed) == (first.id, 1, 1, 1)
    after = {chunk.text: chunk.id for chunk in store.chunks([first.id])}
    assert (set(after), after["two"]) == ({"zero", "two"}, before["two"])
    assert found(store, "one") == []
    assert found(store, "zero") == ["zero"]


def test_a_moved_document_is_found_at_its_new_path_only(store: Store) -> None:
    written = store.put(draft("git"), pieces("install"))
    store.move(written.id, "/n/deep/vcs.md", "n/deep/vcs.md")
    assert store.file_state("/n/git.md") is None
    state = store.file_state("/n/deep/vcs.md")
    assert state is not None
    assert state.id == written.id
    assert set(store.file_states("/n/deep")) == {"/n/deep/vcs.md"}
    assert found(store, "deep") == ["install"]


def test_what_is_remembered_of_a_file(store: Store) -> None:
    written = store.put(draft("git", mtime_ns=5, size=7, content_hash="abc"), pieces("install"))
    assert store.file_state("/n/git.md") == (written.id, "/n/git.md", 5, 7, "abc")
    store.touch(written.id, 6, 8)
    assert store.file_state("/n/git.md") == (written.id, "/n/git.md", 6, 8, "abc")
    assert store.file_states("/n/g") == {}, "a folder is a folder, not a beginning"


def test_removing(store: Store) -> None:
    one, two = store.put(draft("git"), pieces("install")), store.put(draft("bread"), pieces("bake"))
    assert store.remove([one.id, "d_nobody"]) == 1
    assert store.document(one.id) is None
    assert found(store, "install") == []
    assert [document.id for document in store.documents(EVERYTHING)] == [two.id]


def test_tags(store: Store) -> None:
    one = store.put(draft("git", tags=("ops",)), pieces("install"))
    assert store.retag(one.id, ["new"], ["ops"]) == ("new",)
    assert store.tags() == {"new": 1}
    with pytest.raises(UnknownId):
        store.retag("d_nobody", ["x"], [])


def test_an_id_is_taken_once(store: Store) -> None:
    store.put_many([(Draft("A", "note", id="d_own"), pieces("one"))])
    with pytest.raises(DuplicateId):
        store.put_many([(Draft("B", "note", id="d_own"), pieces("two"))])
    store.put_many([(Draft("B", "note", id="d_own"), pieces("two"))], replace=True)
    assert [chunk.text for chunk in store.chunks(["d_own"])] == ["two"]


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    with suppress(KeyError), store.writing():
        store.put(draft("git"), pieces("install"))
        raise KeyError
    assert store.count(EVERYTHING) == 0
    with store.writing(), store.writing():
        store.put(draft("git"), pieces("install"))
    assert store.count(EVERYTHING) == 1


def test_sources(store: Store) -> None:
    number = store.put_source("/n", ["ops"], ["*.log"], "note")
    assert store.put_source("/n", ["dev"], [], None) == number
    store.put(draft("git", source_id=number, size=10), pieces("install"))
    store.source_read(number)
    [source] = store.sources()
    assert (source.path, source.tags, source.exclude, source.kind, source.documents) == ("/n", ("dev",), (), None, 1)
    assert source.last_read_at
    assert store.remove_source("/n")
    assert not store.remove_source("/n")


# --- finding ---------------------------------------------------------------------------------


@pytest.fixture
def filled(store: Store) -> Store:
    dates = {"git": "2026-01-01", "bread": "2026-02-01", "base": "2026-03-01"}
    texts = {"git": "install git", "bread": "bake bread", "base": "我们的数据库设计"}
    for name, text in texts.items():
        tags = ("ops", "all") if name != "bread" else ("all",)
        kind = "note" if name == "bread" else "markdown"
        store.put(draft(name, tags=tags, created_at=dates[name], kind=kind), pieces(text))
    return store


@pytest.mark.parametrize(
    ("where", "texts"),
    [
        (EVERYTHING, {"install git", "bake bread", "我们的数据库设计"}),
        (Filter(tags=("ops",)), {"install git", "我们的数据库设计"}),
        (Filter(tags=("ops", "all")), {"install git", "我们的数据库设计"}),
        (Filter(tags=("nobody",)), set()),
        (Filter(kinds=("note",)), {"bake bread"}),
        (Filter(path="/n/git.md"), {"install git"}),
        (Filter(path="/n"), {"install git", "bake bread", "我们的数据库设计"}),
        (Filter(path="/n/gi"), set()),
        (Filter(since="2026-02-01"), {"bake bread", "我们的数据库设计"}),
        (Filter(until="2026-02-02"), {"install git", "bake bread"}),
        (Filter(since="2026-01-15", until="2026-02-15", tags=("all",)), {"bake bread"}),
    ],
)
def test_filters_mean_the_same_to_every_question(filled: Store, where: Filter, texts: set[str]) -> None:
    allowed = filled.allowed(where)
    every = [chunk.number for document in filled.documents(EVERYTHING) for chunk in filled.chunks([document.id])]
    left = sorted(every) if allowed is None else list(allowed)
    assert left == sorted(left)
    assert {chunk.text for chunk in filled.fetch(left)} == texts
    assert set(found(filled, "install bread 数据库", where)) == texts
    assert filled.count(where) == len(texts)
    assert len(filled.timeline(where, None)) == len(texts)


def test_fetching_keeps_the_order_and_leaves_out_what_is_gone(filled: Store) -> None:
    every = [chunk.number for document in filled.documents(EVERYTHING) for chunk in filled.chunks([document.id])]
    asked = [every[2], 10**9, every[0]]
    assert [chunk.number for chunk in filled.fetch(asked)] == [every[2], every[0]]
    assert filled.fetch([]) == []


def test_ids_lead_back(filled: Store) -> None:
    for document in filled.documents(EVERYTHING):
        [chunk] = filled.chunks([document.id])
        assert filled.chunk_by_id(chunk.id) == chunk
        assert filled.chunks_by_id([chunk.id, "c_nobody"]) == {chunk.id: chunk}
        assert set(filled.documents_by_id([document.id, "d_nobody"])) == {document.id}
        assert document.id in filled.known_ids(document.id[:6])
    assert filled.chunk_by_id("c_nobody") is None
    assert filled.document("d_nobody") is None


def test_both_keyword_channels_agree_on_what_matches(filled: Store) -> None:
    for query in ("install", "bread", "install bread"):
        words = parse(query)
        one = {candidate.chunk for candidate in filled.keyword(words, 10, None).candidates}
        two = {candidate.chunk for candidate in filled.bm25(words, 10, None, 1.2, 0.75).candidates}
        assert one == two
        assert one


@settings(max_examples=20)
@given(query=st.text(max_size=30), text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_text_is_kept_and_any_query_is_safe(place: str, query: str, text: str) -> None:
    store = SqliteStore(":memory:" if place == ":memory:" else place)
    try:
        written = store.put(Draft("T", "note", "/n/any.md"), pieces(text))
        assert [chunk.text for chunk in store.chunks([written.id])] == [text]
        store.keyword(parse(query), 5, None)
        store.bm25(parse(query), 5, None, 1.2, 0.75)
        store.tokens(text)
    finally:
        store.close()


# --- vectors ---------------------------------------------------------------------------------


def test_vectors_wait_are_kept_and_found(filled: Store) -> None:
    model = filled.use_model(ModelIdentity("fixed", 2))
    waiting = filled.pending(model, 10)
    assert len(waiting) == filled.pending_count(model) == 3
    rows = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    filled.put_vectors(model, waiting, list(rows))
    assert filled.pending_count(model) == 0
    ranking = filled.nearest(model, [1.0, 0.0], 10, None)
    assert [candidate.chunk for candidate in ranking.candidates] == [waiting[0][0], waiting[2][0], waiting[1][0]]
    assert [round(candidate.score, 4) for candidate in ranking.candidates] == [1.0, 0.7071, 0.0]
    assert [stored.identity.name for stored in filled.models()] == ["fixed"]


def test_states_of_embedding(filled: Store) -> None:
    model = filled.use_model(ModelIdentity("fixed", 2))
    [first, second, third] = filled.pending(model, 10)
    filled.put_vectors(model, [first], [[1.0, 0.0]])
    filled.mark_embedding(model, [second[0]], "failed", "too long")
    filled.skip_embedding(model, [third[0]])
    assert filled.pending(model, 10) == []
    filled.retry_failed(model)
    assert filled.pending(model, 10) == [second]


def test_what_goes_takes_its_vector_along(filled: Store) -> None:
    model = filled.use_model(ModelIdentity("fixed", 2))
    waiting = filled.pending(model, 10)
    filled.put_vectors(model, waiting, [[1.0, 0.0]] * 3)
    filled.remove([document.id for document in filled.documents(Filter(path="/n/git.md"))])
    assert len(filled.nearest(model, [1.0, 0.0], 10, None).candidates) == 2
    filled.drop_model(model)
    assert filled.models() == []


# --- health ----------------------------------------------------------------------------------


def test_a_store_can_say_how_it_is(filled: Store) -> None:
    assert filled.status()["documents"] == 3
    assert [check for check in filled.check() if check.ok is False] == []
    filled.repair()
    assert found(filled, "install") == ["install git"]


def test_a_file_is_there_for_the_next_who_opens_it(tmp_path: Path) -> None:
    place = str(tmp_path / "kb.db")
    first = SqliteStore(place)
    written = first.put(draft("git"), pieces("install git"))
    first.close()
    second = SqliteStore(place)
    assert second.document(written.id) is not None
    assert found(second, "install") == ["install git"]
    second.close()
