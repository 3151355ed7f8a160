"""Where things live on this machine: the base, the user's config, the user's data.

Follows each system's custom (XDG on Linux, Library on macOS, AppData on Windows), because
people look there. Nothing here reads the environment; it is handed in.
"""

from __future__ import annotations

import os
import sys

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT_FOLDER = ".kb"
BASE_NAME = "kb.db"
CONFIG_NAME = "config.toml"


def _user_folder(environ: Mapping[str, str], xdg: str, fallback: tuple[str, ...], windows: str) -> str:
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(environ.get(windows) or home, "scrubjay")
    if environ.get(xdg):
        return os.path.join(environ[xdg], "scrubjay")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "scrubjay")
    return os.path.join(home, *fallback, "scrubjay")


def user_config_file(environ: Mapping[str, str]) -> str:
    return os.path.join(_user_folder(environ, "XDG_CONFIG_HOME", (".config",), "APPDATA"), CONFIG_NAME)


def user_data_folder(environ: Mapping[str, str]) -> str:
    return _user_folder(environ, "XDG_DATA_HOME", (".local", "share"), "LOCALAPPDATA")


def user_cache_folder(environ: Mapping[str, str]) -> str:
    return _user_folder(environ, "XDG_CACHE_HOME", (".cache",), "LOCALAPPDATA")


def project_folder(start: str) -> str | None:
    """The nearest `.kb` folder with a base or a config in it, upward from `start`."""
    here = os.path.abspath(start)
    while True:
        folder = os.path.join(here, PROJECT_FOLDER)
        if os.path.isfile(os.path.join(folder, BASE_NAME)) or os.path.isfile(os.path.join(folder, CONFIG_NAME)):
            return folder
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent


def default_base(environ: Mapping[str, str], start: str) -> str:
    """The base when none is named: the project's, else the user's one."""
    folder = project_folder(start)
    if folder is not None and os.path.isfile(os.path.join(folder, BASE_NAME)):
        return os.path.join(folder, BASE_NAME)
    return os.path.join(user_data_folder(environ), BASE_NAME)
