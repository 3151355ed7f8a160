from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.memory.weighing import after_successors, constitutional_first, factors_of, weighed
from scrubjay.types import Fused
from scrubjay.types.memory import Facts, Life, Standing, Weighing

NOW = datetime(2026, 3, 1, tzinfo=UTC)
EVERYTHING = Weighing(True, True, True, True)


def fused(*scores: float) -> list[Fused]:
    return [Fused(number, score, ()) for number, score in enumerate(scores, 1)]


def standing(number: int = 1, path: str | None = None, **facts: object) -> Standing:
    return Standing(number, f"d_{number}", path, "2026-03-01T00:00:00Z", Facts(**facts), Life())  # type: ignore[arg-type]


def product(item: Fused, start: float) -> float:
    for factor in item.factors:
        start *= factor.value
    return start


def test_factors_come_in_one_order_each_with_its_reason() -> None:
    old = standing(path="/x/specs/1/spec.md", tier="critical", kind="episodic", kind_source="given")
    found = factors_of(old._replace(created_at="2026-02-01T00:00:00Z"), EVERYTHING, NOW)
    assert [(one.name, one.value) for one in found[:2]] == [("tier", 2.0), ("document", 1.4)]
    assert found[2].name == "retention"
    assert found[2].reason.startswith("episodic, written 28 days ago")
    assert all(one.reason for one in found)


def test_what_is_switched_off_leaves_no_trace() -> None:
    old = standing(tier="critical")._replace(created_at="2020-01-01T00:00:00Z")
    assert factors_of(old, Weighing(), NOW) == ()
    assert [one.name for one in factors_of(old, Weighing(half_lives=True), NOW)] == ["half-life"]


def test_a_file_does_not_fade_unless_it_says_what_kind_it_is() -> None:
    old = standing(path="/n/manual.md", kind="episodic", kind_source="text")._replace(created_at="2020-01-01")
    assert factors_of(old, EVERYTHING, NOW) == ()
    assert len(factors_of(old._replace(facts=old.facts._replace(kind_source="metadata")), EVERYTHING, NOW)) == 1


def test_nothing_falls_below_the_floor() -> None:
    old = standing()._replace(created_at="1990-01-01T00:00:00Z")
    [item] = weighed(fused(1.0), {1: old}, Weighing(half_lives=True, floor=0.5), NOW)
    assert item.score == pytest.approx(0.5)


def test_a_chunk_of_which_nothing_is_known_keeps_its_score() -> None:
    assert weighed(fused(0.3), {}, EVERYTHING, NOW) == fused(0.3)


@given(
    st.lists(st.floats(0.001, 1), min_size=2, max_size=8),
    st.dictionaries(st.integers(1, 8), st.lists(st.integers(1, 8), min_size=1, max_size=2), max_size=4),
)
def test_scores_are_the_product_of_their_factors_and_fall(scores: list[float], newer: dict[int, list[int]]) -> None:
    successors = {old: [f"d_{each}" for each in made if each != old] or ["d_99"] for old, made in newer.items()}
    placed = after_successors(fused(*scores), successors, lambda chunk: f"d_{chunk}", 0.5)
    assert sorted(item.chunk for item in placed) == list(range(1, len(scores) + 1))
    assert [item.score for item in placed] == sorted((item.score for item in placed), reverse=True)
    for item in placed:
        assert item.score == pytest.approx(product(item, scores[item.chunk - 1]))


def test_the_one_that_supersedes_is_before_the_other_however_far_below_it_was() -> None:
    successors = {1: ["d_3"], 3: ["d_4"]}
    placed = after_successors(fused(1.0, 0.9, 0.001, 0.0001), successors, lambda chunk: f"d_{chunk}", 0.5)
    assert [item.chunk for item in placed] == [2, 4, 3, 1]


def test_without_its_successor_among_the_results_it_counts_half() -> None:
    [item] = after_successors(fused(1.0), {1: ["d_9"]}, lambda chunk: f"d_{chunk}", 0.5)
    assert item.score == 0.5
    assert item.factors[0].reason == "by d_9"


def test_constitutional_memories_come_first_as_far_as_the_budget_goes() -> None:
    standings = {number: standing(number, tier="constitutional") for number in (2, 3, 4)}
    costs = {2: 60, 3: 60, 4: 40}
    placed = constitutional_first(fused(0.9, 0.8, 0.7, 0.6, 0.5), standings, costs.__getitem__, 100)
    assert [item.chunk for item in placed] == [2, 4, 1, 3, 5]
    assert [item.score for item in placed] == sorted((item.score for item in placed), reverse=True)
    assert placed[3].factors == ()
    assert constitutional_first(fused(0.9), {}, costs.__getitem__, 100) == fused(0.9)
