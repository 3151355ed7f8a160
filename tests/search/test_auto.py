"""Auto fusion: stretched scores, learned weights, and what counts where a leg is silent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.search.auto import auto, stretched
from scrubjay.search.plan import plan
from scrubjay.types import Candidate, QueryPlan, Ranking, SearchOptions


def ranking(source: str, *scores: float) -> Ranking:
    return Ranking(source, tuple(Candidate(number, score) for number, score in enumerate(scores, 1)))


@pytest.fixture
def even(kb: scrubjay.KnowledgeBase) -> QueryPlan:
    return plan(SearchOptions("git"), kb.config)._replace(
        fusion="auto", vector_weight=0.5, keyword_weight=0.5, graph_weight=1.5
    )


def test_a_full_list_is_stretched_between_its_ends() -> None:
    assert stretched(ranking("vector", 0.9, 0.7, 0.5), pool=3) == pytest.approx([1.0, 0.5, 0.0])
    assert stretched(ranking("keyword", 9, 7, 5), pool=3) == pytest.approx([1.0, 0.5, 0.0])


def test_a_short_list_of_words_ends_at_zero() -> None:
    assert stretched(ranking("keyword", 8, 4), pool=100) == pytest.approx([1.0, 0.5])
    assert stretched(ranking("keyword", 8), pool=100) == [1.0]


def test_links_count_by_rank() -> None:
    assert stretched(ranking("graph", 0.9, 0.001), pool=100, k=60) == pytest.approx([1.0, 61 / 62])


def test_an_even_mix(even: QueryPlan) -> None:
    keyword = Ranking("keyword", (Candidate(1, 10.0), Candidate(2, 5.0)))
    vector = Ranking("vector", (Candidate(2, 0.9), Candidate(3, 0.8), Candidate(4, 0.7)))
    fused, best = auto([keyword, vector], even)
    assert [(item.chunk, pytest.approx(item.score)) for item in fused] == [(2, 0.75), (1, 0.5), (3, 0.25), (4, 0.0)]
    assert best == 1.0


def test_what_answers_alone_counts_in_full(even: QueryPlan) -> None:
    keyword = ranking("keyword", 8, 4)
    for rankings in ([keyword], [keyword, Ranking("vector")]):
        fused, best = auto(rankings, even)
        assert [item.score for item in fused] == pytest.approx([1.0, 0.5])
        assert best == 1.0
    assert auto([Ranking("keyword"), Ranking("vector")], even) == ([], 0)


def test_links_are_added_with_a_third_of_their_weight(even: QueryPlan) -> None:
    fused, best = auto([ranking("keyword", 8), ranking("vector", 0.9), ranking("graph", 1.0)], even)
    assert fused[0].score == pytest.approx(1.5)
    assert best == pytest.approx(1.5)


@given(
    keyword=st.lists(st.floats(0, 100), max_size=8), vector=st.lists(st.floats(-1, 1), max_size=8),
    weight=st.floats(0, 1),
)  # fmt: skip
def test_scores_never_leave_what_is_possible(keyword: list[float], vector: list[float], weight: float) -> None:
    with scrubjay.open(":memory:") as kb:
        asked = plan(SearchOptions("git"), kb.config)._replace(vector_weight=weight, keyword_weight=1 - weight)
    rankings = [ranking("keyword", *sorted(keyword, reverse=True)), ranking("vector", *sorted(vector, reverse=True))]
    fused, best = auto(rankings, asked)
    assert sorted(item.chunk for item in fused) == list(range(1, max(len(keyword), len(vector)) + 1))
    assert all(-1e-9 <= item.score <= best + 1e-9 for item in fused)
    assert [item.score for item in fused] == sorted((item.score for item in fused), reverse=True)


def test_a_base_is_searched_with_what_it_learned(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16), config={"fusion.method": "auto"}) as kb:
        kb.notes([{"text": "install git"}, {"text": "cake"}])
        assert kb.search("git").plan.vector_weight == 0.5
        models = [model.identity.name for model in kb.models]
        kb.store.tuning.remember({"vector_weight": 0.2, "models": models, "chunks": 2})
        result = kb.search("git")
        assert (result.plan.vector_weight, result.plan.keyword_weight) == (0.2, 0.8)
        assert result.hits[0].score == pytest.approx(sum(vote.contribution for vote in result.hits[0].votes))
        assert result.hits[0].normalized == pytest.approx(1.0)
        kb.store.tuning.remember({"vector_weight": 0.2, "models": ["another"], "chunks": 2})
        assert kb.search("git").plan.vector_weight == 0.5
