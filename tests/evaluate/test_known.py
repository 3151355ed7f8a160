"""Queries made from the base itself: from headings, first sentences and what is related."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.evaluate.known import Known, around, first_sentence, itself, plain, queries, remembered
from scrubjay.search.stopwords import STOP_WORDS
from scrubjay.types import Chunk

TEXT = "The quick brown fox jumps over the lazy dog near a river. It sleeps afterwards."


def chunk(text: str = TEXT, number: int = 1, **more: Any) -> Chunk:
    made = Chunk(number, f"c_{number}", "d_1", None, "Git", "note", (), "", (), (1, 1), None, 0, text)
    return made._replace(**more)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (TEXT, "The quick brown fox jumps over the lazy dog near a river."),
        ("# Setup\n\nInstall the package with pip first. Then run.", "Install the package with pip first."),
        ("猫在河边睡觉，狗在旁边看着它，天气非常好。然后它们走了。", "猫在河边睡觉，狗在旁边看着它，天气非常好。"),
        ("short", "short"),
        ("", ""),
    ],
)
def test_the_first_sentence_is_one_that_says_something(text: str, first: str) -> None:
    assert first_sentence(text) == first


def test_a_head_keeps_six_words_in_order() -> None:
    assert remembered(first_sentence(TEXT), STOP_WORDS) == "quick brown jumps over dog near"
    assert remembered("Git is fast", STOP_WORDS) == "Git fast"
    assert len(remembered("猫在河边睡觉狗在旁边看着它天气非常好然后它们走了", STOP_WORDS)) == 16


def test_a_chunk_is_asked_for_by_its_heading_or_its_words() -> None:
    titled = chunk(trail=("Git", "Undo a commit"))
    assert itself(titled, STOP_WORDS, 0) == Known("Undo a commit", frozenset({1}))
    assert itself(titled, STOP_WORDS, 1) == Known("quick brown jumps over dog near", frozenset({1}))
    assert itself(chunk("…"), STOP_WORDS, 0) is None


def test_what_is_related_is_asked_for_without_the_chunk_itself() -> None:
    asked = around(chunk(), {1: frozenset({2, 3})})
    assert asked == Known("The quick brown fox jumps over the lazy dog near a river.", frozenset({2, 3}), 1)
    assert around(chunk(number=9), {1: frozenset({2})}) is None


def test_both_kinds_are_made() -> None:
    found, beside = queries([chunk(), chunk(number=2)], {2: frozenset({1})}, STOP_WORDS)
    assert (len(found), [known.without for known in beside]) == (2, [2])


@given(st.text())
def test_no_text_becomes_syntax(text: str) -> None:
    from scrubjay.search.parse import parse

    words = parse(plain(text))
    assert words.excluded == ()
    assert not any(term.phrase or term.prefix for term in words.terms)
