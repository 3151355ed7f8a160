"""The TOML files: reading them with forgiveness, and writing one setting without losing the rest.

A file is a person's own text: comments, order and unknown keys stay when `kb config set`
changes a line. What a project's file may not decide is left out with a notice.
"""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

from scrubjay import config as settings
from scrubjay.errors import ScrubjayError, UnknownSetting
from scrubjay.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

Values = dict[str, Any]


def read_layer(path: str, *, trusted: bool) -> tuple[Values, dict[str, Values], list[Notice]]:
    """The checked values of a file, those per profile, and what was wrong with the rest."""
    try:
        with open(path, "rb") as file:
            tree = tomllib.load(file)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, {}, [Notice("config", f"{path} could not be read: {error}.", "Mend or remove that file.")]
    notices: list[Notice] = []
    own = tree.pop("profiles", {})
    values = _checked(path, tree, trusted, notices)
    profiles: dict[str, Values] = {}
    if isinstance(own, dict):
        for name, branch in own.items():
            profiles[name] = _checked(path, branch, trusted, notices) if isinstance(branch, dict) else {}
    return values, profiles, notices


def _checked(path: str, tree: Values, trusted: bool, notices: list[Notice]) -> Values:
    values: Values = {}
    for name, value in _flat(tree, ""):
        if name in settings.BY_NAME and settings.BY_NAME[name].guarded and not trusted:
            notices.append(
                Notice(
                    "config",
                    f"{path} may not set {name}: a project's file is not trusted with it.",
                    f"Set it for yourself: kb config set {name} …",
                )
            )
            continue
        try:
            settings.put(values, name, settings.checked(name, value))
        except UnknownSetting as error:
            notices.append(Notice("config", f"{path}: {error.what} {error.why}".strip(), error.cure))
    return values


def _flat(tree: Values, prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def write_setting(path: str, name: str, value: str) -> Any:
    """Set one value in the file, keeping every other line as it is. Returns what was set."""
    converted = settings.checked(name, value)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    changed = _with_setting(text, name, _literal(converted))
    try:
        tree = dict(_flat(tomllib.loads(changed), ""))
    except tomllib.TOMLDecodeError as error:
        raise ScrubjayError(f"{path} was not changed.", f"It is not valid TOML: {error}.", "Mend it by hand.") from None
    if tree.get(name) != converted:
        raise ScrubjayError(f"{path} was not changed.", f"{name} is set there in an unusual way.", "Edit it by hand.")
    temporary = f"{path}.new"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(changed)
    os.replace(temporary, path)
    return converted


def _with_setting(text: str, name: str, literal: str) -> str:
    section, _, key = name.rpartition(".")
    lines = text.removesuffix("\n").split("\n") if text else []  # a value may hold other breaks
    current, last_of_section = "", None
    for number, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith("[") and bare.rstrip().endswith("]"):
            current = bare.strip("[] ")
        written = bare.split("=", 1)[0].strip() if "=" in bare else ""
        full = f"{current}.{written}" if current else written
        if written and full == name:
            lines[number] = f"{written} = {literal}"
            return "\n".join(lines) + "\n"
        if current == section and bare:
            last_of_section = number
    if section and last_of_section is not None:
        lines.insert(last_of_section + 1, f"{key} = {literal}")
    elif section:
        lines += [*([""] if lines else []), f"[{section}]", f"{key} = {literal}"]
    else:
        lines.insert(0, f"{key} = {literal}")
    return "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    from json import dumps

    return dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")  # what TOML escapes and JSON does not
