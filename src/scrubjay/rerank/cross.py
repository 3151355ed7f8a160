"""Reranks with a cross-encoder that the user has: it reads the question and each passage together.

What it says replaces the fused order, as a server's scores do; nothing is blended in. It reads the
same heading and best part of a passage as the local reranker, because its time, too, grows with what
it reads, and the guard would soon switch off one that reads everything.
"""

from __future__ import annotations

from math import exp

from scrubjay.rerank.local import shortened
from scrubjay.rerank.window import weights
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Pairs(Protocol):
        """A model that gives a pair of question and passage a number."""

        @property
        def name(self) -> str: ...
        def logits(self, query: str, passages: Sequence[str]) -> list[float]: ...


NAME = "cross-encoder"


class CrossEncoder:
    """A Reranker over a model of pairs."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs

    @property
    def name(self) -> str:
        return f"{NAME}/{self._pairs.name}"

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Between 0 and 1; a passage without text is not read and scores as the worst does."""
        places = [place for place, text in enumerate(passages) if text.strip()]
        words = weights(query, passages)
        logits = self._pairs.logits(query, [shortened(passages[place], words) for place in places]) if places else []
        found = {place: probability(logit) for place, logit in zip(places, logits, strict=True)}
        lowest = min(found.values(), default=0.0)
        return [found.get(place, lowest) for place in range(len(passages))]


def probability(logit: float) -> float:
    """The sigmoid. What is no number stays none, so that it is refused with the whole answer."""
    return 1 / (1 + exp(-min(500.0, max(-500.0, logit)))) if logit == logit else logit
