"""Auto fusion: scores stretched to [0, 1] and mixed as this base was found to need.

Ranks say who is first and hide by how much; scores that are stretched between the best and the
last candidate keep it, and their even mix beat reciprocal ranks on every collection it was tried
on (docs/adr/0030-auto-fusion.md). How even it should be depends on how well the model knows the
texts, so `kb tune` measures that. Links lead to few chunks, all of them worth something: their
rank counts, because stretching would make the last of three worthless.
"""

from __future__ import annotations

from scrubjay.search.fuse import ordered
from scrubjay.types import Fused, Vote
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.ports import Store
    from scrubjay.types import QueryPlan, Ranking

EVEN = 0.5
LINKS = 1 / 3  # of fusion.graph_weight, which is made for reciprocal ranks


def mixed(plan: QueryPlan, store: Store) -> QueryPlan:
    """The plan with the weights learned for this base; an even mix where nothing was learned."""
    learned = store.tuning.learned()
    if learned is not None and learned["models"] != [m.identity.name for m in store.models() if m.state == "active"]:
        learned = None  # it was learned with another model
    vector = EVEN if learned is None else min(max(float(learned["vector_weight"]), 0.0), 1.0)
    return plan._replace(vector_weight=vector, keyword_weight=1.0 - vector)


def auto(rankings: Sequence[Ranking], plan: QueryPlan) -> tuple[list[Fused], float]:
    """The fused list, best first, and the highest score possible.

    Where only one of words and meaning found anything, it counts in full.
    """
    answering = [ranking for ranking in rankings if ranking.candidates]
    weights = {"vector": plan.vector_weight, "keyword": plan.keyword_weight}
    mixing = [ranking.source for ranking in answering if ranking.source in weights]
    if len(mixing) == 1:
        weights = {mixing[0]: 1.0}
    weights["graph"] = plan.graph_weight * LINKS
    votes: dict[int, list[Vote]] = {}
    for ranking in answering:
        weight = weights.get(ranking.source, 0.0)
        scores = stretched(ranking, plan.pool, plan.rrf_k)
        for rank, (candidate, score) in enumerate(zip(ranking.candidates, scores, strict=True), 1):
            vote = Vote(ranking.source, rank, score, weight, weight * score, ranking.tier, candidate.note)
            votes.setdefault(candidate.chunk, []).append(vote)
    fused = [Fused(chunk, sum(vote.contribution for vote in cast), tuple(cast)) for chunk, cast in votes.items()]
    return ordered(fused), sum(weights.get(ranking.source, 0.0) for ranking in answering)


def stretched(ranking: Ranking, pool: int, k: float = 60.0) -> list[float]:
    """The scores in [0, 1]: 1 is the best, 0 what the last candidate of a full list scores.

    A list of words that is not full ends at 0, which is what a chunk without them scores.
    """
    if ranking.source == "graph":
        return [(k + 1) / (k + rank) for rank in range(1, len(ranking.candidates) + 1)]
    scores = [candidate.score for candidate in ranking.candidates]
    if not scores:
        return []
    best, last = max(scores), min(scores)
    if ranking.source == "keyword" and len(scores) < pool:
        last = min(last, 0.0)
    return [(score - last) / (best - last) if best > last else 1.0 for score in scores]
