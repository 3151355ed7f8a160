"""Settings with entries of one's own: how they are written in TOML, in Python and in the environment.

    [acronyms]
    RRF = "reciprocal rank fusion"
    CD = ["continuous delivery", "continuous deployment"]

    KB_ACRONYMS="RRF=reciprocal rank fusion, CD=continuous delivery; continuous deployment"
"""

from __future__ import annotations

from scrubjay.errors import UnknownSetting
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


def entries(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every entry with its own name: `fix_bug.code` for one in a table inside the table."""
    if isinstance(value, str):
        for part in filter(None, map(str.strip, value.split(","))):
            entry, sign, text = part.partition("=")
            if not sign or not entry.strip():
                raise _unreadable(name, part)
            yield entry.strip(), text.strip()
    elif hasattr(value, "items"):
        yield from _flat(value, "")
    else:
        raise _unreadable(name, value)


def _flat(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if hasattr(value, "items"):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _unreadable(name: str, value: Any) -> UnknownSetting:
    return UnknownSetting(f"{name} cannot be {value!r}.", "It takes entries, each a name and a value.", f"{name}.NAME")
