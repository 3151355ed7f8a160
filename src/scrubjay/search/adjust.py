"""What happens to fused scores before they are shown: the floor, then age.

The floor looks at how well a chunk matches, so it acts before age takes its share: an old note
that matches perfectly is ranked lower, not dropped.
"""

from __future__ import annotations

from scrubjay.types import Factor
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from scrubjay.types import Fused


def above(fused: Sequence[Fused], floor: float) -> list[Fused]:
    """Those that score at least the floor, in the same order."""
    return [item for item in fused if item.score >= floor]


def decayed(
    fused: Sequence[Fused], path_of: Callable[[int], str | None], half_life_days: float, today: date
) -> list[Fused]:
    """Scores of files named YYYY-MM-DD.md halve every `half_life_days`; others keep theirs."""
    aged = []
    for item in fused:
        days = age_in_days(path_of(item.chunk) or "", today)
        if days is None or days <= 0:
            aged.append(item)
            continue
        factor = Factor("age", decay(days, half_life_days), f"{days} days old, half-life {half_life_days:g}")
        aged.append(item._replace(score=item.score * factor.value, factors=(*item.factors, factor)))
    return sorted(aged, key=lambda item: -item.score)


def favoured(
    fused: Sequence[Fused], kinds_of: Callable[[int], Sequence[str]], boosts: Mapping[str, float]
) -> list[Fused]:
    """Scores of documents of the kinds that the question's purpose favours are multiplied.

    Of a document's kinds (markdown, decision_record) the first that is favoured counts.
    """
    ranked = []
    for item in fused:
        kind = next((kind for kind in kinds_of(item.chunk) if kind in boosts), None)
        if kind is None:
            ranked.append(item)
            continue
        factor = Factor("intent", boosts[kind], f"the question asks for such: {kind.replace('_', ' ')}")
        ranked.append(item._replace(score=item.score * factor.value, factors=(*item.factors, factor)))
    return sorted(ranked, key=lambda item: -item.score)


def decay(days: float, half_life_days: float) -> float:
    """exp(−ln 2 / half-life · days)"""
    return float(0.5 ** (days / half_life_days))


def age_in_days(path: str, today: date) -> int | None:
    """Days since the date a file is named after; None where there is none, or none that exists."""
    from datetime import date

    from scrubjay.search.when import day_of

    day = day_of(path)
    return None if day is None else (today - date.fromisoformat(day)).days
