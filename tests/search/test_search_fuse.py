"""Several rankings become one; the votes are what was added up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.fuse import reciprocal_rank, unit, weighted
from scrubjay.types import Candidate, Ranking

SCORES = st.floats(0, 1e6, allow_nan=False)
LISTS = st.lists(st.integers(1, 30), max_size=12, unique=True)


def ranking(source: str, chunks: list[int]) -> Ranking:
    return Ranking(source, tuple(Candidate(chunk, 1.0 / place) for place, chunk in enumerate(chunks, 1)))


@given(keyword=LISTS, vector=LISTS, graph=LISTS, k=st.floats(0, 100), bonus=st.sampled_from([0.0, 0.1]))
def test_every_chunk_once_in_order_and_never_above_the_best(
    keyword: list[int], vector: list[int], graph: list[int], k: float, bonus: float
) -> None:
    rankings = [ranking("keyword", keyword), ranking("vector", vector), ranking("graph", graph)]
    fused, best = reciprocal_rank(rankings, k, {"graph": 1.5}, bonus)
    assert sorted(item.chunk for item in fused) == sorted({*keyword, *vector, *graph})
    scores = [item.score for item in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(score <= best * (1 + 1e-12) for score in scores)
    for item in fused:
        expected = sum(vote.contribution for vote in item.votes) * (1 + bonus * (len(item.votes) > 1))
        assert item.score == pytest.approx(expected)


@given(keyword=LISTS, vector=LISTS, scale=st.floats(0.001, 1000))
def test_rrf_looks_at_ranks_only(keyword: list[int], vector: list[int], scale: float) -> None:
    one = [ranking("keyword", keyword), ranking("vector", vector)]
    scaled = [Ranking("keyword", tuple(c._replace(score=c.score * scale) for c in one[0].candidates)), one[1]]
    assert [(f.chunk, f.score) for f in reciprocal_rank(one)[0]] == [
        (f.chunk, f.score) for f in reciprocal_rank(scaled)[0]
    ]


@given(score=SCORES, more=st.floats(1e-3, 1e6))
def test_the_unit_score_grows_and_stays_below_one(score: float, more: float) -> None:
    assert 0 <= unit(score) <= unit(score + more) < 1


@pytest.mark.parametrize(("cosine", "counted"), [(1.2, 1.0), (-0.4, 0.0), (0.5, 0.5)])
def test_cosines_are_counted_inside_0_and_1(cosine: float, counted: float) -> None:
    fused, _ = weighted([Ranking("vector", (Candidate(1, cosine),)), Ranking("keyword", ())])
    assert fused[0].score == pytest.approx(0.7 * counted)


def test_nothing_found_is_nothing_fused() -> None:
    assert reciprocal_rank([]) == ([], 0.0)
    assert reciprocal_rank([Ranking("keyword"), Ranking("vector")])[0] == []
    assert weighted([Ranking("keyword")])[0] == []


def test_equal_scores_go_by_best_rank_then_by_age() -> None:
    fused, _ = reciprocal_rank([ranking("keyword", [5, 2]), ranking("vector", [2, 5])])
    assert [item.chunk for item in fused] == [2, 5]
    fused, _ = reciprocal_rank([ranking("keyword", [9]), ranking("vector", [3])])
    assert [item.chunk for item in fused] == [3, 9]
