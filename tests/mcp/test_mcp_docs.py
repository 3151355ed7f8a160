"""docs/mcp.md and docs/mcp-reference.md are held to their word."""

from __future__ import annotations

import ast
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from scrubjay.cli.parse import parse
from scrubjay.cli.verbs import find_verb
from scrubjay.mcp.clients import CLIENTS
from scrubjay.mcp.desk import Desk
from scrubjay.mcp.reference import page
from scrubjay.mcp.tools import TOOLS

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


def test_the_reference_is_up_to_date() -> None:
    assert (ROOT / "docs" / "mcp-reference.md").read_text(encoding="utf-8") == page(), "run: make docs"


def test_every_tool_and_every_client_is_in_the_guide() -> None:
    for name in (*(tool.name for tool in TOOLS), *(client.name for client in CLIENTS)):
        assert f"`{name}`" in GUIDE, f"docs/mcp.md does not say a word about {name}"


def test_commands_are_understood() -> None:
    commands = [line.split("#")[0] for block in blocks("sh") for line in block.splitlines()]
    commands += re.findall(r"`(kb [^`]+)`", GUIDE)
    checked = 0
    for command in commands:
        words = shlex.split(command)
        if words and words[0] == "kb" and "CLIENT" not in words and "FOLDER" not in words:
            if len(words) == 2:  # a verb's name in a sentence
                assert find_verb(words[1])
            else:
                parse(words[1:])
            checked += 1
    assert checked > 10


def test_json_is_json() -> None:
    for block in blocks("json"):
        assert json.loads(block)["mcpServers"]["scrubjay"]


def settled(line: str) -> str:
    """A line without what differs from machine to machine."""
    line = re.sub(r"\b([cd])_[0-9a-f]{12,}", r"\1_…", line)
    line = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "…", line)
    line = re.sub(r"Base \S+:", "Base …:", line)
    return re.sub(r"\d+\.\d+", "…", line)


@pytest.mark.model
def test_replies_are_what_is_shown(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_EMBEDDER_COMPANIONS", "false")  # whatever else is installed here
    with scrubjay.open(place) as kb:
        kb.add(ROOT / "examples" / "notes")
    desk = Desk(place)
    calls = [part for block in blocks("text") for part in block.split("> ")[1:] if "(" in part.splitlines()[0]]
    assert len(calls) >= 6
    for call in calls:
        asked, _, shown = call.partition("\n")
        tree = ast.parse(asked, mode="eval").body
        assert isinstance(tree, ast.Call)
        given: dict[str, Any] = {str(one.arg): ast.literal_eval(one.value) for one in tree.keywords}
        answer = desk.call(ast.unparse(tree.func), given)
        assert not answer.failed, answer.text
        first = answer.text.replace(str(ROOT / "examples"), "/home/ana").splitlines()[0]
        assert settled(first) == settled(shown.splitlines()[0])
    assert desk.close()
