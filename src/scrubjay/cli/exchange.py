"""The verbs export and import: a base as JSON lines, and other programs' files as a base."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.keep import existing, with_progress
from scrubjay.cli.output import print_json
from scrubjay.cli.records import plain
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.types.carrying import ImportReport


def export(call: Call) -> int:
    target = call.words[0] if call.words else "-"
    with call.open() as kb:
        to = call.out if target == "-" else target
        done = kb.export(to, vectors=call["vectors"], history=call["history"], force=call["force"])
    if target == "-":
        return 0  # the lines are the answer
    if call["json"]:
        print_json(call.out, done._asdict())
        return 0
    counts = ((done.documents, "document"), (done.edges, "link"), (done.sources, "source"), (done.vectors, "vector"))
    told = ", ".join(words.counted(count, name) for count, name in counts if count) or "an empty base"
    call.out.line(f"{words.shorten_path(done.file)} holds {told}.")
    return 0


def take_in(call: Call) -> int:
    source, form = _source(call)
    with call.open(create=True) as kb:
        report = with_progress(
            call, lambda progress: kb.import_(source, form=form, replace=call["replace"], progress=progress)
        )
    if call["json"]:
        print_json(call.out, plain(report))
        return 0
    call.notices(report.notices)
    call.out.line(_told(call, report))
    return 0


def _source(call: Call) -> tuple[Any, str | None]:
    """The path that was named, or with - the lines of the standard input."""
    if call.words[0] != "-":
        return existing(call.words[0]), call["from"]
    if call["from"] not in (None, "jsonl"):
        raise UsageError(f"{call['from']} cannot be read from the standard input.", "", "Name the file or folder.")
    import sys

    from scrubjay.ingest.importers.jsonl import told

    return told(sys.stdin.buffer), "jsonl"


def _told(call: Call, report: ImportReport) -> str:
    counts = (
        (report.added, "added"),
        (report.replaced, "replaced"),
        (report.differs, "left as they were"),
        (report.same, "there already"),
        (report.failed, "not taken"),
    )
    shown = [call.out.paint("title", f"{count:,} {name}") for count, name in counts if count]
    extra = [words.counted(report.edges, "link")] if report.edges else []
    extra += [f"{report.embedded:,} embedded"] if report.embedded else []
    more = " · ".join([f"from {report.form}", *extra])
    return (", ".join(shown) or "Nothing to take in was found") + call.out.paint("faint", f" · {more}")
