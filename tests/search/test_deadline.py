from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import numpy as np
import pytest
from numpy.typing import NDArray

import scrubjay
from scrubjay.errors import UsageError
from scrubjay.search.deadline import Deadline


def test_it_counts_down_and_notes_what_it_refused() -> None:
    now = [0.0]
    deadline = Deadline(50, clock=lambda: now[0])
    assert deadline.seconds() == pytest.approx(0.05)
    assert deadline.allows("vector")
    now[0] = 0.06
    assert deadline.seconds() == 0.0
    assert not deadline.allows("graph")
    assert not deadline.allows("rerank")
    (notice,) = deadline.notices()
    assert "graph and rerank" in notice.reason
    assert "50 ms" in notice.reason
    assert notice.remedy


def test_without_milliseconds_it_never_passes() -> None:
    deadline = Deadline(None)
    assert deadline.seconds() is None
    assert deadline.allows("anything")
    assert deadline.notices() == ()


class Stuck:
    """An embedder whose server does not answer the query until the test lets it."""

    name, dim = "stuck", 2

    def __init__(self) -> None:
        self.let = Event()

    def embed(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        if role == "query":
            self.let.wait(20)
        return np.ones((len(texts), 2), np.float32)


def test_a_stuck_embedder_is_not_waited_for() -> None:
    embedder = Stuck()
    with scrubjay.open(":memory:", embedder=embedder) as kb:
        kb.note("apple pie")
        found = kb.search("apple", deadline_ms=30, profile="full", rerank=True)
        embedder.let.set()
    assert [hit.sources for hit in found.hits] == [("keyword",)]
    assert found.mode == "keyword"
    assert {"vector", "rerank"} <= set(found.plan.skipped)
    assert "rerank" not in found.timings
    (notice,) = [notice for notice in found.notices if notice.stage == "deadline"]
    assert "vector" in notice.reason
    assert "rerank" in notice.reason


def test_a_stuck_reranker_is_not_waited_for() -> None:
    let = Event()

    class Slow:
        name = "slow/1"

        def score(self, query: str, passages: Sequence[str]) -> list[float]:
            let.wait(20)
            return [1.0] * len(passages)

    with scrubjay.open(":memory:", reranker=Slow(), config={"embedder.name": "none"}) as kb:
        kb.notes([{"text": "apple pie"}, {"text": "apple cake"}])
        plain = kb.search("apple")
        found = kb.search("apple", deadline_ms=100, rerank=True)
        let.set()
    assert [hit.id for hit in found.hits] == [hit.id for hit in plain.hits]
    assert found.plan.skipped == ("rerank",)


def test_vectors_alone_that_come_too_late_are_an_empty_answer_that_says_why() -> None:
    embedder = Stuck()
    with scrubjay.open(":memory:", embedder=embedder) as kb:
        kb.note("apple pie")
        found = kb.search("apple", mode="vector", deadline_ms=30)
        embedder.let.set()
    assert found.hits == ()
    assert found.plan.skipped == ("vector",)


def test_enough_time_leaves_nothing_out() -> None:
    with scrubjay.open(":memory:") as kb:
        kb.note("apple pie")
        found = kb.search("apple", deadline_ms=60_000)
    assert found.plan.skipped == ()
    assert found.notices == kb_notices(found.notices)


def kb_notices(notices: Sequence[scrubjay.Notice]) -> tuple[scrubjay.Notice, ...]:
    return tuple(notice for notice in notices if notice.stage != "deadline")


def test_no_time_at_all_is_wrong_use() -> None:
    with scrubjay.open(":memory:") as kb, pytest.raises(UsageError):
        kb.search("apple", deadline_ms=0)


def test_a_setting_bounds_every_search() -> None:
    with scrubjay.open(":memory:", config={"search.deadline_ms": 5000}) as kb:
        assert kb.search("apple").plan.deadline_ms == 5000
        assert kb.search("apple", deadline_ms=70).plan.deadline_ms == 70


def test_a_long_reading_of_the_base_is_broken_off() -> None:
    with scrubjay.open(":memory:") as kb:
        kb.notes([{"text": f"apple pie number {number}"} for number in range(3000)])
        whole = kb.search("apple pie number", tags=[], deadline_ms=60_000)
        found = kb.search("apple pie number", deadline_ms=0.001)
        again = kb.search("apple pie number")
    assert found.hits == ()
    assert "keyword" in found.plan.skipped
    assert "deadline" in [notice.stage for notice in found.notices]
    assert [hit.id for hit in again.hits] == [hit.id for hit in whole.hits], "only that search was bounded"


def test_only_the_thread_that_is_in_a_hurry_is_broken_off() -> None:
    from threading import Thread

    with scrubjay.open(":memory:") as kb:
        kb.notes([{"text": f"apple pie number {number}"} for number in range(3000)])
        found: list[int] = []
        with kb.store.within(0.0):
            other = Thread(target=lambda: found.append(len(kb.search("apple pie number").hits)))
            other.start()
            other.join()
    assert found == [10]
