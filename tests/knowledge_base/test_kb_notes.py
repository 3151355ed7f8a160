"""Notes in, the same notes out; many at once, all or nothing; and keeping them in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scrubjay
from fakes import Fixed
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import DuplicateId, ModelMismatch, UnknownId, UsageError

Write = Callable[..., Path]
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@pytest.fixture(scope="module")
def shared() -> Iterator[scrubjay.KnowledgeBase]:
    with scrubjay.open(":memory:") as kb:
        yield kb


@given(text=TEXT, times=st.sampled_from([1, 1, 40, 300]))
def test_any_text_comes_back_exactly(shared: scrubjay.KnowledgeBase, text: str, times: int) -> None:
    whole = text * times
    assume(whole.strip())
    assert shared.get(shared.note(whole)).documents[0].text == whole


@given(
    parts=st.lists(
        st.sampled_from(["# H\n", "```\n# x\n", "word ", "\n\n", "- a\n", "| a | b |\n", "数据库。", "\r\n", "\t"]),
        min_size=1,
        max_size=400,
    )
)
def test_any_structure_comes_back_exactly(shared: scrubjay.KnowledgeBase, parts: list[str]) -> None:
    whole = "".join(parts)
    assume(whole.strip())
    identity = shared.note(whole)
    chunks = shared.store.chunks([identity])
    assert "".join(chunk.text for chunk in chunks) == whole
    assert shared.get(identity).documents[0].text == whole
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_what_no_database_can_keep_is_replaced(kb: scrubjay.KnowledgeBase) -> None:
    assert kb.get(kb.note("a\0b\ud800c")).documents[0].text == "a\ufffdb?c"


def test_every_field_of_a_note(kb: scrubjay.KnowledgeBase) -> None:
    identity = kb.note(
        "We chose SQLite", title=" Store\nof it ", tags=["#decision", "db"], created_at="2026-01-01", id="d_own",
        metadata={"by": "me", "n": [1, 2]},
    )  # fmt: skip
    assert identity == "d_own"
    [passage] = kb.get(identity).documents
    assert (passage.title, passage.tags, passage.created_at) == (
        "Store of it",
        ("db", "decision"),
        "2026-01-01T00:00:00Z",
    )
    assert (passage.kind, passage.path, passage.metadata) == ("note", None, {"by": "me", "n": [1, 2]})
    assert passage.lines == (1, 1)


@pytest.mark.parametrize(
    "item",
    [
        {}, {"text": ""}, {"text": None}, {"text": 3}, {"text": "x", "colour": "red"}, {"text": "x", "kind": "poem"},
        {"text": "x", "id": " "}, {"text": "x", "created_at": "some day"},
    ],
)  # fmt: skip
def test_a_bad_item_writes_nothing(kb: scrubjay.KnowledgeBase, item: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        kb.notes([{"text": "good"}, item])
    assert kb.list() == []


def test_ids_come_back_in_order(kb: scrubjay.KnowledgeBase) -> None:
    ids = kb.notes({"text": f"note {number}"} for number in range(100))
    assert [passage.text for passage in kb.get(ids).documents] == [f"note {number}" for number in range(100)]
    assert kb.notes([]) == []


def test_replacing_changes_the_text_and_keeps_the_id(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("marmalade", id="x", tags=["a"])
    with pytest.raises(DuplicateId):
        kb.note("quince", id="x")
    kb.notes([{"id": "x", "text": "quince", "tags": "b"}], replace=True)
    assert [(d.id, d.tags) for d in kb.list()] == [("x", ("b",))]
    assert kb.search("marmalade").hits == ()


def test_vectors_of_another_dimension_write_nothing(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "two", "vector": [1, 0]}])
        with pytest.raises(ModelMismatch, match=r"2(.|\n)*3"):
            kb.notes([{"text": "three", "vector": [1, 0, 0]}])
        assert len(kb.list()) == 1


@pytest.mark.parametrize("vector", [[float("nan"), 1], [float("inf"), 1], []])
def test_vectors_that_mean_nothing_are_refused(place: str, vector: list[float]) -> None:
    with scrubjay.open(place) as kb, pytest.raises(scrubjay.ScrubjayError):
        kb.notes([{"text": "x", "vector": vector}])
    with scrubjay.open(place) as kb:
        assert kb.list() == []


def test_a_new_vector_for_the_same_text_counts(place: str) -> None:
    with scrubjay.open(place) as kb:
        for vector in ([1, 0], [0, 1]):
            kb.notes([{"id": "x", "text": "same", "vector": vector}], replace=True)
        assert kb.search("q", vector=[0, 1], mode="vector").hits[0].similarity == pytest.approx(1.0)
        assert kb.status()["vectors"] == 1


def test_given_vectors_are_not_embedded_again(place: str) -> None:
    embedder = Fixed({}, other=[1, 0])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.notes([{"text": "given", "vector": [0, 1]}, {"text": "embedded"}])
        assert [texts for role, texts in embedder.calls if role == "document"] == [["embedded"]]
        assert kb.search("x", vector=[0, 1], mode="vector", top=1).hits[0].title == "given"


def test_a_chunk_an_id_and_a_path_can_be_got(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    path = write("a.md", "# A\n\none\ntwo\nthree\nfour\n")
    kb.add(path)
    chunk = kb.search("three").hits[0].id
    assert "three" in kb.get([chunk]).documents[0].text
    assert kb.get(str(path)).documents[0].text == path.read_text()
    passage = kb.get(kb.list()[0].id, lines=(3, 4)).documents[0]
    assert (passage.lines, passage.text) == ((3, 4), "one\ntwo\n")


def test_tags(kb: scrubjay.KnowledgeBase) -> None:
    one, two = kb.note("a", tags="x,y"), kb.note("b", tags="x")
    assert kb.tags() == {"x": 2, "y": 1}
    assert kb.tag(two, add="z", remove=["x"]) == ("z",)
    assert list(kb.tags().items()) == [("x", 1), ("y", 1), ("z", 1)]
    assert [d.id for d in kb.list(tags="z")] == [two]
    kb.remove(one)
    assert kb.tags() == {"z": 1}
    with pytest.raises(UnknownId):
        kb.tag("d_nobody", add="x")


def test_removing(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    note = kb.note("a note")
    for name in ("n/a.md", "n/sub/b.md", "nn/c.md"):
        write(name, "# T\n\ngit\n")
    kb.add([tmp_path / "n", tmp_path / "nn"])
    assert kb.remove(note) == 1
    assert kb.remove(tmp_path / "n") == 2
    assert [d.path for d in kb.list()] == [str(tmp_path / "nn" / "c.md")]
    assert kb.update().added == 0, "a source that was removed does not come back"
    for unknown in ("d_nobody", str(tmp_path / "n"), "nowhere.md"):
        with pytest.raises(UnknownId):
            kb.remove(unknown)
    with pytest.raises(UsageError, match="chunk"):
        kb.remove(kb.search("git").hits[0].id)


def test_removing_one_file_of_a_source_holds_until_it_changes(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    path = write("n/a.md", "# A\n")
    write("n/b.md", "# B\n")
    kb.add(tmp_path / "n")
    assert kb.remove(path) == 1
    assert len(kb.list()) == 1


def test_status_counts(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        kb.note("one", tags=["a"])
        kb.notes([{"text": "two", "kind": "code", "tags": "a,b"}])
        status = kb.status()
    assert (status["documents"], status["chunks"], status["tags"]) == (2, 2, 2)
    assert status["by_kind"] == {"note": 1, "code": 1}
    assert (status["embedder"]["name"], status["embedder"]["dim"]) == ("hashing", 8)
    assert (status["pending"], status["failed"]) == (0, 0)
    assert status["base"] == place
    assert status["size_bytes"] > 4096


def test_why_a_search_is_empty(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("git", tags=["ops"])
    report = kb.explain_empty(kb.search("git", tags="opps", kind="pdf"))
    assert dict(report.filters) == {"tag opps": 0, "type pdf": 0}
    assert any("'ops'" in suggestion for suggestion in report.suggestions)
    empty = kb.explain_empty(kb.search("cake"))
    assert (empty.searched_documents, empty.searched_chunks) == (1, 1)


def test_a_server_is_no_file() -> None:
    with pytest.raises(UsageError, match="one file"):
        scrubjay.open("postgres://localhost/kb")


def test_a_closed_base_says_so(place: str) -> None:
    kb = scrubjay.open(place)
    kb.close()
    kb.close()
    with pytest.raises(scrubjay.ScrubjayError):
        kb.note("too late")


def test_one_base_may_be_used_by_many_threads(place: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        with ThreadPoolExecutor(8) as pool:
            ids = list(pool.map(lambda n: kb.note(f"git {n}"), range(40)))
            counts = list(pool.map(lambda n: len(kb.search("git", top=5).hits), range(40)))
        assert len(set(ids)) == 40
        assert set(counts) == {5}
        assert kb.status()["vectors"] == 40
