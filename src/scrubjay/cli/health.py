"""The verbs that look after the base: status and doctor."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.cli.terminal import Screen
    from scrubjay.types import Check

_OF_A_FILE = ("schema", "integrity", "chunks_fts", "chunks_trigram")


def status(call: Call) -> int:
    with call.open() as kb:
        state = kb.status()
    if call["json"]:
        from scrubjay.cli.records import plain

        print_json(call.out, plain(state))
        return 0
    out = call.out
    facts = [words.size(state["size_bytes"]), f"schema {state['schema']}"]
    if state.get("created_at"):
        facts.append(f"made {_when(out, state['created_at'])}")
    out.line(out.paint("title", words.shorten_path(state["base"])) + out.paint("faint", "  " + " · ".join(facts)))
    out.line()
    for name, number, more in _contents(state):
        out.line(f"  {out.paint('faint', name.ljust(10))}{number:>9}   {more}".rstrip())
    _print_sources(out, state["sources"])
    if not state["documents"]:
        call.console.hint("The base is empty: `kb add PATH` fills it.")
    return 0


def _contents(state: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    kinds = " · ".join(f"{count:,} {kind}" for kind, count in sorted(state["by_kind"].items()))
    tags = state["tags"]
    rows = [
        ("documents", f"{state['documents']:,}", kinds),
        ("chunks", f"{state['chunks']:,}", ""),
        ("tags", f"{tags if isinstance(tags, int) else len(tags):,}", ""),
    ]
    embedder = state["embedder"]
    if embedder is None:
        return [*rows, ("embedder", "none", "search is by words alone")]
    rows.append(("embedder", "", f"{embedder['name']} · {embedder['dim']} dimensions"))
    pending, failed = state["pending"], state["failed"]
    kept = state.get("token_vectors", {})
    if kept.get("chunks"):
        rows.append(("tokens", words.size(kept["bytes"]), f"token vectors of {words.counted(kept['chunks'], 'chunk')}"))
    if pending:
        rows.append(("pending", f"{pending:,}", "vectors are still to be made: `kb update` goes on with it"))
    if failed:
        rows.append(("failed", f"{failed:,}", "chunks could not be embedded: `kb doctor` checks the embedder"))
    return rows


def _print_sources(out: Screen, sources: list[Mapping[str, Any]]) -> None:
    if not sources:
        return
    out.line()
    out.line(f"  {out.paint('faint', 'added')}")
    rows = [
        (
            "  " + words.clean(words.shorten_path(source["path"])),
            words.counted(source["documents"], "document"),
            words.size(source["bytes"]),
            f"read {_when(out, source['last_read_at'])}",
        )
        for source in sources
    ]
    print_columns(out, rows, ("place", "", "", "faint"), right=(1, 2), path=0)


def _when(out: Screen, moment: str | None) -> str:
    return words.age(moment) if out.is_terminal or not moment else moment


def _checked(call: Call) -> list[Check]:
    """The checks; where nothing was added yet, those of the parts that a base would need."""
    from scrubjay.errors import BaseMissing
    from scrubjay.types import Check

    try:
        with call.open() as kb:
            return list(kb.doctor(repair=call["repair"]))
    except BaseMissing as error:
        if call["base"]:
            raise  # a name that was typed is looked for
        import scrubjay

        with scrubjay.open(":memory:") as kb:
            parts = [check for check in kb.doctor() if check.name not in _OF_A_FILE]
        return [Check("base", None, "none yet: nothing has been added", error.cure), *parts]


def doctor(call: Call) -> int:
    checks = _checked(call)
    healthy = all(check.ok is not False for check in checks)
    if call["json"]:
        from scrubjay.cli.records import plain

        print_json(call.out, {"ok": healthy, "checks": plain(checks)})
        return 0 if healthy else 1
    out = call.out
    marks = {True: ("good", "✓"), False: ("bad", "✗"), None: ("faint", "–")}
    wide = max((words.width(check.name) for check in checks), default=0)
    for check in checks:
        style, mark = marks[check.ok]
        out.line(f"{out.paint(style, mark)} {check.name.ljust(wide)}  {words.one_line(check.detail)}".rstrip())
        if check.cure and check.ok is not True:
            out.line(" " * (wide + 4) + out.paint("faint", check.cure))
    failing = sum(check.ok is False for check in checks)
    out.line()
    told = f"{words.counted(failing, 'thing')} to mend." if failing else "All is well."
    out.line(out.paint("bad" if failing else "good", told))
    return 0 if healthy else 1
