"""What a memory's standing does to its score: a factor each, in one order, each with its reason.

Tier, kind of document, how much is left of it, whether something supersedes it. Which of these
count is the profile's to say; what is switched off leaves no trace in the factors. Nothing is
taken out here: what is not to be found is never retrieved.
"""

from __future__ import annotations

from scrubjay.memory.documents import document_kind
from scrubjay.memory.kinds import half_life
from scrubjay.memory.life import age, retained
from scrubjay.memory.retention import factor as between
from scrubjay.memory.tiers import DEFAULT, tier
from scrubjay.types import Factor
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from scrubjay.types import Fused
    from scrubjay.types.memory import Standing, Weighing

FIRST = "constitutional"
_CHAIN = 4  # so many in a row that supersede one another are put in order
_ABOVE = 1.001  # how far what must come first is lifted above the next one
_NOTHING = 0.0005  # a factor so near to 1 is not worth a line
_ASSERTED = ("given", "metadata")  # a kind of memory that somebody named, not one that was guessed


def weighed(fused: Sequence[Fused], standings: Mapping[int, Standing], weights: Weighing, now: datetime) -> list[Fused]:
    """Every score times the factors of its document; best first, equal ones in the order they came."""
    ranked = []
    for item in fused:
        standing = standings.get(item.chunk)
        factors = () if standing is None else factors_of(standing, weights, now)
        ranked.append(_times(item, factors))
    return sorted(ranked, key=lambda item: -item.score)


def factors_of(standing: Standing, weights: Weighing, now: datetime) -> tuple[Factor, ...]:
    """Those that change something; a factor of 1 is left out."""
    found: list[Factor] = []
    facts = standing.facts
    if weights.tiers and facts.tier != DEFAULT:  # nearly all are, and this is asked of hundreds a search
        found.append(Factor("tier", tier(facts.tier).multiplier, facts.tier))
    if weights.documents:
        kind = document_kind(standing.path)
        found.append(Factor("document", kind.multiplier, kind.name.replace("_", " ")))
    if _fades(standing) and (weights.retention or weights.half_lives):
        found.append(_left(standing, weights, now))
    return tuple(factor for factor in found if abs(factor.value - 1) > _NOTHING)


def _fades(standing: Standing) -> bool:
    """A note fades, and a file that says which kind of memory it is; a manual does not."""
    return standing.path is None or standing.facts.kind_source in _ASSERTED


def _left(standing: Standing, weights: Weighing, now: datetime) -> Factor:
    kind = standing.facts.kind
    if not weights.retention:
        days, half = age(standing.created_at, now), half_life(kind)
        left = 1.0 if half is None else 0.5 ** (days / half)
        return Factor("half-life", between(left, weights.floor), f"{kind}, {days:.0f} days old, {left:.0%} left")
    starting = kind if weights.half_lives else "declarative"
    left, days, stability = retained(standing.life, starting, standing.created_at, now)
    since = "used" if standing.life.used_at else "written"
    firm = "" if stability is None else f", stability {stability:.0f} days"
    return Factor(
        "retention", between(left, weights.floor), f"{kind}, {since} {days:.0f} days ago{firm}, {left:.0%} left"
    )


def after_successors(
    fused: Sequence[Fused], successors: Mapping[int, Sequence[str]], document_of: Callable[[int], str], weight: float
) -> list[Fused]:
    """What something else supersedes counts less, and always less than what supersedes it.

    Looked at a few times over, so that of A over B over C all three stand in this order.
    """
    scores = {item.chunk: item.score for item in fused}
    values: dict[int, float] = {}
    for _ in range(_CHAIN):
        best: dict[str, float] = {}
        for item in fused:
            document = document_of(item.chunk)
            best[document] = max(best.get(document, 0.0), scores[item.chunk])
        for item in fused:
            ceiling = min((best[each] for each in successors.get(item.chunk, ()) if best.get(each)), default=None)
            if item.chunk in successors:
                below = weight if ceiling is None or not item.score else min(weight, ceiling / _ABOVE / item.score)
                values[item.chunk] = min(below, values.get(item.chunk, below))
                scores[item.chunk] = item.score * values[item.chunk]
    ranked = [
        _times(item, (Factor("superseded", values[item.chunk], f"by {', '.join(successors[item.chunk])}"),))
        if values.get(item.chunk, 1) != 1
        else item
        for item in fused
    ]
    return sorted(ranked, key=lambda item: -item.score)


def constitutional_first(
    fused: Sequence[Fused], standings: Mapping[int, Standing], tokens_of: Callable[[int], int], budget: int
) -> list[Fused]:
    """Constitutional memories stand before all others, as many as fit the budget, in their own order."""
    taken: list[Fused] = []
    left = budget
    for item in fused:
        standing = standings.get(item.chunk)
        if standing is not None and standing.facts.tier == FIRST:
            cost = tokens_of(item.chunk)
            if cost <= left:
                left -= cost
                taken.append(item)
    if not taken:
        return list(fused)
    chosen = {item.chunk for item in taken}
    others = [item for item in fused if item.chunk not in chosen]
    above = others[0].score if others else 0.0
    lifted: list[Fused] = []
    for item in reversed(taken):
        if 0 < item.score <= above:
            reason = f"constitutional, within {budget:,} tokens"
            item = _times(item, (Factor("first", above * _ABOVE / item.score, reason),))
        above = max(above, item.score)
        lifted.append(item)
    return [*reversed(lifted), *others]


def _times(item: Fused, factors: Sequence[Factor]) -> Fused:
    score = item.score
    for factor in factors:
        score *= factor.value
    return item._replace(score=score, factors=(*item.factors, *factors)) if factors else item
