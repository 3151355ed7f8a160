"""`kb mcp`: starts the MCP server, or writes it into a client's configuration and out of it."""

from __future__ import annotations

import os
import sys

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrubjay.cli.call import Call
    from scrubjay.mcp.install import Change


def mcp(call: Call) -> int:
    action, *rest = call.words or ("serve",)
    if action in ("install", "uninstall"):
        return _install(call, rest) if action == "install" else _uninstall(call, rest)
    if action != "serve" or rest:
        raise UsageError(
            f"kb mcp cannot {' '.join(call.words)!r}.", "",
            "It is kb mcp, kb mcp --http, kb mcp install CLIENT, or kb mcp uninstall CLIENT.",
        )  # fmt: skip
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

    loaded = config.load(base=call["base"])
    if not clients:
        raise _no_client("install", loaded.environment)
    own, source = loaded.lookup("base")
    start = install.command(call["base"] or (own if source == "environment" else None))
    folder = os.getcwd() if call["project"] else None
    changes = [install.change(name, start, loaded.environment, project=folder) for name in clients]
    if call["print"]:
        for made in changes:
            call.out.write(made.entry)
        return 0
    for made in changes:
        if made.is_needed:
            _show(call, made, made.entry)
        else:
            call.out.line(f"{made.client.title} has it already, in {made.path}")
    return _write(call, changes)


def _uninstall(call: Call, clients: list[str]) -> int:
    from scrubjay import config
    from scrubjay.mcp import install

    loaded = config.load(base=call["base"])
    if not clients:
        raise _no_client("uninstall", loaded.environment)
    folder = os.getcwd() if call["project"] else None
    changes = [install.removal(name, loaded.environment, project=folder) for name in clients]
    for made in changes:
        if made.is_needed:
            _show(call, made, f"{made.client.key}.{install.NAME} is taken out")
        else:
            call.out.line(f"{made.client.title} does not have it, in {made.path}")
    return _write(call, changes)


def _no_client(action: str, environment: Callable[[str], str]) -> UsageError:
    from scrubjay.mcp.clients import CLIENTS
    from scrubjay.mcp.install import here

    names = ", ".join(client.name for client in CLIENTS)
    found = here(environment)
    cure = f"Found on this machine: {', '.join(found)}. " if found else ""
    example = found[0] if found else "claude-code"
    return UsageError(
        f"kb mcp {action} needs a CLIENT.", f"It is one of {names}.", f"{cure}Type: kb mcp {action} {example}"
    )


def _show(call: Call, made: Change, what: str) -> None:
    out = call.out
    out.line(out.paint("title", f"{made.client.title}: {made.path}"))
    for line in what.splitlines():
        out.line(f"  {line}")
    out.flush()


def _write(call: Call, changes: Sequence[Change]) -> int:
    from scrubjay.mcp.install import write

    needed = [made for made in changes if made.is_needed]
    if not needed:
        return 0
    if call["dry_run"] or not _agreed(call):
        call.console.hint("Nothing was written.")
        return 0
    for made in needed:
        copy = write(made)
        kept = f" The old one is in {copy}." if copy else ""
        call.out.line(f"Written to {made.path}.{kept} {made.client.after if made.entry else ''}".rstrip())
    return 0


def _agreed(call: Call) -> bool:
    """Another program's file is written only when a person says so, here or by --yes."""
    if call["yes"]:
        return True
    if sys.stdin is None or not (sys.stdin.isatty() and call.console.err.is_terminal):
        raise UsageError("Nothing was written.", "There is nobody here to ask.", "Add --yes to write it.")
    call.console.err.write("Write this? [Y/n] ")
    call.console.err.flush()
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")
