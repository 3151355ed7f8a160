"""A desk on a base of the test's own, and the real server over both of its transports."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from fakes import environment
from scrubjay.mcp.answers import Answer
from scrubjay.mcp.desk import Desk
from scrubjay.mcp.tools import TOOLS

TOKEN = "a-token-that-is-long-enough"
OUTPUT = {tool.name: Draft202012Validator(dict(tool.output)) for tool in TOOLS}


def _checked(name: str, data: Any) -> None:
    """An answer's object is what the tool's output schema says."""
    problems = [f"{error.json_path}: {error.message}" for error in OUTPUT[name].iter_errors(data)]
    assert problems == []


@pytest.fixture
def checked() -> Callable[[str, Any], None]:
    return _checked


@pytest.fixture
def desk(place: str) -> Iterator[Desk]:
    made = Desk(place)
    yield made
    assert made.close()


@pytest.fixture
def call(desk: Desk) -> Callable[..., Answer]:
    """Calls a tool as a client would; an answer that is no error must fit its schema."""

    def go(name: str, **given: Any) -> Answer:
        answer = desk.call(name, given)
        if not answer.failed:
            _checked(name, answer.data)
        return answer

    return go


@pytest.fixture
def note(call: Callable[..., Answer]) -> Callable[..., str]:
    """Remembers a text and returns its id."""

    def go(text: str, **given: Any) -> str:
        answer = call("remember", text=text, **given)
        assert not answer.failed, answer.text
        return str(answer.data["id"])

    return go


class Web(NamedTuple):
    """A server over HTTP that runs."""

    url: str
    token: str
    process: subprocess.Popen[str]


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    """`kb mcp --http` as a process, on a free port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scrubjay", "mcp", "--http", "--port", "0"],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(tmp_path, KB_MCP_TOKEN=TOKEN),
        cwd=tmp_path,
    )  # fmt: skip
    assert process.stderr is not None
    told = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/mcp", told)
    assert found, told
    yield Web(found.group(), TOKEN, process)
    process.terminate()
    out, _ = process.communicate(timeout=30)
    assert out == ""
