"""Writes a base out as JSON lines: one record a line, documented in docs/export.md."""

from __future__ import annotations

import os

from scrubjay.errors import BaseReadOnly, UsageError
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.carrying import Exported

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from scrubjay.ports import Store


def export(store: Store, target: Any, *, vectors: bool, history: bool, force: bool) -> Exported:
    """Into a file, which appears when it is complete, or to anything with a `write` for texts."""
    if hasattr(target, "write"):
        return _written(store, target.write, "", vectors, history)
    path = os.path.abspath(os.path.expanduser(os.fspath(target)))
    if os.path.isdir(path):
        raise UsageError(
            f"{path} is a folder.", "An export is one file.", f"kb export {os.path.join(path, 'kb.jsonl')}"
        )
    if os.path.lexists(path) and not force:
        raise UsageError(f"{path} is there already.", "Nothing was written.", "Name another file, or say --force.")
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            done = _written(store, file.write, path, vectors, history)
        os.replace(draft, path)
    except OSError as error:
        raise BaseReadOnly(f"{path} cannot be written.", str(error.strerror), "Name another place.") from error
    finally:
        if os.path.exists(draft):
            os.unlink(draft)
    return done


def _written(store: Store, write: Callable[[str], Any], path: str, vectors: bool, history: bool) -> Exported:
    import json

    counts = dict.fromkeys(("document", "chunk", "edge", "source", "row", "vectors"), 0)
    for kind, record in store.archive.records(vectors=vectors, history=history):
        write(json.dumps({kind: record}, ensure_ascii=False, separators=(",", ":")) + "\n")
        if kind == "document":
            counts["chunk"] += len(record["chunks"])
        if kind in counts:
            counts[kind] += len(record["chunks"]) if kind == "vectors" else 1
    return Exported(
        path, counts["document"], counts["chunk"], counts["edge"], counts["source"], counts["row"], counts["vectors"]
    )
