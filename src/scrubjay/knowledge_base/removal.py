"""What `kb remove` means: an id is one document, a path is everything under it."""

from __future__ import annotations

import os
import re

from scrubjay.errors import UnknownId, UsageError
from scrubjay.types import EVERYTHING
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.ports import Store


def remove(store: Store, target: str) -> int:
    """How many documents went.

    An update must not bring them back: the source is forgotten, or leaves them out from now on.
    Adding the source again takes everything in it again.
    """
    if not target.strip():
        raise UsageError("An id or a path is empty.", "It would mean the current folder.", "Write . for that.")
    document = store.document(target)
    if document is not None:
        if document.path is not None:
            _exclude(store, document.path)
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
        if inside:
            _exclude(store, path)
        removed = store.remove([document.id for document in inside])
    if not removed and not forgotten:
        near = store.known_ids(target[:5]) if target[:2] == "d_" else []
        raise UnknownId(
            f"There is no document {target!r}.", "It is neither an id nor a path of the base.",
            f"Did you mean {near[0]}?" if near else "`kb list` shows ids and paths.",
        )  # fmt: skip
    return removed


def _exclude(store: Store, path: str) -> None:
    """Files that are still there are left out of the folders that they were read with."""
    if not os.path.lexists(path):
        return
    for source in store.sources():
        root = source.path.rstrip("/") + "/"
        pattern = "/" + re.sub(r"([\\*?\[ ])", r"\\\1", path[len(root) :])
        if path.startswith(root) and pattern not in source.exclude:
            store.put_source(source.path, source.tags, (*source.exclude, pattern), source.kind)


def _owner(store: Store, chunk_id: str) -> str:
    chunk = store.chunk_by_id(chunk_id)
    return chunk.document_id if chunk is not None else chunk_id
