"""`kb watch`: one line a change, until Ctrl-C."""

from __future__ import annotations

import time

from scrubjay.cli import words
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.cli.call import Call
    from scrubjay.types.watching import Noticed

_STYLES = {"added": "good", "changed": "title", "moved": "title", "removed": "bad"}


def watch(call: Call) -> int:
    with call.open() as kb:
        sources = kb.store.sources()
        if not sources:
            raise UsageError("Nothing was added yet.", "There is nothing to watch.", "kb add FOLDER")
        if not call["json"] and call.console.err.is_terminal:
            shown = ", ".join(words.shorten_path(source.path) for source in sources[:3])
            more = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
            call.console.hint(f"Watching {shown}{more}. Ctrl-C ends it.")
        kb.watch(every=call["every"] or 2.0, tell=lambda noticed: _tell(call, noticed), wait=time.sleep)
    return 0


def _tell(call: Call, noticed: Noticed) -> None:
    if call["json"]:
        from scrubjay.cli.output import print_rows

        record = {name: value for name, value in noticed._asdict().items() if value}
        print_rows(call, "jsonl", [{"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **record}], ())
        call.out.flush()
        return
    if noticed.what == "note":
        call.console.notice("watch", noticed.detail)
        return
    err = call.console.err
    path = words.clean(words.shorten_path(noticed.path))
    was = f"{words.clean(words.shorten_path(noticed.was))} → " if noticed.was else ""
    kind = err.paint(_STYLES.get(noticed.what, "faint"), noticed.what.ljust(7))
    detail = err.paint("faint", f"  {noticed.detail}") if noticed.detail else ""
    err.line(f"{err.paint('faint', time.strftime('%H:%M:%S'))} {kind} {was}{path}{detail}")
    err.flush()
