"""Words become FTS5 expressions, and CJK runs become pairs."""

from __future__ import annotations

import itertools

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.search.parse import parse
from scrubjay.store.sqlite import cjk
from scrubjay.store.sqlite.match import MOST_TERMS, bm25_terms, expressions, quoted, without


def tokens(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("install git", '"install" OR "git"'),
        ("git git", '"git"'),
        ("inst*", '"inst"*'),
        ('"install git" now', '"install git" OR "now"'),
        ("C++ ( : *", '"C++"'),
        ("NOT NEAR git", '"NOT" OR "NEAR" OR "git"'),
        ("how to install git", '"install" OR "git"'),
        ("to be", '"to" OR "be"'),
        ('say "hi', '"say" OR """hi"'),
        ("数据库", 'bigrams : "数据" OR bigrams : "据库"'),
        ("库", 'bigrams : "库" *'),
        ("Python数据", '"Python" OR bigrams : "数据"'),
        ("()", ""),
    ],
)
def test_plain_words_are_joined_by_or_and_quoted(query: str, words: str) -> None:
    assert expressions(parse(query), tokens).words == words


def test_excluded_words_are_taken_out() -> None:
    match = expressions(parse('apple -cake -"hot dog"'), tokens)
    assert without(match.words, match.unwanted) == '("apple") NOT ("cake" OR "hot dog")'
    assert without('"apple"', "") == '"apple"'


def test_several_words_as_typed_are_a_phrase_one_word_is_none() -> None:
    assert expressions(parse("install git"), tokens).phrase == '"install git"'
    assert expressions(parse("install"), tokens).phrase == ""
    assert expressions(parse("user_name"), tokens).phrase == ""
    assert expressions(parse("a b c d e f g h i"), tokens).phrase == ""


def test_trigrams_are_asked_for_runs_of_three() -> None:
    assert expressions(parse("数据库设计"), tokens).trigram == '"数据库设计"'
    assert expressions(parse("数据"), tokens).trigram == ""
    assert expressions(parse("plain words"), tokens).trigram == ""


def test_a_very_long_query_is_cut_where_fts5_would_refuse() -> None:
    many = " ".join(f"w{number}" for number in range(3000))
    assert expressions(parse(many), tokens).words.count(" OR ") == MOST_TERMS - 1
    assert len(bm25_terms(parse(many), tokens)) == MOST_TERMS


@pytest.fixture(scope="module")
def fts() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(title, text, bigrams, tokenize = 'porter unicode61')")
    connection.execute("INSERT INTO t VALUES ('a', 'install git', '数据 据')")
    return connection


@given(query=st.text() | st.text(alphabet='"*()-+:^{}数据 aANDORT'))
@example('""" * (')
@example("-(")
def test_whatever_is_typed_is_valid_fts5(fts: apsw.Connection, query: str) -> None:
    match = expressions(parse(query), tokens)
    for expression in (match.words, match.phrase):
        if expression:
            fts.execute("SELECT rowid FROM t WHERE t MATCH ?", (without(expression, match.unwanted),)).fetchall()


@given(st.text())
def test_quoting_keeps_every_text_whole(text: str) -> None:
    assert quoted(text)[1:-1].replace('""', '"') == text


def test_pairs_and_their_last_character() -> None:
    assert cjk.bigrams("数据库") == "数据 据库 库"
    assert cjk.bigrams("用Python写") == "用 写"
    assert cjk.bigrams("plain") == ""
    assert cjk.bigrams("ひらがな カタ 한글") == "ひら らが がな な カタ タ 한글 글"


@given(st.text(alphabet="ab 数据库한かー𠀀é"))
def test_splitting_loses_nothing(text: str) -> None:
    pieces = cjk.split(text)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(is_cjk == cjk.has_cjk(piece) for piece, is_cjk in pieces)
    assert all(a[1] != b[1] for a, b in itertools.pairwise(pieces))
