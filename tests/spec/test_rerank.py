"""R80 to R85 and R87, each with the literal numbers of the requirements."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from http_vendor import Clock, Vendor
from scrubjay.ports import Reranker
from scrubjay.rerank import MAX_CANDIDATES, Item, rerank
from scrubjay.rerank.cache import SIZE, TTL_MS, RerankCache
from scrubjay.rerank.choose import choose
from scrubjay.rerank.client import PROVIDERS, http_reranker
from scrubjay.rerank.guard import THRESHOLD_MS, LatencyGuard
from scrubjay.rerank.local import LocalReranker
from scrubjay.rerank.penalty import length_penalty
from scrubjay.transport import HttpTransport


class Counting:
    """A reranker that scores by length and counts its calls."""

    def __init__(self, name: str = "test/model", score: float | None = None) -> None:
        self.name = name
        self.fixed = score
        self.calls: list[list[str]] = []

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.calls.append(list(passages))
        return [len(text) / 1000 if self.fixed is None else self.fixed for text in passages]


class Tokens:
    """The least that the local reranker needs."""

    name = "tokens"

    def token_vectors(self, texts: Sequence[str], role: str) -> list[np.ndarray]:
        return [np.ones((1, 1), np.float32) for _ in texts]


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    vendor = Vendor()
    yield vendor
    vendor.close()


def some(count: int) -> list[Item]:
    return [Item(f"c{number}", "x" * (100 + number)) for number in range(count)]


def filled(guard: LatencyGuard, *runs: tuple[int, float]) -> LatencyGuard:
    for count, milliseconds in runs:
        for _ in range(count):
            guard.record(milliseconds)
    return guard


def test_r080_rerankers_voyage_cohere_local() -> None:
    for name in ("voyage", "cohere"):
        assert isinstance(http_reranker(name, HttpTransport(), key=lambda: "key"), Reranker)
        assert PROVIDERS[name].vendor
    assert isinstance(LocalReranker(Tokens()), Reranker)


@pytest.mark.parametrize("name", ["voyage", "cohere"])
def test_r080_at_most_100_documents_a_call(vendor: Vendor, name: str) -> None:
    reranker = http_reranker(name, HttpTransport(), key=lambda: "key", url=vendor.url)
    passages = [f"word{number}" for number in range(250)]
    scores = reranker.score("word249 word100", passages)
    assert [len(request.body["documents"]) for request in vendor.requests] == [100, 100, 50]
    assert len(scores) == 250
    assert [place for place, score in enumerate(scores) if score > 0] == [100, 249]


@pytest.mark.parametrize(
    ("length", "penalty"), [(0, 0.8), (25, 0.85), (50, 0.9), (99, 0.998), (100, 1.0), (101, 1.0), (10_000, 1.0)]
)
def test_r081_length_penalty(length: int, penalty: float) -> None:
    assert length_penalty(length) == pytest.approx(penalty, abs=1e-9)


def test_r082_final_is_score_times_penalty_all_three_shown() -> None:
    answer = rerank("q", [Item("a", "x" * 50), Item("b", "x" * 200)], Counting(score=0.9))
    assert answer.scores == {"a": 0.9, "b": 0.9}
    assert answer.penalties == pytest.approx({"a": 0.9, "b": 1.0})
    assert answer.finals == pytest.approx({"a": 0.81, "b": 0.9}, abs=1e-9)
    assert answer.order == ("b", "a")


def test_r083_94_good_and_6_slow_switch_it_off() -> None:
    guard = filled(LatencyGuard(), (94, 100), (6, 600))
    assert guard.p95 == 600
    assert not guard.allows()


def test_r083_96_good_and_4_slow_leave_it_on() -> None:
    guard = filled(LatencyGuard(), (96, 100), (4, 600))
    assert guard.p95 == 100
    assert guard.allows()


def test_r083_exactly_the_threshold_is_on() -> None:
    assert THRESHOLD_MS == 500
    assert filled(LatencyGuard(), (100, 500)).allows()
    assert not filled(LatencyGuard(), (100, 500.001)).allows()


def test_r083_at_least_20_samples() -> None:
    assert filled(LatencyGuard(), (19, 9_000)).allows()
    assert not filled(LatencyGuard(), (20, 9_000)).allows()


def test_r083_only_the_last_100_count() -> None:
    guard = LatencyGuard(threshold_ms=1_000)
    filled(guard, (50, 900), (100, 100))
    assert guard.p95 == 100


def test_r083_off_means_no_call_the_same_order_and_a_notice_with_the_cure() -> None:
    guard = filled(LatencyGuard(), (94, 100), (6, 600))
    reranker = Counting()
    answer = rerank("q", some(5), reranker, guard=guard)
    assert reranker.calls == []
    assert answer.order == ("c0", "c1", "c2", "c3", "c4")
    (notice,) = answer.notices
    assert notice.stage == "rerank"
    assert "600 ms" in notice.reason
    assert "500 ms" in notice.reason
    assert "RERANK_P95_THRESHOLD" in notice.remedy


def test_r083_the_composition_measures_every_call() -> None:
    clock = Clock()

    class Slow(Counting):
        def score(self, query: str, passages: Sequence[str]) -> list[float]:
            clock.time += 0.6
            return super().score(query, passages)

    guard, reranker = LatencyGuard(clock=clock), Slow()
    for number in range(25):
        rerank(f"q{number}", some(3), reranker, guard=guard, clock=clock)
    assert len(reranker.calls) == 20


def test_r084_twice_is_one_call_and_after_300001_ms_two() -> None:
    assert (TTL_MS, SIZE) == (300_000, 1_000)
    clock = Clock()
    cache, reranker = RerankCache(clock=clock), Counting()
    start = clock.time
    for after, calls in ((0, 1), (1, 1), (300_000, 1), (300_001, 2)):
        clock.time = start + after / 1000
        rerank("q", some(3), reranker, cache=cache)
        assert len(reranker.calls) == calls


def test_r084_an_edited_text_is_a_new_call() -> None:
    cache, reranker = RerankCache(), Counting()
    rerank("q", some(3), reranker, cache=cache)
    edited = some(3)
    edited[1] = edited[1]._replace(text=edited[1].text + "!")
    rerank("q", edited, reranker, cache=cache)
    assert len(reranker.calls) == 2


def test_r084_query_ids_provider_and_model_are_in_the_key() -> None:
    cache = RerankCache()
    calls = 0
    renamed = [item._replace(id=f"{item.id}x") for item in some(3)]
    for query, items, name in (
        ("q", some(3), "voyage/a"),
        ("other", some(3), "voyage/a"),
        ("q", renamed, "voyage/a"),
        ("q", some(3), "cohere/a"),
        ("q", some(3), "voyage/b"),
        ("q", some(3), "voyage/a"),
    ):
        reranker = Counting(name)
        rerank(query, items, reranker, cache=cache)
        calls += len(reranker.calls)
    assert calls == 5


def test_r084_a_thousand_entries_are_kept() -> None:
    cache = RerankCache()
    for number in range(1_001):
        cache.put(f"k{number}", [0.5])
    assert len(cache) == 1_000
    assert cache.get("k0") is None
    assert cache.get("k1") == (0.5,)


@pytest.mark.parametrize(
    ("keys", "local", "expected"),
    [
        ({"voyage", "cohere"}, True, "voyage"),
        ({"voyage"}, True, "voyage"),
        ({"cohere"}, True, "cohere"),
        (set(), True, "local"),
        (set(), False, "none"),
    ],
)
def test_r085_auto_is_voyage_then_cohere_then_local_then_none(keys: set[str], local: bool, expected: str) -> None:
    choice = choose(
        "auto",
        has_key=keys.__contains__,
        http=lambda name: Counting(f"{name}/m"),
        local=lambda: Counting("local/m") if local else None,
        vendors_allowed=True,
    )
    assert choice.name == expected
    assert (choice.reranker is None) == (expected == "none")


def test_r085_choosing_makes_no_call(vendor: Vendor) -> None:
    for asked in ("auto", "voyage", "cohere", "local", "none"):
        choose(
            asked,
            has_key=lambda _: True,
            http=lambda name: http_reranker(name, HttpTransport(), key=lambda: "key", url=vendor.url),
            local=lambda: None,
            vendors_allowed=True,
        )
    assert vendor.requests == []
    assert vendor.connections == 0


def test_r085_none_leaves_the_order_and_is_marked() -> None:
    answer = rerank("q", some(4), None)
    assert answer.order == ("c0", "c1", "c2", "c3")
    assert answer.provider == "none"
    assert not answer.applied
    assert answer.notices[0].stage == "rerank"


def test_r087_20_candidates_by_default() -> None:
    assert MAX_CANDIDATES == 20
    reranker = Counting()
    answer = rerank("q", some(30), reranker)
    assert len(reranker.calls[0]) == 20
    assert answer.order == (*(f"c{n}" for n in range(19, -1, -1)), *(f"c{n}" for n in range(20, 30)))


def test_r087_5_candidates_are_5_documents_sent(vendor: Vendor) -> None:
    reranker = http_reranker("voyage", HttpTransport(), key=lambda: "key", url=vendor.url)
    rerank("q", some(30), reranker, limit=5)
    assert [len(request.body["documents"]) for request in vendor.requests] == [5]


def test_r087_zero_candidates_are_none_sent() -> None:
    reranker = Counting()
    assert rerank("q", some(3), reranker, limit=0).order == ("c0", "c1", "c2")
    assert reranker.calls == []
