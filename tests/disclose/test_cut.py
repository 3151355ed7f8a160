from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.disclose.cut import beginning, cut_after, cut_before, first_characters, folded, may_cut

CHARACTERS = [
    "e\u0301", "👨\u200d👩\u200d👧", "👍🏽", "🇩🇪", "한", "\u1112\u1161\u11ab", "กำ", "क्ष", "क्\u200dषि", "நி", "❤\ufe0f",
    "1\ufe0f\u20e3", "\r\n", "🏴\U000e0067\U000e0062\U000e007f", "\ud83d\ude00", "か\u3099", "ｶﾞ", "\u0600١", "©\u200d©",
]  # fmt: skip


@pytest.mark.parametrize("char", CHARACTERS)
def test_f13_a_character_is_never_torn(char: str) -> None:
    text = f"x{char}x"
    assert may_cut(text, 1)
    assert may_cut(text, 1 + len(char))
    for at in range(2, 1 + len(char)):
        assert not may_cut(text, at)
        assert cut_before(text, at) == 1
        assert cut_after(text, at) == 1 + len(char)


def test_neighbours_that_stay_apart() -> None:
    for text in ("ab", "数据", "한국", "e\u0301e", "🇩🇪🇫🇷", "\ud83dx", "க்க", "x\ude00"):
        places = [at for at in range(1, len(text)) if may_cut(text, at)]
        assert places, text
    assert [at for at in range(1, 4) if may_cut("🇩🇪🇫🇷", at)] == [2]


def test_noise_piled_on_a_letter_is_cut_somewhere() -> None:
    piled = "a" + "\u0301" * 5000 + "b"
    assert cut_after(piled, 10) == 10
    assert cut_before(piled, 4000) == 4000


@given(st.lists(st.sampled_from([*CHARACTERS, "a", " ", "数"]), max_size=30), st.integers(0, 30))
def test_counting_characters_as_a_reader_does(chars: list[str], count: int) -> None:
    text = " ".join(chars)  # a space between, so that no two join
    shown = first_characters(text, count)
    assert text.startswith(shown)
    assert may_cut(text, len(shown))
    expected = [part for char in chars for part in (char, " ")][:-1][:count]
    assert shown == "".join(expected)


@given(st.text(max_size=60), st.integers(0, 20))
def test_the_beginning_is_that_of_the_folded_text(text: str, count: int) -> None:
    assert beginning(text, count) == first_characters(folded(text), count).rstrip()


def test_the_beginning_of_a_long_text_behind_much_space() -> None:
    assert beginning(" " * 50_000 + "x " * 9000, 5) == "x x x"
