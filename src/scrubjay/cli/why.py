"""`kb explain`: what became of a wanted document in a search, stage by stage."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.find import mode_of
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.cli.call import Call
    from scrubjay.cli.terminal import Screen
    from scrubjay.evaluate.lost import Step, Trace

_MARKS = {True: ("good", "✓"), False: ("bad", "✗"), None: ("faint", "·")}
_PLAIN = {True: "+", False: "x", None: "-"}


def explain(call: Call) -> int:
    if not call["target"]:
        raise UsageError(
            "--target is missing.", "It names the document that should have been found.",
            "Write --target ID or --target PATH; `kb list` shows both.",
        )  # fmt: skip
    with call.open() as kb:
        found = kb.trace(
            " ".join(call.words), call["target"], top=call["top"], profile=call["profile"],
            mode=mode_of(call), threshold=call["threshold"], **call.filters,
        )  # fmt: skip
    if call["json"]:
        from scrubjay.cli.output import print_json
        from scrubjay.cli.records import plain

        lost = found.lost_at
        print_json(call.out, {**plain(found), "lost_at": None if lost is None else lost.stage})
        return 0
    _print(call.out, found)
    return 0


def _print(out: Screen, found: Trace) -> None:
    name = words.one_line(found.title) or found.id
    lost = found.lost_at
    if found.rank is not None:
        out.line(out.paint("title", f"“{name}” is result {found.rank}."))
    elif lost is not None:
        out.line(out.paint("title", f"“{name}” was lost at {lost.stage}: ") + words.one_line(lost.detail))
    where = words.clean(words.shorten_path(found.path)) if found.path else found.id
    out.line(out.paint("faint", where))
    out.line()
    wide = max(len(step.stage) for step in found.steps)
    for step in found.steps:
        _print_step(out, step, wide)


def _print_step(out: Screen, step: Step, wide: int) -> None:
    style, mark = _MARKS[step.passed]
    mark = mark if out.can_encode(mark) else _PLAIN[step.passed]
    out.line(f"{out.paint(style, mark)} {step.stage.ljust(wide)}  {words.one_line(step.detail)}")
    if step.cure and step.passed is not True:
        out.line(" " * (wide + 4) + out.paint("faint", step.cure))
