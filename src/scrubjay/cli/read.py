"""The verbs that look without searching: get, timeline, list and tags."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json, print_rows
from scrubjay.cli.records import document_record, entry_record, passage_record
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.cli.terminal import Screen
    from scrubjay.types import Entry, Passage

_CONTEXT = 3


def get(call: Call) -> int:
    context = call["context"]
    if context is None:
        context = 0 if call["json"] or call["lines"] else _CONTEXT
    with call.open() as kb:
        found = kb.get(call.words, lines=call["lines"], context=context, **_as_of(call))
    if call["json"]:
        record = {"documents": [passage_record(one) for one in found.documents], "missing": list(found.missing)}
        print_json(call.out, record)
        return 0
    for position, passage in enumerate(found.documents):
        if position:
            call.out.line()
        _print_passage(call.out, passage)
    for missing in found.missing:
        call.console.notice("get", f"nothing here has the id {missing}.", "`kb search` and `kb list` show ids.")
    return 0


def _as_of(call: Call) -> dict[str, Any]:
    return {"as_of": call["as_of"]} if call["as_of"] else {}


def _print_passage(out: Screen, passage: Passage) -> None:
    trail = passage.trail[1:] if passage.trail[:1] == (passage.title,) else passage.trail
    out.line(out.paint("title", " › ".join(map(words.one_line, (passage.title or "(no title)", *trail)))))
    when = words.age(passage.created_at) if out.is_terminal else passage.created_at[:10]
    tags = ", ".join(map(words.one_line, passage.tags))
    about = [text for text in (passage.kind, tags, when, passage.id) if text]
    where = words.clean(words.place(passage.path, passage.lines, passage.page))
    if out.is_terminal:
        where = words.cut_start(where, max(20, out.width - sum(words.width(text) + 3 for text in about)))
    shown = [out.link(passage.path, out.paint("place", where))] if where else []
    out.line(out.paint("faint", " · ").join([*shown, *(out.paint("faint", text) for text in about)]))
    if passage.marks:
        out.line(out.paint("bad", ", ".join(map(words.one_line, passage.marks))))
    out.line()
    if not out.is_terminal:
        body = passage.before + passage.text + passage.after
        out.write(body if body.endswith("\n") else body + "\n")
        return
    _print_numbered(out, passage)


def _print_numbered(out: Screen, passage: Passage) -> None:
    """Lines with their numbers; the surroundings are faint, so that the passage stands out."""
    number = passage.lines[0] - passage.before.count("\n")
    margin = len(str(passage.lines[1] + passage.after.count("\n")))
    for part, style in ((passage.before, "faint"), (passage.text, ""), (passage.after, "faint")):
        lines = part.split("\n")
        for position, line in enumerate(lines):
            ends_here = position == len(lines) - 1  # what follows the last line end is no new line
            if line or not ends_here:
                text = words.clean(line, "\t").expandtabs(4).rstrip()
                gutter = out.paint("faint", f"{number:>{margin}} │")
                out.line(f"{gutter} {out.paint(style, text) if style else text}".rstrip())
            number += not ends_here


def timeline(call: Call) -> int:
    if call["anchor"] and (call["since"] or call["until"]):
        raise UsageError(
            "--anchor and --since or --until exclude each other.",
            "An anchor shows what lies around one document; dates show all between them.",
            "Leave one of them out.",
        )
    if not call["anchor"] and (call["before"] is not None or call["after"] is not None):
        raise UsageError("--before and --after need --anchor ID.", "They count from that document.")
    format = call.format
    around = {name: call[name] for name in ("before", "after") if call[name] is not None}
    with call.open() as kb:
        entries = kb.timeline(anchor=call["anchor"], limit=call["limit"], **around, **_as_of(call), **call.filters)
    if format == "json":
        print_json(call.out, {"entries": [entry_record(entry) for entry in entries]})
    elif format != "text":
        columns = ("created_at", "type", "title", "tags", "summary", "id")
        print_rows(call, format, [entry_record(entry) for entry in entries], columns)
    else:
        _print_days(call.out, entries, call["anchor"])
    if not entries and format != "json":
        call.console.hint("Nothing was kept in that time." if call["since"] or call["until"] else "Nothing yet.")
    return 0


def _print_days(out: Screen, entries: Iterable[Entry], anchor: str | None) -> None:
    day = ""
    for entry in entries:
        moment = _local(entry.created_at)
        this = moment[0] if moment else entry.created_at[:10]
        if this != day:
            if day:
                out.line()
            out.line(out.paint("title", this) + (out.paint("faint", f"  {_day_age(entry)}") if out.is_terminal else ""))
            day = this
        clock = moment[1] if moment else ""
        _print_entry(out, entry, clock, entry.id == anchor)


def _print_entry(out: Screen, entry: Entry, clock: str, is_anchor: bool) -> None:
    mark = "▸" if is_anchor else " "
    title = words.one_line(entry.title)
    shown = [out.paint("title" if is_anchor else "place", title)] if title else []
    if entry.tags:
        shown.append(out.paint("tag", ", ".join(map(words.one_line, entry.tags))))
    shown.append(out.paint("faint", f"{entry.kind} · {entry.id}"))
    out.line(f"{mark} {out.paint('faint', clock.ljust(5))}  {out.paint('faint', ' · ').join(shown)}")
    summary = words.one_line(entry.summary)
    if summary and summary != title:
        out.line(" " * 9 + (words.cut(summary, out.width - 9) if out.is_terminal else summary))


def _here(moment: str) -> datetime | None:
    """A moment in this place's time; a bare date, kept as midnight UTC, is that date everywhere."""
    from datetime import UTC, datetime

    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return then if (then.hour, then.minute, then.second) == (0, 0, 0) else then.astimezone()


def _local(moment: str) -> tuple[str, str] | None:
    """A moment as its day and clock time here; a bare date has no time."""
    then = _here(moment)
    if then is None:
        return None
    return _day(then), "" if (then.hour, then.minute, then.second) == (0, 0, 0) else f"{then:%H:%M}"


def _day(moment: datetime) -> str:
    return f"{moment:%A} {moment.day} {moment:%B %Y}"


def _day_age(entry: Entry) -> str:
    """How many days ago by the calendar: Wednesday is two days before Friday, also a minute after midnight."""
    from datetime import datetime

    then = _here(entry.created_at)
    days = None if then is None else (datetime.now().astimezone().date() - then.date()).days
    if days is None or not -2 < days < 14:
        return words.age(entry.created_at)
    return {-1: "tomorrow", 0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


def list_documents(call: Call) -> int:
    format = call.format
    with call.open() as kb:
        documents = kb.list(limit=call["limit"], **call.filters)
    rows = [document_record(document) for document in documents]
    if format == "json":
        print_json(call.out, {"documents": rows})
        return 0
    if format != "text":
        print_rows(call, format, rows, ("id", "path", "title", "type", "tags", "created_at", "chunks", "size"))
    else:
        shown = [
            (
                one.id,
                one.kind,
                words.size(one.size),
                words.counted(one.chunks, "chunk"),
                words.age(one.modified_at or one.created_at) if call.out.is_terminal else one.created_at[:10],
                words.clean(words.place(one.path)) or words.one_line(one.title),
                words.one_line(", ".join(one.tags)),
            )
            for one in documents
        ]
        print_columns(call.out, shown, ("faint", "", "faint", "faint", "faint", "place", "tag"), right=(2, 3), path=5)
    if not documents:
        call.console.hint("No documents." if _filtered(call) else "The base is empty: `kb add PATH` fills it.")
    elif call.console.err.is_terminal and format == "text":
        chunks, size = sum(one.chunks for one in documents), sum(one.size for one in documents)
        total = (words.counted(len(documents), "document"), words.counted(chunks, "chunk"), words.size(size))
        call.console.hint(" · ".join(total))
    return 0


def _filtered(call: Call) -> bool:
    return any(call.filters.values())


def tags(call: Call) -> int:
    with call.open() as kb:
        counts = kb.tags()
    if call["json"]:
        print_json(call.out, {"tags": counts})
        return 0
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    print_columns(call.out, [(f"{count:,}", words.one_line(name)) for name, count in ordered], ("faint", "tag"), (0,))
    if not counts:
        call.console.hint("No tags yet: `kb tag ID +name`, `kb add --tags name` or front matter give them.")
    return 0
