"""Whether what was found is about the query: the level, and the evidence it is read from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from fakes import Fixed
from scrubjay.search.confidence import agreement, standing
from scrubjay.types import Candidate, Ranking
from scrubjay.types.confidence import LEVELS, Confidence


def sure(kb: scrubjay.KnowledgeBase, query: str, **asked: Any) -> Confidence:
    found = kb.search(query, **asked).confidence
    assert found is not None
    return found


@pytest.fixture
def notes(kb: scrubjay.KnowledgeBase) -> scrubjay.KnowledgeBase:
    kb.notes({"text": f"number {n}: how to water tomatoes in the garden"} for n in range(20))
    kb.note("the database keeps its pages in one file, and readers do not block the writer", title="Storage")
    kb.note("数据库使用预写日志")
    return kb


def test_all_words_in_one_passage_is_strong(notes: scrubjay.KnowledgeBase) -> None:
    assert sure(notes, "database readers writer") == Confidence("strong", 1.0)
    assert sure(notes, "Databases page") == Confidence("strong", 1.0)  # as the index sees words


def test_words_that_the_base_has_not_are_named(notes: scrubjay.KnowledgeBase) -> None:
    found = sure(notes, "kubernetes ingress in the garden")
    assert (found.level, found.absent) == ("none", ("kubernetes", "ingress"))
    assert 0 < found.coverage < 0.3
    assert sure(notes, "Kubernetes?").absent == ("Kubernetes",)


def test_rare_words_count_more(notes: scrubjay.KnowledgeBase) -> None:
    rare, common = sure(notes, "database kubernetes"), sure(notes, "garden kubernetes")
    assert rare.coverage > common.coverage
    assert sure(notes, "pages writer kubernetes ingress").level == "weak"


def test_nothing_found_is_none(notes: scrubjay.KnowledgeBase) -> None:
    assert sure(notes, "zzzz").level == "none"
    assert sure(notes, "-garden").level == "none"
    assert sure(notes, "database", tags="nobody").level == "none"


def test_an_exact_title_is_strong_and_a_part_of_a_word_is_weak(notes: scrubjay.KnowledgeBase) -> None:
    assert sure(notes, "storage").level == "strong"
    assert sure(notes, "omatoe").level == "weak"


def test_a_beginning_and_other_scripts(notes: scrubjay.KnowledgeBase) -> None:
    assert sure(notes, "datab*") == Confidence("strong", 1.0)
    assert sure(notes, "datab* kubernetes").absent == ("kubernetes",)
    assert sure(notes, "数据库").coverage == 1.0
    assert sure(notes, "库").level == "strong"
    assert sure(notes, "网络协议").level == "none"


def test_meaning_alone_can_stand_out(place: str) -> None:
    embedder = Fixed({"git init": [1, 0], "version control": [0.95, 0.05], "banana": [0.1, 0.9]}, other=[0.1, 1.0])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.notes({"text": f"note {n} of the garden"} for n in range(20))
        kb.note("git init creates a repository")
        found = sure(kb, "set up version control")
        assert found.level == "strong"
        assert found.coverage == 0.0
        assert found.standing is not None
        assert found.standing > 0.5
        assert sure(kb, "banana").level == "none"  # near to everything alike


def test_in_a_small_base_nearness_tells_nothing(place: str) -> None:
    with scrubjay.open(place, embedder=Fixed({}, other=[1, 0])) as kb:
        kb.note("git init creates a repository")
        found = sure(kb, "set up version control")
        assert (found.level, found.standing) == ("weak", None)


def test_how_far_the_nearest_stands_out() -> None:
    assert standing(None) is None
    assert standing(Ranking("vector", tuple(Candidate(n, 0.5) for n in range(9)))) is None
    flat = Ranking("vector", tuple(Candidate(n, 0.5) for n in range(10)))
    assert standing(flat) == 0.0
    peak = Ranking("vector", (Candidate(1, 0.9), *(Candidate(n, 0.4) for n in range(2, 11))))
    assert standing(peak) == pytest.approx((0.9 - 0.4) / 0.6)
    assert standing(Ranking("vector", tuple(Candidate(n, 1.0) for n in range(10)))) == 0.0


def test_how_far_the_legs_agree() -> None:
    words = Ranking("keyword", (Candidate(1, 3), Candidate(2, 2)))
    meaning = Ranking("vector", (Candidate(2, 0.9), Candidate(3, 0.8)))
    assert agreement({"keyword": words, "vector": meaning}) == 0.5
    assert agreement({"keyword": words}) is None


@given(query=st.text(max_size=30))
def test_any_query_has_a_level(query: str) -> None:
    with scrubjay.open(":memory:") as kb:
        kb.notes([{"text": "git and cake 数据库"}, {"text": "C++ node.js"}])
        found = kb.search(query).confidence
    assert found is not None
    assert found.level in LEVELS
    assert 0 <= found.coverage <= 1


def test_it_is_told_on_the_command_line(place: str, run: Callable[..., Any]) -> None:
    import json

    with scrubjay.open(place) as kb:
        kb.notes({"text": f"number {n}: how to water tomatoes in the garden"} for n in range(20))
    done = run("search", "kubernetes in the garden", "--top", "1", "--fts-only")
    assert done.err.startswith("Nothing here seems to be about this: the base has no “kubernetes”.")
    assert "garden" in done.out
    assert run("search", "water tomatoes", "--top", "1", "--fts-only").err == ""
    record = json.loads(run("search", "kubernetes in the garden", "--json", "--fts-only").out)
    assert record["confidence"]["level"] == "none"
    assert record["confidence"]["absent"] == ["kubernetes"]


def test_what_is_counted_follows_the_base(notes: scrubjay.KnowledgeBase) -> None:
    assert sure(notes, "kubernetes garden").absent == ("kubernetes",)
    kept = notes.note("kubernetes in the cellar")
    assert sure(notes, "kubernetes garden").absent == ()
    notes.remove(kept)
    assert sure(notes, "kubernetes garden").absent == ("kubernetes",)
