from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.disclose.budget import clip, cursor_at, fit, start_of, tokens
from scrubjay.errors import UsageError


def test_tokens_grow_with_the_text_and_are_never_nothing() -> None:
    assert tokens("") == 0
    assert tokens("a") == 1
    assert 8 <= tokens("the quick brown fox jumps over the lazy dog") <= 16
    assert 5 <= tokens("数据库设计") <= 10


def test_r057_a_reply_is_cut_to_its_budget_and_says_how_to_go_on() -> None:
    portion = fit([40, 40, 40, 5], 100, int, of="q")
    assert portion.items == (40, 40)
    assert (portion.tokens, portion.left) == (80, 2)
    rest = fit([40, 40, 40, 5], 100, int, cursor=portion.cursor, of="q")
    assert rest.items == (40, 5)
    assert (rest.left, rest.cursor) == (0, None)


def test_one_item_is_always_given() -> None:
    portion = fit([500, 1], 100, int)
    assert portion.items == (500,)
    assert portion.left == 1


def test_without_a_budget_everything() -> None:
    assert fit([500, 1], None, int).items == (500, 1)


def test_a_budget_of_nothing_is_wrong() -> None:
    with pytest.raises(UsageError, match="max_tokens"):
        fit([1], 0, int)


@pytest.mark.parametrize("cursor", ["x", "3", "-1.00000000", "99999999999.00000000", cursor_at(3, "another")])
def test_a_cursor_of_something_else_is_refused(cursor: str) -> None:
    with pytest.raises(UsageError, match="cursor"):
        start_of(cursor, "q")


def test_a_cursor_past_the_end_gives_nothing() -> None:
    assert fit([1], 10, int, cursor=cursor_at(5)).items == ()


@given(st.lists(st.integers(1, 50), max_size=20), st.integers(1, 60))
def test_the_portions_together_are_the_whole(prices: list[int], budget: int) -> None:
    seen: list[int] = []
    cursor = None
    while True:
        portion = fit(prices, budget, int, cursor=cursor)
        assert portion.tokens <= budget or len(portion.items) == 1
        seen += portion.items
        cursor = portion.cursor
        if cursor is None:
            break
    assert seen == prices


@given(st.text(max_size=200), st.integers(0, 40))
def test_a_clipped_text_fits(text: str, budget: int) -> None:
    shown = clip(text, budget)
    assert tokens(shown) <= budget
    assert text.startswith(shown.removesuffix("…")) or shown == text
