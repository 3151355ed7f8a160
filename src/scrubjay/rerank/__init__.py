"""Puts the best candidates in a better order, or leaves them as they are and says why.

The one function a search calls. Whatever goes wrong (a server that is down, late, or answers
nonsense; a guard that has switched reranking off; nothing to rerank with) the order that was
there is the order that comes back, with a notice: reranking may make a search better, never
worse. Every number is returned, so that an explanation shows what was computed.
"""

from __future__ import annotations

import time
from hashlib import sha256
from math import exp, isfinite

from scrubjay.errors import RerankError
from scrubjay.rerank.late import in_time
from scrubjay.rerank.penalty import length_penalty
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay.ports import Reranker
    from scrubjay.rerank.cache import RerankCache
    from scrubjay.rerank.guard import LatencyGuard

MAX_CANDIDATES = 20
SECONDS = 5.0


class Item(NamedTuple):
    """A candidate: its id, its text, the score that fusion gave it, and the headings it stands under."""

    id: str | int
    text: str
    score: float = 0.0
    heading: str = ""

    @property
    def passage(self) -> str:
        """What is read: a paragraph alone often does not name its subject. The penalty counts the text only."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text


class Reranked(NamedTuple):
    """All ids in their new order. Scores, penalties and finals are of those that were reranked."""

    order: tuple[str | int, ...]
    scores: Mapping[str | int, float] = {}
    penalties: Mapping[str | int, float] = {}
    finals: Mapping[str | int, float] = {}
    notices: tuple[Notice, ...] = ()
    provider: str = "none"

    @property
    def applied(self) -> bool:
        return bool(self.finals)


def rerank(
    query: str,
    items: Sequence[Item],
    reranker: Reranker | None,
    *,
    limit: int = MAX_CANDIDATES,
    seconds: float | None = SECONDS,
    guard: LatencyGuard | None = None,
    cache: RerankCache | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Reranked:
    """The first `limit` items by score × length penalty, the others behind them as they were."""
    before = tuple(item.id for item in items)
    if reranker is None:
        cure = "Set VOYAGE_API_KEY or COHERE_API_KEY and allow that provider, or use a local embedder."
        return Reranked(before, notices=(Notice("rerank", "there is nothing to rerank with", cure),))
    head = items[: max(0, limit)]
    if len(head) < 2:
        return Reranked(before, provider=reranker.name)
    if not any(item.text.strip() for item in head):
        notice = Notice("rerank", "the candidates have no text to rerank by", "Look at them with `kb get`.")
        return Reranked(before, notices=(notice,), provider=reranker.name)
    if guard is not None and not guard.allows():
        return Reranked(before, notices=(guard.notice(),), provider=reranker.name)
    contents = [(str(item.id), hashed(item.passage)) for item in head]
    key = "" if cache is None else cache.key(query, contents, reranker.name)
    scores = None if cache is None else cache.get(key)
    if scores is None:
        started = clock()
        try:
            scores = _asked(reranker, query, head, seconds)
        except RerankError as error:
            _record(guard, clock() - started, only_if_slow=True)
            return Reranked(before, notices=(Notice("rerank", _line(error), error.cure),), provider=reranker.name)
        _record(guard, clock() - started)
        if cache is not None:
            cache.put(key, scores)
    return _ordered(items, head, _blended(reranker, scores, head), reranker.name)


def hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _asked(reranker: Reranker, query: str, head: Sequence[Item], seconds: float | None) -> tuple[float, ...]:
    """One finite score an item, or RerankError: whatever a reranker does, nothing else comes out."""
    try:
        answer = in_time(lambda: list(reranker.score(query, [item.passage for item in head])), seconds)
        scores = tuple(float(score) for score in answer)
    except RerankError:
        raise
    except TimeoutError:
        cure = "Rerank fewer candidates, or choose a faster provider."
        raise RerankError(f"{reranker.name} took longer than {seconds:g} s.", "", cure) from None
    except Exception as error:  # a reranker may be anybody's object; a search never fails for it
        why = f"{type(error).__name__}: {error}"
        raise RerankError(f"{reranker.name} failed.", why, "Look at the reranker that was given.") from error
    if len(scores) != len(head) or not all(isfinite(score) for score in scores):
        why = f"It gave {len(scores)} scores for {len(head)} passages, or one that is no number."
        raise RerankError(f"{reranker.name} answered nonsense.", why, "Check that its model is a reranker.")
    return scores


def _blended(reranker: Reranker, scores: Sequence[float], head: Sequence[Item]) -> list[float]:
    """The scores, mixed with fusion's where the reranker asks for it, none of them negative."""
    blend = getattr(reranker, "blend", None)
    if blend is not None:
        return [float(score) for score in blend(scores, [item.score for item in head])]
    if min(scores) < 0:  # raw logits: a penalty must lower a score, and would lift a negative one
        return [1 / (1 + exp(-max(-500.0, score))) for score in scores]
    return list(scores)


def _ordered(items: Sequence[Item], head: Sequence[Item], scores: list[float], name: str) -> Reranked:
    penalties = [length_penalty(len(item.text)) for item in head]
    finals = [score * penalty for score, penalty in zip(scores, penalties, strict=True)]
    best_first = sorted(range(len(head)), key=lambda place: -finals[place])  # stable: equals stay as they were
    ids = [item.id for item in head]
    order = [ids[place] for place in best_first] + [item.id for item in items[len(head) :]]
    shown, taken, final = (dict(zip(ids, values, strict=True)) for values in (scores, penalties, finals))
    return Reranked(tuple(order), shown, taken, final, provider=name)


def _record(guard: LatencyGuard | None, elapsed: float, *, only_if_slow: bool = False) -> None:
    """A failure counts when it was slow; one that came at once says nothing of how fast reranking is."""
    if guard is not None and not (only_if_slow and elapsed * 1000 <= guard.threshold_ms):
        guard.record(elapsed * 1000)


def _line(error: RerankError) -> str:
    return " ".join(part for part in (error.what, error.why) if part)
