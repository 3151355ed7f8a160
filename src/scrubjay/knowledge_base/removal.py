"""What `kb remove` means: an id is one document, a path is everything under it."""

from __future__ import annotations

import os

from scrubjay.errors import UnknownId, UsageError
from scrubjay.types import EVERYTHING
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.ports import Store


def remove(store: Store, target: str) -> int:
    """How many documents went. The source is forgotten too, or an update would bring them back."""
    if not target.strip():
        raise UsageError("An id or a path is empty.", "It would mean the current folder.", "Write . for that.")
    if store.document(target) is not None:
        return store.remove([target])
    if store.chunk_by_id(target) is not None:
        raise UsageError(
            f"{target} is a chunk.", "A chunk is a part of a document and cannot go alone.",
            f"Remove its document: kb remove {_owner(store, target)}",
        )  # fmt: skip
    path = os.path.abspath(os.path.expanduser(target)).replace(os.sep, "/")
    with store.writing():
        inside = store.documents(EVERYTHING._replace(path=path))
        forgotten = store.remove_source(path)
        removed = store.remove([document.id for document in inside])
    if not removed and not forgotten:
        near = store.known_ids(target[:5]) if target[:2] == "d_" else []
        raise UnknownId(
            f"There is no document {target!r}.", "It is neither an id nor a path of the base.",
            f"Did you mean {near[0]}?" if near else "`kb list` shows ids and paths.",
        )  # fmt: skip
    return removed


def _owner(store: Store, chunk_id: str) -> str:
    chunk = store.chunk_by_id(chunk_id)
    return chunk.document_id if chunk is not None else chunk_id
