from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.spelling import WordList, correct, distance, may_be_mistyped

INDEX = WordList({
    "database": 50, "kubernetes": 20, "search": 40, "reach": 2, "installation": 7, "beta": 30, "betas": 1,
    "запрос": 3, "größe": 2, "configuration": 12, "letter": 5, "tests": 3,
}.items())  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("databse", "database"),  # missing
        ("dataabase", "database"),  # too much
        ("databade", "database"),  # wrong
        ("databaes", "database"),  # swapped
        ("adtabase", "database"),  # swapped at the beginning
        ("atabase", "database"),  # the first letter missing
        ("fatabase", "database"),  # the first letter wrong
        ("xdatabase", "database"),  # one before the first letter
        ("Databse", "database"),
        ("kubrenets", "kubernetes"),  # two slips in a long word
        ("instalaton", "installation"),
        ("serach", "search"),
        ("запрсо", "запрос"),
        ("gröse", "größe"),
    ],
)
def test_slips_are_mended(typed: str, meant: str) -> None:
    found = correct(typed, INDEX)
    assert found is not None
    assert (found.typed, found.searched) == (typed, meant)
    assert found.chunks == INDEX.counts([meant])[meant]


@pytest.mark.parametrize(
    "typed", ["git", "test", "app", "zzzzzz", "sear", "d4tabase", "2026", "数据库", "v1.2", "dtbse", ""]
)
def test_what_is_left_alone(typed: str) -> None:
    assert correct(typed, INDEX) is None


def test_the_more_frequent_of_two_as_near_wins() -> None:
    index = WordList([("casting", 1), ("carting", 200)])
    found = correct("camting", index)
    assert found is not None
    assert found.searched == "carting"


def test_a_likely_slip_wins_over_an_unlikely_one() -> None:
    found = correct("srore", WordList([("store", 3), ("score", 3), ("shore", 3)]))
    assert found is not None
    assert found.searched == "store"  # t is next to r on the keyboard


def test_costs() -> None:
    assert distance("same", "same", 1) == 0
    assert distance("databaes", "database", 1) == pytest.approx(0.7)
    assert distance("databade", "database", 1) == pytest.approx(0.8)
    assert distance("databaqe", "database", 1) == pytest.approx(1.0)
    assert distance("leter", "letter", 1) == pytest.approx(0.7)
    assert distance("letttter", "letter", 1) is None
    assert distance("fatabase", "database", 1) == pytest.approx(1.1)
    assert distance("abcd", "wxyz", 2) is None


def plain_distance(left: str, right: str) -> int:
    """Optimal string alignment, the textbook way."""
    rows = [[max(i, j) if 0 in (i, j) else 0 for j in range(len(right) + 1)] for i in range(len(left) + 1)]
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (left[i - 1] != right[j - 1]))
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_one_slip_is_the_textbook_distance(left: str, right: str) -> None:
    assert (distance(left, right, 1) is not None) == (plain_distance(left, right) <= 1)
    if distance(left, right, 2) is not None:
        assert plain_distance(left, right) <= 2


@given(st.sampled_from(["database", "kubernetes", "configuration"]), st.data())
def test_any_single_slip_in_a_long_word_is_mended(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    slip = data.draw(st.sampled_from(["missing", "extra", "wrong", "swapped"]))
    head, tail = word[:at], word[at:]
    typed = {
        "missing": head + tail[1:],
        "extra": head + letter + tail,
        "wrong": head + letter + tail[1:],
        "swapped": head + tail[1:2] + tail[:1] + tail[2:],
    }[slip]
    if typed != word:
        found = correct(typed, INDEX)
        assert found is not None
        assert found.searched == word


def test_the_word_list_is_a_vocabulary() -> None:
    assert INDEX.counts(["beta", "gamma"]) == {"beta": 30}
    assert list(INDEX.between("be", "bf", 4, 4)) == [("beta", 30)]


def test_words_with_digits_or_signs_are_never_mistyped() -> None:
    assert not may_be_mistyped("err42x")
    assert may_be_mistyped("error")
