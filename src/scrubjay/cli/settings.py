"""`kb config`: shows every setting with where its value comes from, and changes one."""

from __future__ import annotations

import os

from scrubjay import config as configuration
from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json
from scrubjay.cli.parse import closest
from scrubjay.config import places
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.config import Config

_ACTIONS = {"list": 0, "get": 1, "set": 2}


def config(call: Call) -> int:
    action, *rest = call.words or ("list",)
    if action not in _ACTIONS:
        near = closest(action, _ACTIONS)
        meant = f"Did you mean `kb config {near}`?" if near else ""
        raise UsageError(f"kb config cannot {action!r}.", meant, "It is kb config list, get NAME or set NAME VALUE.")
    if len(rest) != _ACTIONS[action]:
        shape = {"list": "list", "get": "get NAME", "set": "set NAME VALUE"}[action]
        raise UsageError(f"kb config {action} was given {len(rest)} words.", f"It is written kb config {shape}")
    if action != "set" and call["project"]:
        raise UsageError("--project goes with kb config set.", "Reading looks at all places anyway.")
    loaded = configuration.load(base=call["base"])
    call.notices(loaded.notices)
    if action == "list":
        return _list(call, loaded)
    return _get(call, loaded, rest[0]) if action == "get" else _set(call, loaded, rest[0], rest[1])


def _list(call: Call, loaded: Config) -> int:
    rows = []
    for name, setting in configuration.BY_NAME.items():
        value, source = loaded.lookup(name)
        rows.append((setting, value, source))
    if call["json"]:
        print_json(call.out, {"settings": [
            {
                "name": setting.name,
                "value": value,
                "source": source,
                "default": setting.default,
                "help": setting.help,
                "environment": setting.environment_name,
            }
            for setting, value, source in rows
        ]})  # fmt: skip
        return 0
    shown = [
        (
            setting.name,
            _text(value),
            "" if source == "default" else source,
            setting.help + (f" ({', '.join(setting.choices)})" if setting.choices else ""),
        )
        for setting, value, source in rows
    ]
    print_columns(call.out, shown, ("place", "title", "tag", "faint"))
    return 0


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} = {part}" for name, part in value.items())
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _get(call: Call, loaded: Config, name: str) -> int:
    value, source = loaded.lookup(name)
    if call["json"]:
        print_json(call.out, {"name": name, "value": value, "source": source})
    else:
        call.out.line(_text(value))
    return 0


def _set(call: Call, loaded: Config, name: str, value: str) -> int:
    from scrubjay.config.files import write_setting

    converted = configuration.checked(name, value)
    path = loaded.user_file
    if call["project"]:
        if configuration.row_of(name).guarded:
            raise UsageError(
                f"{name} cannot be set for a project.",
                "It decides where text is sent or what is opened, and a cloned folder is not trusted with that.",
                f"Set it for yourself: kb config set {name} {value}",
            )
        path = os.path.join(_project_folder(call), places.CONFIG_NAME)
    write_setting(path, name, value)
    if call["json"]:
        print_json(call.out, {"name": name, "value": converted, "file": path})
    else:
        call.out.line(f"{name} = {_text(converted)} in {words.shorten_path(path)}")
    in_force, source = configuration.load(base=call["base"]).lookup(name)
    if in_force != converted:
        call.console.notice("config", f"{name} is still {_text(in_force)}: {source} wins over this file.")
    return 0


def _project_folder(call: Call) -> str:
    """The `.kb` folder of the base in use, made here when there is none above."""
    if call["base"]:
        folder: str = os.path.dirname(os.path.abspath(call["base"]))
        if os.path.basename(folder) == places.PROJECT_FOLDER:
            return folder
        raise UsageError("--project needs a base inside a .kb folder.", "Only there a config is looked for.")
    return places.project_folder(os.getcwd()) or os.path.join(os.getcwd(), places.PROJECT_FOLDER)
