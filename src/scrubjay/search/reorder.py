"""Puts what was reranked in front, each with its final score; the others follow as they were.

A reranker's scores and fusion's are of different scales. So that scores still fall from the
first hit to the last, those that were not reread are pressed below the last that was.
"""

from __future__ import annotations

from scrubjay.types import Factor
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.reasons import Reread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrubjay.types import Fused


def reordered(ranked: Sequence[Fused], said: Mapping[int, tuple[float, float, float]], by: str) -> list[Fused]:
    """`said` holds score, penalty and final of each chunk that was reread."""
    read = [item for item in ranked if item.chunk in said]
    rest = [item for item in ranked if item.chunk not in said]
    first = [
        item._replace(score=said[item.chunk][2], reread=Reread(by, *said[item.chunk], item.score)) for item in read
    ]
    first.sort(key=lambda item: -item.score)  # stable: equals stay as they were
    return [*first, *_behind(rest, first[-1].score)] if first else rest


def _behind(rest: Sequence[Fused], lowest: float) -> list[Fused]:
    highest = max((item.score for item in rest), default=0.0)
    if highest <= lowest:
        return list(rest)
    factor = Factor("behind", lowest / highest, "not among those that were reranked")
    return [item._replace(score=item.score * factor.value, factors=(*item.factors, factor)) for item in rest]
