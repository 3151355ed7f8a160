from __future__ import annotations

import pytest

from scrubjay.search.expand import expand
from scrubjay.search.parse import parse
from scrubjay.search.spelling import WordList
from scrubjay.search.stopwords import STOP_WORDS
from scrubjay.types import Term

INDEX = WordList(
    {"database": 50, "install": 9, "user": 5, "authentication": 4, "flow": 3, "text": 9, "apply": 3, "gift": 2}.items()
)


def test_r072_exactly_44_stop_words() -> None:
    assert len(STOP_WORDS) == 44
    assert all(word.isascii() and word.islower() for word in STOP_WORDS)


def test_r079_an_acronym_adds_what_it_stands_for() -> None:
    found = expand(parse("RRF"), INDEX)
    assert [each.added for each in found.added] == ["reciprocal rank fusion"]
    assert found.words.terms == (Term("RRF"), Term("reciprocal rank fusion", phrase=True))
    assert found.words.text == "RRF reciprocal rank fusion"


def test_r079_a_typo_is_mended_and_told() -> None:
    found = expand(parse("databse install"), INDEX)
    assert found.words.terms == (Term("database"), Term("install"))
    assert found.words.text == "database install"
    assert found.corrections[0].told() == "searched for database (you typed databse)"
    (notice,) = found.notices()
    assert notice.reason == "Searched for database (you typed databse)."
    assert "+databse" in notice.remedy


@pytest.mark.parametrize("word", ["git", "test", "app"])
def test_r079_short_common_words_stay(word: str) -> None:
    assert expand(parse(word), INDEX).words == parse(word)


def test_r079_only_words_that_the_index_lacks() -> None:
    index = WordList([("databse", 1), ("database", 900), ("rrf", 1)])
    found = expand(parse("databse RRF"), index)
    assert found.words == parse("databse RRF")
    assert found.corrections == ()
    assert [each.absent for each in found.added] == [False]


@pytest.mark.parametrize("query", ["+databse", '"databse"', "databs*", "-databse", '"RRF"', "+RRF"])
def test_r079_who_insists_is_taken_at_their_word(query: str) -> None:
    found = expand(parse(query), INDEX)
    assert (found.corrections, found.added) == ((), ())


def test_r079_names_in_code_are_mended_in_their_parts() -> None:
    assert expand(parse("user_authentcation_flow"), INDEX).words.terms == (Term("user_authentication_flow"),)
    assert expand(parse("getUserAuthentcation"), INDEX).words.text == "getUserAuthentication"


def test_r079_chinese_is_left_alone() -> None:
    assert expand(parse("数据库设计"), INDEX).words == parse("数据库设计")
