"""Notes on their way in: mappings are checked, cut into chunks and written in one transaction.

The way in for other programs, so it must not cost more than the writing: a short text is one
chunk without looking for structure in it, which kind of memory it is is not guessed from it, and
links and spellings of many are looked for when something needs them.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from hashlib import blake2b

from scrubjay.disclose.summary import body, summary
from scrubjay.errors import UsageError
from scrubjay.knowledge_base.owed import FEW, look_through
from scrubjay.memory.facts import facts_of
from scrubjay.search.plan import one_of, split_tags
from scrubjay.types import KINDS, Draft, Piece
from scrubjay.types.base import TYPE_CHECKING, NamedTuple
from scrubjay.types.memory import ORDINARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store
    from scrubjay.types import Facts, Written

_MEMORY = ("memory_type", "importance", "triggers", "project", "session", "source")
_FIELDS = ("text", "title", "id", "tags", "kind", "created_at", "summary", "metadata", "vector", *_MEMORY)
_SHORT = 900  # characters; surely below a chunk's size in any script


class Ready(NamedTuple):
    """Notes that were checked and cut, and can be written."""

    drafts: Sequence[tuple[Draft, Sequence[Piece]]]
    vectors: Sequence[Sequence[float] | None]


def write_notes(
    items: Iterable[Mapping[str, Any]], store: Store, config: Config, meaning: Meaning, *, replace: bool
) -> list[str]:
    """All or nothing; then the vectors. Returns the ids in order."""
    ready = prepare(items, config)
    with store.writing(), uncollected():
        written = put(ready, store, meaning, replace=replace)
    finish(ready, store, config, meaning)
    return [done.id for done in written]


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the search for cycles, which passes over all the notes time and again and finds none: a twentieth."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def prepare(items: Iterable[Mapping[str, Any]], config: Config, *, guess: bool = False) -> Ready:
    """Everything that can be wrong is found here. With `guess`, the text says which kind of memory it is."""
    sizes = int(config.get("ingest.target_tokens")), int(config.get("ingest.max_tokens"))
    drafts: list[tuple[Draft, Sequence[Piece]]] = []
    vectors: list[Sequence[float] | None] = []
    for place, item in enumerate(items):
        draft, text = draft_of(place, item, guess=guess)
        vector = item.get("vector")
        if vector is not None and not len(vector):
            raise UsageError(f"Note {place + 1} has an empty vector.", "It says nothing.", "Leave it out.")
        vectors.append(vector)
        drafts.append((draft, pieces_of(text, draft, sizes, whole=vector is not None)))
    return Ready(drafts, vectors)


def put(ready: Ready, store: Store, meaning: Meaning, *, replace: bool = False) -> list[Written]:
    """Inside the caller's transaction."""
    written = store.put_many(ready.drafts, replace=replace)
    given = [
        (_only_chunk(store, done), pieces[0].text, vector)
        for done, (_, pieces), vector in zip(written, ready.drafts, ready.vectors, strict=True)
        if vector is not None
    ]
    if given:
        model = meaning.take_given(len(given[0][2]))
        store.put_vectors(model, [(number, text) for number, text, _ in given], [vector for _, _, vector in given])
    return written


def finish(ready: Ready, store: Store, config: Config, meaning: Meaning) -> None:
    """Links and words, unless there are many notes; vectors for those that came without; alerts."""
    if len(ready.drafts) <= FEW or store.alerts.any():
        look_through(store, config)
    if any(vector is None for vector in ready.vectors):
        meaning.embed_pending(None)
    if config.get("rerank.token_vectors"):
        from scrubjay.knowledge_base.rereadable import keep_tokens

        keep_tokens(store, config, meaning)
    if store.alerts.any():
        from scrubjay.knowledge_base.alerting import evaluate

        evaluate(store, config, meaning)


def _only_chunk(store: Store, done: Written) -> int:
    """The number of the chunk that a note with a vector is; it is an old one if the text is the same."""
    return done.chunk_ids[0] if done.chunk_ids else store.chunks([done.id])[0].number


def draft_of(place: int, item: Mapping[str, Any], *, guess: bool = False) -> tuple[Draft, str]:
    """A note that was checked, and its text."""
    unknown = [field for field in item if field not in _FIELDS]
    if unknown:
        raise UsageError(
            f"Note {place + 1} has a field {unknown[0]!r} that nothing knows.",
            f"A note has {', '.join(_FIELDS)}.",
            "Put everything else under metadata.",
        )
    text = item.get("text")
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"Note {place + 1} has no text.", "A note is its text.", "Give it one; nothing was written.")
    text = text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    title = " ".join(str(item.get("title") or "").split())
    created = None if item.get("created_at") is None else _when(str(item["created_at"]))
    tags = split_tags(item.get("tags") or ())
    metadata = {**_anchors(text), **(item.get("metadata") or {})}
    draft = Draft(
        title=title or _first_line(text),
        kind=one_of("type", str(item.get("kind") or "note"), KINDS),
        id=_identity(place, item.get("id")),
        tags=tags,
        created_at=created,
        summary=str(item.get("summary") or ""),
        size=len(text),
        content_hash=blake2b(text.encode(), digest_size=16).hexdigest(),
        metadata=metadata,
        untitled=not title,
        memory=_facts(item, text if guess else "", created, tags, metadata),
    )
    return draft, text


def _anchors(text: str) -> dict[str, Any]:
    """The sections that a note names: <!-- ANCHOR:name -->."""
    if "<!--" not in text or "ANCHOR:" not in text:
        return {}
    from scrubjay.ingest.note import note_reading

    found = note_reading(text).metadata.get("anchors")
    return {"anchors": found} if found else {}


def _facts(
    item: Mapping[str, Any], text: str, created: str | None, tags: tuple[str, ...], metadata: Mapping[str, Any]
) -> Facts:
    said = {name: item[name] for name in _MEMORY if item.get(name)}
    if not (text or tags or metadata or said):
        return ORDINARY
    return facts_of(text, created_at=created, tags=tags, metadata=metadata, **said)


def _first_line(text: str) -> str:
    """What a note without a title is called when it is shown."""
    first = next(line for line in body(text).splitlines() if line.strip())
    return summary(first.lstrip("#>-* \t") or first)


def _identity(place: int, given: Any) -> str | None:
    if given is None:
        return None
    identity = str(given).strip()
    if not identity:
        raise UsageError(f"Note {place + 1} has an empty id.", "An id names a note.", "Leave it out to get one.")
    return identity


def _when(text: str) -> str:
    from scrubjay.search.when import moment

    return moment(text)


def pieces_of(text: str, draft: Draft, sizes: tuple[int, int], *, whole: bool) -> Sequence[Piece]:
    """The text in chunks; one, if it has to stay whole."""
    if whole or len(text) <= _SHORT:
        return (Piece(text, (1, text.count("\n") + (not text.endswith("\n") or 1))),)
    from scrubjay.ingest.chunk import chunk
    from scrubjay.ingest.note import note_reading

    reading = note_reading(text, draft.title, draft.tags, draft.created_at)
    return chunk(reading, target=sizes[0], maximum=sizes[1])
