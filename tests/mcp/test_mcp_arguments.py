"""What models write is read: other names, other types, nothing at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.mcp.arguments import Parameter, is_count, read, schema
from scrubjay.mcp.tools import GET, LINK, REMEMBER, SEARCH, TIMELINE, TOOLS

Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def values(tool: Any, **given: Any) -> dict[str, Any]:
    return read(tool.name, tool.parameters, tool.prepare(given))[0]


def told(tool: Any, **given: Any) -> list[str]:
    return [f"{one.reason} {one.remedy}" for one in read(tool.name, tool.parameters, tool.prepare(given))[1]]


@pytest.mark.parametrize("name", ["query", "q", "text", "search_query", "question", "keywords", "searchQuery", "QUERY"])
def test_a_query_by_the_names_that_models_use(name: str) -> None:
    assert values(SEARCH, **{name: "git"})["query"] == "git"
    assert told(SEARCH, **{name: "git"}) == []


@pytest.mark.parametrize("name", ["limit", "max_results", "maxResults", "max-results", "top_k", "k", "n", "count"])
@pytest.mark.parametrize("number", [3, 3.0, "3", " 3 "])
def test_a_limit_by_other_names_and_as_a_string(name: str, number: Any) -> None:
    assert values(SEARCH, query="git", **{name: number})["limit"] == 3
    assert told(SEARCH, query="git", **{name: number}) == []


@pytest.mark.parametrize(
    "given", ["ops, git", ["ops", "git"], '["ops", "git"]', ("ops", " git "), ["ops", None, "git", ""]]
)
def test_a_list_as_a_comma_string_or_as_json(given: Any) -> None:
    assert values(SEARCH, query="x", tags=given)["tags"] == ("ops", "git")


@pytest.mark.parametrize(("name", "own"), [("since", "start_date"), ("after", "start_date"), ("before", "end_date")])
def test_dates_by_other_names(name: str, own: str) -> None:
    assert values(SEARCH, query="x", **{name: "2026-01-01"})[own] == "2026-01-01"
    assert values(TIMELINE, **{name: "2026-01-01"})[own] == "2026-01-01"


def test_after_of_the_timeline_counts_unless_it_is_a_date() -> None:
    assert values(TIMELINE, anchor="d_1", before="2", after=3) | {} == {
        **values(TIMELINE, anchor="d_1"), "before": 2, "after": 3
    }  # fmt: skip
    both = values(TIMELINE, after="2026-01-01", before="last week")
    assert (both["start_date"], both["end_date"]) == ("2026-01-01", "last week")
    assert (both["after"], both["before"]) == (None, None)
    assert [is_count(value) for value in (5, 5.0, "5", "2026-01-01", "12345", None, True)] == [
        True, True, True, False, False, False, False
    ]  # fmt: skip


@pytest.mark.parametrize("nothing", [None, "", "  ", "null", "None", "undefined"])
def test_nothing_is_nothing(nothing: Any) -> None:
    assert values(SEARCH, query="x", limit=nothing, path=nothing, tags=None) == values(SEARCH, query="x")


def test_what_is_asked_for_may_be_the_word_none() -> None:
    assert values(SEARCH, query="none")["query"] == "none"
    assert values(REMEMBER, text="null")["text"] == "null"


def test_an_argument_that_nobody_knows_is_named_with_what_was_meant() -> None:
    [near] = told(SEARCH, query="x", limt=3)
    assert near == "search_memories has no argument 'limt'; it was ignored. Did you mean limit?"
    [note] = told(SEARCH, query="x", zzzzzz=3)
    assert "it was ignored" in note
    assert "It takes query, limit, tags" in note


def test_two_names_of_one_argument_and_its_own_wins() -> None:
    assert values(SEARCH, q="a", query="b")["query"] == "b"
    assert told(SEARCH, q="a", query="b") == ["q and query are the same argument; query was used. Give query once."]
    assert told(SEARCH, q="b", query="b") == []


def test_too_many_is_cut_and_said() -> None:
    assert values(SEARCH, query="x", limit=5000)["limit"] == 100
    assert told(SEARCH, query="x", limit=5000) == ["limit is 100 at most; 5000 was asked. Use the cursor."]


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        (SEARCH, {}, "search_memories needs query. It was given no arguments."),
        (SEARCH, {"limit": 3}, "search_memories needs query. It was given: limit."),
        (SEARCH, {"query": "x", "limit": "many"}, "cannot be 'many'. It takes a whole number."),
        (SEARCH, {"query": "x", "limit": 2.5}, "limit of search_memories cannot be 2.5. It takes a whole number."),
        (SEARCH, {"query": "x", "limit": True}, "limit of search_memories cannot be True."),
        (SEARCH, {"query": {"a": 1}}, "query of search_memories cannot be {'a': 1}. It takes a text."),
        (LINK, {"source": "a", "target": "b", "relation": "caused", "strength": "strong"}, "It takes a number."),
        (LINK, {"source": "a", "target": "b"}, "link_memories needs relation."),
        (REMEMBER, {"text": "x", "metadata": "y"}, "metadata of remember cannot be 'y'. It takes an object."),
    ],
)
def test_what_cannot_be_read_says_what_it_takes(tool: Any, given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        values(tool, **given)
    assert words in f"{caught.value.what} {caught.value.why}"
    assert caught.value.cure


def test_texts_written_otherwise() -> None:
    assert values(SEARCH, query=["install", "git"])["query"] == "install git"
    assert values(SEARCH, query=42)["query"] == "42"
    assert values(GET, ids="d_1")["ids"] == ("d_1",)
    assert values(GET, id="d_1, d_2")["ids"] == ("d_1", "d_2")
    assert values(REMEMBER, text="x", metadata='{"a": 1}')["metadata"] == {"a": 1}


def test_the_schema_advertises_only_what_is_shown_and_plain() -> None:
    shown = Parameter("a", "whole", "how many", required=True, least=1)
    made = schema((shown, Parameter("b", "text", "", hidden=True)))
    assert made == {
        "type": "object",
        "properties": {"a": {"description": "how many", "type": "integer", "minimum": 1}},
        "required": ["a"],
    }


Names = st.text() | st.sampled_from(["q", "limit", "tags", "ids", "relation", "max_tokens", "cursor"])


@given(st.sampled_from(TOOLS), st.dictionaries(Names, Json, max_size=4))
def test_any_arguments_are_read_or_refused(tool: Any, arguments: dict[str, Any]) -> None:
    try:
        read_values, _ = read(tool.name, tool.parameters, tool.prepare(arguments))
    except UsageError:
        return
    assert set(read_values) == {parameter.name for parameter in tool.parameters}
