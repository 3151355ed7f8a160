"""The verbs that look back: history, and vacuum, which bounds it."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_json
from scrubjay.cli.records import plain
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.cli.call import Call
    from scrubjay.cli.terminal import Screen
    from scrubjay.types.history import Change


def history(call: Call) -> int:
    [id] = call.words
    if call["show"] is not None and call["restore"] is not None:
        raise UsageError("--show and --restore exclude each other.", "", "Leave one of them out.")
    with call.open() as kb:
        if call["restore"] is not None:
            kb.revert(id, call["restore"])
            told = {"id": id, "restored": call["restore"]}
        elif call["show"] is not None:
            told = {"id": id, "version": call["show"], "text": kb.version(id, call["show"])}
        else:
            return _print_changes(call, kb.history(id))
    if call["json"]:
        print_json(call.out, told)
    elif "text" in told:
        call.out.write(told["text"])
    else:
        call.out.line(f"{id} is again what it was after change {call['restore']}.")
    return 0


def _print_changes(call: Call, changes: Sequence[Change]) -> int:
    if call["json"]:
        print_json(call.out, {"id": call.words[0], "changes": [_record(change) for change in changes]})
        return 0
    for place, change in enumerate(changes):
        if place:
            call.out.line()
        _print_change(call.out, change)
    if not changes:
        call.console.hint("It has not been changed since changes are kept.")
    return 0


def _record(change: Change) -> dict[str, object]:
    record: dict[str, object] = plain(change)
    record["fields"] = {name: {"before": old, "after": new} for name, (old, new) in change.fields.items()}
    return record


def _print_change(out: Screen, change: Change) -> None:
    when = f"{change.at} ({words.age(change.at)})" if out.is_terminal else change.at
    by = f" by {words.one_line(change.actor)}" if change.actor else ""
    counts = (
        f"+{change.added_lines} −{change.removed_lines} lines" if change.added_lines or change.removed_lines else ""
    )
    title = words.one_line(change.title)
    about = [text for text in (title, counts, f"change {change.number}") if text]
    head = out.paint("title", f"{change.what}{by}") + out.paint("faint", f"  {when} · " + " · ".join(about))
    out.line(head)
    for name, (old, new) in change.fields.items():
        out.line(f"  {name}: {_value(old)} → {_value(new)}")
    for line in change.diff.splitlines():
        style = {"+": "good", "-": "bad", "@": "faint"}.get(line[:1], "")
        text = words.clean(line, "\t")
        out.line(out.paint(style, text) if style else text)


def _value(given: object) -> str:
    if isinstance(given, list | tuple):
        return words.one_line(", ".join(map(str, given))) or "none"
    return words.one_line(str(given)) if given else "none"


def vacuum(call: Call) -> int:
    if call["keep"] and not call["history"]:
        raise UsageError("--keep needs --history.", "It says how much of the history stays.", "Add --history.")
    with call.open() as kb:
        freed = kb.vacuum(history=call["history"], keep=call["keep"] or "90d")
    if call["json"]:
        print_json(call.out, {**freed._asdict(), "bytes_freed": freed.bytes_before - freed.bytes_after})
        return 0
    if call["history"]:
        changes, texts = words.counted(freed.changes, "change"), words.counted(freed.texts, "old passage")
        call.out.line(f"Let go of {changes} and {texts} from before {freed.kept_since[:10]}.")
    saved = words.size(max(freed.bytes_before - freed.bytes_after, 0))
    call.out.line(f"The base has {words.size(freed.bytes_after)}; {saved} were freed.")
    return 0
