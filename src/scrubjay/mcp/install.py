"""Writes the server into a client's configuration, leaving every other word of it as it is.

A configuration is a person's own file. It is changed only where our entry is, a copy is kept, and
what cannot be changed safely (an entry written in an unusual way) is left alone with the lines to
paste.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.mcp import jsonfile, tomlfile
from scrubjay.mcp.clients import CLIENTS, SYSTEMS, Client, find_client

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Environment = Callable[[str], str]

NAME = "scrubjay"


class Change(NamedTuple):
    """What would be written: the file, its new text, and our entry alone, for showing."""

    client: Client
    path: str
    text: str
    entry: str
    before: str | None

    @property
    def is_needed(self) -> bool:
        return self.text != (self.before or "")


def command(base: str | None) -> list[str]:
    """How a client starts the server: in full, because it does not search where a shell does."""
    script = os.path.join(os.path.dirname(sys.executable), "kb.exe" if os.name == "nt" else "kb")
    start = [script] if os.path.isfile(script) else [sys.executable, "-m", "scrubjay"]
    return [*start, "mcp", *(["--base", os.path.abspath(os.path.expanduser(base))] if base else [])]


def change(name: str, start: Sequence[str], environment: Environment, *, project: str | None) -> Change:
    """The change that connects a client. `project` is the folder to connect it in, else everywhere."""
    client = _known(name)
    path = _place(client, environment, project)
    before = _text(path)
    entry = entry_of(client, start)
    try:
        text = _with(before or "", client.style, (client.key, NAME), _record(client.style, start))
    except (ValueError, IndexError) as error:
        raise ScrubjayError(
            f"{path} was not changed.", f"It cannot be changed safely: {error}.", f"Put this into it by hand:\n{entry}"
        ) from None
    return Change(client, path, text, entry, before)


def entry_of(client: Client, start: Sequence[str]) -> str:
    """What a person would paste into an empty file."""
    record = _record(client.style, start)
    if client.style == "toml":
        return tomlfile.written((client.key, NAME), record)
    return json.dumps({client.key: {NAME: record}}, indent=2, ensure_ascii=False) + "\n"


def removal(name: str, environment: Environment, *, project: str | None) -> Change:
    """The change that disconnects a client."""
    client = _known(name)
    path = _place(client, environment, project)
    before = _text(path)
    where = (client.key, NAME)
    try:
        if client.style == "toml":
            text = tomlfile.drop(before or "", where)
        else:
            text = jsonfile.drop(before or "", where)
            if client.style == "opencode":
                text = jsonfile.drop(text, (client.key, "servers", NAME))
    except (ValueError, IndexError) as error:
        raise ScrubjayError(
            f"{path} was not changed.", f"It cannot be changed safely: {error}.", f"Take {'.'.join(where)} out by hand."
        ) from None
    return Change(client, path, text, "", before)


def here(environment: Environment) -> list[str]:
    """The clients that seem to be installed: their file is there, or at least its folder."""
    home = os.path.realpath(_home(environment))
    found = []
    for client in CLIENTS:
        path = _place(client, environment, None)
        folder = os.path.dirname(path)
        if os.path.exists(path) or (os.path.isdir(folder) and os.path.realpath(folder) != home):
            found.append(client.name)
    return found


def write(made: Change) -> str | None:
    """Writes it whole or not at all; returns where the copy of the old file is."""
    target = os.path.realpath(made.path)  # a link into a folder of dotfiles stays one
    copy = None
    temporary = f"{target}.new"
    try:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        if made.before is not None:
            copy = made.path + ".bak"
            shutil.copy2(target, copy)
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(made.text)
        if made.before is not None:
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise ScrubjayError(f"{made.path} could not be written.", f"{error.strerror}.", "Add it by hand.") from error
    return copy


def _known(name: str) -> Client:
    client = find_client(name)
    if client is not None:
        return client
    from difflib import get_close_matches

    names = [client.name for client in CLIENTS]
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    why = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(names)}."
    raise UsageError(f"There is no client {name!r}.", why, "For any other: docs/mcp.md has the lines to paste.")


def _home(environment: Environment) -> str:
    return environment("HOME") or environment("USERPROFILE") or os.path.expanduser("~")


def _place(client: Client, environment: Environment, project: str | None) -> str:
    if project is not None:
        if not client.project:
            raise UsageError(
                f"{client.title} has no configuration for a folder.", "", "Without --project it is for all of them."
            )
        path = os.path.join(project, *client.project.split("/"))
    else:
        home = _home(environment)
        folders = {
            "home": home,
            "config": environment("XDG_CONFIG_HOME") or os.path.join(home, ".config"),
            "appdata": environment("APPDATA") or os.path.join(home, "AppData", "Roaming"),
            "claude": environment("CLAUDE_CONFIG_DIR") or home,
            "codex": environment("CODEX_HOME") or os.path.join(home, ".codex"),
            "copilot": environment("COPILOT_HOME") or os.path.join(home, ".copilot"),
        }
        place = client.places.get(SYSTEMS.get(sys.platform, "linux")) or client.places[""]
        path = os.path.normpath(place.format(**folders))
    if path.endswith(".json") and not os.path.exists(path) and os.path.exists(path + "c"):
        return path + "c"  # the same file under the name that says that it has comments
    return path


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ScrubjayError(f"{path} could not be read.", f"{error}.", "Mend it, or add the server by hand.") from error


def _record(style: str, start: Sequence[str]) -> dict[str, Any]:
    if style == "opencode":
        return {"type": "local", "command": list(start), "enabled": True}
    typed = {"type": "stdio"} if style in ("typed", "copilot") else {}
    tools = {"tools": ["*"]} if style == "copilot" else {}
    return {**typed, "command": start[0], "args": list(start[1:]), **tools}


def _with(text: str, style: str, where: tuple[str, str], record: dict[str, Any]) -> str:
    """What else an entry of ours has (an environment, tools that are always allowed) stays in it."""
    if style == "toml":
        return tomlfile.put(text, where, record)
    path: tuple[str, ...] = where
    tree = jsonfile.loads(text)
    if not isinstance(tree, dict):
        raise ValueError("it is no object")
    servers = tree.get(where[0])
    if style == "opencode" and isinstance(servers, dict) and isinstance(servers.get("servers"), dict):
        path, servers = (where[0], "servers", NAME), servers["servers"]  # its second version has them one deeper
        record = {name: value for name, value in record.items() if name != "enabled"}
    if not (isinstance(servers, dict) and isinstance(servers.get(NAME), dict)):
        return jsonfile.put(text, path, record)
    for name, value in record.items():
        text = jsonfile.put(text, (*path, name), value)
    return text
