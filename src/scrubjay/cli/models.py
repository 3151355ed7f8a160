"""The verbs about embedding models: which there are, fetching one, changing over to another."""

from __future__ import annotations

from scrubjay import config as configuration
from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json
from scrubjay.cli.parse import closest
from scrubjay.embed.local.catalogue import CATALOGUE, DEFAULT, find
from scrubjay.embed.local.install import SOURCES, home_of, installed, pull, remove
from scrubjay.errors import UsageError
from scrubjay.types import Progress
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.config import Config
    from scrubjay.embed.local.catalogue import ModelCard

_ACTIONS = ("list", "pull", "remove")


def models(call: Call) -> int:
    action, *names = call.words or ("list",)
    if action not in _ACTIONS:
        near = closest(action, _ACTIONS)
        meant = f"Did you mean `kb models {near}`?" if near else ""
        usage = "It is kb models, kb models pull [NAME…], or kb models remove NAME…"
        raise UsageError(f"kb models cannot {action!r}.", meant, usage)
    loaded = configuration.load(base=call["base"])
    if action == "pull":
        return _pull(call, loaded, [find(name) for name in names or [DEFAULT]])
    if action == "remove":
        return _remove(call, loaded, [find(name) for name in names])
    if names:
        raise UsageError("kb models list takes no name.", "", "Leave it out.")
    return _list(call, loaded)


def _list(call: Call, loaded: Config) -> int:
    folder = loaded.models_folder
    rows = [(card, installed(card, folder)) for card in CATALOGUE]
    if call["json"]:
        print_json(call.out, {"folder": str(folder), "models": [_record(card, there) for card, there in rows]})
        return 0
    shown = [
        (
            card.name,
            "installed" if there else "",
            words.size(card.size),
            f"{card.dim} numbers",
            card.licence,
            card.languages + (" (the default)" if card.name == DEFAULT else ""),
        )
        for card, there in rows
    ]
    print_columns(call.out, shown, ("title", "tag", "faint", "faint", "faint", "place"))
    if not any(there for _, there in rows):
        call.console.hint("None is installed, so search is by words alone: kb models pull")
    return 0


def _record(card: ModelCard, there: bool) -> dict[str, Any]:
    return {
        "name": card.name,
        "title": card.title,
        "installed": there,
        "default": card.name == DEFAULT,
        "bytes": card.size,
        "dim": card.dim,
        "max_tokens": card.max_tokens,
        "licence": card.licence,
        "languages": card.languages,
        "runtime": card.runtime,
    }


def _pull(call: Call, loaded: Config, cards: Sequence[ModelCard]) -> int:
    folder = loaded.models_folder
    sources = (call["source"],) if call["source"] else SOURCES
    fetched = []
    for card in cards:
        there = installed(card, folder)
        fetch(call, card, loaded, sources)
        fetched.append({"name": card.name, "folder": str(home_of(card, folder)), "was_installed": there})
        if not call["json"] and not call["quiet"]:
            place = words.shorten_path(str(home_of(card, folder)))
            call.out.line(f"{card.name} {'was installed already' if there else 'is installed'} in {place}")
    if call["json"]:
        print_json(call.out, {"models": fetched})
    elif not call["quiet"] and call.console.err.is_terminal:
        call.console.hint("What was added before gets its vectors with: kb update")
    return 0


def _remove(call: Call, loaded: Config, cards: Sequence[ModelCard]) -> int:
    if not cards:
        raise UsageError("No model was named.", "", "kb models remove NAME; kb models lists them.")
    freed = [(card, remove(card, loaded.models_folder)) for card in cards]
    if call["json"]:
        print_json(call.out, {"removed": [{"name": card.name, "bytes": size} for card, size in freed]})
        return 0
    for card, size in freed:
        call.out.line(f"{card.name} is removed, {words.size(size)} freed" if size else f"{card.name} was not installed")
    return 0


def fetch(call: Call, card: ModelCard, loaded: Config, sources: Sequence[str] = SOURCES) -> None:
    """Makes a model complete, with a bar on a terminal."""
    bar = call.progress()
    try:
        pull(card, loaded.models_folder, sources=sources, progress=_drawn(bar))
    finally:
        if bar is not None:
            bar.clear()


def _drawn(bar: Callable[[Progress], None] | None) -> Callable[[str, int, int], None]:
    def told(what: str, done: int, total: int) -> None:
        if bar is not None:
            bar(Progress("fetch", done // 1000, max(total // 1000, 1), what, done))

    return told


def _whole(name: str | None) -> str | None:
    """Part of a local model's name is enough, as it is for pull."""
    alike = [card.name for card in CATALOGUE if name and name.lower() in card.name]
    return alike[0] if len(alike) == 1 else name


def reindex(call: Call) -> int:
    """Embeds everything with another model; until it is complete the old vectors answer."""
    from scrubjay.cli.keep import with_progress

    with call.open() as kb:
        report = with_progress(call, lambda progress: kb.reindex(_whole(call["model"]), progress=progress))
    if call["json"]:
        print_json(call.out, report._asdict())
        return 0 if report.complete else 1
    call.notices(report.notices)
    done = f"{words.counted(report.embedded, 'chunk')} embedded by {report.model}"
    if report.complete:
        call.out.line(f"{done}; it answers from now on.")
        return 0
    call.out.line(f"{done}; {report.pending:,} are still to do. The old vectors answer until then.")
    call.console.hint("Run the same command again to go on.")
    return 1
