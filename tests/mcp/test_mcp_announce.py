"""Whoever subscribed to the status is told, once, when saved searches have found something."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

import scrubjay
from scrubjay.mcp.desk import Desk
from scrubjay.mcp.server import MemoryServer


@pytest.fixture
def desk(place: str) -> Desk:
    with scrubjay.open(place) as kb:
        kb.alert("brass lamp", name="lamps")
    return Desk(place)


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # clients still use that way
def test_a_subscriber_hears_of_it_also_from_another_process(desk: Desk, place: str) -> None:
    async def go() -> None:
        heard, told = anyio.create_memory_object_stream[str](10)

        async def hear(message: Any) -> None:
            if getattr(message, "method", "") == "notifications/resources/updated":
                heard.send_nowait(str(message.params.uri))

        async def is_told() -> None:
            with anyio.fail_after(30):
                assert await told.receive() == "kb://status"

        server = MemoryServer(desk, every=0.01)
        async with Client(server, mode="legacy", message_handler=hear) as client:
            await client.subscribe_resource("kb://status")
            await client.call_tool("remember", {"text": "nothing to do with it"})
            await client.call_tool("remember", {"text": "a lamp of brass"})
            await is_told()
            with scrubjay.open(place) as other:
                other.note("one more brass lamp")
            await is_told()
            page = (await client.read_resource("kb://status")).contents[0].text
            assert "Saved searches found something new: 2 of 'lamps'." in page
            with pytest.raises(MCPError, match="Changes of kb://document/d_1 are not announced"):
                await client.subscribe_resource("kb://document/d_1")
            await client.unsubscribe_resource("kb://status")
            with scrubjay.open(place) as other:
                other.note("a third brass lamp")
            await server._announcer.look()
            await client.call_tool("memory_status", {})  # what had been sent would have come before its answer
            with pytest.raises(anyio.WouldBlock):
                told.receive_nowait()

    anyio.run(go)
    assert desk.close()


def test_a_stream_that_listens_is_told_what_waits_already(desk: Desk) -> None:
    async def go() -> None:
        async with Client(MemoryServer(desk, every=0.01), mode="2026-07-28") as client:
            await client.call_tool("remember", {"text": "a lamp of brass"})
            async with client.listen(resource_subscriptions=["kb://status"]) as events:
                with anyio.fail_after(30):
                    event = await anext(aiter(events))
                assert str(event.uri) == "kb://status"

    anyio.run(go)
    assert desk.close()
