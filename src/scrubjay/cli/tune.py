"""`kb tune`: learns the mix of words and meaning for this base, and shows what it was read from."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.knowledge_base import KnowledgeBase

_KINDS = {"itself": "a passage by some of its words", "related": "what belongs to a passage"}


def tune(call: Call) -> int:
    if call["show"] and call["forget"]:
        raise UsageError("--show and --forget exclude each other.", "", "Leave one of them out.")
    with call.open() as kb:
        used = kb.config.get("fusion.method", str(kb.config.get("search.profile"))) == "auto"
        if call["forget"]:
            kb.store.tuning.remember(None)
        learned = kb.tuned if call["show"] or call["forget"] else _learn(call, kb)
    if call["json"]:
        print_json(call.out, {"used": used, "learned": learned})
    elif learned is None:
        call.out.line("Nothing was learned for this base: words and meaning count evenly.")
    else:
        _print(call, learned)
    if not used and not call["json"]:
        call.console.hint("Fusion is not `auto`, so this is not used: kb config set fusion.method auto")
    return 0


def _learn(call: Call, kb: KnowledgeBase) -> dict[str, Any]:
    bar = call.progress()
    try:
        done = kb.tune(progress=bar) if call["sample"] is None else kb.tune(sample=call["sample"], progress=bar)
    finally:
        if bar is not None:
            bar.clear()
    return kb.tuned or {} if done.vector_weight is not None else done._asdict()


def _print(call: Call, learned: Mapping[str, Any]) -> None:
    out = call.out
    weight = learned["vector_weight"]
    if weight is None:
        out.line(f"Nothing could be learned: {learned['why']} Words and meaning count as before.")
        return
    out.line(out.paint("title", f"{weight:g} meaning + {1 - weight:.2g} words"))
    rows = [["asked for", "queries", "words alone", "meaning alone", "best mix"]]
    for kind, curve in learned["mixes"].items():
        best = max(curve)
        at = curve.index(best) / (len(curve) - 1)
        rows.append([
            _KINDS.get(kind, kind), str(learned["queries"][kind]), f"{curve[0]:.3f}", f"{curve[-1]:.3f}",
            f"{best:.3f} at {at:g}",
        ])  # fmt: skip
    print_columns(out, rows, ("", "", "", "", ""), right=(1, 2, 3))
    count = sum(learned["queries"].values())
    call.console.hint(
        f"nDCG@10 of {count:,} queries made from the base itself, in {words.duration(learned['seconds'])}"
    )
