"""The help texts, made from the table of verbs: short for `kb`, complete for one verb."""

from __future__ import annotations

from scrubjay.cli import verbs
from scrubjay.cli.options import COMMON, HELP
from scrubjay.cli.words import filled
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrubjay.cli.options import Option, Verb
    from scrubjay.cli.terminal import Screen

    Paint = Callable[[str, str], str]

WIDTH = 88
_MARGIN = 26


def show(verb: Verb | None, out: Screen) -> None:
    out.write(text(verb, out.paint))


def version() -> str:
    import scrubjay

    return f"scrubjay {scrubjay.__version__}"


def unpainted(style: str, text: str) -> str:  # noqa: ARG001 - a Paint without colours
    return text


def text(verb: Verb | None, paint: Paint = unpainted) -> str:
    """The help of a verb, or with None the overview."""
    lines = _overview(paint) if verb is None else _verb(verb, paint)
    return "\n".join(lines) + "\n"


def _overview(paint: Paint) -> list[str]:
    lines = [
        "kb finds your own notes, documents, code and PDFs by words and by meaning.",
        "",
        f"  {paint('title', 'kb add ~/notes')}            read a folder into the base",
        f"  {paint('title', 'kb search install git')}     find the passage that answers",
        f"  {paint('title', 'kb get c_1f0c9a')}           show it with its surroundings",
    ]
    rows = verbs.VERBS
    for family in dict.fromkeys(verb.family for verb in rows):
        lines += ["", paint("heading", family)]
        own = [verb for verb in rows if verb.family == family]
        lines += [f"  {paint('title', verb.name.ljust(10))} {verb.summary}" for verb in own if not verb.minor]
        others = ", ".join(verb.name for verb in own if verb.minor)
        lines += [f"  {paint('title', line)}" for line in filled(others, WIDTH - 2) if line]
    return [*lines, "", "`kb VERB --help` shows a verb's options; every verb takes --base PATH and --json."]


def _verb(verb: Verb, paint: Paint) -> list[str]:
    usage = " ".join(part for part in ("kb", verb.name, verb.words, "[options]") if part)
    lines = [f"{paint('title', usage)}", "", *filled(f"{verb.summary[0].upper()}{verb.summary[1:]}.", WIDTH)]
    if verb.more:
        lines += ["", *filled(verb.more, WIDTH)]
    if verb.options:
        lines += ["", paint("heading", "Options"), *_options(verb.options, paint)]
    lines += ["", paint("heading", "Every verb"), *_options((*COMMON[:-1], HELP), paint)]
    if verb.examples:
        lines += ["", paint("heading", "Examples")]
        lines += [f"  {line}{'   # ' + remark if remark else ''}" for line, remark in verb.examples]
    return lines


def _options(options: Iterable[Option], paint: Paint) -> list[str]:
    lines = []
    for option in options:
        shown = f"{option.flag} {option.metavar}".rstrip()
        told = option.help
        if option.choices and not all(choice in told for choice in option.choices):
            told += f": {', '.join(option.choices)}"
        first, *rest = filled(told, WIDTH - _MARGIN)
        lines.append(f"  {paint('place', shown)}{' ' * max(1, _MARGIN - 2 - len(shown))}{first}")
        lines += [" " * _MARGIN + line for line in rest]
    return lines
