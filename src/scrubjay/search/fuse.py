"""Several rankings become one, by a formula over ranks or over scores; the votes are kept.

A function, not a plug: every engine gives candidate lists and this alone decides what they are
worth together. What `--explain` prints are the very numbers that were added up here.
"""

from __future__ import annotations

from scrubjay.types import Factor, Fused, Vote
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrubjay.types import QueryPlan, Ranking

SOURCES = ("keyword", "vector", "graph")


def fuse(rankings: Sequence[Ranking], plan: QueryPlan) -> tuple[list[Fused], float]:
    """The fused list, best first, and the highest score that the formula can give."""
    if plan.fusion == "weighted":
        return weighted(rankings, plan.vector_weight, plan.keyword_weight)
    if plan.fusion == "auto":
        from scrubjay.search.auto import auto

        return auto(rankings, plan)
    if plan.fusion == "enhanced":
        weights = {**plan.source_weights, "graph": plan.graph_weight}
        return reciprocal_rank(rankings, plan.rrf_k, weights, plan.convergence_bonus)
    return reciprocal_rank(rankings, plan.rrf_k)


def reciprocal_rank(
    rankings: Sequence[Ranking], k: float = 60, weights: Mapping[str, float] | None = None, bonus: float = 0.0
) -> tuple[list[Fused], float]:
    """Σ weight/(k + rank), ranks from 1; `bonus` once where two sources or more agree."""
    votes: dict[int, list[Vote]] = {}
    for ranking in rankings:
        weight = (weights or {}).get(ranking.source, 1.0)
        for rank, candidate in enumerate(ranking.candidates, 1):
            vote = Vote(
                ranking.source, rank, candidate.score, weight, weight / (k + rank), ranking.tier, candidate.note
            )
            votes.setdefault(candidate.chunk, []).append(vote)
    fused = [_summed(chunk, cast, bonus) for chunk, cast in votes.items()]
    best = sum((weights or {}).get(ranking.source, 1.0) / (k + 1) for ranking in rankings)
    return ordered(fused), best * (1 + bonus * (len(rankings) > 1))


def _summed(chunk: int, votes: Sequence[Vote], bonus: float) -> Fused:
    score = sum(vote.contribution for vote in votes)
    if not bonus or len(votes) < 2:
        return Fused(chunk, score, tuple(votes))
    agreement = Factor("agreement", 1 + bonus, f"{len(votes)} sources found it")
    return Fused(chunk, score * agreement.value, tuple(votes), (agreement,))


def weighted(
    rankings: Sequence[Ranking], vector_weight: float = 0.7, keyword_weight: float = 0.3
) -> tuple[list[Fused], float]:
    """vector_weight · cosine + keyword_weight · word score, both in [0, 1].

    A source that ran alone counts in full: there is nothing to weigh it against.
    """
    weights = {"vector": vector_weight, "keyword": keyword_weight}
    if len(rankings) == 1:
        weights = {rankings[0].source: 1.0}
    votes: dict[int, list[Vote]] = {}
    for ranking in rankings:
        weight = weights.get(ranking.source, 0.0)
        for rank, candidate in enumerate(ranking.candidates, 1):
            score = lifted(candidate.score) if ranking.source == "keyword" else min(max(candidate.score, 0.0), 1.0)
            vote = Vote(ranking.source, rank, score, weight, weight * score, ranking.tier, candidate.note)
            votes.setdefault(candidate.chunk, []).append(vote)
    fused = [Fused(chunk, sum(vote.contribution for vote in cast), tuple(cast)) for chunk, cast in votes.items()]
    return ordered(fused), sum(weights.get(ranking.source, 0.0) for ranking in rankings)


def unit(score: float) -> float:
    """BM25's open scale in [0, 1): s/(1+s), monotone and never 1."""
    score = max(score, 0.0)
    return min(score / (1 + score), 1 - 2**-53)


def lifted(score: float) -> float:
    """The unit score above a floor of 1/3.

    A chunk that only the words found keeps 0.3 · 1/3 = 0.1 and is not cut by the floor of the
    weighted profile, which would otherwise drop every such hit.
    """
    return 1 / 3 + unit(score) * 2 / 3


def ordered(fused: Sequence[Fused]) -> list[Fused]:
    """Descending; equal scores by their best rank, then by age in the store: always the same."""
    return sorted(fused, key=lambda item: (-item.score, min(vote.rank for vote in item.votes), item.chunk))
