"""Learning the mix of words and meaning from queries whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.evaluate.known import Known
from scrubjay.evaluate.tune import STEPS, learn
from scrubjay.knowledge_base.tuning import tune_if_worth_it
from scrubjay.types import Candidate, Ranking

ASKED = [Known(f"query {number}", frozenset({1})) for number in range(200)]


def answering(keyword: Sequence[int], vector: Sequence[int]) -> object:
    def ask(query: str) -> list[Ranking]:
        return [
            Ranking(source, tuple(Candidate(chunk, 1 / place) for place, chunk in enumerate(chunks, 1)))
            for source, chunks in (("keyword", keyword), ("vector", vector))
        ]

    return ask


@pytest.mark.parametrize(
    ("keyword", "vector", "low", "high"),
    [([1, 2, 3], [3, 2, 1], 0.0, 0.4), ([3, 2, 1], [1, 2, 3], 0.6, 1.0), ([1, 2, 3], [1, 2, 3], 0.5, 0.5)],
)
def test_the_better_leg_counts_more(keyword: list[int], vector: list[int], low: float, high: float) -> None:
    done = learn({"itself": ASKED, "related": ASKED}, answering(keyword, vector))  # type: ignore[arg-type]
    assert done.vector_weight is not None
    assert low <= done.vector_weight <= high
    assert done.queries == {"itself": 200, "related": 200}
    assert all(len(curve) == len(STEPS) for curve in done.mixes.values())
    assert done.legs["itself"] == {"keyword": done.mixes["itself"][0], "vector": done.mixes["itself"][-1]}


def test_one_kind_alone_may_only_forbid() -> None:
    both_good = learn({"itself": ASKED, "related": []}, answering([1, 2, 3], [1, 3, 2]))  # type: ignore[arg-type]
    assert both_good.vector_weight == 0.5
    useless = learn({"itself": ASKED, "related": []}, answering([1, 2, 3], [2, 3, 1]))  # type: ignore[arg-type]
    assert useless.vector_weight is not None
    assert useless.vector_weight < 0.5


def test_the_chunk_that_asks_is_left_out() -> None:
    asked = [Known("query", frozenset({2}), without=1)] * 30
    done = learn({"related": asked}, answering([1, 2], [1, 2]))  # type: ignore[arg-type]
    assert done.mixes["related"] == (1.0,) * len(STEPS)


def test_too_few_queries_teach_nothing() -> None:
    done = learn({"itself": ASKED[:5]}, answering([1], [1]))  # type: ignore[arg-type]
    assert (done.vector_weight, done.queries) == (None, {"itself": 5})
    assert "20" in done.why
    silent = learn({"itself": ASKED}, lambda query: [Ranking("keyword", (Candidate(1, 1.0),))])
    assert silent.vector_weight is None


def test_time_is_kept() -> None:
    done = learn({"itself": ASKED}, answering([1], [1]), seconds=0.0)  # type: ignore[arg-type]
    assert done.queries == {"itself": 1}


SUBJECTS = ("git", "cake", "tides", "steam", "bees", "glass", "silk", "salt", "chess", "wool")


def fill(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes(
        {
            "id": f"{subject}{part}",
            "title": subject.title(),
            "text": f"{subject} {place} needs patience, careful hands, a plan for part {part}. No more is said.",
        }
        for place, subject in enumerate(SUBJECTS)
        for part in range(12)
    )


def test_a_base_learns_from_itself_and_keeps_it(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(64)) as kb:
        assert kb.tuned is None
        fill(kb)
        done = kb.tune(sample=60)
        assert done.vector_weight is not None
        assert 0 <= done.vector_weight <= 1
        assert set(done.mixes) == {"itself", "related"}
    with scrubjay.open(place, embedder=HashingEmbedder(64)) as kb:
        tuned = kb.tuned
        assert tuned is not None
        assert (tuned["vector_weight"], tuned["chunks"]) == (done.vector_weight, 120)
        kb.store.tuning.remember(None)
        assert kb.tuned is None


def test_the_sample_is_the_same_while_the_base_is(place: str) -> None:
    with scrubjay.open(place) as kb:
        fill(kb)
        first = kb.store.tuning.sample(20)
        assert len(set(first)) == 20
        assert kb.store.tuning.sample(20) == first
        related = kb.store.tuning.related(first)
        assert all(len(others) == 11 and chunk not in others for chunk, others in related.items())


def test_links_and_the_rest_of_the_document_are_related(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes(
        [{"id": "a", "text": "See [the other](other note) for more. " * 4, "title": "A"}, {"id": "b", "text": "x"}]
    )
    kb.link("a", "b", "supports")
    long = kb.note("\n\n".join(f"## Part {n}\n\n" + f"word{n} " * 400 for n in range(3)), title="Long")
    parts = [chunk.number for chunk in kb.store.chunks([long])]
    assert len(parts) > 1
    related = kb.store.tuning.related(parts)
    assert related[parts[0]] == frozenset(parts[1:])


def test_adding_tunes_only_where_it_is_used(tmp_path: object, place: str, write: object) -> None:
    for number in range(110):
        write(
            f"notes/{number}.md", f"# Note {number}\n\n{SUBJECTS[number % 10]} number {number} is about a thing.\n" * 3
        )  # type: ignore[operator]
    with scrubjay.open(place, embedder=HashingEmbedder(64)) as kb:
        kb.add(f"{tmp_path}/notes")
        assert kb.tuned is None
    with scrubjay.open(f"{place}2", embedder=HashingEmbedder(64), config={"fusion.method": "auto"}) as kb:
        tune_if_worth_it(kb.store, kb.config, kb._meaning, 1000.0)
        assert kb.tuned is None  # nothing is in it yet
        kb.add(f"{tmp_path}/notes")
        tune_if_worth_it(kb.store, kb.config, kb._meaning, 1000.0)  # as after a long addition
        assert kb.tuned is not None
