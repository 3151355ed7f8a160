"""The settings in force: default < profile < user TOML < project TOML < environment < argument.

The only reader of the environment. A bad value in a file or in the environment never stops
the program: the default is used and a notice says so. A bad value in an argument is an error,
because somebody is there to read it.
"""

from __future__ import annotations

import os

from scrubjay.config import places
from scrubjay.config.settings import PROFILES, SETTINGS, Setting
from scrubjay.errors import UnknownSetting
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

BY_NAME = {setting.name: setting for setting in SETTINGS}
TABLES = tuple(setting.name for setting in SETTINGS if setting.entry is not None)
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


class Layer(NamedTuple):
    """One place that settings come from: its values, and its values for one profile only."""

    name: str
    values: Mapping[str, Any]
    profiles: Mapping[str, Mapping[str, Any]]


class Config:
    """Reads one setting through all layers; knows where each value came from."""

    def __init__(self, layers: list[Layer], notices: list[Notice], environ: Mapping[str, str], start: str) -> None:
        self._layers = layers  # strongest first
        self.notices = tuple(notices)
        self._environ = environ
        self._start = start

    def get(self, name: str, profile: str | None = None) -> Any:
        return self.lookup(name, profile)[0]

    def lookup(self, name: str, profile: str | None = None) -> tuple[Any, str]:
        """The value and the layer it came from."""
        if name not in BY_NAME or name in TABLES:
            return self._entry(name, profile)
        for layer in self._layers:
            if profile is not None and name in layer.profiles.get(profile, {}):
                return layer.profiles[profile][name], layer.name
            if name in layer.values:
                return layer.values[name], layer.name
        if profile is not None and name in PROFILES.get(profile, {}):
            return PROFILES[profile][name], "profile"
        return BY_NAME[name].default, "default"

    def table(self, name: str, profile: str | None = None) -> dict[str, Any]:
        """All entries of a table, those of stronger layers over those of weaker ones."""
        merged: dict[str, Any] = {}
        for layer in reversed(self._layers):
            merged.update(layer.values.get(name, {}))
            merged.update(layer.profiles.get(profile or "", {}).get(name, {}))
        return merged

    def _entry(self, name: str, profile: str | None) -> tuple[Any, str]:
        """A table, or one entry of it; None where nobody set that."""
        row = row_of(name)
        entry = name[len(row.name) + 1 :]
        for layer in self._layers:
            found = {**layer.values.get(row.name, {}), **layer.profiles.get(profile or "", {}).get(row.name, {})}
            if entry in found or (found and not entry):
                return (found[entry] if entry else self.table(name, profile)), layer.name
        return (None if entry else {}), "default"

    @property
    def profiles(self) -> tuple[str, ...]:
        """The shipped profiles and those that the user's files define."""
        own = [name for layer in self._layers for name in layer.profiles]
        return tuple(dict.fromkeys([*PROFILES, *own]))

    def base(self, asked: str | None = None) -> str:
        """The base to open: what was asked, the setting, the project's, the user's."""
        named = asked or self.get("base")
        return str(named) if named else places.default_base(self._environ, self._start)

    @property
    def user_file(self) -> str:
        return places.user_config_file(self._environ)

    @property
    def data_folder(self) -> str:
        return places.user_data_folder(self._environ)

    @property
    def models_folder(self) -> Path:
        """Where local models are: what can be fetched again belongs into the cache."""
        from pathlib import Path

        own = str(self.get("models.folder"))
        return Path(own).expanduser() if own else Path(places.user_cache_folder(self._environ)) / "models"

    def proxies(self) -> dict[str, str]:
        """The proxies that the environment names, as urllib knows them."""
        from urllib.request import getproxies

        return getproxies()

    def secret(self, environment_name: str) -> str | None:
        """A key from the environment, for the part that was told to use it; never logged."""
        return self._environ.get(environment_name) or None

    def environment(self, name: str) -> str:
        """A variable of the terminal or the system that is no setting (NO_COLOR, PAGER …)."""
        return self._environ.get(name, "")


def load(
    arguments: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    start: str | None = None,
    base: str | None = None,
) -> Config:
    """Read all layers. `start` is the folder from which the project is searched upward;
    a base inside a `.kb` folder brings that folder's config along."""
    environment = os.environ if environ is None else environ
    folder = start or os.getcwd()
    notices: list[Notice] = []
    layers = [_argument_layer(arguments or {}), _environment_layer(environment, notices)]
    project = os.path.dirname(os.path.abspath(base)) if base else places.project_folder(folder)
    if project is not None and os.path.basename(project) == places.PROJECT_FOLDER:
        layers.append(_file_layer(os.path.join(project, places.CONFIG_NAME), "project", notices))
    layers.append(_file_layer(places.user_config_file(environment), "user", notices))
    return Config(layers, notices, environment, folder)


def row_of(name: str) -> Setting:
    """The row of a setting, or of the table that an entry belongs to."""
    if name in BY_NAME:
        return BY_NAME[name]
    for table in TABLES:
        if name.startswith(table + ".") and len(name) > len(table) + 1:
            return BY_NAME[table]
    raise unknown_setting(name)


def unknown_setting(name: str) -> UnknownSetting:
    from difflib import get_close_matches

    near = get_close_matches(name, BY_NAME, n=1, cutoff=0.5)
    return UnknownSetting(
        f"There is no setting {name!r}.",
        f"Did you mean {near[0]!r}?" if near else "",
        "`kb config list` shows all settings.",
    )


def checked(name: str, value: Any) -> Any:
    """The value in its setting's type, or UnknownSetting saying what it may be."""
    setting = row_of(name)
    if setting.entry is not None:
        if name == setting.name:
            from scrubjay.config.tables import entries

            return {entry: checked(f"{name}.{entry}", part) for entry, part in entries(name, value)}
        setting = setting._replace(default=setting.entry, choices=())
    try:
        converted = _converted(setting, value)
    except (TypeError, ValueError):
        converted = None
    if converted is None or (setting.least is not None and converted < setting.least):
        raise UnknownSetting(
            f"{name} cannot be {value!r}.",
            f"It takes {_expected(setting)}.",
            "" if setting.entry is not None else f"Its default is {setting.default!r}.",
        )
    return converted


def _converted(setting: Setting, value: Any) -> Any:
    if isinstance(setting.default, bool):
        word = str(value).strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None
    if isinstance(value, bool) and not isinstance(setting.default, str):
        return None  # Python would take it for 1 or 0
    if isinstance(setting.default, int):
        number = int(value)
        return number if not isinstance(value, float) or number == value else None
    if isinstance(setting.default, float):
        real = float(value)
        return real if real == real and abs(real) != float("inf") else None
    text = "; ".join(map(str, value)) if setting.entry is not None and isinstance(value, list | tuple) else str(value)
    return text if not setting.choices or text in setting.choices or setting.name == "search.profile" else None


def _expected(setting: Setting) -> str:
    if setting.choices:
        return "one of " + ", ".join(setting.choices)
    if isinstance(setting.default, bool):
        return "true or false"
    least = "" if setting.least is None else f" of at least {setting.least:g}"
    return {int: "a whole number", float: "a number"}.get(type(setting.default), "a text") + least


def _argument_layer(arguments: Mapping[str, Any]) -> Layer:
    values: dict[str, Any] = {}
    for name, value in arguments.items():
        put(values, name, checked(name, value))
    return Layer("argument", values, {})


def put(values: dict[str, Any], name: str, value: Any) -> None:
    """Keeps a checked value; an entry goes into its table."""
    table = row_of(name).name
    if table != name:
        values.setdefault(table, {})[name[len(table) + 1 :]] = value
    elif isinstance(value, dict):
        values.setdefault(name, {}).update(value)
    else:
        values[name] = value


def _environment_layer(environ: Mapping[str, str], notices: list[Notice]) -> Layer:
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        name = setting.environment_name
        if environ.get(name, "") == "":
            continue
        try:
            values[setting.name] = checked(setting.name, environ[name])
        except UnknownSetting as error:
            notices.append(Notice("config", f"{name}: {error.what} {error.why} The default is used.", error.cure))
    return Layer("environment", values, {})


def _file_layer(path: str, name: str, notices: list[Notice]) -> Layer:
    if not os.path.isfile(path):
        return Layer(name, {}, {})
    from scrubjay.config.files import read_layer  # tomllib costs as much as all of Python's start

    values, profiles, told = read_layer(path, trusted=name == "user")
    notices.extend(told)
    return Layer(name, values, profiles)
