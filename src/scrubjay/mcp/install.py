"""Writes the server into a client's configuration, leaving every other word of it as it is.

A configuration is a person's own file. It is changed only where our entry is, a copy is kept, and
what cannot be changed safely (comments in JSON, an entry written in an unusual way) is left alone
with the lines to paste.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.mcp.clients import CLIENTS, SYSTEMS, Client, find_client

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
        return self.text != self.before


def command(base: str | None) -> list[str]:
    """How a client starts the server: in full, because it does not search where a shell does."""
    script = os.path.join(os.path.dirname(sys.executable), "kb.exe" if os.name == "nt" else "kb")
    start = [script] if os.path.isfile(script) else [sys.executable, "-m", "scrubjay"]
    return [*start, "mcp", *(["--base", os.path.abspath(os.path.expanduser(base))] if base else [])]


def change(name: str, start: Sequence[str], environment: Callable[[str], str], *, project: str | None) -> Change:
    """The change that connects a client. `project` is the folder to connect it in, else everywhere."""
    client = find_client(name)
    if client is None:
        raise _unknown(name)
    path = _place(client, environment, project)
    before = _text(path)
    if client.style == "toml":
        entry = _toml(client.key, start)
        return Change(client, path, _with_toml(before or "", entry, path), entry, before)
    record = _record(client.style, start)
    entry = json.dumps({client.key: {NAME: record}}, indent=2, ensure_ascii=False) + "\n"
    return Change(client, path, _with_json(before, client.key, record, path, entry), entry, before)


def write(made: Change) -> str | None:
    """Writes it whole or not at all; returns where the copy of the old file is."""
    target = os.path.realpath(made.path)  # a link into a folder of dotfiles stays one
    copy = None
    try:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        if made.before is not None:
            copy = made.path + ".bak"
            shutil.copy2(target, copy)
        temporary = f"{target}.new"
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(made.text)
        if made.before is not None:
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise ScrubjayError(f"{made.path} could not be written.", f"{error.strerror}.", "Add it by hand.") from error
    return copy


def _unknown(name: str) -> UsageError:
    from difflib import get_close_matches

    names = [client.name for client in CLIENTS]
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    why = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(names)}."
    return UsageError(f"There is no client {name!r}.", why, "For any other: docs/mcp.md has the lines to paste.")


def _place(client: Client, environment: Callable[[str], str], project: str | None) -> str:
    if project is not None:
        if not client.project:
            raise UsageError(
                f"{client.title} has no configuration for a folder.", "", "Without --project it is for all of them."
            )
        return os.path.join(project, *client.project.split("/"))
    home = environment("HOME") or environment("USERPROFILE") or os.path.expanduser("~")
    folders = {
        "home": home,
        "config": environment("XDG_CONFIG_HOME") or os.path.join(home, ".config"),
        "appdata": environment("APPDATA") or os.path.join(home, "AppData", "Roaming"),
    }
    place = client.places.get(SYSTEMS.get(sys.platform, "linux")) or client.places[""]
    return os.path.normpath(place.format(**folders))


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ScrubjayError(f"{path} could not be read.", f"{error}.", "Mend it, or add the server by hand.") from error


# --- JSON ---


def _record(style: str, start: Sequence[str]) -> dict[str, Any]:
    if style == "opencode":
        return {"type": "local", "command": list(start), "enabled": True}
    typed = {"type": "stdio"} if style == "typed" else {}
    return {**typed, "command": start[0], "args": list(start[1:])}


def _with_json(before: str | None, key: str, record: dict[str, Any], path: str, entry: str) -> str:
    try:
        tree = json.loads(before) if before and before.strip() else {}
        servers = tree.setdefault(key, {})
        if servers.get(NAME) == record and before is not None:
            return before
        servers[NAME] = record
    except (ValueError, AttributeError, TypeError) as error:
        raise ScrubjayError(
            f"{path} was not changed.",
            f"It is no plain JSON object ({error}): perhaps it has comments, which would be lost.",
            f"Put this into it by hand:\n{entry}",
        ) from None
    return json.dumps(tree, indent=_indent(before or ""), ensure_ascii=False) + "\n"


def _indent(text: str) -> int | str:
    """The file's own indentation, so that a change is one that a person would make."""
    for line in text.splitlines()[1:]:
        margin = line[: len(line) - len(line.lstrip())]
        if margin:
            return "\t" if margin.startswith("\t") else len(margin)
    return 2


# --- TOML ---


def _toml(key: str, start: Sequence[str]) -> str:
    arguments = ", ".join(json.dumps(part, ensure_ascii=False) for part in start[1:])
    return f"[{key}.{NAME}]\ncommand = {json.dumps(start[0], ensure_ascii=False)}\nargs = [{arguments}]\n"


def _with_toml(before: str, entry: str, path: str) -> str:
    """Our table replaced where it stands, or added at the end; no other line is touched."""
    import tomllib

    header = entry.splitlines()[0]
    lines = before.splitlines(keepends=True)
    start = next((number for number, line in enumerate(lines) if line.strip() == header), None)
    if start is None:
        gap = "" if not before or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
        text = before + gap + entry
    else:
        end = next((n for n in range(start + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
        rest = lines[end:]
        text = "".join([*lines[:start], entry, *(["\n"] if rest else []), *rest])
    try:
        key, name = header.strip("[]").split(".")
        if tomllib.loads(text)[key][name] != tomllib.loads(entry)[key][name]:
            raise ValueError("the server is written there in another way")
    except (ValueError, KeyError, TypeError) as error:
        raise ScrubjayError(f"{path} was not changed.", f"{error}.", f"Put this into it by hand:\n{entry}") from None
    return text
