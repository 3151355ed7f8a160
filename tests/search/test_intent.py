from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.intent import INTENTS, guess

NAMES = {row.name for row in INTENTS}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("debugging crashes", "fix_bug"),
        ("refactor the duplicated parser code", "refactor"),
        ("security audit of the login form", "security_audit"),
        ("is there an sql injection vulnerability", "security_audit"),
        ("what are the acceptance criteria in the spec", "find_spec"),
        ("explain how the parser works", "understand"),
        ("what did we do after the meeting", "understand"),
    ],
)
def test_questions(query: str, expected: str) -> None:
    assert guess(query).intent == expected


def test_a_word_counts_once_in_all_its_forms() -> None:
    assert guess("fix fixes fixed fixing").intent == "understand"
    assert guess("FIX Crashes").score == 4.0


def test_a_rival_lowers_the_confidence() -> None:
    alone, contested = guess("fix crash"), guess("fix crash add")
    assert contested.intent == "fix_bug"
    assert contested.confidence == pytest.approx(0.75 * 0.8 + 0.25 * 0.5)
    assert contested.confidence < alone.confidence


@given(st.text(max_size=60))
def test_any_text_has_an_intent(text: str) -> None:
    found = guess(text)
    assert found.intent in NAMES
    assert 0.0 <= found.confidence <= 1.0
    assert (found.confidence > 0) == (found.score >= 3 and bool(found.words))
