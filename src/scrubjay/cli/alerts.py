"""`kb alert`: saved searches and what they found."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json, print_rows
from scrubjay.cli.parse import closest
from scrubjay.cli.records import plain
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.types.alerts import Match

_ACTIONS = ("add", "list", "remove", "check")
_ONLY_FOR_ADD = ("name", "tags", "type", "path", "similar")


def alert(call: Call) -> int:
    action, *rest = call.words or ("list",)
    if action not in _ACTIONS:
        near = closest(action, _ACTIONS)
        meant = f"Did you mean `kb alert {near}`?" if near else f"A search is saved with: kb alert add {action} …"
        raise UsageError(f"kb alert cannot {action!r}.", meant)
    given = [name for name in _ONLY_FOR_ADD if call[name] not in (None, ())]
    if given and action != "add":
        raise UsageError(f"--{given[0]} is for kb alert add.", "", "Leave it out.")
    if action in ("list", "check") and rest:
        raise UsageError(f"kb alert {action} takes no words.", "", "Leave them out.")
    done: dict[str, Any] = {"add": _add, "list": _list, "remove": _remove, "check": _check}
    code: int = done[action](call, rest)
    return code


def _add(call: Call, rest: list[str]) -> int:
    with call.open(create=True) as kb:
        saved = kb.alert(
            " ".join(rest), name=call["name"], tags=call["tags"], kind=call["type"] or None, path=call["path"],
            similar=call["similar"],
        )  # fmt: skip
    if call["json"]:
        print_json(call.out, _record(saved))
    else:
        call.out.line(f"Saved as {words.one_line(saved.name)}; what is added from now on is looked at.")
    return 0


def _record(saved: Any) -> dict[str, Any]:
    record: dict[str, Any] = plain(saved)
    record.pop("number")
    return record


def _list(call: Call, rest: list[str]) -> int:  # noqa: ARG001 - every action has this shape
    with call.open() as kb:
        saved = kb.alerts()
    if call["json"]:
        print_json(call.out, {"alerts": [_record(each) for each in saved]})
        return 0
    rows = [
        (
            words.one_line(each.name),
            f"{each.found:,} found",
            f"{each.due:,} new" if each.due else "",
            words.one_line(_asked(each)),
        )
        for each in saved
    ]
    print_columns(call.out, rows, ("title", "faint", "tag", "faint"))
    if not saved:
        call.console.hint("No search is saved: kb alert add QUERY")
    return 0


def _asked(saved: Any) -> str:
    filters = [
        f"{name} {value if isinstance(value, str) else ', '.join(value)}" for name, value in saved.filters.items()
    ]
    similar = [f"similar {saved.similar:g}"] if saved.similar is not None else []
    query = [saved.query] if saved.query != saved.name else []
    return " · ".join([*query, *filters, *similar])


def _remove(call: Call, rest: list[str]) -> int:
    name = " ".join(rest)
    if not name:
        raise UsageError("No saved search was named.", "", "`kb alert list` shows their names.")
    with call.open() as kb:
        kb.remove_alert(name)
    if call["json"]:
        print_json(call.out, {"removed": name})
    else:
        call.out.line(f"{words.one_line(name)} is forgotten.")
    return 0


def _check(call: Call, rest: list[str]) -> int:  # noqa: ARG001
    with call.open() as kb:
        found = kb.alerts_due()
    records = [{("type" if key == "kind" else key): value for key, value in plain(each).items()} for each in found]
    if call.format == "json":
        print_json(call.out, {"matches": records})
    elif call.format == "jsonl":
        print_rows(call, "jsonl", records, ())
    else:
        for each in found:
            _print(call, each)
        if not found:
            call.console.hint("Nothing new.")
    return 0


def _print(call: Call, match: Match) -> None:
    out = call.out
    place = words.clean(words.place(match.path, match.lines)) if match.path else words.one_line(match.title)
    out.line(out.paint("title", words.one_line(match.alert)) + out.paint("faint", f"  {match.at}  {match.id}"))
    out.line(f"  {out.paint('place', place)}")
    out.line(f"  {words.one_line(match.snippet)}")
