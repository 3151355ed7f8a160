"""The tools that recall and correct: match_memories, correct_memory, memory_conflicts."""

from __future__ import annotations

from scrubjay.mcp.answers import Answer
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.types import Record


def match_memories(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    found = kb.match(asked["text"], asked["limit"])
    matches = [
        {"id": one.id, "title": one.title, "phrases": list(one.phrases), "importance": one.tier}
        | ({} if one.path is None else {"path": one.path})
        for one in found
    ]
    lines = [f"{one.id} · {one.title} · {one.tier} · said: {', '.join(one.phrases)}" for one in found]
    text = "\n".join(lines) or "No memory has a trigger phrase that is said there. This answer is complete."
    return Answer(text, {"returned": len(matches), "matches": matches})


def correct_memory(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    identity, kind = asked["id"].strip(), asked["kind"]
    if kind == "undo":
        record = kb.undo(identity)
        return Answer(f"Undone: {_sentence(record)}", _record(record))
    record = kb.correct(identity, kind, by=(asked["by"] or "").strip() or None, reason=asked["reason"] or "")
    return Answer(
        f"Recorded as {record.id}: {_sentence(record)} kind undo with this id takes it back.", _record(record)
    )


def memory_conflicts(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    records = kb.conflicts()
    shown = records[: asked["limit"]]
    lines = [f"{record.id}: {_sentence(record)} {record.reason}".rstrip() for record in shown]
    if len(records) > len(shown):
        lines.append(f"And {len(records) - len(shown):,} more.")
    text = "\n".join(lines) or "No conflicts are waiting. This answer is complete."
    return Answer(text, {"returned": len(shown), "conflicts": [_record(record) for record in shown]})


def _record(record: Record) -> dict[str, Any]:
    made: dict[str, Any] = {
        "record": record.id, "kind": record.kind, "id": record.document, "by": record.other, "reason": record.reason,
        "similarity": record.similarity, "undone": record.undone_at is not None or None,
    }  # fmt: skip
    return {key: value for key, value in made.items() if value not in (None, "")}


def _sentence(record: Record) -> str:
    one, other = _named(record.document, record.document_title), _named(record.other or "", record.other_title)
    return {
        "superseded": f"{one} is superseded by {other}.",
        "deprecated": f"{one} is deprecated.",
        "refined": f"{one} is refined by {other}.",
        "merged": f"{one} is merged into {other}.",
        "reinforced": f"{one} was said again." if record.other is None else f"{other} says the same as {one}.",
        "similar": f"{other} says nearly the same as {one}.",
        "linked": f"{other} is about something near {one}.",
        "conflict": f"{other} may contradict {one}.",
    }[record.kind]


def _named(identity: str, title: str) -> str:
    return f"{identity} ({title})" if title else identity
