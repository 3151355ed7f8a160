"""The tools that write, and the one that tells how the base is: remember, link_memories, memory_status."""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.mcp.answers import Answer, counted, with_notices
from scrubjay.memory.kinds import MEMORY_KINDS
from scrubjay.types import KINDS
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.knowledge_base import KnowledgeBase

_TAGS_SHOWN = 30
_MORE = ("importance", "triggers", "project", "supersedes", "session", "source", "links")
_MEMORY_TYPES = {row.name for row in MEMORY_KINDS}


def remember(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    if not asked["text"].strip():
        raise UsageError("text of remember is empty.", "A memory is its text.", "Write what is to be remembered.")
    kind = (asked["type"] or "note").strip().lower()
    tags = asked["tags"] or ()
    memory_type = kind.replace("_", "-") if kind.replace("_", "-") in _MEMORY_TYPES else None
    if memory_type:
        kind = "note"
    if kind not in KINDS:  # "decision", "fact": a model's own types are tags here
        tags, kind = (*tags, kind), "note"
    more = {name: asked[name] for name in _MORE if asked[name]}
    done = kb.remember(
        asked["text"],
        title=asked["title"],
        tags=tags,
        kind=kind,
        created_at=asked["created_at"],
        id=asked["id"],
        metadata=asked["metadata"],
        memory_type=memory_type,
        **more,
    )
    kept = kb.store.documents_by_id([done.id])[done.id]
    data: dict[str, Any] = {
        "id": done.id,
        "title": kept.title,
        "type": kept.kind,
        "tags": list(kept.tags),
        "created_at": kept.created_at,
    }
    shown = "".join(f" #{tag}" for tag in kept.tags)
    if done.again:
        data["again"] = True
        text = f"Known already, word for word, as {done.id}: {kept.title}{shown}. It is firmer now."
    else:
        text = f"Remembered as {done.id}: {kept.title}{shown}. It can be found from now on."
    return with_notices(Answer(text, data), done.notices)


def link_memories(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    link = kb.link(
        asked["source"].strip(),
        asked["target"].strip(),
        asked["relation"],
        strength=asked["strength"],
        evidence=asked["evidence"] or "",
    )
    data = {
        "source": link.source,
        "target": link.target,
        "relation": link.relation,
        "strength": link.strength,
        "evidence": link.evidence,
    }
    because = f" Evidence: {link.evidence}" if link.evidence else ""
    relation = link.relation.replace("_", " ")
    return Answer(f"Linked: {link.source} {relation} {link.target} (strength {link.strength:g}).{because}", data)


def memory_status(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:  # noqa: ARG001 - every tool has this shape
    state = kb.status()
    tags = dict(list(kb.tags().items())[:_TAGS_SHOWN])
    embedder = state["embedder"]
    data: dict[str, Any] = {
        "base": str(state["base"]),
        "documents": state["documents"],
        "passages": state["chunks"],
        "by_type": dict(state["by_kind"]),
        "tags": tags,
        "pending": state["pending"],
        "failed": state["failed"],
        "embedder": None if embedder is None else str(embedder["name"]),
        "sources": [{"path": one["path"], "last_read_at": one["last_read_at"] or ""} for one in state["sources"]],
        "size_bytes": state["size_bytes"],
    }
    lines = [
        f"Base {data['base']}: {described(data)}.",
        f"Search is by words and meaning ({data['embedder']})." if embedder else "Search is by words only.",
        *waiting(data),
        f"Tags: {', '.join(f'{tag} ({count})' for tag, count in tags.items())}." if tags else "There are no tags yet.",
    ]
    lines += [f"Added: {one['path']} (last read {one['last_read_at'] or 'never'})." for one in data["sources"]]
    found = [f"{alert.due} of {alert.name!r}" for alert in kb.alerts() if alert.due]
    lines += [f"Saved searches found something new: {', '.join(found)}. `kb alert check` shows it."] if found else []
    lines += [f"Note (config): {notice.reason} {notice.remedy}".rstrip() for notice in kb.config.notices]
    return Answer("\n".join(lines), data)


def described(data: Mapping[str, Any]) -> str:
    """How much there is, in a few words."""
    if not data["documents"]:
        return "empty; nothing has been added or remembered yet"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in data["by_type"].items())
    return f"{counted(data['documents'], 'document')} ({kinds}) in {counted(data['passages'], 'passage')}"


def waiting(data: Mapping[str, Any]) -> list[str]:
    """What a search by meaning cannot see yet."""
    lines = []
    if data["pending"] and data["embedder"]:
        told = counted(data["pending"], "passage")
        lines.append(f"{told} without a vector yet: until `kb update` only words find them.")
    if data["failed"]:
        lines.append(f"{counted(data['failed'], 'passage')} could not be embedded: `kb doctor` says why.")
    return lines
