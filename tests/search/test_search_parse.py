"""What a person typed becomes words; nothing that can be typed is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.parse import clean, parse
from scrubjay.types import Term


@pytest.mark.parametrize(
    ("query", "terms", "excluded"),
    [
        ("install git", (Term("install"), Term("git")), ()),
        ('"install git" now', (Term("install git", phrase=True), Term("now")), ()),
        ("inst* git", (Term("inst", prefix=True), Term("git")), ()),
        ("apple -cake", (Term("apple"),), (Term("cake"),)),
        ('apple -"hot cake"', (Term("apple"),), (Term("hot cake", phrase=True),)),
        ("apple -cak*", (Term("apple"),), (Term("cak", prefix=True),)),
        ("foo-bar", (Term("foo-bar"),), ()),
        ("C++ a:b", (Term("C++"), Term("a:b")), ()),
        ("- -- *", (Term("-"), Term("--"), Term("*")), ()),
        ('"unclosed here', (Term('"unclosed'), Term("here")), ()),
        ('""', (), ()),
        ("", (), ()),
        ("  \t\n ", (), ()),
        ("-cake", (), (Term("cake"),)),
    ],
)
def test_three_things_have_a_meaning(query: str, terms: tuple[Term, ...], excluded: tuple[Term, ...]) -> None:
    words = parse(query)
    assert (words.terms, words.excluded) == (terms, excluded)


def test_the_text_that_is_embedded_holds_no_exclusions() -> None:
    assert parse('install "git now" -cake').text == "install git now"
    assert parse("-cake").text == ""


@given(st.text(st.characters()))
def test_parsing_never_raises_and_keeps_only_what_can_be_stored(query: str) -> None:
    words = parse(query)
    for term in (*words.terms, *words.excluded):
        assert term.text.strip()
        assert "\0" not in term.text
        term.text.encode("utf-8")
    assert parse(query) == words


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), max_size=8))
def test_plain_words_come_through_as_they_are(plain: list[str]) -> None:
    assert [term.text for term in parse(" ".join(plain)).terms] == plain


def test_control_characters_part_words() -> None:
    assert clean("a\0b\x07c") == "a b c"
    assert clean("\ud800x") == "?x"
