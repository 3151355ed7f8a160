"""The tools that read: search_memories, timeline and get_observations, cheapest layer first.

Each answers within a budget of tokens and says how to go on. An empty answer says what was
searched, so that a model neither takes it for a failure nor asks the same again; a source that
could not be asked is named, because unavailable is not empty.
"""

from __future__ import annotations

from scrubjay.disclose.budget import clip, fit
from scrubjay.disclose.doubt import doubt
from scrubjay.errors import UsageError
from scrubjay.mcp.answers import (
    Answer,
    cost,
    counted,
    entry_line,
    entry_record,
    hit_lines,
    hit_record,
    link_record,
    notice_record,
    passage_lines,
    passage_record,
    text_cost,
)
from scrubjay.mcp.arguments import is_count
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.disclose.budget import Portion
    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.types import SearchResult

    Record = dict[str, Any]

PROFILE = "full"
_LINKED, _LINKS = 20, 10  # of so many documents, so many links each
_ENVELOPE = 60  # tokens around the items of a reply: the query, counts, the cursor
_BY = {"hybrid": "by words and meaning", "keyword": "by words", "vector": "by meaning"}
_ANY = ("", "*", "all", "any")


def search_memories(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    result = kb.search(
        asked["query"],
        top=asked["limit"],
        profile=asked["profile"] or (PROFILE if PROFILE in kb.config.profiles else None),
        mode=asked["mode"] or "hybrid",
        tags=asked["tags"],
        kind=_kinds(asked["type"]),
        path=asked["path"],
        since=asked["start_date"],
        until=asked["end_date"],
        threshold=asked["min_score"],
        as_of=asked["as_of"],
    )
    unique: dict[str, Record] = {}  # a long note may be found by several of its passages
    for hit in result.hits:
        record = hit_record(hit)
        unique.setdefault(record["id"], record)
    question = ("query", "limit", "tags", "type", "path", "start_date", "end_date", "as_of", "mode")
    portion = _portion(list(unique.values()), asked, question)
    data: Record = {"query": result.query, "returned": len(portion.items), "results": list(portion.items)}
    data["mode"] = result.mode
    sure = result.confidence
    if sure is not None and portion.items:
        data["confidence"] = sure.level
        if sure.absent:
            data["absent_words"] = list(sure.absent)
    told = [notice_record(notice) for notice in result.notices]
    if told:
        data["notices"] = told
    _add_cursor(data, portion)
    text = _found_text(result, portion) if portion.items else _nothing(kb, result, data)
    notes = [f"Note ({one['stage']}): {one['reason']} {one['remedy']}".rstrip() for one in told]
    return Answer("\n".join([text, *notes]), data)


def _kinds(asked: Sequence[str] | None) -> tuple[str, ...] | None:
    """Types as models write them: plural, capital, or "all"."""
    if not asked:
        return None
    known = {"notes": "note", "memory": "note", "memories": "note", "md": "markdown", "pdfs": "pdf", "text": "note"}
    kinds = tuple(known.get(kind.lower(), kind.lower()) for kind in asked)
    return None if any(kind in _ANY for kind in kinds) else kinds


def _portion(records: Sequence[Record], asked: Mapping[str, Any], question: Sequence[str]) -> Portion:
    """What fits into the budget; the cursor belongs to the question and to nothing else."""
    budget = asked["max_tokens"]
    if budget is not None and budget > _ENVELOPE:
        budget -= _ENVELOPE
    return fit(records, budget, cost, cursor=asked["cursor"], of=repr([asked[name] for name in question]))


def _add_cursor(data: Record, portion: Portion) -> None:
    if portion.cursor is not None:
        data["more"] = portion.left
        data["next_cursor"] = portion.cursor


def _go_on(portion: Portion) -> list[str]:
    if portion.cursor is None:
        return []
    return [f"{portion.left} more did not fit into max_tokens: ask the same with cursor={portion.cursor!r}."]


def _found_text(result: SearchResult, portion: Portion) -> str:
    count = len(portion.items)
    head = f"{count} {'memory' if count == 1 else 'memories'} for {result.query!r} {_BY.get(result.mode, '')}:"
    if result.mode != "vector" and not any("keyword" in record["sources"] for record in portion.items):
        head = f"No passage has the words of {result.query!r}. Nearest in meaning, perhaps about something else:"
    elif result.confidence is not None and result.confidence.level == "none":
        head = f"{doubt(result.confidence)} Nearest to {result.query!r}:"
    lines = [hit_lines(number, record) for number, record in enumerate(portion.items, 1)]
    ids = ", ".join(repr(record["id"]) for record in portion.items[:2])
    return "\n".join([head, *lines, *_go_on(portion), f"Whole texts: get_observations(ids=[{ids}])."])


def _nothing(kb: KnowledgeBase, result: SearchResult, data: Record) -> str:
    """The base was searched and holds nothing: said so plainly that nobody asks again."""
    report = kb.explain_empty(result)
    failed = [notice for notice in result.notices if notice.stage in ("vector", "keyword", "graph")]
    data["searched"] = {
        "documents": report.searched_documents,
        "chunks": report.searched_chunks,
        "complete": not failed,
    }
    data["suggestions"] = list(report.suggestions)
    left = counted(report.searched_documents, "document")
    if report.filters and not report.searched_documents:
        lines = [f"Nothing found for {result.query!r}: no document of the base passes the filters."]
    else:
        every = f"{left} ({counted(report.searched_chunks, 'passage')})"
        where = f"the {left} that the filters leave" if report.filters else every
        by = _BY.get(result.mode, "")
        lines = [f"Nothing found for {result.query!r} in {where}, searched {by}."]
    if failed:
        lines.append("Not everything could be asked (see the note), so a match by that source may be missing.")
    else:
        lines.append("This answer is complete: the same search again will find nothing again.")
    lines += [f"Filter {text}: alone it leaves {counted(count, 'document')}." for text, count in report.filters]
    return "\n".join([*lines, *report.suggestions])


# --- the timeline ---


def timeline(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    anchor, limit = asked["anchor"], asked["limit"]
    if anchor is None and (asked["before"] is not None or asked["after"] is not None):
        raise UsageError(
            "before and after count entries around an anchor, and there is none.", "",
            "Give anchor=ID as well, or start_date and end_date for a time.",
        )  # fmt: skip
    around = {name: asked[name] for name in ("before", "after") if asked[name] is not None}
    entries = kb.timeline(
        since=asked["start_date"], until=asked["end_date"], anchor=anchor, tags=asked["tags"],
        kind=_kinds(asked["type"]), limit=None if anchor else limit + 1 if limit > 0 else limit,
        as_of=asked["as_of"], **around,
    )  # fmt: skip
    older = anchor is None and len(entries) > limit
    records = [entry_record(entry) for entry in (entries[1:] if older else entries)]
    question = ("start_date", "end_date", "as_of", "anchor", "before", "after", "tags", "type", "limit")
    portion = _portion(records, asked, question)
    data: Record = {"returned": len(portion.items), "entries": list(portion.items)}
    if older:
        data["older"] = True
    _add_cursor(data, portion)
    return Answer(_timeline_text(kb, portion, older), data)


def _timeline_text(kb: KnowledgeBase, portion: Portion, older: bool) -> str:
    if not portion.items:
        held = kb.status()["documents"]
        return (
            f"No entry in that time: the base was searched ({counted(held, 'document')}) and holds none that fits. "
            "This answer is complete; ask for other dates or fewer filters."
        )
    lines = [entry_line(record) for record in portion.items]
    if older:
        first = portion.items[0]["id"]  # not its time: many entries may share it
        lines.insert(0, f"(Older entries exist: timeline(anchor={first!r}, before=20, after=0), or a higher limit.)")
    return "\n".join([*lines, *_go_on(portion), "Whole texts: get_observations(ids=[…])."])


def dates_for_counts(given: Mapping[str, Any]) -> dict[str, Any]:
    """`after` and `before` count entries, but models also write dates there."""
    changed = dict(given)
    for name, date in (("after", "start_date"), ("before", "end_date")):
        value = changed.get(name)
        if value is not None and not is_count(value) and changed.get(date) is None:
            changed[date] = changed.pop(name)
    return changed


# --- whole texts ---


def get_observations(kb: KnowledgeBase, asked: Mapping[str, Any]) -> Answer:
    if not asked["ids"]:
        raise UsageError("No id was given.", "There is nothing to get.", "search_memories and timeline give ids.")
    lines = _line_range(asked["lines"])
    found = kb.get(list(dict.fromkeys(asked["ids"])), lines=lines, as_of=asked["as_of"])
    budget = asked["max_tokens"]
    now = found.documents[:_LINKED] if asked["as_of"] is None else ()  # links are those of today
    linked = _links(kb, [passage.id for passage in now])
    records = [
        _within({**passage_record(passage), **linked.get(passage.id, {})}, budget) for passage in found.documents
    ]
    portion = _portion(records, asked, ("ids", "lines", "as_of"))
    data: Record = {"returned": len(portion.items), "observations": list(portion.items), "missing": list(found.missing)}
    _add_cursor(data, portion)
    parts = [passage_lines(record) + _clipped(record) for record in portion.items]
    if found.missing:
        parts.append(f"No memory has these ids: {', '.join(found.missing)}. search_memories and timeline give ids.")
    return Answer("\n\n".join([*parts, *_go_on(portion)]), data)


def _links(kb: KnowledgeBase, ids: Sequence[str]) -> dict[str, Record]:
    """What was said to belong together with each, not what links in texts and use have shown."""
    linked: dict[str, Record] = {}
    for identity in ids:
        said = [edge for edge in kb.links(identity) if edge.origin == "user" and edge.target is not None]
        if said:
            linked[identity] = {"links": [link_record(edge) for edge in said[:_LINKS]]}
    return linked


def _within(record: Record, budget: int | None) -> Record:
    """A text larger than the whole budget is cut after a line, and says which line comes next."""
    if budget is None:
        return record
    room = max(budget - cost({**record, "text": ""}) - _ENVELOPE, 1)
    text = clip(record["text"], room, text_cost)
    if text is record["text"]:
        return record
    text = text.removesuffix("…")
    whole = text[: text.rfind("\n") + 1]
    cut = {**record, "text": whole or text, "truncated": True}
    if whole:
        next_line = record["lines"][0] + whole.count("\n")
        cut["lines"] = [record["lines"][0], next_line - 1]
        cut["next_lines"] = f"{next_line}:"
    return cut


def _clipped(record: Record) -> str:
    if not record.get("truncated"):
        return ""
    if "next_lines" not in record:
        return "\n[cut to max_tokens: ask with a larger one]"
    name = record["document_id"]
    return f"\n[cut to max_tokens: go on with get_observations(ids=[{name!r}], lines={record['next_lines']!r})]"


def _line_range(text: str | None) -> tuple[int, int] | None:
    """12:40, 12-40, 12: or 12."""
    if text is None:
        return None
    first, colon, last = text.strip().replace("-", ":").partition(":")
    try:
        start = int(first) if first or not last else 1
        end = int(last) if last else 2**31 - 1 if colon else start
    except ValueError:
        start = end = 0
    if start < 1 or end < start:
        raise UsageError(f"lines cannot be {text!r}.", "Lines are counted from 1.", 'Write "12:40", "12:" or "12".')
    return start, end
