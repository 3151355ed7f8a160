"""The guard's rest, the cache's order and key, and who is chosen."""

from __future__ import annotations

import pytest

from http_vendor import Clock
from scrubjay.errors import UsageError
from scrubjay.rerank.cache import RerankCache
from scrubjay.rerank.choose import CHOICES, Choice, choose
from scrubjay.rerank.guard import LatencyGuard

# --- guard ---------------------------------------------------------------------------------------


def test_it_tries_again_after_a_rest_and_starts_afresh(clock: Clock) -> None:
    guard = LatencyGuard(rest_seconds=300.0, clock=clock)
    for _ in range(20):
        guard.record(600)
    assert not guard.allows()
    clock.time += 299.9
    assert not guard.allows()
    clock.time += 0.1
    assert guard.allows()
    assert guard.p95 == 0.0
    guard.record(600)
    assert guard.allows()


def test_the_rest_begins_anew_when_it_is_still_slow(clock: Clock) -> None:
    guard = LatencyGuard(clock=clock)
    for _ in range(2):
        for _ in range(20):
            guard.record(600)
        assert not guard.allows()
        clock.time += 299
        assert not guard.allows()
        clock.time += 1
        assert guard.allows()


def test_the_order_of_good_and_slow_does_not_matter() -> None:
    guard = LatencyGuard()
    for milliseconds in [600] * 4 + [100] * 96:
        guard.record(milliseconds)
    assert guard.allows()


@pytest.mark.parametrize(("good", "slow"), [(95, 5), (19, 1), (38, 2)])
def test_one_in_twenty_may_be_slow(good: int, slow: int) -> None:
    guard = LatencyGuard()
    for milliseconds in [600] * slow + [100] * good:
        guard.record(milliseconds)
    assert guard.p95 == 100
    assert guard.allows()


def test_a_threshold_of_zero_is_a_threshold() -> None:
    guard = LatencyGuard(threshold_ms=0)
    for _ in range(20):
        guard.record(0.1)
    assert not guard.allows()
    assert "above 0 ms" in guard.notice().reason


def test_a_higher_threshold_allows_more() -> None:
    guard = LatencyGuard(threshold_ms=600)
    for _ in range(20):
        guard.record(600)
    assert guard.allows()


# --- cache ---------------------------------------------------------------------------------------


def test_the_least_recently_used_goes_first() -> None:
    cache = RerankCache(size=2)
    cache.put("a", [1.0])
    cache.put("b", [2.0])
    assert cache.get("a") == (1.0,)
    cache.put("c", [3.0])
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == ((1.0,), None, (3.0,))


@pytest.mark.parametrize("cache", [RerankCache(size=0), RerankCache(ttl_ms=0)])
def test_zero_keeps_nothing(cache: RerankCache) -> None:
    cache.put("a", [1.0])
    assert cache.get("a") is None


def test_the_key_tells_everything_apart() -> None:
    one = ("q", [("a", "h1"), ("b", "h2")], "voyage/m")
    others = [
        ("q2", one[1], one[2]),
        (one[0], [("a", "h1"), ("c", "h2")], one[2]),
        (one[0], [("a", "h1"), ("b", "h3")], one[2]),
        (one[0], [("b", "h2"), ("a", "h1")], one[2]),
        (one[0], [("a", "h1")], one[2]),
        (one[0], [("ah1", ""), ("b", "h2")], one[2]),
        (one[0], one[1], "cohere/m"),
        (one[0], one[1], "voyage/n"),
    ]
    keys = {RerankCache.key(*parts) for parts in [one, *others]}
    assert len(keys) == len(others) + 1
    assert all(len(key) == 64 for key in keys)
    assert RerankCache.key(*one) == RerankCache.key("q", [("a", "h1"), ("b", "h2")], "voyage/m")


def test_any_text_can_be_asked_for() -> None:
    assert len(RerankCache.key("\ud800 emoji 🐦 数", [], "x")) == 64


# --- choose --------------------------------------------------------------------------------------


class Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def score(self, query: str, passages: object) -> list[float]:
        raise AssertionError("choosing must ask nobody")


def chosen(asked: str, keys: set[str], *, local: bool = True, allowed: bool = True) -> Choice:
    return choose(
        asked,
        has_key=keys.__contains__,
        http=Named,
        local=lambda: Named("local/model") if local else None,
        vendors_allowed=allowed,
    )


@pytest.mark.parametrize("asked", ["voyage", "cohere", "jina", "tei", "compatible"])
def test_what_is_named_is_taken(asked: str) -> None:
    choice = chosen(asked, set(), allowed=False)
    assert (choice.name, choice.reranker is not None) == (asked, True)


def test_none_is_nobody_without_a_word() -> None:
    assert chosen("none", {"voyage"}) == Choice("none")


def test_local_is_the_local_one_or_a_notice() -> None:
    assert chosen("local", {"voyage"}).name == "local"
    missing = chosen("local", {"voyage"}, local=False)
    assert (missing.name, missing.reranker, len(missing.notices)) == ("none", None, 1)


def test_a_key_alone_is_not_leave_to_send() -> None:
    choice = chosen("auto", {"voyage", "cohere"}, allowed=False)
    assert choice.name == "local"
    assert "voyage" in choice.notices[0].reason
    assert "CROSS_ENCODER_PROVIDER" in choice.notices[0].remedy
    assert len(chosen("auto", {"cohere"}, local=False, allowed=False).notices) == 2


def test_an_unknown_name_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="auto"):
        chosen("nobody", set())
    assert CHOICES[0] == "auto"
