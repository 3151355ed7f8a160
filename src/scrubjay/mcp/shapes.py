"""The output schemas: what `structuredContent` of each tool looks like.

Only what is always there is required, so that a reply can stay small and more keys can be added
without breaking whoever reads them.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Schema = dict[str, Any]

_TEXT: Mapping[str, Any] = {"type": "string"}
_WHOLE: Mapping[str, Any] = {"type": "integer"}
_SHARE: Mapping[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_RANGE: Mapping[str, Any] = {"type": "array", "items": _WHOLE, "minItems": 2, "maxItems": 2}


def _object(required: str, **properties: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": required.split()}


def _many(item: Schema) -> Schema:
    return {"type": "array", "items": item}


_NOTICES = _many(_object("stage reason remedy", stage=_TEXT, reason=_TEXT, remedy=_TEXT))
_PLACE: Mapping[str, Any] = {"path": _TEXT, "lines": _RANGE, "page": _WHOLE, "trail": _TEXTS}
_PAGE: Mapping[str, Any] = {"more": _WHOLE, "next_cursor": _TEXT, "notices": _NOTICES}

_HIT = _object(
    "id document_id score similarity_score type tags snippet",
    id=_TEXT, document_id=_TEXT, score={"type": "number"}, similarity_score=_SHARE, title=_TEXT, type=_TEXT,
    tags=_TEXTS, created_at=_TEXT, snippet=_TEXT, sources=_TEXTS, marks=_TEXTS, **_PLACE,
)  # fmt: skip
_ENTRY = _object(
    "id created_at type tags title summary",
    id=_TEXT, created_at=_TEXT, type=_TEXT, tags=_TEXTS, title=_TEXT, summary=_TEXT,
)  # fmt: skip
_SAID = _object(
    "source relation target",
    source=_TEXT, relation=_TEXT, target=_TEXT, source_title=_TEXT, target_title=_TEXT,
)  # fmt: skip
_OBSERVATION = _object(
    "id document_id type tags lines text",
    id=_TEXT, document_id=_TEXT, title=_TEXT, type=_TEXT, tags=_TEXTS, created_at=_TEXT, modified_at=_TEXT,
    metadata={"type": "object"}, links=_many(_SAID), marks=_TEXTS, text=_TEXT, truncated={"type": "boolean"},
    next_lines=_TEXT, **_PLACE,
)  # fmt: skip

SEARCH = _object(
    "query returned results mode",
    query=_TEXT, returned=_WHOLE, results=_many(_HIT), mode=_TEXT,
    searched=_object("documents chunks complete", documents=_WHOLE, chunks=_WHOLE, complete={"type": "boolean"}),
    suggestions=_TEXTS, **_PAGE,
)  # fmt: skip
TIMELINE = _object("returned entries", returned=_WHOLE, entries=_many(_ENTRY), older={"type": "boolean"}, **_PAGE)
GET = _object(
    "returned observations missing", returned=_WHOLE, observations=_many(_OBSERVATION), missing=_TEXTS, **_PAGE
)
REMEMBER = _object(
    "id title type tags created_at",
    id=_TEXT, title=_TEXT, type=_TEXT, tags=_TEXTS, created_at=_TEXT, again={"type": "boolean"}, notices=_NOTICES,
)  # fmt: skip
MATCH = _object(
    "returned matches", returned=_WHOLE,
    matches=_many(
        _object("id phrases importance", id=_TEXT, title=_TEXT, path=_TEXT, phrases=_TEXTS, importance=_TEXT)
    ),
    notices=_NOTICES,
)  # fmt: skip
_RECORD: Mapping[str, Any] = {
    "record": _TEXT, "kind": _TEXT, "id": _TEXT, "by": _TEXT, "reason": _TEXT, "similarity": {"type": "number"},
    "undone": {"type": "boolean"},
}  # fmt: skip
RECORD = _object("record kind id", **_RECORD, notices=_NOTICES)
RECORDS = _object(
    "returned conflicts", returned=_WHOLE, conflicts=_many(_object("record kind id", **_RECORD)), notices=_NOTICES
)
LINK = _object(
    "source target relation strength",
    source=_TEXT, target=_TEXT, relation=_TEXT, strength=_SHARE, evidence=_TEXT, notices=_NOTICES,
)  # fmt: skip
STATUS = _object(
    "base documents passages by_type tags pending failed embedder sources",
    base=_TEXT, documents=_WHOLE, passages=_WHOLE,
    by_type={"type": "object", "additionalProperties": _WHOLE},
    tags={"type": "object", "additionalProperties": _WHOLE},
    pending=_WHOLE, failed=_WHOLE, embedder={"type": ["string", "null"]},
    sources=_many(_object("path last_read_at", path=_TEXT, last_read_at=_TEXT)),
    size_bytes=_WHOLE, notices=_NOTICES,
)  # fmt: skip
