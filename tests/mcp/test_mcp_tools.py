"""The table of tools is what design and clients count on."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from scrubjay.mcp.arguments import schema
from scrubjay.mcp.tools import TOOLS, Tool, find_tool

NAMES = ["search_memories", "timeline", "get_observations", "remember", "link_memories", "memory_status"]


def test_the_names_of_the_design_are_there_in_their_order() -> None:
    assert [tool.name for tool in TOOLS if tool.name in NAMES] == NAMES
    assert find_tool("search") is None


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_are_schemas_and_every_argument_says_what_it_is(tool: Tool) -> None:
    given = schema(tool.parameters)
    Draft202012Validator.check_schema(given)
    Draft202012Validator.check_schema(dict(tool.output))
    assert all(one["description"] for one in given["properties"].values())
    assert tool.output["type"] == "object"  # what a client of any age accepts


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_name_means_two_arguments(tool: Tool) -> None:
    spellings = [name for parameter in tool.parameters for name in (parameter.name, *parameter.also)]
    assert sorted(set(spellings)) == sorted(spellings)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_descriptions_are_short_enough_to_be_read(tool: Tool) -> None:
    assert 40 <= len(tool.description) <= 700
    assert tool.description.endswith(".")


def test_only_the_two_that_write_say_so() -> None:
    by_name = {tool.name: tool for tool in TOOLS}
    assert [name for name in NAMES if not by_name[name].reads_only] == ["remember", "link_memories"]
    assert [name for name in NAMES if by_name[name].creates] == ["remember"]
    assert by_name["link_memories"].idempotent
    assert not by_name["remember"].idempotent
