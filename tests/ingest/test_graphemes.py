"""What a reader sees as one character is never cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.ingest.graphemes import cut_at, is_boundary

WHOLE = [
    "e\u0301",  # an accent of its own
    "a\u0300\u0323\u0308",
    "\r\n",
    "👍🏽",
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🇩🇪",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "한",  # Hangul in parts: leading consonant, vowel, final
    "각",
    "각",  # a whole syllable that takes a final
    "นำ",
    "ก็",
    "เก",
    "नि",
    "ﾊﾟ",
    "1️⃣",
    "کِ",
]


@pytest.mark.parametrize("character", WHOLE, ids=ascii)
def test_one_character_has_no_boundary_inside(character: str) -> None:
    text = f"x{character}y"
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == [0, 1, len(text) - 1, len(text)]


@pytest.mark.parametrize("pair", ["ab", "a b", "\n\r", "\n\n", "数据", "é" + "a", "🙂🙂", "가나", "a🙂", "ㄱㄱ"])
def test_two_characters_have_one(pair: str) -> None:
    assert is_boundary(pair, 1)


def test_flags_go_by_twos() -> None:
    flags = "🇩🇪🇫🇷🇯🇵"
    assert [at for at in range(len(flags) + 1) if is_boundary(flags, at)] == [0, 2, 4, 6]


def test_a_mark_after_a_line_end_belongs_to_nothing() -> None:
    assert is_boundary("a\n\u0301", 2)


def test_the_ends_are_boundaries() -> None:
    assert is_boundary("", 0)
    assert is_boundary("\u0301", 0)
    assert is_boundary("a", 1)


@given(
    text=st.text(st.sampled_from("aé\u0301\u200d👩👧🇩🇪🏽\r\n한ᆨก็ \ufe0f"), max_size=60),
    at=st.integers(0, 60),
    low=st.integers(0, 60),
)
def test_a_cut_goes_back_to_a_boundary(text: str, at: int, low: int) -> None:
    at = min(at, len(text))
    low = min(low, at)
    place = cut_at(text, at, low)
    assert low <= place <= at
    assert is_boundary(text, place) or place == at
    if place != at:
        assert not any(is_boundary(text, between) for between in range(place + 1, at + 1))


def test_noise_piled_on_a_letter_is_cut_somewhere() -> None:
    text = "z" + "\u0301" * 10_000
    assert cut_at(text, 5_000, 0) == 5_000
