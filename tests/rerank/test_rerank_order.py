"""Whatever goes wrong, the order that was there comes back, with a notice."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from http_vendor import Answer, Clock, Vendor
from scrubjay.errors import RerankError
from scrubjay.rerank import Item, Reranked, rerank
from scrubjay.rerank.cache import RerankCache
from scrubjay.rerank.client import http_reranker
from scrubjay.rerank.guard import LatencyGuard
from scrubjay.rerank.late import in_time
from scrubjay.transport import HttpTransport

LONG = " and so on" * 12


class Fixed:
    """Gives the scores it was made with, whatever it is asked."""

    name = "fixed/one"

    def __init__(self, *scores: object, error: BaseException | None = None) -> None:
        self.scores = scores
        self.error = error
        self.calls: list[list[str]] = []

    def score(self, query: str, passages: Sequence[str]) -> Sequence[float]:
        self.calls.append(list(passages))
        if self.error is not None:
            raise self.error
        return self.scores  # type: ignore[return-value]


def items(count: int, text: str = LONG) -> list[Item]:
    return [Item(f"c{number}", f"{number}{text}", 1.0 - number / 100) for number in range(count)]


def unchanged(answer: Reranked, count: int) -> bool:
    return answer.order == tuple(f"c{number}" for number in range(count)) and not answer.applied


def test_the_best_come_first_and_the_rest_stay() -> None:
    given = items(5)
    answer = rerank("q", given, Fixed(0.1, 0.9, 0.5), limit=3)
    assert answer.order == ("c1", "c2", "c0", "c3", "c4")
    assert answer.applied
    assert answer.scores == {"c0": 0.1, "c1": 0.9, "c2": 0.5}
    assert answer.notices == ()
    assert given == items(5)


def test_equals_stay_as_they_were() -> None:
    assert rerank("q", items(4), Fixed(0.5, 0.5, 0.5, 0.5)).order == ("c0", "c1", "c2", "c3")


def test_raw_logits_are_made_positive_before_the_penalty() -> None:
    short, long = Item("short", "x" * 10), Item("long", "x" * 200)
    answer = rerank("q", [short, long], Fixed(-2.0, -1.9))
    assert answer.order == ("long", "short")
    assert all(0 < answer.finals[item] <= answer.scores[item] for item in ("short", "long"))
    assert rerank("q", [short, long], Fixed(-1e9, 1e9)).scores["short"] == pytest.approx(0.0)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_order_asks_nobody(count: int) -> None:
    reranker = Fixed(0.5)
    answer = rerank("q", items(count), reranker)
    assert unchanged(answer, count)
    assert reranker.calls == []
    assert answer.notices == ()


@pytest.mark.parametrize(
    "reranker",
    [
        Fixed(error=RerankError("It failed.", "It is down.", "Start it.")),
        Fixed(error=ValueError("anything")),
        Fixed(error=KeyError()),
        Fixed(0.1, float("nan"), 0.3),
        Fixed(0.1, float("inf"), 0.3),
        Fixed(0.1, 0.2),
        Fixed(0.1, 0.2, 0.3, 0.4),
        Fixed(0.1, None, 0.3),
        Fixed(0.1, "high", 0.3),
        Fixed(),
    ],
)
def test_failure_and_nonsense_leave_the_order(reranker: Fixed) -> None:
    cache = RerankCache()
    answer = rerank("q", items(3), reranker, cache=cache)
    assert unchanged(answer, 3)
    (notice,) = answer.notices
    assert notice.stage == "rerank"
    assert notice.reason
    assert notice.remedy
    assert len(cache) == 0


def test_a_cancel_is_not_swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        rerank("q", items(2), Fixed(error=KeyboardInterrupt()))


def test_texts_that_are_all_empty_leave_the_order() -> None:
    reranker = Fixed(0.1, 0.9)
    answer = rerank("q", [Item("c0", ""), Item("c1", " \n")], reranker)
    assert unchanged(answer, 2)
    assert len(answer.notices) == 1
    assert reranker.calls == []


def test_no_reranker_is_marked() -> None:
    answer = rerank("q", items(3), None)
    assert unchanged(answer, 3)
    assert answer.provider == "none"
    assert answer.notices[0].remedy


def test_a_late_reranker_is_not_waited_for() -> None:
    released = threading.Event()

    class Late(Fixed):
        def score(self, query: str, passages: Sequence[str]) -> Sequence[float]:
            released.wait(5)
            return [0.1, 0.9]

    guard = LatencyGuard(threshold_ms=0.0)
    answer = rerank("q", items(2), Late(), seconds=0.01, guard=guard)
    released.set()
    assert unchanged(answer, 2)
    assert "longer than 0.01 s" in answer.notices[0].reason


def test_in_time_returns_raises_and_gives_up() -> None:
    assert in_time(lambda: 7, 5.0) == 7
    assert in_time(lambda: 7, None) == 7
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, 5.0)
    never = threading.Event()
    with pytest.raises(TimeoutError):
        in_time(lambda: never.wait(5), 0.0)
    never.set()


def test_a_vendor_that_fails_leaves_the_order(vendor: Vendor, transport: HttpTransport) -> None:
    vendor.always = lambda _: Answer({"detail": "overloaded"}, 503)
    reranker = http_reranker("voyage", transport, key=lambda: "k" * 20, url=vendor.url)
    answer = rerank("q", items(3), reranker)
    assert unchanged(answer, 3)
    assert "overloaded" in answer.notices[0].reason


def test_a_slow_vendor_leaves_the_order(vendor: Vendor) -> None:
    released = threading.Event()

    def slow(_: object) -> Answer:
        released.wait(5)
        return Answer({})

    vendor.always = slow
    reranker = http_reranker("cohere", HttpTransport(), key=lambda: "k" * 20, url=vendor.url, seconds=0.05)
    answer = rerank("q", items(3), reranker)
    released.set()
    assert unchanged(answer, 3)
    assert "in time" in answer.notices[0].reason


def test_quick_failures_do_not_make_the_guard_think_it_is_fast(clock: Clock) -> None:
    guard = LatencyGuard(clock=clock)
    for _ in range(30):
        rerank("q", items(2), Fixed(error=RerankError("down")), guard=guard, clock=clock)
    for _ in range(19):
        guard.record(600)
    assert guard.p95 == 0.0  # nineteen samples, not forty-nine
    guard.record(600)
    assert not guard.allows()


def test_an_answer_from_the_cache_is_no_sample_for_the_guard(clock: Clock) -> None:
    guard, cache, reranker = LatencyGuard(clock=clock), RerankCache(), Fixed(0.1, 0.9)
    for _ in range(19):
        guard.record(600)
    first = rerank("q", items(2), reranker, guard=guard, cache=cache, clock=clock)
    assert first.order == ("c1", "c0")
    assert guard.p95 == 600  # that was the twentieth; ninety-five of a hundred still took 600
    assert not guard.allows()


def test_the_cache_answers_without_a_call() -> None:
    cache, reranker = RerankCache(), Fixed(0.1, 0.9)
    first = rerank("q", items(2), reranker, cache=cache)
    assert rerank("q", items(2), reranker, cache=cache) == first
    assert len(reranker.calls) == 1
