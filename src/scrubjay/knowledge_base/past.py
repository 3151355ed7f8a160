"""Puts together what the history keeps: versions, what they were, and the base of a moment."""

from __future__ import annotations

from contextlib import contextmanager

from scrubjay.disclose.versions import needed, state_before, text_of, versions
from scrubjay.errors import UnknownId, UsageError
from scrubjay.types import Draft, Notice
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.history import Vacuumed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.disclose.versions import State
    from scrubjay.ports import Store
    from scrubjay.types import SearchOptions, SearchResult
    from scrubjay.types.history import Change, StoredChange


def history(store: Store, document_id: str) -> Sequence[Change]:
    """Every change of a document with the difference it made."""
    changes, present = _known(store, document_id)
    return versions(changes, present, _texts(store, changes, present))


def version(store: Store, document_id: str, number: int) -> str:
    """The text after that change."""
    state, texts = _after(store, document_id, number)
    return text_of(state, texts)


def revert(store: Store, document_id: str, number: int) -> str:
    """Writes an older version as the present one. What a file says, the file decides."""
    state, _ = _after(store, document_id, number)
    if state is None:
        raise UsageError(f"{document_id} was deleted by that change.", "", "Name the version before it.")
    header, ids = state
    if header["path"] is not None:
        raise UsageError(
            f"{document_id} is the file {header['path']}.", "What it says is decided by the file.",
            f"Write the file anew: kb history {document_id} --show {number} > FILE, then kb update",
        )  # fmt: skip
    draft = Draft(
        title=header["title"], kind=header["kind"], id=document_id, tags=tuple(header["tags"]),
        created_at=header["created_at"], summary=header["summary"], size=header["size"],
        metadata=header["metadata"], untitled=not header["searched_title"],
    )  # fmt: skip
    store.put(draft, store.history.placed(ids))
    return document_id


def _after(store: Store, document_id: str, number: int) -> tuple[State | None, dict[str, str]]:
    changes, present = _known(store, document_id)
    places = [place for place, change in enumerate(changes) if change.number == number]
    if not places:
        numbers = ", ".join(str(change.number) for change in changes)
        raise UsageError(f"{document_id} has no version {number}.", f"Its versions are {numbers or 'none'}.")
    state = None if changes[places[0]].what == "deleted" else state_before(changes[places[0] + 1 :], present)
    return state, _texts(store, changes, present)


def _known(store: Store, document_id: str) -> tuple[list[StoredChange], State | None]:
    chunk = store.chunk_by_id(document_id)
    identity = chunk.document_id if chunk is not None else document_id
    changes = store.history.changes(identity)
    present = store.history.present(identity)
    if not changes and present is None:
        raise UnknownId(
            f"There is no document {document_id!r}, and none was known since {store.history.began[:10]}.",
            "", "`kb list` and `kb search` show ids.",
        )  # fmt: skip
    return changes, present


def _texts(store: Store, changes: Sequence[StoredChange], present: State | None) -> dict[str, str]:
    return {piece: found[0] for piece, found in store.history.texts(needed(changes, present)).items()}


def search_past(options: SearchOptions, config: Config, store: Store, ask: Any, reread: Any, when: str) -> SearchResult:
    """A search of what the base knew at a date; what is found is as it was then."""
    from scrubjay.search.pipeline import search

    with opened_at(store, when) as (past, then, notices):
        result = search(options, config, past, ask, reread)
    return result._replace(as_of=then, notices=(*notices, *result.notices))


@contextmanager
def opened_at(store: Store, when: str) -> Iterator[tuple[Any, str, list[Notice]]]:
    """The store as it was at the end of a day in words, the moment itself, and what there is to say."""
    from scrubjay.search.when import moment

    then = moment(when, end=True)
    past, notices = as_of(store, then)
    try:
        yield past, then, notices
    finally:
        past.close()


def as_of(store: Store, moment: str) -> tuple[Any, list[Notice]]:
    """The store of a moment, and what there is to say about how far back it reaches."""
    began = store.history.began
    changed = store.history.changed_since(moment)
    states = []
    for document_id, changes in changed.items():
        state = state_before(changes, store.history.present(document_id) if _unfinished(changes) else None)
        if state is not None and (moment >= began or state[0]["indexed_at"] <= moment):
            states.append(state)
    notices = []
    if moment < began:
        reason = f"Changes are kept since {began[:10]}; what was replaced before then is not known."
        notices.append(Notice("as-of", reason, "What was read before that date and not changed since is found."))
    return store.history.store_of(moment, states, list(changed)), notices


def _unfinished(changes: Sequence[StoredChange]) -> bool:
    """Whether the text before these changes is, in part, the present one."""
    return all(change.pieces is None for change in changes)


def vacuum(store: Store, keep: str | None) -> Vacuumed:
    """Compacts the file; before that, lets go of history older than `keep` ("90d", "2026-01-01")."""
    changes = texts = 0
    since = ""
    if keep is not None:
        from scrubjay.search.when import moment

        since = moment(keep)
        changes, texts = store.history.forget(since)
    before, after = store.vacuum()
    return Vacuumed(before, after, changes, texts, since)
