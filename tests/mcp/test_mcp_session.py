"""An agent's session from beginning to end with the SDK's own client, over both transports."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

import scrubjay
from fakes import environment
from scrubjay.store.sqlite import clock

NAMES = ("search_memories", "timeline", "get_observations", "remember", "link_memories", "memory_status")
Checked = Callable[[str, Any], None]


@asynccontextmanager
async def over_stdio(home: Path, mode: str = "legacy") -> AsyncIterator[Client]:
    start = StdioServerParameters(
        command=sys.executable, args=["-m", "scrubjay", "mcp"], env=environment(home), cwd=home
    )
    with (home / "server.log").open("w") as log:
        async with Client(stdio_client(start, errlog=log), mode=mode) as client:
            yield client


@asynccontextmanager
async def over_http(web: Any, mode: str = "legacy") -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {web.token}"}, timeout=30) as http,
        Client(streamable_http_client(web.url, http_client=http), mode=mode) as client,
    ):
        yield client


async def session(client: Client, checked: Checked) -> None:
    """What an agent does in a working day."""

    async def ask(name: str, **given: Any) -> Any:
        answer = await client.call_tool(name, given)
        assert not answer.is_error, answer.content
        assert answer.content[0].text
        checked(name, answer.structured_content)
        return answer.structured_content

    assert client.server_info.name == "scrubjay"
    assert client.server_info.version == scrubjay.__version__
    assert "The base cannot be used now: There is no base" in client.instructions
    assert "Work in three layers" in client.instructions

    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(NAMES) <= set(listed)
    for name in NAMES:
        assert listed[name].output_schema["type"] == "object"
        assert listed[name].annotations.read_only_hint is (name not in ("remember", "link_memories"))
        assert listed[name].annotations.destructive_hint is False
        assert listed[name].annotations.open_world_hint is False
    assert listed["link_memories"].annotations.idempotent_hint is True

    missing = await client.call_tool("search_memories", {"query": "sqlite"})
    assert missing.is_error
    assert "There is no base" in missing.content[0].text

    # remember → search → timeline → get → link, with the arguments that models write
    decided = await ask("remember", content="We chose SQLite because one file is enough", tags="decision, store")
    assert decided["tags"] == ["decision", "store"]
    because = await ask("remember", text="A server engine was too much to run for one person", date="2026-01-02")
    found = await ask("search_memories", q="which store did we choose: sqlite?", max_results="3", since="2026-01-01")
    assert found["results"][0]["id"] == decided["id"]
    assert found["results"][0]["snippet"]
    days = await ask("timeline", after="2026-01-01", before="2026-01-31")
    assert [entry["id"] for entry in days["entries"]] == [because["id"]]
    around = await ask("timeline", anchor=because["id"], before=0, after="5")
    assert [entry["id"] for entry in around["entries"]] == [because["id"], decided["id"]]
    whole = await ask("get_observations", ids=f"{decided['id']}, {because['id']}, d_unknown")
    assert [one["text"][:9] for one in whole["observations"]] == ["We chose ", "A server "]
    assert whole["missing"] == ["d_unknown"]
    link = await ask("link_memories", source=because["id"], target=decided["id"], relation="supports", strength="0.9")
    assert (link["relation"], link["strength"]) == ("supports", 0.9)
    status = await ask("memory_status")
    assert (status["documents"], status["by_type"], status["tags"]) == (2, {"note": 2}, {"decision": 1, "store": 1})

    # the base was searched and holds nothing: an answer, no error
    nothing = await client.call_tool("search_memories", {"query": "zebra"})
    assert not nothing.is_error
    assert "Nothing found for 'zebra' in 2 documents" in nothing.content[0].text

    # errors that a model can read
    for name, given, words in (
        ("search_memories", {}, "search_memories needs query"),
        ("search_memories", {"query": "x", "limit": "many"}, "It takes a whole number"),
        ("link_memories", {"source": "a", "target": "b", "relation": "likes"}, "supersedes"),
        ("get_observations", {"ids": []}, "No id was given"),
    ):
        refused = await client.call_tool(name, given)
        assert refused.is_error
        assert words in refused.content[0].text
    with pytest.raises(MCPError, match=r"There is no tool 'forget'\. The tools are search_memories, timeline"):
        await client.call_tool("forget", {})

    # what is read without a tool
    pages = {str(page.uri): page for page in (await client.list_resources()).resources}
    assert {f"kb://document/{decided['id']}", "kb://status"} <= set(pages)
    read = await client.read_resource(f"kb://document/{decided['id']}")
    assert read.contents[0].text == "We chose SQLite because one file is enough"
    [template] = (await client.list_resource_templates()).resource_templates
    assert template.uri_template == "kb://document/{id}"
    with pytest.raises(MCPError, match="There is no resource 'kb://document/d_unknown'"):
        await client.read_resource("kb://document/d_unknown")
    assert [one.name for one in (await client.list_prompts()).prompts] == ["recall", "wrap_up"]
    prompt = await client.get_prompt("recall", {"topic": "the store"})
    assert "what my notes and documents say about: the store" in prompt.messages[0].content.text
    with pytest.raises(MCPError, match="recall needs topic"):
        await client.get_prompt("recall", {})

    # many at once
    answers: dict[int, Any] = {}

    async def one(number: int) -> None:
        answers[number] = await client.call_tool("search_memories", {"query": f"sqlite {number}"})

    async with anyio.create_task_group() as group:
        for number in range(16):
            group.start_soon(one, number)
    assert all(answers[number].structured_content["query"] == f"sqlite {number}" for number in range(16))


@pytest.fixture
def lived(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base in which the port was 8080 on 4 January 2026, and 9090 from the 8th on."""
    with monkeypatch.context() as then:
        today = "2026-01-01T00:00:00Z"
        then.setattr(clock, "now", lambda: today)
        with scrubjay.open(place) as kb:
            kb.notes([{"id": "d_port", "text": "the port of the staging server is 8080", "title": "Port"}])
            kb.store._connection.execute("UPDATE changes SET at = '2026-01-01T00:00:00Z'")  # type: ignore[attr-defined]
            today = "2026-01-08T00:00:00Z"
            newer = {"id": "d_port", "text": "the port of the staging server is 9090", "title": "Port"}
            kb.notes([newer], replace=True)


async def life(client: Client, checked: Checked) -> None:
    """What an agent does months later: it finds, corrects, meets a conflict, and looks into the past."""

    async def ask(name: str, **given: Any) -> Any:
        answer = await client.call_tool(name, given)
        assert not answer.is_error, answer.content
        checked(name, answer.structured_content)
        return answer.structured_content

    # the past: found there, read there, and told apart from the present
    then = await ask("search_memories", query="staging port", as_of="2026-01-04")
    assert "8080" in then["results"][0]["snippet"]
    [old] = (await ask("get_observations", ids=[then["results"][0]["id"]], as_of="2026-01-04"))["observations"]
    assert old["text"] == "the port of the staging server is 8080"
    [entry] = (await ask("timeline", as_of="2026-01-04"))["entries"]
    assert entry["summary"].endswith("8080")
    assert "9090" in (await ask("search_memories", query="staging port"))["results"][0]["snippet"]

    # the same again is the same memory; what contradicts is kept beside it, and the conflict is told
    first = await ask("remember", text="The nightly backup of the wiki runs at 02:00 on the file server")
    again = await ask("remember", text="The nightly backup of the wiki runs at 02:00 on the file server")
    assert again["id"] == first["id"]
    newer = await ask("remember", text="The nightly backup of the wiki no longer runs at 02:00 on the file server")
    assert newer["id"] != first["id"]
    [conflict] = (await ask("memory_conflicts"))["conflicts"]
    assert {conflict["id"], conflict["by"]} == {first["id"], newer["id"]}

    # correct: the newer one wins, the older stays and says what became of it; undo puts it back
    told = await ask("correct_memory", id=first["id"], kind="superseded", by=newer["id"], reason="moved")
    found = (await ask("search_memories", query="nightly backup of the wiki"))["results"]
    assert [hit["id"] for hit in found][:2] == [newer["id"], first["id"]]
    assert found[1]["marks"] == [f"superseded by {newer['id']}"]
    assert (await ask("memory_conflicts"))["conflicts"] == []
    assert (await ask("correct_memory", id=told["record"], kind="undo"))["undone"] is True
    await ask("correct_memory", id=first["id"], kind="deprecated")
    found = (await ask("search_memories", query="nightly backup of the wiki"))["results"]
    assert first["id"] not in [hit["id"] for hit in found]
    assert (await ask("get_observations", ids=[first["id"]]))["observations"][0]["marks"][0] == "deprecated"


def test_months_later_over_stdio(lived: None, tmp_path: Path, checked: Checked) -> None:
    async def go() -> None:
        async with over_stdio(tmp_path) as client:
            await life(client, checked)

    anyio.run(go)
    assert (tmp_path / "server.log").read_text() == ""


def test_months_later_over_http(lived: None, web: Any, checked: Checked) -> None:
    async def go() -> None:
        async with over_http(web) as client:
            await life(client, checked)

    anyio.run(go)


def test_a_session_over_stdio(tmp_path: Path, checked: Checked) -> None:
    async def go() -> None:
        async with over_stdio(tmp_path) as client:
            await session(client, checked)

    anyio.run(go)
    assert (tmp_path / "server.log").read_text() == ""


def test_a_session_over_http(web: Any, checked: Checked) -> None:
    async def go() -> None:
        async with over_http(web) as client:
            await session(client, checked)
        async with over_http(web, "auto") as again:  # a second client, in the newest protocol, on the same base
            assert "It holds 2 documents (2 note)" in again.instructions
            found = await again.call_tool("search_memories", {"query": "sqlite"})
            assert found.structured_content["returned"] >= 1

    anyio.run(go)


def test_what_one_client_remembers_another_finds_at_once(tmp_path: Path) -> None:
    async def go() -> None:
        async with over_stdio(tmp_path, "auto") as one, over_stdio(tmp_path) as other:
            for word in ("alpha", "bravo", "charlie"):
                kept = await one.call_tool("remember", {"text": f"The {word} was agreed upon."})
                found = await other.call_tool("search_memories", {"query": word})
                assert [hit["id"] for hit in found.structured_content["results"]] == [kept.structured_content["id"]]

    anyio.run(go)


def test_every_protocol_version_of_the_sdk_is_served(place: str) -> None:
    from scrubjay.mcp.desk import Desk
    from scrubjay.mcp.server import MemoryServer

    desk = Desk(place)

    async def go() -> None:
        for mode in ("legacy", "auto", "2026-07-28"):
            async with Client(MemoryServer(desk), mode=mode) as client:
                assert len((await client.list_tools()).tools) >= len(NAMES)

    anyio.run(go)
    assert desk.close()


def test_annotations_and_titles_are_on_the_wire_as_clients_read_them(place: str) -> None:
    from scrubjay.mcp.desk import Desk
    from scrubjay.mcp.server import MemoryServer

    async def go() -> wire.ListToolsResult:
        async with Client(MemoryServer(Desk(place))) as client:
            return await client.list_tools()

    sent = json.loads(anyio.run(go).model_dump_json(by_alias=True, exclude_none=True))
    [search] = [tool for tool in sent["tools"] if tool["name"] == "search_memories"]
    assert search["title"] == "Search memories"
    assert search["annotations"]["readOnlyHint"] is True
    assert search["inputSchema"]["required"] == ["query"]
    assert "outputSchema" in search
