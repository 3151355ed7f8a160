from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.evaluate.compare import compare, compare_queries


def test_few_queries_are_counted_out_exactly() -> None:
    assert compare([0, 0, 0], [1, 1, 1]).p == pytest.approx(2 / 8)
    assert compare([0.0] * 8, [0.1] * 8).p == pytest.approx(2 / 256)
    assert compare([0, 1], [1, 0]).p == 1.0


def test_many_clear_wins_are_no_luck_and_a_coin_is() -> None:
    clear = compare([0.2] * 40, [0.3] * 40)
    assert clear.significant
    assert (clear.better, clear.worse, clear.same) == (40, 0, 0)
    assert clear.low == pytest.approx(0.1)
    coin = compare([0.0, 1.0] * 20, [1.0, 0.0] * 20)
    assert coin.p == 1.0
    assert coin.low < 0 < coin.high


def test_equal_runs() -> None:
    found = compare([0.5, 0.25], [0.5, 0.25])
    assert (found.difference, found.p, found.same) == (0.0, 1.0, 2)


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second = [i % 7 / 7 for i in range(50)], [i % 5 / 5 for i in range(50)]
    assert compare(first, second, rounds=500, seed=3) == compare(first, second, rounds=500, seed=3)
    assert compare(first, second, rounds=500).p == pytest.approx(compare(second, first, rounds=500).p, abs=0.05)


def test_the_random_test_agrees_with_the_exact_one() -> None:
    moved = [0.1, 0.3, -0.2, 0.4, 0.1, 0.2, -0.1, 0.3, 0.2, 0.1, -0.05, 0.15]
    exact = compare([0.0] * 12, moved).p
    padded = compare([0.0] * 13, [*moved, 1e-9]).p
    assert padded == pytest.approx(exact, abs=0.02)


def test_it_is_told_in_a_sentence() -> None:
    told = compare([0.2] * 40, [0.3] * 40).told()
    assert told.startswith("0.2000 → 0.3000 (+0.1000")
    assert "a real difference; 40 better, 0 worse, 0 the same" in told


def test_what_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="2 values"):
        compare([1, 2], [1])
    with pytest.raises(UsageError, match="nothing"):
        compare([], [])
    with pytest.raises(UsageError, match="same queries"):
        compare_queries({"a": 1}, {"b": 1})


def test_queries_are_paired_by_id() -> None:
    assert compare_queries({"a": 0.1, "b": 0.9}, {"b": 0.9, "a": 0.1}).p == 1.0


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=10))
def test_p_is_a_share_and_counts_add_up(pairs: list[tuple[float, float]]) -> None:
    found = compare([a for a, _ in pairs], [b for _, b in pairs], rounds=200)
    assert 0 < found.p <= 1
    assert found.better + found.worse + found.same == len(pairs)
    assert found.low <= found.difference + 1e-9
    assert found.low <= found.high
