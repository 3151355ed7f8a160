"""`kb mcp`: starts the MCP server, or writes it into a client's configuration."""

from __future__ import annotations

import os
import sys

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.cli.call import Call
    from scrubjay.mcp.install import Change


def mcp(call: Call) -> int:
    action, *rest = call.words or ("serve",)
    if action == "install":
        return _install(call, rest)
    if action != "serve" or rest:
        raise UsageError(
            f"kb mcp cannot {' '.join(call.words)!r}.", "", "It is kb mcp, kb mcp --http, or kb mcp install CLIENT."
        )
    if call["port"] is not None and not call["http"]:
        raise UsageError("--port goes with --http.", "Over the standard streams there is no port.")
    return _over_http(call) if call["http"] else _over_streams(call)


def _over_streams(call: Call) -> int:
    from scrubjay.mcp.desk import Desk
    from scrubjay.mcp.stdio import serve

    if sys.stdin is not None and sys.stdin.isatty():
        call.console.hint(
            "This speaks MCP to a program that started it; typing does nothing. To connect one:\n"
            "  kb mcp install CLIENT\nCtrl-D ends it."
        )
    serve(Desk(call["base"]))
    return 0


def _over_http(call: Call) -> int:
    from scrubjay import config
    from scrubjay.mcp import http
    from scrubjay.mcp.desk import Desk

    token, place = http.token_of(config.load(base=call["base"]))
    listening = http.listen(http.PORT if call["port"] is None else call["port"])
    err = call.console.err
    err.line(f"MCP at http://{http.HOST}:{listening.getsockname()[1]}{http.PATH}")
    shown = token if err.is_terminal and place != http.TOKEN_VARIABLE else f"(the token in {place})"
    err.line(f"with the header Authorization: Bearer {shown}")
    err.flush()
    http.serve(Desk(call["base"]), listening, token)
    return 0


def _install(call: Call, clients: list[str]) -> int:
    from scrubjay import config
    from scrubjay.mcp import install
    from scrubjay.mcp.clients import CLIENTS

    if not clients:
        names = ", ".join(client.name for client in CLIENTS)
        raise UsageError("kb mcp install needs a CLIENT.", f"It is one of {names}.", "kb mcp install claude-code")
    loaded = config.load(base=call["base"])
    own, source = loaded.lookup("base")
    start = install.command(call["base"] or (own if source == "environment" else None))
    folder = os.getcwd() if call["project"] else None
    changes = [install.change(name, start, loaded.environment, project=folder) for name in clients]
    for made in changes:
        _show(call, made)
    if call["dry_run"] or not _agreed(call, changes):
        call.console.hint("Nothing was written.")
        return 0
    for made in changes:
        if made.is_needed:
            copy = install.write(made)
            kept = f" The old one is in {copy}." if copy else ""
            call.out.line(f"Written to {made.path}.{kept} {made.client.after}")
    return 0


def _show(call: Call, made: Change) -> None:
    out = call.out
    if not made.is_needed:
        out.line(f"{made.client.title} has it already, in {made.path}")
        return
    out.line(out.paint("title", f"{made.client.title}: {made.path}"))
    for line in made.entry.splitlines():
        out.line(f"  {line}")
    out.flush()


def _agreed(call: Call, changes: Sequence[Change]) -> bool:
    """A person is asked; a program said what it wants by running this."""
    if not any(made.is_needed for made in changes):
        return False
    if call["yes"] or sys.stdin is None or not (sys.stdin.isatty() and call.console.err.is_terminal):
        return True
    call.console.err.write("Write this? [Y/n] ")
    call.console.err.flush()
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")
