"""Reads records into a base: from an export, from notes as JSON lines, from other programs' files.

Whatever the form, it arrives as records that each say where they stand; they are written in
batches, each record in a transaction of its own, so that a bad one costs itself and nothing
else. Then links are found and vectors made, as after every other way in.
"""

from __future__ import annotations

import os
from hashlib import blake2b

from scrubjay.errors import ReadError, UsageError
from scrubjay.ingest.importers.jsonl import refused
from scrubjay.knowledge_base.alerting import evaluate
from scrubjay.knowledge_base.bulk import draft_of, pieces_of
from scrubjay.knowledge_base.owed import look_through
from scrubjay.knowledge_base.rereadable import keep_tokens
from scrubjay.types import KINDS, Draft, ModelIdentity, Notice, Piece
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.carrying import ImportReport, Told
from scrubjay.types.memory import ORDINARY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Incoming, Store
    from scrubjay.types import Progress

    Tell = Callable[[Progress], None]
    Record = Mapping[str, Any]

_BATCH = 500  # records a transaction: others get their turn, and what was read stays read
_FIELDS = ("text", "title", "id", "tags", "kind", "created_at", "summary", "metadata")


def take_in(
    feed: Iterable[Told | Notice], form: str, store: Store, config: Config, meaning: Meaning,
    *, replace: bool = False, tell: Tell | None = None,
) -> ImportReport:  # fmt: skip
    """Everything of a feed; what could not be taken is told and counted."""
    sizes = int(config.get("ingest.target_tokens")), int(config.get("ingest.max_tokens"))
    taking = Taking(store, sizes, replace)
    for batch in _batches(feed):
        with store.writing():
            taking.batch(batch)
    look_through(store, config)
    embedded, notices = meaning.embed_pending(tell)
    notices = (*notices, *keep_tokens(store, config, meaning, tell))
    notices = (*notices, *evaluate(store, config, meaning))
    return taking.report(form)._replace(embedded=embedded, notices=(*taking.notices, *taking.ends(), *notices))


def _batches(feed: Iterable[Told | Notice]) -> Iterator[list[Told | Notice]]:
    batch: list[Told | Notice] = []
    for each in feed:
        batch.append(each)
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    yield batch


class Taking:
    """One import; collects the counts and the notices."""

    def __init__(self, store: Store, sizes: tuple[int, int], replace: bool) -> None:
        self._store = store
        self._sizes = sizes
        self._replace = replace
        self._incoming: Incoming = store.archive.incoming()
        self._counts: dict[str, Any] = dict.fromkeys(("added", "same", "replaced", "differs"), 0)
        self._others: dict[str, Any] = dict.fromkeys(("edges", "sources", "rows", "vectors"), 0)
        self._failed = 0
        self._promised: int | None = None
        self.notices: list[Notice] = []

    def report(self, form: str) -> ImportReport:
        return ImportReport(form, failed=self._failed)._replace(**self._counts, **self._others)

    def batch(self, batch: Sequence[Told | Notice]) -> None:
        for each in batch:
            if isinstance(each, Notice):
                self._failed += 1
                self.notices.append(each)
                continue
            try:
                self._one(each.kind, each.record)
            except UnicodeEncodeError:
                self._refuse(each.place, "it holds half of a character")
            except ReadError as error:
                self._refuse(each.place, f"{error.what} {error.why}".strip())
            except UsageError as error:
                self._refuse(each.place, f"{error.what} {error.why}".strip())
            except KeyError as error:
                self._refuse(each.place, f"it has no {error.args[0]}")
            except (TypeError, ValueError, AttributeError) as error:
                self._refuse(each.place, f"it is not as it should be ({error})")

    def _refuse(self, place: str, reason: str) -> None:
        self._failed += 1
        self.notices.append(refused(place, reason))

    def _one(self, kind: str, record: Record) -> None:
        if kind == "document":
            draft, pieces = self._document(record)
            self._counts[self._incoming.document(draft, pieces, record, replace=self._replace)] += 1
        elif kind == "edge":
            self._others["edges"] += self._incoming.edge(record) == "added"
        elif kind == "source":
            self._others["sources"] += self._incoming.source(record) == "added"
        elif kind == "row":
            self._others["rows"] += self._incoming.row(record) == "added"
        elif kind == "vectors":
            self._others["vectors"] += self._incoming.vectors(ModelIdentity(**record["model"]), record)
        elif kind == "scrubjay":
            self._promised = record.get("documents")
            self._incoming.header(record)

    def _document(self, record: Record) -> tuple[Draft, Sequence[Piece]]:
        return exact(record) if "chunks" in record else written(record, self._sizes)

    def ends(self) -> list[Notice]:
        """What can only be said at the end."""
        told = []
        if self._counts["differs"]:
            reason = f"{self._counts['differs']} documents are in the base under the same id with other content; "
            told.append(Notice("import", f"{reason}the base's own were left.", "--replace takes the file's instead."))
        seen = sum(self._counts.values()) + self._failed
        if self._promised is not None and seen < self._promised:
            reason = f"The file ends early: it has {seen} of {self._promised} documents."
            told.append(Notice("import", reason, "Export it again; what came was taken."))
        return told


def exact(record: Record) -> tuple[Draft, list[Piece]]:
    """A document as an export has it, chunk by chunk."""
    chunks = record["chunks"]
    pieces = [
        Piece(
            _text(each["text"]),
            (int(each["lines"][0]), int(each["lines"][1])),
            tuple(each.get("trail") or ()),
            each.get("page"),
        )
        for each in chunks
    ]
    kind = str(record.get("kind") or "note")
    draft = Draft(
        title=_text(record["title"]),
        kind=kind if kind in KINDS else "note",
        path=record.get("path"),
        id=_text(record["id"]),
        tags=tuple(record.get("tags") or ()),
        created_at=record.get("created_at"),
        modified_at=record.get("modified_at"),
        summary=str(record.get("summary") or ""),
        size=int(record.get("size") or 0),
        mtime_ns=record.get("mtime_ns"),
        content_hash=str(record.get("content_hash") or ""),
        path_words=str(chunks[0].get("path") or "") if chunks else "",
        metadata=dict(record.get("metadata") or {}),
        untitled=not any(each.get("title") for each in chunks),
    )
    return draft, pieces


def _text(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise ValueError("a text is missing")
    return given


def written(record: Record, sizes: tuple[int, int]) -> tuple[Draft, Sequence[Piece]]:
    """A text that has not been cut yet. Without an id it gets one that the same text gets again."""
    item = {name: record[name] for name in _FIELDS if record.get(name) is not None}
    kind = str(item.get("kind") or record.get("type") or "note")
    if kind not in KINDS:  # other programs' kinds are tags here
        item["tags"] = [*_listed(item.get("tags")), kind]
    item["kind"] = kind if kind in KINDS else "note"
    draft, text = draft_of(0, item)
    if draft.memory is not None and draft.memory[:5] == ORDINARY[:5] and not draft.memory.triggers:
        draft = draft._replace(memory=None)  # where it is from comes as a row of its own
    if draft.id is None and record.get("path") is None:
        seed = "\0".join((text, draft.title, draft.created_at or ""))
        draft = draft._replace(id="d_" + blake2b(seed.encode(), digest_size=6).hexdigest())
    path = record.get("path")
    draft = draft._replace(
        path=path, modified_at=record.get("modified_at"), path_words=os.path.basename(path) if path else ""
    )
    return draft, pieces_of(text, draft, sizes, whole=False)


def _listed(tags: Any) -> list[str]:
    return [tags] if isinstance(tags, str) else list(tags or ())
