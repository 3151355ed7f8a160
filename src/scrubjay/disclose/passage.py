"""The last level of disclosure: whole documents or chunks, as they were stored.

Three statements however many are asked for: the chunks, the documents, the documents' texts.
"""

from __future__ import annotations

import os
from itertools import groupby

from scrubjay.errors import UsageError
from scrubjay.types import Filter, Found, Passage
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.ports import Store
    from scrubjay.types import Chunk, Document

    Lines = tuple[int, int]


def passages(store: Store, ids: Sequence[str], lines: Lines | None = None, context: int = 0) -> Found:
    """In the order asked; what nobody knows is listed, not dropped."""
    if not ids:
        raise UsageError("No id was given.", "There is nothing to get.", "`kb search` and `kb list` show ids.")
    chunks = store.chunks_by_id(ids)
    owners = [chunks[identity].document_id if identity in chunks else identity for identity in ids]
    documents = store.documents_by_id(owners)
    for identity in ids:
        if identity not in chunks and identity not in documents:
            at_path = _at_path(store, identity)
            if at_path is not None:
                documents[identity] = at_path
    whole = [
        document.id for identity, document in documents.items() if lines is not None or context > 0 or identity in ids
    ]
    texts = {owner: list(parts) for owner, parts in groupby(store.chunks(whole), lambda chunk: chunk.document_id)}
    found: list[Passage] = []
    for identity, owner in zip(ids, owners, strict=True):
        chunk, document = chunks.get(identity), documents.get(owner)
        if document is None:
            continue
        around = texts.get(document.id, [])
        found.append(
            _of_chunk(chunk, document, around, context)
            if chunk is not None and lines is None
            else _of_document(document, around, lines)
        )
    missing = [identity for identity, owner in zip(ids, owners, strict=True) if owner not in documents]
    return Found(tuple(found), tuple(missing))


def _at_path(store: Store, identity: str) -> Document | None:
    """A path is accepted where an id is asked, because people have paths at hand."""
    if os.sep not in identity and "/" not in identity and "." not in identity:
        return None
    path = os.path.abspath(os.path.expanduser(identity)).replace(os.sep, "/")
    known = store.documents(Filter(path=path), 1)
    return known[0] if known and known[0].path == path else None


def _of_document(document: Document, chunks: Sequence[Chunk], lines: Lines | None) -> Passage:
    text = "".join(chunk.text for chunk in chunks)
    last = max(text.count("\n") + (0 if text.endswith("\n") else 1), 1)
    shown = (1, last)
    if lines is not None:
        first, end = max(lines[0], 1), min(lines[1], last)
        text = "".join(text.splitlines(keepends=True)[first - 1 : end])
        shown = (first, max(end, first))
    return Passage(
        document.id, document.id, document.path, document.title, document.kind, document.tags, document.created_at,
        document.modified_at, shown, text, metadata=document.metadata,
    )  # fmt: skip


def _of_chunk(chunk: Chunk, document: Document, around: Sequence[Chunk], context: int) -> Passage:
    before = after = ""
    if context > 0:
        earlier = "".join(other.text for other in around if other.ordinal < chunk.ordinal)
        later = "".join(other.text for other in around if other.ordinal > chunk.ordinal)
        before = "".join(earlier.splitlines(keepends=True)[-context:])
        after = "".join(later.splitlines(keepends=True)[:context])
    return Passage(
        chunk.id, chunk.document_id, chunk.path, chunk.title, chunk.kind, chunk.tags, chunk.created_at,
        document.modified_at, chunk.lines, chunk.text, chunk.page, chunk.trail, before, after, document.metadata,
    )  # fmt: skip
