"""`kb eval`: measures the base, or one built from a corpus for this run, and compares settings.

Two settings are compared on the same queries with a test of whether the difference may be luck,
because a change of a hundredth on a few dozen queries usually is.
"""

from __future__ import annotations

import os

from scrubjay.cli import words
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.evaluate.judgements import Judgements
    from scrubjay.evaluate.run import Evaluation

_AT_ONCE = 500  # notes written in one transaction


def evaluate(call: Call) -> int:
    from scrubjay.evaluate.judgements import load

    others = _others(call)
    _check_plot(call["plot"])
    judgements = load(*call.words)
    if not call["corpus"]:
        return _judge(call, call["base"], others, judgements)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="kb-eval-") as folder:
        base = os.path.join(folder, "kb.db")
        _build(call, base)
        return _judge(call, base, others, judgements)


def _judge(call: Call, base: str | None, others: Mapping[str, Any], judgements: Judgements) -> int:
    from scrubjay.evaluate.run import difference

    first = _measure(call, base, {}, call["profile"], judgements)
    compared = None
    if others or call["against"]:
        named = "search.profile" if "search.profile" in others else ""
        second = _measure(call, base, others, call["against"] or (None if named else call["profile"]), judgements)
        compared = second, difference(first, second)
    if call["plot"]:
        _plot(call, first)
    if call["json"]:
        from scrubjay.cli.judged import evaluation_record
        from scrubjay.cli.output import print_json

        print_json(call.out, evaluation_record(first, compared, _name(call, others)))
        return 0
    from scrubjay.cli.judged import print_difference, print_evaluation

    print_evaluation(call.out, first)
    call.notices(first.notices)
    if compared is not None:
        call.out.line()
        print_difference(call.out, first, *compared, _name(call, others))
    return 0


def _measure(
    call: Call, base: str | None, settings: Mapping[str, Any], profile: str | None, judgements: Judgements
) -> Evaluation:
    import scrubjay

    bar = call.progress()
    with scrubjay.open(base, create=False, config=settings) as kb:
        try:
            return kb.evaluate(
                judgements,
                top=call["top"] or 10,
                profile=profile,
                rerank=call["rerank"],
                progress=bar,
            )
        finally:
            if bar is not None:
                bar.clear()


def _build(call: Call, base: str) -> None:
    """The corpus as notes in a base of its own."""
    import scrubjay
    from scrubjay.evaluate.corpus import read_corpus
    from scrubjay.types import Progress

    bar = call.progress()
    rows = list(read_corpus(call["corpus"]))
    with scrubjay.open(base) as kb:
        try:
            for start in range(0, len(rows), _AT_ONCE):
                if bar is not None:
                    bar(Progress("build", start, len(rows)))
                kb.notes(rows[start : start + _AT_ONCE])
        finally:
            if bar is not None:
                bar.clear()


def _others(call: Call) -> dict[str, str]:
    """The settings of --compare by name."""
    settings: dict[str, str] = {}
    for row in call["compare"]:
        name, equals, value = row.partition("=")
        if not equals:
            raise UsageError(f"{row!r} sets nothing.", "A setting needs a value.", "Write --compare fusion.rrf_k=20")
        settings[name.strip()] = value.strip()
    return settings


def _name(call: Call, others: Mapping[str, Any]) -> str:
    parts = [f"profile {call['against']}"] if call["against"] else []
    return ", ".join([*parts, *(f"{name}={value}" for name, value in others.items())])


def _check_plot(path: str | None) -> None:
    if path is not None and not path.lower().endswith(".svg"):
        raise UsageError(f"{path} cannot be drawn.", "Plots are SVG.", "Give it a name that ends in .svg")


def _plot(call: Call, judged: Evaluation) -> None:
    from scrubjay.evaluate.plot import bars

    count = words.counted(len(judged.queries), "query").replace("querys", "queries")
    series = {leg.name: dict(leg.means) for leg in judged.legs}
    with open(call["plot"], "w", encoding="utf-8") as file:
        file.write(bars(series, title=f"{os.path.basename(call.words[0])}: {count}"))
    call.console.hint(f"Drawn into {call['plot']}")
