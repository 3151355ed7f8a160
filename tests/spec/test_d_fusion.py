"""Requirements R62–R66 and R88: the arithmetic of the enhanced fusion."""

from __future__ import annotations

import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.search.fuse import reciprocal_rank
from scrubjay.types import Candidate, Fused, Ranking

CLOSE = pytest.approx
IT = 1  # the chunk that the examples speak of
GRAPH = {"graph": 1.5}


def at(source: str, rank: int) -> Ranking:
    """A ranking in which the chunk has that rank."""
    others = [Candidate(100 * rank + place, 1.0) for place in range(1, rank)]
    return Ranking(source, (*others, Candidate(IT, 0.5)))


def score(*rankings: Ranking, bonus: float = 0.10) -> Fused:
    fused, best = reciprocal_rank(rankings, 60, GRAPH, bonus)
    assert all(item.score <= best + 1e-12 for item in fused)
    return next(item for item in fused if item.chunk == IT)


def test_r062_sources_name_those_that_found_it(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("install git")
        hit = kb.search("install git", profile="full").hits[0]
    assert hit.sources == ("keyword", "vector")
    assert dict(hit.ranks) == {"keyword": 1, "vector": 1, "graph": None}


def test_r064_ten_per_cent_when_sources_agree() -> None:
    assert score(at("keyword", 1), at("vector", 1), bonus=0).score == CLOSE(0.032787, abs=1e-6)
    assert score(at("keyword", 1), at("vector", 1)).score == CLOSE(0.036066, abs=1e-6)
    assert score(at("keyword", 1)).score == CLOSE(0.016393, abs=1e-6)


def test_r064_three_sources_are_rewarded_once() -> None:
    three = score(at("keyword", 1), at("vector", 1), at("graph", 1)).score
    assert three == CLOSE((2 / 61 + 1.5 / 61) * 1.10, abs=1e-6)


def test_r065_the_graph_counts_one_and_a_half() -> None:
    assert score(at("graph", 1)).score == CLOSE(0.024590, abs=1e-6)


def test_r066_worked_example() -> None:
    fused = score(at("vector", 2), at("keyword", 5), at("graph", 1))
    assert sum(vote.contribution for vote in fused.votes) == CLOSE(0.0561, abs=1e-4)
    assert fused.score == CLOSE(0.0617, abs=1e-4)


def test_r064_the_bonus_reaches_the_search(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("install git")
        hit = kb.search("install git", profile="full").hits[0]
        plain = kb.search("install git").hits[0]
    assert hit.score == CLOSE(0.036066, abs=1e-6)
    assert plain.score == CLOSE(0.032787, abs=1e-6)
    assert (hit.normalized, plain.normalized) == (CLOSE(1.0), CLOSE(1.0))


def test_r088_constants_are_settings(kb: scrubjay.KnowledgeBase) -> None:
    defaults = {
        "fusion.rrf_k": 60, "fusion.convergence_bonus": 0.10, "fusion.graph_weight": 1.5, "bm25.k1": 1.2,
        "bm25.b": 0.75,
    }  # fmt: skip
    assert {name: kb.config.get(name) for name in defaults} == defaults
    changed = dict.fromkeys(defaults, 0)
    with scrubjay.open(":memory:", config=changed) as base:
        plan = base.search("x", profile="full").plan
    assert (plan.rrf_k, plan.convergence_bonus, plan.graph_weight, plan.bm25_k1, plan.bm25_b) == (0, 0, 0, 0, 0)
