"""Reads a judged collection's documents, to be kept as notes under the ids that the judgements use."""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.evaluate.judgements import json_rows
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import Any

_CURE = 'A line is {"_id": "d1", "title": "…", "text": "…"}; the file may be packed with gzip.'


def read_corpus(path: str | PathLike[str]) -> Iterator[dict[str, Any]]:
    """One note a line: its id, its title if it has one, and its text (or its title again)."""
    from os import fspath

    for number, row in json_rows(path):
        identity = next((row[key] for key in ("_id", "id", "doc_id", "docid") if row.get(key) is not None), None)
        title, text = str(row.get("title") or ""), str(row.get("text") or row.get("contents") or "")
        if identity is None or not (title.strip() or text.strip()):
            missing = "id" if identity is None else "text"
            raise UsageError(f"Line {number} of {fspath(path)} is not a document.", f"It has no {missing}.", _CURE)
        yield {"id": str(identity), "title": title, "text": text if text.strip() else title}
