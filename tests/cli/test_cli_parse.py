from __future__ import annotations

import argparse
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli.options import COMMON, Option, Verb
from scrubjay.cli.parse import parse
from scrubjay.cli.verbs import VERBS, find_verb
from scrubjay.errors import UsageError


def test_words_and_options_in_any_order() -> None:
    parsed = parse(["--base", "x.db", "search", "install", "--top", "5", "git", "--json"])
    assert parsed.verb is find_verb("search")
    assert parsed.words == ("install", "git")
    assert (parsed.values["base"], parsed.values["top"], parsed.values["json"]) == ("x.db", 5, True)


def test_an_equals_sign_gives_the_value() -> None:
    assert parse(["search", "x", "--path=a=b"]).values["path"] == "a=b"
    assert parse(["search", "x", "--path="]).values["path"] == ""


def test_zero_is_a_value_and_not_unset() -> None:
    assert parse(["search", "x", "--threshold", "0"]).values["threshold"] == 0.0
    assert parse(["search", "x"]).values["threshold"] is None
    assert parse(["get", "d_1", "--context", "0"]).values["context"] == 0


def test_tags_by_commas_and_repeated() -> None:
    assert parse(["search", "x", "--tags", "a, b,", "--tag", "c"]).values["tags"] == ("a", "b", "c")


def test_patterns_keep_their_commas() -> None:
    assert parse(["add", ".", "--exclude", "{a,b}", "--exclude", "c"]).values["exclude"] == ("{a,b}", "c")


def test_a_dash_before_a_word_of_a_query_leaves_it_out() -> None:
    assert parse(["search", "apple", "-cake"]).words == ("apple", "-cake")
    assert parse(["search", "-cake", "apple"]).words == ("-cake", "apple")
    assert parse(["search", "--", "-cake", "--top"]).words == ("-cake", "--top")
    assert parse(["search", "apple", "--", "-cake"]).words == ("apple", "-cake")
    assert parse(["note", "- buy milk"]).words == ("- buy milk",)
    assert parse(["note", "--- a rule"]).words == ("--- a rule",)
    assert parse(["tag", "d_1", "+a", "-b"]).words == ("d_1", "+a", "-b")


def test_an_option_with_one_dash_is_told_apart() -> None:
    assert parse(["search", "apple", "-top", "5"]).hints == ("-top was taken as a word; the option is written --top.",)
    with pytest.raises(UsageError, match="has no option -tags") as caught:
        parse(["list", "-tags", "a"])
    assert "--tags" in caught.value.why


def test_values_may_begin_with_a_dash() -> None:
    assert parse(["note", "x", "--title", "- a"]).values["title"] == "- a"
    assert parse(["search", "x", "--threshold", "-1"]).values["threshold"] == -1.0


@pytest.mark.parametrize(
    ("line", "first", "why"),
    [
        ("serch git", "There is no verb 'serch'.", "kb search"),
        ("ls", "There is no verb 'ls'.", "kb list"),
        ("rm x", "There is no verb 'rm'.", "kb remove"),
        ("qqqqqq", "There is no verb 'qqqqqq'.", ""),
        ("search x --tpo 5", "kb search has no option --tpo.", "--top"),
        ("search x --titel a", "kb search has no option --titel.", ""),
        ("list --explain", "kb list has no option --explain.", "kb search"),
        ("--top 5 search x", "kb has no option --top.", "after the verb"),
        ("search x --type foo", "--type cannot be 'foo'.", "pdf, markdown, code, note"),
        ("search x --top 0", "--top cannot be 0.", "1 at least"),
        ("search x --top five", "--top cannot be 'five'.", "whole number"),
        ("search x --top 1.5", "--top cannot be '1.5'.", "whole number"),
        ("search x --threshold nan", "--threshold cannot be 'nan'.", "a number"),
        ("search x --threshold inf", "--threshold cannot be 'inf'.", "a number"),
        ("search x --top", "--top needs a value.", "how many"),
        ("search x --top --json", "--top needs a value.", "how many"),
        ("search x --json=1", "--json takes no value.", "'1'"),
        ("search", "QUERY is missing.", "kb search QUERY…"),
        ("tag d_1", "+TAG is missing.", "kb tag ID"),
        ("status now", "kb status does not take 'now'.", "kb status"),
        ("get d --lines 5:2", "--lines cannot be '5:2'.", "from 1"),
        ("get d --lines 0:2", "--lines cannot be '0:2'.", "from 1"),
        ("get d --lines :", "--lines cannot be ':'.", "from 1"),
        ("get d --lines x", "--lines cannot be 'x'.", "from 1"),
        ("help serch", "There is no verb 'serch'.", "kb search"),
    ],
)
def test_wrong_use_is_named_and_mended(line: str, first: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line.split())
    assert caught.value.what == first
    assert why in f"{caught.value.why} {caught.value.cure}"


@pytest.mark.parametrize(
    ("written", "lines"),
    [("12:40", (12, 40)), ("12-40", (12, 40)), ("12:", (12, 2**31 - 1)), ("12", (12, 12)), (":9", (1, 9))],
)
def test_line_ranges(written: str, lines: tuple[int, int]) -> None:
    assert parse(["get", "d_1", "--lines", written]).values["lines"] == lines


def test_types_forgive_case_and_repeat() -> None:
    assert parse(["search", "x", "--type", "PDF,code", "--kind", "note"]).values["type"] == ("pdf", "code", "note")


@pytest.mark.parametrize("line", ["--help", "help", "search --help", "help search", "search x --top --help", "-h"])
def test_help_wins_over_what_is_missing(line: str) -> None:
    if line == "search x --top --help":
        with pytest.raises(UsageError):
            parse(line.split())
        return
    parsed = parse(line.split())
    assert parsed.values["help"]
    assert (parsed.verb is find_verb("search")) == ("search" in line)


def test_every_verb_has_its_own_row() -> None:
    names = [verb.name for verb in VERBS]
    assert len(set(names)) == len(names)
    known = [name for verb in VERBS for name in (verb.name, *verb.synonyms)]
    assert len(set(known)) == len(known), "a synonym leads to two verbs"


# --- the same values as argparse, wherever argparse would accept the line -----------------------


def _oracle(verb: Verb) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("words", nargs="*")
    for option in (*verb.options, *COMMON):
        flags = (option.flag, *option.also)
        if option.kind == "flag":
            parser.add_argument(*flags, dest=option.name, action="store_true")
        elif option.kind in ("list", "repeat"):
            parser.add_argument(*flags, dest=option.name, action="append", default=[])
        else:
            kind: Any = {"whole": int, "real": float}.get(option.kind, str)
            parser.add_argument(*flags, dest=option.name, type=kind)
    return parser


def _same(option: Option, ours: Any, theirs: Any) -> bool:
    if option.kind == "list":
        return list(ours) == [part.strip() for text in theirs for part in text.split(",") if part.strip()]
    return (list(ours) if option.kind == "repeat" else ours) == theirs


_plain = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8).filter(
    lambda text: not text.startswith("-")
)


@st.composite
def _lines(draw: st.DrawFn) -> tuple[Verb, list[str]]:
    verb = draw(st.sampled_from(VERBS))
    line: list[str] = []
    options = [option for option in (*verb.options, *COMMON) if option.kind != "lines" and option.name != "help"]
    for option in draw(st.lists(st.sampled_from(options), max_size=5)):
        flag = draw(st.sampled_from((option.flag, *option.also)))
        if option.kind == "flag":
            line.append(flag)
            continue
        if option.choices:
            value = draw(st.sampled_from(option.choices))
        elif option.kind == "whole":
            value = str(draw(st.integers(option.least or 0, 99)))
        elif option.kind == "real":
            value = str(draw(st.floats(0, 2)))
        else:
            value = draw(_plain)
        line += [f"{flag}={value}"] if draw(st.booleans()) else [flag, value]
    most = verb.least + 2 if verb.most is None else verb.most
    words = draw(st.lists(_plain, min_size=verb.least, max_size=most))
    return verb, (line + words if draw(st.booleans()) else words + line)


@given(_lines())
def test_the_same_values_as_argparse(case: tuple[Verb, list[str]]) -> None:
    verb, line = case
    parsed = parse([verb.name, *line])
    expected = vars(_oracle(verb).parse_args(line))
    assert list(parsed.words) == expected["words"]
    for option in (*verb.options, *COMMON):
        assert _same(option, parsed.values[option.name], expected[option.name]), option.flag


@given(st.lists(st.text(max_size=10) | st.sampled_from(["search", "--top", "--tags", "--", "-", "--base", "x"])))
def test_any_line_is_parsed_or_refused(line: list[str]) -> None:
    try:
        parsed = parse(line)
    except UsageError:
        return
    assert parsed.verb is not None or not parsed.words


def test_bytes_that_are_no_text_stay_in_names_of_files_only() -> None:
    assert parse(["get", "caf\udce9"]).words == ("caf�",)
    assert parse(["list", "--path", "caf\udce9"]).values["path"] == "caf�"
    assert parse(["add", "caf\udce9"]).words == ("caf\udce9",)
    assert parse(["list", "--base", "caf\udce9"]).values["base"] == "caf\udce9"
