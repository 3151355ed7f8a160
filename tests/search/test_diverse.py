"""Fewer of the same: folding, at most so many of a document, and MMR."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from fakes import Fixed
from scrubjay.errors import UsageError
from scrubjay.search.diverse import ALIKE, alike, marginal, shingles
from scrubjay.types import Fused

TEXT = "To undo the last commit and keep what was changed, run git reset soft, then look at the status once more"


@pytest.fixture
def kb() -> Iterator[scrubjay.KnowledgeBase]:
    with scrubjay.open(":memory:") as base:
        base.notes([
            {"id": "a", "text": f"{TEXT}."},
            {"id": "b", "text": f"{TEXT.upper()}."},
            {"id": "c", "text": f"{TEXT} today."},
            {"id": "d", "text": "A commit that should not be there is taken back by git revert, making a new one."},
        ])  # fmt: skip
        yield base


def ids(found: Any) -> list[str]:
    return [hit.document_id for hit in found.hits]


def test_near_same_texts_become_one_result(kb: scrubjay.KnowledgeBase) -> None:
    assert len(kb.search("undo commit").hits) == 4  # nothing is folded unless it is asked for
    found = kb.search("undo commit", fold=True)
    assert len(found.hits) == 2
    best = found.hits[0]
    assert len(best.folded) == 2
    assert {best.id, *best.folded} == {hit.id for hit in kb.search("undo commit").hits if hit.document_id != "d"}
    assert [hit.rank for hit in found.hits] == [1, 2]


def test_what_is_folded_makes_room(kb: scrubjay.KnowledgeBase) -> None:
    assert "d" not in ids(kb.search("undo commit", top=2))
    assert "d" in ids(kb.search("undo commit", top=2, fold=True))


def test_notes_that_only_begin_the_same_stay_apart(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes({"id": f"n{n}", "text": f"number {n}: how to water tomatoes in the garden"} for n in range(3))
    assert len(kb.search("tomatoes", fold=True).hits) == 3


def test_at_most_so_many_passages_of_a_document(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("\n\n".join(f"# Part {n}\n\n" + f"rhubarb word{n} and more. " * 120 for n in range(4)), id="long")
    kb.note("a little rhubarb", id="short")
    assert ids(kb.search("rhubarb")).count("long") > 2
    found = ids(kb.search("rhubarb", per_document=2))
    assert (found.count("long"), found.count("short")) == (2, 1)


def test_mmr_prefers_what_is_not_shown_yet(place: str) -> None:
    embedder = Fixed({"one": [1, 0], "two": [0.99, 0.14], "three": [0.6, 0.8]}, other=[1, 0.1])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.notes({"id": word, "text": f"{word} is a number"} for word in ("one", "two", "three"))
        assert ids(kb.search("query", mode="vector")) == ["two", "one", "three"]
        assert ids(kb.search("query", mode="vector", mmr=0.2)) == ["two", "three", "one"]
        assert ids(kb.search("query", mode="vector", mmr=1.0)) == ["two", "one", "three"]
    with scrubjay.open(place, embedder=embedder, config={"search.mmr": 0.2}) as kb:
        assert ids(kb.search("query", mode="vector")) == ["two", "three", "one"]


def test_without_vectors_mmr_changes_nothing(kb: scrubjay.KnowledgeBase) -> None:
    assert ids(kb.search("undo commit", mmr=0.3)) == ids(kb.search("undo commit"))


@pytest.mark.parametrize("asked", [{"mmr": 1.5}, {"mmr": -0.1}, {"per_document": -1}])
def test_what_cannot_be_meant(kb: scrubjay.KnowledgeBase, asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        kb.search("git", **asked)


def test_texts_are_compared_by_runs() -> None:
    assert alike(shingles(TEXT), shingles(TEXT + " today")) >= ALIKE
    assert alike(shingles("git"), shingles("GIT")) == 1.0
    assert alike(shingles("git"), shingles("cake")) == 0.0
    chinese = "数据库使用预写日志来保证崩溃以后的数据仍然一致并且可以恢复到最后一次提交"
    assert alike(shingles(chinese), shingles(chinese + "。")) >= ALIKE
    assert alike(shingles(chinese), shingles("今天的晚饭很好吃我们还喝了一点汤然后散步回家休息")) < 0.1


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0, 1))
def test_mmr_keeps_everything_and_the_best_first(scores: list[float], share: float) -> None:
    ranked = [Fused(number, score, ()) for number, score in enumerate(sorted(scores, reverse=True))]
    vectors = {number: [1.0, float(number % 2)] for number in range(len(ranked))}
    chosen = marginal(ranked, vectors, share, len(ranked))
    assert sorted(item.chunk for item in chosen) == list(range(len(ranked)))
    assert chosen[:1] == ranked[:1]


def test_a_program_gets_all_of_it_unless_it_asks(place: str, run: Callable[..., Any]) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"text": f"{TEXT}."}, {"text": f"{TEXT} today."}])
    assert json.loads(run("search", "commit", "--json").out)["returned"] == 2
    record = json.loads(run("search", "commit", "--json", "--fold").out)
    assert record["returned"] == 1
    assert len(record["results"][0]["folded"]) == 1
    assert "and 1 near-same: c_" in run("search", "commit", "--fold").out
    assert (
        json.loads(run("search", "commit", "--json", "--fusion", "auto", "--explain").out)["plan"]["fusion"] == "auto"
    )
    assert run("search", "commit", "--mmr", "2").code == 2
