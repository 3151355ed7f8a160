"""Saved searches at work: looks through what is new, and hands over each find once.

Evaluated after every way of writing, whoever writes. A find waits in the base until somebody
takes it: `kb alert check`, a program over the library, or the user's own command, which is run
without a shell and gets the find as JSON. A project's file cannot set that command.
"""

from __future__ import annotations

from scrubjay.errors import ScrubjayError, UnknownId, UsageError
from scrubjay.search.covering import enough, share
from scrubjay.search.parse import parse
from scrubjay.types import Notice
from scrubjay.types.alerts import Alert, Found, Match
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store
    from scrubjay.types import Chunk, Words

_MOST = 1000  # finds of one saved search in one go
_SECONDS = 60  # that the user's command may take


def add(
    store: Store, meaning: Meaning, query: str, name: str | None, filters: dict[str, Any], similar: float | None
) -> Alert:
    """Saves a search; what is there already is not reported."""
    from scrubjay.search.plan import filter_of

    words = parse(query)
    if not words.terms:
        raise UsageError("The query is empty.", "A saved search needs something to look for.")
    if similar is not None:
        if not 0 < similar <= 1:
            raise UsageError(f"{similar:g} is no similarity.", "It goes from 0 to 1.", "0.75 is a start.")
        if meaning.query_vector(None, "vector") is None:
            raise UsageError("There is no embedder for --similar.", "", "kb models pull, or leave it out.")
    filter_of(**filters)  # raises for what cannot be meant
    kept = {key: value for key, value in filters.items() if value}
    return store.alerts.add(Alert(name or query, query, kept, similar))


def remove(store: Store, name: str) -> None:
    if not store.alerts.remove(name):
        known = ", ".join(repr(alert.name) for alert in store.alerts.all())
        raise UnknownId(f"There is no saved search {name!r}.", f"There are {known}." if known else "There is none.")


def evaluate(store: Store, config: Config, meaning: Meaning) -> list[Notice]:
    """Looks through what is new; then the user's command gets what was found, if there is one."""
    if not store.alerts.any():
        return []
    notices: list[Notice] = []
    for alert in store.alerts.all():
        try:
            _look(store, meaning, alert, notices)
        except ScrubjayError as error:
            notices.append(Notice("alert", f"{alert.name}: {error.what} {error.why}".strip(), error.cure))
    command = str(config.get("alerts.command"))
    return [*notices, *deliver(store, command)] if command else notices


def _look(store: Store, meaning: Meaning, alert: Alert, notices: list[Notice]) -> None:
    newest, seen = store.alerts.newest(), store.alerts.progress(alert.number)
    if seen is None:
        store.alerts.seen(alert.number, newest)
        return
    if newest <= seen:
        return
    fresh = _passing(store, alert, store.alerts.newer(seen))
    finds = _by_words(store, parse(alert.query), fresh)
    if alert.similar is not None:
        try:
            finds += _by_meaning(store, meaning, alert, fresh)
        except Exception as error:  # an embedder is anybody's code
            reason = error.what if isinstance(error, ScrubjayError) else f"{type(error).__name__}: {error}"
            notices.append(Notice("alert", f"{alert.name} looked at words only: {reason}", "Run `kb doctor`."))
        newest = min(newest, _not_embedded(store) - 1)
    with store.writing():
        store.alerts.found(alert.number, finds)
        store.alerts.seen(alert.number, max(seen, newest))


def _passing(store: Store, alert: Alert, fresh: array[int]) -> array[int]:
    from array import array

    from scrubjay.search.plan import filter_of

    allowed = store.allowed(filter_of(**alert.filters))
    if allowed is None:
        return fresh
    passing = set(allowed)
    return array("q", [number for number in fresh if number in passing])


def _by_words(store: Store, words: Words, fresh: array[int]) -> list[Found]:
    if not fresh:
        return []
    ranking = store.keyword(words, _MOST, fresh)
    finds = []
    for chunk in store.fetch([candidate.chunk for candidate in ranking.candidates]):
        covered = share(words, "\n".join((chunk.title, *chunk.trail, chunk.text)), store.tokens)
        if enough(words, covered):
            finds.append(Found(chunk.id, chunk.document_id, round(covered, 3), None))
    return finds


def _by_meaning(store: Store, meaning: Meaning, alert: Alert, fresh: array[int]) -> list[Found]:
    ask = meaning.query_vector(None, "vector")
    if ask is None or not fresh:
        return []
    model, vector = ask(alert.query)
    near = store.nearest(model, vector, _MOST, fresh)
    scores = {each.chunk: each.score for each in near.candidates if each.score >= (alert.similar or 0)}
    return [
        Found(chunk.id, chunk.document_id, None, round(scores[chunk.number], 4)) for chunk in store.fetch(list(scores))
    ]


def _not_embedded(store: Store) -> int:
    """The first chunk that still waits for its vector: it is looked at again when it has one."""
    first = [rows[0][0] for model in store.models() if (rows := store.pending(model.number, 1))]
    return min(first, default=2**62)


def due(store: Store) -> list[Match]:
    """Everything that waits, each handed out to one caller only."""
    alerts = {alert.number: alert for alert in store.alerts.all()}
    found = []
    for number, chunk_id, at in store.alerts.due():
        why = store.alerts.take(number, chunk_id)
        chunk = store.chunk_by_id(chunk_id)
        if why is not None and chunk is not None:  # what is gone meanwhile has nothing to say
            found.append(_match(alerts[number], at, chunk, why, store))
    return found


def _match(alert: Alert, at: str, chunk: Chunk, why: tuple[float | None, float | None], store: Store) -> Match:
    from scrubjay.disclose.snippet import snippet
    from scrubjay.disclose.summary import body

    terms = [term.text for term in parse(alert.query).terms]
    text, _ = snippet(body(chunk.text), terms, stem=store.tokens)
    return Match(
        alert.name, alert.query, at, chunk.id, chunk.document_id, chunk.title, chunk.path, chunk.kind, chunk.tags,
        chunk.created_at, chunk.lines, text, *why,
    )  # fmt: skip


def deliver(store: Store, command: str) -> list[Notice]:
    """Runs the user's command once a find; what it refuses waits for the next time."""
    import json
    import shlex
    import subprocess

    from scrubjay.errors import UnknownSetting

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownSetting(f"alerts.command cannot be read: {error}.", "", "Mend its quotes.") from error
    alerts = {alert.name: alert.number for alert in store.alerts.all()}
    notices = []
    for match in due(store):
        told = {("type" if key == "kind" else key): value for key, value in match._asdict().items()}
        try:
            subprocess.run(
                words, input=json.dumps(told, ensure_ascii=False).encode(), timeout=_SECONDS, check=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            store.alerts.give_back(alerts[match.alert], match.id)
            reason = f"alerts.command failed for {match.alert!r}: {error}."
            notices.append(Notice("alert", reason, "The find waits: kb alert check shows it."))
    return notices
