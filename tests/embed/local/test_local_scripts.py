"""Which scripts a text is in, and whether a model should be asked at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.embed.local import covers, find, script_share

ENGLISH, CHINESE = find("arctic"), find("bge")


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("install git", "latin"),
        ("Übergröße naïve", "latin"),
        ("数据库设计", "han"),
        ("こんにちは", "kana"),
        ("데이터베이스", "hangul"),
        ("Привет", "cyrillic"),
        ("Καλημέρα", "greek"),
        ("مرحبا", "arabic"),
        ("שלום", "hebrew"),
        ("नमस्ते", "indic"),
        ("สวัสดี", "thai"),
        ("ԲԱՐԵՎ", "other"),
    ],
)
def test_each_script_is_known(text: str, script: str) -> None:
    assert max(script_share(text).items(), key=lambda item: item[1])[0] == script


@pytest.mark.parametrize("text", ["", "  ", "2026-01-01", "!?… 🎉", "_"])
def test_a_text_without_letters_has_no_script_and_is_covered(text: str) -> None:
    assert script_share(text) == {}
    assert covers(ENGLISH, text)


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("how to install git", True, True),
        ("数据库设计", False, True),
        ("Python数据库设计", False, True),
        ("the word 库 in an English sentence", True, True),
        ("データベースの設計", False, False),
        ("東京都知事選挙の結果", False, False),  # ideographs with kana are Japanese, not Chinese
        ("有一家面包店的名字叫「鲜の每日」，就在火车站的旁边，早上六点开门。", False, True),
        ("установка git", False, False),
        ("git установка through the package manager", True, True),
    ],
)
def test_a_text_mostly_in_another_script_is_not_covered(text: str, english: bool, chinese: bool) -> None:
    assert covers(ENGLISH, text) is english
    assert covers(CHINESE, text) is chinese


def test_an_ideograph_counts_as_three_letters() -> None:
    assert script_share("abc库") == {"latin": 0.5, "han": 0.5}


@given(st.text())
def test_shares_add_up_to_one(text: str) -> None:
    shares = script_share(text)
    assert not shares or sum(shares.values()) == pytest.approx(1.0)
    assert all(share > 0 for share in shares.values())
