"""Batches hold everything once, in order, and stay within the limits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.embed.providers.batch import Batch, batches, cut, estimated_tokens
from scrubjay.embed.providers.table import Limits

TEXTS = st.lists(st.text(min_size=1, max_size=40), max_size=30)


@given(TEXTS, st.integers(1, 7), st.integers(1, 20), st.integers(20, 60))
def test_nothing_is_lost_and_limits_hold(texts: list[str], items: int, each: int, call: int) -> None:
    limits = Limits(items, each, call)
    made = batches(list(enumerate(texts)), limits)
    assert [place for batch in made for place in batch.places] == list(range(len(texts)))
    for batch in made:
        assert len(batch.places) == len(batch.texts) <= items
        assert sum(map(estimated_tokens, batch.texts)) <= call
        for place, text in zip(batch.places, batch.texts, strict=True):
            assert text
            assert texts[place].startswith(text)
            assert estimated_tokens(text) <= each


@given(st.text(max_size=300), st.integers(1, 50))
def test_a_cut_is_the_beginning_and_fits(text: str, tokens: int) -> None:
    short = cut(text, tokens)
    assert text.startswith(short)
    assert estimated_tokens(short) <= tokens
    assert bool(short) == bool(text)


def test_a_cut_ends_between_words() -> None:
    assert cut("alpha beta gamma delta", 4) == "alpha beta"


def test_scripts_without_spaces_count_a_token_a_character() -> None:
    assert (estimated_tokens("abcdef"), estimated_tokens("数据库"), estimated_tokens("ab数")) == (2, 3, 2)


def test_halves_and_parts_keep_places_and_texts_together() -> None:
    batch = Batch((3, 5, 9), ("a", "b", "c"))
    assert batch.halves() == (Batch((3,), ("a",)), Batch((5, 9), ("b", "c")))
    assert batch.only((9,)) == Batch((9,), ("c",), 1)
    assert Batch((1,), ("word " * 8,)).shortened() == Batch((1,), (("word " * 4).strip(),), 1)
