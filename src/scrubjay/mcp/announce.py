"""Tells clients that asked for it when saved searches have found something.

A client subscribes to the status, by either way that the protocol has had for it, and is told once
for all that came since. What was found is handed out as ever; an announcement takes nothing away.
Nobody is looked after where nobody has subscribed, so a server without subscribers rests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as wire
from mcp.server.subscriptions import ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from scrubjay.mcp.reading import STATUS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server.context import ServerRequestContext
    from mcp.server.subscriptions import ServerEvent

    Context = ServerRequestContext[Any, Any]
    Listener = Callable[[ServerEvent], None]

EVERY = 2.0  # seconds between looks; another process may have added what matches


class Bus:
    """The streams that listen, in the newer way of the protocol."""

    def __init__(self, on_new: Callable[[], None]) -> None:
        self._on_new = on_new
        self.listeners: list[Listener] = []

    async def publish(self, event: ServerEvent) -> None:
        for listener in list(self.listeners):
            listener(event)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        self.listeners.append(listener)
        self._on_new()
        return lambda: self.listeners.remove(listener)


class Announcer:
    """`waiting` counts what saved searches found and nobody was handed yet."""

    def __init__(self, waiting: Callable[[], Awaitable[int]], every: float = EVERY) -> None:
        self._waiting = waiting
        self._every = every
        self._told = 0
        self._sessions: dict[int, tuple[Any, Any]] = {}  # the session object is another one with each request
        self._bus = Bus(self._begin_anew)
        self.listen = ListenHandler(self._bus)

    def _begin_anew(self) -> None:
        """Whoever comes new is told of what waits already."""
        self._told = 0

    async def subscribe(self, context: Context, asked: wire.SubscribeRequestParams) -> wire.EmptyResult:
        if str(asked.uri) != STATUS:
            cure = f"Subscribe to {STATUS}: it is announced when saved searches find something."
            raise MCPError(wire.INVALID_PARAMS, f"Changes of {asked.uri} are not announced. {cure}")
        client = context.session.client_params  # one object for as long as the client is connected
        self._sessions[id(client)] = client, context.session
        self._begin_anew()
        return wire.EmptyResult()

    async def unsubscribe(self, context: Context, asked: wire.UnsubscribeRequestParams) -> wire.EmptyResult:  # noqa: ARG002
        self._sessions.pop(id(context.session.client_params), None)
        return wire.EmptyResult()

    async def watch(self) -> None:
        """Looks again and again, for as long as the server lives."""
        while True:
            await anyio.sleep(self._every)
            if self._sessions or self._bus.listeners:
                await self.look()

    async def look(self) -> None:
        waiting = await self._waiting()
        if waiting > self._told:
            await self._bus.publish(ResourceUpdated(uri=STATUS))
            for key, (_, session) in list(self._sessions.items()):
                try:
                    await session.send_resource_updated(STATUS)
                except Exception:  # the client is gone; how that shows depends on the transport
                    self._sessions.pop(key, None)
        self._told = waiting
