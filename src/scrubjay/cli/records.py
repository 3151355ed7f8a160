"""The nouns as plain values for programs: the one place that decides the keys of every --json."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.types import Document, Entry, Hit, Passage, SearchResult

    Record = dict[str, Any]

SOURCES = ("keyword", "vector", "graph")


def plain(value: Any) -> Any:
    """Named tuples as objects, all the way down."""
    if hasattr(value, "_asdict"):
        return {key: plain(part) for key, part in value._asdict().items()}
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    return value


def result_record(result: SearchResult, explain: bool) -> Record:
    record: Record = {
        "query": result.query,
        "profile": result.profile,
        "mode": result.mode,
        "returned": len(result.hits),
        "results": [hit_record(hit, explain) for hit in result.hits],
        "confidence": plain(result.confidence),
        "notices": plain(result.notices),
        "took_ms": round(result.took_ms, 3),
    }
    if result.as_of:
        record["as_of"] = result.as_of
    if explain:
        record["plan"] = {**plain(result.plan), "tier": result.tier, "timings": plain(result.timings)}
    return record


def hit_record(hit: Hit, explain: bool = False) -> Record:
    record: Record = {
        "rank": hit.rank,
        "id": hit.id,
        "document_id": hit.document_id,
        "score": hit.score,
        "normalized": hit.normalized,
        "path": hit.path,
        "title": hit.title,
        "type": hit.kind,
        "tags": list(hit.tags),
        "lines": list(hit.lines),
        "page": hit.page,
        "trail": list(hit.trail),
        "created_at": hit.created_at,
        "snippet": hit.snippet,
        "highlights": [list(mark) for mark in hit.highlights],
        "sources": list(hit.sources),
        "ranks": {**dict.fromkeys(SOURCES), **dict(hit.ranks)},
        "similarity": hit.similarity,
        "folded": list(hit.folded),
        "marks": list(hit.marks),
    }
    if explain:
        record["explain"] = [
            *({"step": "vote", **plain(vote)} for vote in hit.votes),
            *({"step": "factor", **plain(factor)} for factor in hit.factors),
            *([] if hit.reread is None else [{"step": "rerank", **plain(hit.reread)}]),
        ]
    return record


def entry_record(entry: Entry) -> Record:
    return {
        "id": entry.id,
        "created_at": entry.created_at,
        "type": entry.kind,
        "tags": list(entry.tags),
        "title": entry.title,
        "summary": entry.summary,
    }


def document_record(document: Document) -> Record:
    record: Record = plain(document)
    return typed(record)


def passage_record(passage: Passage) -> Record:
    record: Record = plain(passage)
    return typed(record)


def typed(record: Record) -> Record:
    """`kind` is called `type` wherever people and programs see it; it stays in its place."""
    return {("type" if key == "kind" else key): value for key, value in record.items()}
