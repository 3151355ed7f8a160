"""The table of verbs: a new verb is a row in its family's file here, and a function it names.

Help, parser, suggestions and docs/cli.md are made from these rows. A run needs one verb, so
only that verb's family is imported; the whole table is read by whoever shows or suggests.
"""

from __future__ import annotations

from scrubjay.cli.options import Verb
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    VERBS: tuple[Verb, ...]

# In the order a person meets them: the file, and the verbs it has.
FAMILIES = {
    "find": ("search", "get", "timeline", "list", "tags"),
    "keep": ("init", "add", "update", "note", "tag", "remove"),
    "memory": ("match", "correct", "conflicts", "undo"),
    "link": ("link", "unlink", "links", "related", "learned", "unlearn"),
    "care": ("status", "doctor", "models", "reindex", "config"),
    "carry": ("backup", "restore", "export", "import", "history", "vacuum"),
    "follow": ("alert", "watch"),
    "judge": ("explain", "eval", "tune"),
    "connect": ("mcp",),
}


def find_verb(name: str) -> Verb | None:
    """The row of that name."""
    for family, names in FAMILIES.items():
        if name in names:
            return next(verb for verb in _rows(family) if verb.name == name)
    return None


def _rows(family: str) -> tuple[Verb, ...]:
    rows: tuple[Verb, ...] = __import__(f"scrubjay.cli.verbs.{family}", fromlist=["VERBS"]).VERBS
    return rows


def __getattr__(name: str) -> Any:
    if name != "VERBS":
        raise AttributeError(f"module 'scrubjay.cli.verbs' has no attribute {name!r}")
    return tuple(verb for family in FAMILIES for verb in _rows(family))
