"""Prints docs/mcp-reference.md from the tables of tools and clients, so that they cannot disagree.

Run by `make docs` as `python -m scrubjay.mcp.reference`; a test compares the page with the tables.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from scrubjay.mcp import install
from scrubjay.mcp.clients import CLIENTS, Client
from scrubjay.mcp.tools import TOOLS, Tool

if TYPE_CHECKING:
    from scrubjay.mcp.arguments import Parameter

_INTRODUCTION = """# MCP: tools and clients

<!-- Made by `make docs`; change src/scrubjay/mcp/tools.py and clients.py instead. -->

How to connect a client is in [mcp.md](mcp.md). This page has every argument of every tool, and where every client
keeps its servers.

Arguments are read forgivingly: `maxResults` and `max-results` are `max_results`, "10" is 10, "a, b" is a list, null is
nothing. What cannot be used is named in the reply. Every reply has a text for reading and, as `structuredContent`, an
object for programs; the keys in **bold** are always there.
"""

_CLIENTS = """## Clients

`kb mcp install CLIENT` writes this; `kb mcp install CLIENT --print` prints it for your own base. The command stands in
full because clients do not look where a shell does. `~/.config` is `$XDG_CONFIG_HOME` where that is set.
"""
_FOLDERS = {
    "home": "~", "config": "~/.config", "appdata": "%APPDATA%", "claude": "~", "codex": "~/.codex",
    "copilot": "~/.copilot",
}  # fmt: skip
_SYSTEMS = {"mac": "macOS", "windows": "Windows", "linux": "Linux"}
_START = ("/full/path/to/kb", "mcp")


def page() -> str:
    """The whole of docs/mcp-reference.md."""
    parts = [_INTRODUCTION, *map(_tool, TOOLS), _CLIENTS]
    shapes: dict[str, list[Client]] = {}
    for client in CLIENTS:
        shapes.setdefault(install.entry_of(client, _START), []).append(client)
    for entry, clients in shapes.items():
        kind = "toml" if clients[0].style == "toml" else "json"
        rows = "\n".join(f"- **{client.title}** (`{client.name}`): {_places(client)}" for client in clients)
        parts.append(f"{rows}\n\n```{kind}\n{entry}```\n")
    return "\n".join(parts)


def _tool(tool: Tool) -> str:
    marks = ["only reads" if tool.reads_only else "writes"]
    if not tool.reads_only and tool.idempotent:
        marks.append("twice is as once")
    lines = [f"## {tool.name}", "", f"{tool.description} ({', '.join(marks)})", ""]
    if tool.parameters:
        lines += ["| argument | type | what it is | also understood as |", "| --- | --- | --- | --- |"]
        lines += [_argument(one) for one in tool.parameters]
        lines.append("")
    lines += ["Reply: " + _keys(tool.output) + ".", ""]
    for name, items in _lists(tool.output):
        lines += [f"Each of `{name}`: {_keys(items)}.", ""]
    return "\n".join(lines)


def _argument(one: Parameter) -> str:
    told = one.help + (f" ({', '.join(one.choices)})" if one.choices else "")
    default = "" if one.default in (None, ()) else f"; {one.default}"
    kind = {"whole": "number", "real": "number", "date": "text"}.get(one.kind, one.kind)
    name = f"**`{one.name}`**" if one.required else f"`{one.name}`"
    also = ", ".join(f"`{other}`" for other in one.also)
    return f"| {name} | {kind}{default} | {told} | {also} |".replace("|  |", "| |")


def _keys(schema: Any) -> str:
    required = schema.get("required", ())
    return ", ".join(f"**`{name}`**" if name in required else f"`{name}`" for name in schema["properties"])


def _lists(schema: Any) -> list[tuple[str, Any]]:
    found = []
    for name, part in schema["properties"].items():
        items = part.get("items", {})
        if name != "notices" and "properties" in items:
            found.append((name, items))
    return found


def _places(client: Client) -> str:
    places = [
        f"`{place.format(**_FOLDERS)}`" + (f" on {_SYSTEMS[system]}" if system else "")
        for system, place in client.places.items()
    ]
    return ", ".join(places) + (f"; for a project `{client.project}`" if client.project else "") + "."


if __name__ == "__main__":
    sys.stdout.write(page())
