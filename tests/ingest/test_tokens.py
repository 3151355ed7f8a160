"""Tokens are estimated from bytes: near enough to cut by, and never far below what a model sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.ingest.tokens import MOST_CHARACTERS_PER_TOKEN, estimate, reach

TEXTS = st.text(st.sampled_from("abc XYZ 09 .,-_\n\t数据é한🙂"), min_size=1, max_size=400)


def test_nothing_is_nothing() -> None:
    assert estimate("") == 0


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("To install git, run the installer and follow what it says.", 12, 18),
        ("数据库设计文档", 7, 7),
        ("x = {'a': [1, 2, 3]}", 11, 20),
        (" " * 160, 10, 10),
        ("Привет, мир", 4, 9),
    ],
)
def test_about_what_a_model_sees(text: str, least: float, most: float) -> None:
    assert least <= estimate(text) <= most


@given(first=TEXTS, second=TEXTS)
def test_it_adds_up(first: str, second: str) -> None:
    assert estimate(first + second) == pytest.approx(estimate(first) + estimate(second))


@given(text=TEXTS)
def test_no_text_is_free(text: str) -> None:
    assert estimate(text) * MOST_CHARACTERS_PER_TOKEN >= len(text)


@given(text=TEXTS, start=st.integers(0, 399), tokens=st.floats(0.1, 200))
def test_reach_goes_forward_and_holds_no_more_than_asked(text: str, start: int, tokens: float) -> None:
    start = min(start, len(text) - 1)
    place = reach(text, start, len(text), tokens)
    assert start < place <= len(text)
    assert estimate(text[start:place]) <= tokens + 1e-9 or place == start + 1


@given(text=TEXTS, tokens=st.floats(1, 200))
def test_reach_comes_near(text: str, tokens: float) -> None:
    place = reach(text, 0, len(text), tokens)
    if place < len(text):
        assert estimate(text[: place + 24]) >= 0.5 * tokens or place + 24 > len(text)
