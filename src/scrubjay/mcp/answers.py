"""What a tool answers: text for whoever reads, an object for programs, both of the same facts.

Everything optional that is empty is left out of the object, because an agent pays for every
key it reads.
"""

from __future__ import annotations

from functools import cache

from scrubjay.disclose.budget import tokens
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from scrubjay.errors import ScrubjayError
    from scrubjay.types import Edge, Entry, Hit, Notice, Passage

    Record = dict[str, Any]


class Answer(NamedTuple):
    """A reply; `failed` says that the text is an error."""

    text: str
    data: Record
    failed: bool = False


def failure(error: ScrubjayError) -> Answer:
    """What happened, why and the cure, for a model to act on."""
    return Answer(f"Error: {error}", {}, failed=True)


def with_notices(answer: Answer, notices: Sequence[Notice]) -> Answer:
    """The answer with what did not go as asked, in both of its forms."""
    if not notices:
        return answer
    told = [notice_record(notice) for notice in notices]
    lines = [f"Note ({one.stage}): {one.reason} {one.remedy}".rstrip() for one in notices]
    return answer._replace(
        text="\n".join([answer.text, "", *lines]),
        data={**answer.data, "notices": [*answer.data.get("notices", ()), *told]},
    )


def notice_record(notice: Notice) -> Record:
    return {"stage": notice.stage, "reason": notice.reason, "remedy": notice.remedy}


def cost(record: Mapping[str, Any]) -> int:
    """What a record costs to read as an object, which is never less than as text."""
    return tokens(_compact(record))


def text_cost(text: str) -> int:
    """What a text costs within an object: every line break and quote is two characters there."""
    return tokens(_compact(text))


def _compact(value: Any) -> str:
    return _encode()(value)


@cache
def _encode() -> Callable[[Any], str]:
    """Made once: json.dumps would make an encoder for every value."""
    import json

    return json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def counted(number: int, noun: str) -> str:
    """1 document, 2 documents."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


# --- the three levels of disclosure as objects ---


def entry_record(entry: Entry) -> Record:
    return _filled(
        {
            "id": entry.id,
            "created_at": entry.created_at,
            "type": entry.kind,
            "tags": list(entry.tags),
            "title": entry.title,
            "summary": entry.summary,
        },
        ("id", "created_at", "type", "tags", "title", "summary"),
    )


def hit_record(hit: Hit) -> Record:
    """A note is one memory and is named by its own id; a file's hit is one passage of it."""
    is_note = hit.path is None
    similarity = hit.normalized if hit.similarity is None else hit.similarity
    record: Record = {
        "id": hit.document_id if is_note else hit.id,
        "document_id": hit.document_id,
        "score": round(hit.score, 6),
        "similarity_score": round(similarity, 4),
        "title": hit.title,
        "type": hit.kind,
        "tags": list(hit.tags),
        "created_at": hit.created_at,
        "snippet": hit.snippet,
        "sources": list(hit.sources),
        "path": hit.path,
        "lines": None if is_note else list(hit.lines),
        "page": hit.page,
        "trail": list(hit.trail),
        "marks": list(hit.marks),
    }
    return _filled(record, ("id", "score", "similarity_score", "tags", "snippet"))


def passage_record(passage: Passage) -> Record:
    record: Record = {
        "id": passage.id,
        "document_id": passage.document_id,
        "title": passage.title,
        "type": passage.kind,
        "tags": list(passage.tags),
        "created_at": passage.created_at,
        "modified_at": passage.modified_at if passage.modified_at != passage.created_at else None,
        "path": passage.path,
        "lines": list(passage.lines),
        "page": passage.page,
        "trail": list(passage.trail),
        "marks": list(passage.marks),
        "metadata": dict(passage.metadata),
        "text": passage.text,
    }
    return _filled(record, ("id", "type", "tags", "lines", "text"))


def link_record(edge: Edge) -> Record:
    """Read as a sentence: source relation target."""
    return {
        "source": edge.source,
        "relation": edge.relation,
        "target": edge.target,
        "source_title": edge.source_title,
        "target_title": edge.target_title,
    }


def _filled(record: Record, always: Sequence[str]) -> Record:
    return {key: value for key, value in record.items() if key in always or value not in (None, "", [], {})}


# --- and as lines ---


def entry_line(record: Record) -> str:
    moment = record["created_at"][:16].replace("T", " ").removesuffix(" 00:00")
    about = record["summary"] if record["summary"].startswith(record["title"].rstrip("…")) else _about(record)
    return f"{moment}  {record['id']}  {about}{_tags(record)}"


def _about(record: Record) -> str:
    return " — ".join(part for part in (record["title"], record["summary"]) if part)


def hit_lines(number: int, record: Record) -> str:
    day = record.get("created_at", "")[:10]
    facts = [f"{number}. {record['id']}", _title(record, record["snippet"]), _place(record), day, *_marks(record)]
    numbers = f"score {record['score']:.4f}, similarity {record['similarity_score']:.2f}"
    return " · ".join(fact for fact in (*facts, numbers) if fact) + f"{_tags(record)}\n   {record['snippet']}"


def passage_lines(record: Record) -> str:
    facts = [record["id"], _title(record, record["text"]), _place(record), record.get("created_at", "")]
    facts += _marks(record)
    head = " · ".join(fact for fact in facts if fact) + _tags(record)
    return "\n".join([f"=== {head}", *(_link_line(record, link) for link in record.get("links", ())), record["text"]])


def _marks(record: Record) -> list[str]:
    """That it is not the last word: superseded by another, deprecated, in conflict."""
    return list(record.get("marks", ()))


def _link_line(record: Record, link: Record) -> str:
    """(this supersedes d_1: Store), or (d_2: Store, again supersedes this)."""
    outward = link["source"] in (record["id"], record["document_id"])
    relation = link["relation"].replace("_", " ")
    if outward:
        return f"({record['document_id']} {relation} {link['target']}: {link['target_title']})"
    return f"({link['source']}: {link['source_title']} — {relation} {record['document_id']})"


def _title(record: Record, text: str) -> str:
    """None for what begins with it: a note without a title has the beginning of its text as one."""
    title: str = record.get("title", "")
    return "" if text.startswith(title.rstrip("…")) else title


def _place(record: Record) -> str:
    if "path" not in record:
        return ""
    if "page" in record:
        return f"{record['path']} page {record['page']}"
    return f"{record['path']}:{record['lines'][0]}-{record['lines'][1]}" if "lines" in record else str(record["path"])


def _tags(record: Record) -> str:
    return "".join(f" #{tag}" for tag in record["tags"])
