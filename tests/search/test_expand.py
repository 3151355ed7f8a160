from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.acronyms import ACRONYMS, WORDS_TOO
from scrubjay.search.expand import expand
from scrubjay.search.parse import parse
from scrubjay.search.spelling import WordList
from scrubjay.types import Term

INDEX = WordList([("database", 50), ("connection", 4), ("pool", 4)])


def test_the_own_meaning_wins_over_the_corpus_and_the_table() -> None:
    own, corpus = {"RRF": ("rapid response force",)}, {"RRF": ("x",), "ZZQ": ("zebra zoo quest",)}
    assert expand(parse("RRF"), INDEX, own=own, corpus=corpus).added[0][1:3] == ("rapid response force", "own")
    assert expand(parse("ZZQ"), INDEX, own=own, corpus=corpus).added[0][1:3] == ("zebra zoo quest", "corpus")


def test_plain_words_are_acronyms_only_in_capitals() -> None:
    assert expand(parse("rest"), INDEX).added == ()
    assert expand(parse("REST"), INDEX).added[0].added == "representational state transfer"
    assert expand(parse("api?"), INDEX).added[0].added == "application programming interface"


def test_an_acronym_of_one_word_is_no_phrase() -> None:
    assert expand(parse("k8s"), INDEX).words.terms == (Term("k8s"), Term("kubernetes"))


def test_each_part_can_be_switched_off() -> None:
    assert expand(parse("RRF"), INDEX, acronyms=False).added == ()
    assert expand(parse("databse"), INDEX, typos=False).corrections == ()


def test_an_unknown_acronym_is_not_mended() -> None:
    assert expand(parse("POOLS"), WordList([("tools", 9)])).corrections == ()


def test_the_plus_is_taken_off_and_exclusions_stay() -> None:
    found = expand(parse("+pool -databse c++"), INDEX)
    assert found.words.terms == (Term("pool"), Term("c++"))
    assert found.words.excluded == (Term("databse"),)


def test_punctuation_and_capitals_do_not_hide_a_typo() -> None:
    assert expand(parse("Databse?"), INDEX).words.text == "database?"


def test_nothing_changed_nothing_told() -> None:
    found = expand(parse("connection pool"), INDEX)
    assert found.words == parse("connection pool")
    assert found.notices() == ()


@given(st.text(max_size=50))
def test_any_query_can_be_expanded(query: str) -> None:
    words = parse(query)
    found = expand(words, INDEX)
    assert found.words.excluded == words.excluded
    if not found.corrections and not found.added and "+" not in query:
        assert found.words.text == words.text


def test_the_shipped_table_is_well_formed() -> None:
    assert len(ACRONYMS) >= 150
    assert set(ACRONYMS) >= WORDS_TOO
    for short, meanings in ACRONYMS.items():
        assert short == short.upper()
        assert short.isalnum()
        assert meanings
        assert all(meaning == meaning.lower() and meaning.strip() == meaning for meaning in meanings)


@pytest.mark.parametrize("short", [short for short in ACRONYMS if len(short) > 2 and short.isalpha()])
def test_a_meaning_begins_with_the_acronyms_first_letter(short: str) -> None:
    exceptions = {"GRPC", "WASM", "XML", "XSS", "XXE", "OIDC"}
    assert short in exceptions or all(meaning[0] == short[0].lower() for meaning in ACRONYMS[short])
