"""The verbs of remembering: match, correct, conflicts and undo; and what `kb note` says it did."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json
from scrubjay.cli.records import plain
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.types import Record, Remembered

_SENTENCES = {
    "superseded": "{0} is superseded by {1}",
    "deprecated": "{0} is deprecated",
    "refined": "{0} is refined by {1}",
    "merged": "{0} is merged into {1}",
    "reinforced": "{0} was said again",
    "similar": "{1} says nearly the same as {0}",
    "linked": "{1} is about something near {0}",
    "conflict": "{1} may contradict {0}",
}


def match(call: Call) -> int:
    from scrubjay.cli.keep import given_text

    with call.open() as kb:
        found = kb.match(given_text(call), call["top"])
    if call["json"]:
        print_json(call.out, {"returned": len(found), "matches": plain(found)})
        return 0
    rows = [
        (
            words.one_line(one.title) or words.clean(words.place(one.path)),
            one.id,
            one.tier,
            words.one_line(", ".join(one.phrases)),
        )
        for one in found
    ]
    print_columns(call.out, rows, ("place", "faint", "faint", "match"))
    if not found:
        call.console.hint("Nothing has a phrase that is said there: kb note --trigger sets some.")
    return 0


def correct(call: Call) -> int:
    identity = call.words[0]
    if call["kind"] is None:
        raise UsageError(
            "--kind is missing.", "A memory can be superseded, deprecated, refined or merged.",
            f"For instance: kb correct {identity} --kind deprecated",
        )  # fmt: skip
    with call.open() as kb:
        record = kb.correct(identity, call["kind"], by=call["by"], reason=call["reason"] or "")
    _print_records(call, [record])
    return 0


def conflicts(call: Call) -> int:
    with call.open() as kb:
        records = kb.conflicts(everything=call["all"])
    if call["json"]:
        print_json(call.out, {"returned": len(records), "records": plain(records)})
        return 0
    for record in records:
        _print_record(call, record)
    if not records:
        call.console.hint("Nothing was recorded yet." if call["all"] else "Nothing waits for you.")
    elif not call["all"] and call.console.err.is_terminal:
        call.console.hint("kb correct ID --kind K --by ID settles one; kb undo RECORD leaves both as they are.")
    return 0


def undo(call: Call) -> int:
    with call.open() as kb:
        records = [kb.undo(name) for name in call.words]
    _print_records(call, records)
    return 0


def _print_records(call: Call, records: list[Record]) -> None:
    if call["json"]:
        print_json(call.out, plain(records[0]) if len(records) == 1 else {"records": plain(records)})
        return
    for record in records:
        _print_record(call, record)


def _print_record(call: Call, record: Record) -> None:
    out = call.out
    sentence = _SENTENCES[record.kind].format(_named(record.document, record.document_title), _other(record))
    facts = [record.id, record.created_at[:10], words.one_line(record.reason)]
    if record.similarity is not None:
        facts.append(f"similarity {record.similarity:.2f} by {record.measured_by}")
    if record.undone_at is not None:
        facts.append(f"undone {record.undone_at[:10]}")
    out.line(f"{sentence}  {out.paint('faint', ' · '.join(fact for fact in facts if fact))}")


def _other(record: Record) -> str:
    return "" if record.other is None else _named(record.other, record.other_title)


def _named(identity: str, title: str) -> str:
    short = words.cut(words.one_line(title), 40)
    return f"{short} ({identity})" if short else identity


def remembered_record(done: Remembered) -> dict[str, Any]:
    """What `kb note --json` prints: the id always, the rest where there is something to say."""
    record: dict[str, Any] = {"id": done.id}
    if done.again:
        record["again"] = True
    if done.records:
        record["records"] = plain(done.records)
    if done.notices:
        record["notices"] = plain(done.notices)
    return record
