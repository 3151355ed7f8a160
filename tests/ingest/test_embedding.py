"""Embedding what waits: one run takes all, faults cost what they must, and the next run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import scrubjay
from fakes import Failing
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.ingest import embedding
from scrubjay.ingest.embedding import Embedded, Embedding, Speaker
from scrubjay.types import ModelIdentity


@pytest.fixture
def kb(place: str) -> Iterator[scrubjay.KnowledgeBase]:
    with scrubjay.open(place) as base:
        yield base


def waiting(kb: scrubjay.KnowledgeBase, texts: Sequence[str], dim: int = 2, name: str = "fixed") -> int:
    """Notes that wait for a model; its number."""
    number = kb.store.use_model(ModelIdentity(name, dim))
    kb.notes({"text": text} for text in texts)
    return number


def run(kb: scrubjay.KnowledgeBase, number: int, embedder: Any, batch: int = 4, **more: Any) -> Embedded:
    covers = more.pop("covers", None)
    return Embedding(kb.store, [Speaker(number, embedder, covers)], batch, **more).run()


def states(kb: scrubjay.KnowledgeBase) -> dict[str, int]:
    status = kb.status()
    return {name: status[name] for name in ("vectors", "pending", "failed") if status[name]}


TEXTS = [f"text number {number}" for number in range(30)]


def test_all_that_waits_gets_a_vector(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, TEXTS)
    assert states(kb) == {"pending": 30}
    assert run(kb, model, Failing(lambda role, text: False)) == Embedded(30)
    assert states(kb) == {"vectors": 30}
    assert run(kb, model, Failing(lambda role, text: True)) == Embedded(0), "nothing waits, nobody is asked"


def test_progress_ends_at_the_total(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, TEXTS)
    seen: list[tuple[int, int | None]] = []
    run(kb, model, Failing(lambda role, text: False), tell=lambda now: seen.append((now.done, now.total)))
    assert [total for _, total in seen] == [30] * len(seen)
    assert seen[-1] == (30, 30)


def test_one_that_is_down_leaves_all_waiting_and_says_so(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, TEXTS)
    done = run(kb, model, Failing(lambda role, text: True))
    assert done.chunks == 0
    [notice] = done.notices
    assert "30 chunks left to embed" in notice.reason
    assert "ConnectionError" in notice.reason
    assert "kb update" in notice.remedy
    assert states(kb) == {"pending": 30}


def test_one_that_goes_down_in_the_middle_keeps_what_was_done(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, TEXTS)
    calls: list[str] = []

    def down(role: str, text: str) -> bool:
        calls.append(text)
        return len(calls) > 13

    assert run(kb, model, Failing(down)).chunks == 12
    assert states(kb) == {"vectors": 12, "pending": 18}
    assert run(kb, model, Failing(lambda role, text: False)) == Embedded(18)


def test_a_text_that_cannot_be_embedded_costs_itself(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, [*TEXTS, "poison"])
    done = run(kb, model, Failing(lambda role, text: text == "poison"))
    assert done.chunks == 30
    assert "1 chunk could not be embedded" in done.notices[0].reason
    assert states(kb) == {"vectors": 30, "failed": 1}
    assert run(kb, model, Failing(lambda role, text: False)) == Embedded(0), "it is not tried at every run"
    kb.store.retry_failed(model)
    assert run(kb, model, Failing(lambda role, text: False)) == Embedded(1)


class Odd:
    """An embedder whose answers are not what was asked for."""

    name, dim = "fixed", 2

    def __init__(self, answer: Callable[[Sequence[str]], Any]) -> None:
        self.answer = answer

    def embed(self, texts: Sequence[str], role: str) -> Any:
        return self.answer(texts)


@pytest.mark.parametrize(
    "answer",
    [
        lambda texts: np.ones((len(texts), 3), dtype=np.float32),
        lambda texts: np.ones((len(texts) + 1, 2), dtype=np.float32),
        lambda texts: None,
        lambda texts: [[1.0, 0.0]] * len(texts),
    ],
    ids=["dimension", "count", "none", "list"],
)
def test_nonsense_is_no_vector_and_ends_nothing(kb: scrubjay.KnowledgeBase, answer: Any) -> None:
    model = waiting(kb, TEXTS[:6])
    done = run(kb, model, Odd(answer))
    assert states(kb).get("vectors", 0) == done.chunks
    assert done.notices
    assert len(kb.search("number", mode="keyword").hits) == 6


def test_stopping_ends_after_the_batch_at_hand(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, TEXTS)
    held: list[Embedding] = []

    def stop(role: str, text: str) -> bool:
        held[0].stop()
        return False

    held.append(Embedding(kb.store, [Speaker(model, Failing(stop))], 4))
    assert held[0].run().chunks == 4
    assert states(kb) == {"vectors": 4, "pending": 26}


def test_texts_that_were_embedded_before_are_not_embedded_again(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, ["the same"])
    run(kb, model, HashingEmbedder(2, "fixed"))
    kb.notes([{"text": "the same"}, {"text": "another"}])
    counted = Failing(lambda role, text: False)
    assert run(kb, model, counted).chunks == 2
    assert counted.embedded == ["another"]


def test_a_model_that_is_not_for_a_text_leaves_it_out(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, ["english", "数据库"])
    counted = Failing(lambda role, text: False)
    assert run(kb, model, counted, covers=str.isascii).chunks == 1
    assert counted.embedded == ["english"]
    assert kb.store.pending_count(model) == 0


def test_two_models_each_embed_all(kb: scrubjay.KnowledgeBase) -> None:
    one = waiting(kb, TEXTS[:5], name="one")
    two = kb.store.use_model(ModelIdentity("two", 3))
    done = Embedding(
        kb.store,
        [Speaker(one, Failing(lambda role, text: False)), Speaker(two, Failing(lambda role, text: False, dim=3))],
        4,
    ).run()
    assert done.chunks == 10
    assert kb.store.pending_count() == 0


def test_another_process_that_embeds_takes_the_work(
    kb: scrubjay.KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import contextmanager

    @contextmanager
    def taken(location: str) -> Iterator[bool]:
        yield False

    model = waiting(kb, TEXTS)
    monkeypatch.setattr(embedding, "alone", taken)
    done = run(kb, model, Failing(lambda role, text: False))
    assert done.chunks == 0
    assert "Another process is embedding" in done.notices[0].reason


class Some:
    """An embedder that says itself which texts it could not do."""

    name, dim = "fixed", 2

    def embed(self, texts: Sequence[str], role: str) -> Any:
        raise AssertionError("embed_some goes before it")

    def embed_some(self, texts: Sequence[str], role: str) -> Any:
        vectors = [None if "poison" in text else np.ones(2, dtype=np.float32) for text in texts]
        return vectors, {at: "too long" for at, vector in enumerate(vectors) if vector is None}


def test_partial_answers_are_kept(kb: scrubjay.KnowledgeBase) -> None:
    model = waiting(kb, ["good", "poison", "better"])
    done = run(kb, model, Some())
    assert done.chunks == 2
    assert "too long" in done.notices[0].reason
    assert states(kb) == {"vectors": 2, "failed": 1}
