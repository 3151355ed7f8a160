"""The verbs that carry a base elsewhere and back: backup and restore."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_json
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.cli.call import Call
    from scrubjay.types.carrying import Copied


def backup(call: Call) -> int:
    with call.open() as kb:
        made = kb.backup(call.words[0], force=call["force"])
    if call["json"]:
        print_json(call.out, made._asdict())
    else:
        call.out.line(f"{words.shorten_path(made.file)} holds {_contents(made)}, and was checked.")
    return 0


def restore(call: Call) -> int:
    from scrubjay.knowledge_base.carrying import restore

    held = restore(call.words[0], call["base"], force=call["force"])
    if call["json"]:
        print_json(call.out, held._asdict())
        return 0
    call.out.line(f"{words.shorten_path(held.file)} holds {_contents(held)} again.")
    if held.aside:
        call.console.hint(f"What was there is kept in {words.shorten_path(held.aside)}")
    return 0


def _contents(copied: Copied) -> str:
    documents, chunks = words.counted(copied.documents, "document"), words.counted(copied.chunks, "chunk")
    return f"{documents} in {chunks} ({words.size(copied.bytes)})"
