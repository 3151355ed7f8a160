"""Serves one client over the standard streams, and ends when the client does.

The output belongs to the protocol alone (see `wire`). The end of the input is the end of the
client, and nobody would ever end a server that outlives it: calls still running then get a moment
to finish and no more.
"""

from __future__ import annotations

import gc
import os
import sys
from threading import Thread

from scrubjay.mcp.needs import needing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.mcp.desk import Desk


PATIENCE = 1.5  # seconds for what still runs: the SDK's own client kills a server after two


def serve(desk: Desk, wait: float = PATIENCE) -> None:
    """Returns when the input has ended."""
    opening = Thread(target=_open, args=(desk,), name="opening", daemon=True)
    opening.start()  # the base is opened while the SDK, which takes far longer, is imported
    gc.disable()  # nothing of the SDK is garbage; looking for it costs a tenth of the start
    with needing("The MCP server"):
        import anyio

        from scrubjay.mcp.server import MemoryServer
    gc.freeze()
    gc.enable()
    opening.join()
    try:
        anyio.run(_run, MemoryServer(desk))
    except* OSError:
        pass  # the client is gone and no longer reads
    if not desk.close(wait):
        sys.stderr.flush()
        os._exit(0)  # what was being written is rolled back when the base is next opened


def _open(desk: Desk) -> None:
    """Asks for the instructions once, so that the base is open; what fails is told in them."""
    from scrubjay.mcp.reading import instructions

    instructions(desk)


async def _run(server: object) -> None:
    from mcp.server.stdio import stdio_server

    from scrubjay.mcp.server import MemoryServer
    from scrubjay.mcp.wire import Lines, Output, claimed

    assert isinstance(server, MemoryServer)
    with claimed() as (given, taken):
        streams: Any = Lines(given), Output(taken)
        async with stdio_server(*streams) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
