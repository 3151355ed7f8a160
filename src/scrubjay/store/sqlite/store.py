"""The embedded engine behind the Store port: one SQLite file, opened once, shared by threads.

Only composition lives here; each duty has its module. Retrieval hands out chunk numbers and
scores; `fetch` turns the few that remain into chunks with one statement.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock  # what threading.RLock is, without the rest of threading
from contextlib import contextmanager

from scrubjay.errors import UnknownId
from scrubjay.store.sqlite import filters, read
from scrubjay.store.sqlite.connect import MEMORY, begin, connect, translating
from scrubjay.store.sqlite.parts import Parts
from scrubjay.types import EVERYTHING, Candidate, Notice, Ranking
from scrubjay.types.base import TYPE_CHECKING, Later

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.store.sqlite import bm25, health, listing, match, models, sources, waiting, write
    from scrubjay.store.sqlite.bm25 import Scorer
    from scrubjay.store.sqlite.keyword import AsFts5
    from scrubjay.store.sqlite.vectors import VectorIndex
    from scrubjay.types import (
        Check,
        Chunk,
        Document,
        Draft,
        Entry,
        FileState,
        Filter,
        ModelIdentity,
        Piece,
        Source,
        StoredModel,
        Words,
        Written,
    )
else:  # a search by words needs none of them
    bm25 = Later("scrubjay.store.sqlite.bm25")
    listing = Later("scrubjay.store.sqlite.listing")
    health = Later("scrubjay.store.sqlite.health")
    match = Later("scrubjay.store.sqlite.match")
    models = Later("scrubjay.store.sqlite.models")
    sources = Later("scrubjay.store.sqlite.sources")
    waiting = Later("scrubjay.store.sqlite.waiting")
    write = Later("scrubjay.store.sqlite.write")


class SqliteStore(Parts):
    """See `scrubjay.ports.Store`."""

    def __init__(
        self,
        location: str,
        *,
        create: bool = True,
        busy_seconds: float = 10.0,
        engine: str = "auto",
        column_weights: tuple[float, float, float] = (2.0, 1.0, 0.5),
        half_life_days: float = 30.0,
        actor: str = "library",
    ) -> None:
        self.location = location if location == MEMORY else os.path.abspath(os.path.expanduser(location))
        self._connection = connect(self.location, create=create, busy_seconds=busy_seconds)
        self._engine = engine
        self._weights = column_weights
        self._lock = RLock()
        self._index: VectorIndex | None = None
        self._scorer: Scorer | None = None
        self._filters = filters.Kept(self._connection)
        self._fading = busy_seconds, half_life_days
        self._analyse: Any = None
        self._actor = actor

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
        with translating(self.location):
            self._connection.close(True)  # also with a statement that an interrupt left half read

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, taken at once so that no other writer comes between."""
        with translating(self.location):
            with self._lock:  # ours alone, so a transaction that is open is our own
                nested = self._connection.in_transaction
            if nested:
                yield
                return
            begin(self._connection, self._lock)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._lock.release()

    @contextmanager
    def _reading(self) -> Iterator[Any]:
        with self._lock, translating(self.location):
            yield self._connection

    # documents

    def put(self, draft: Draft, pieces: Sequence[Piece]) -> Written:
        with self.writing():
            return write.put(self._connection, draft, pieces, forget=self._forget, log=self.log)

    def put_many(self, items: Iterable[tuple[Draft, Sequence[Piece]]], *, replace: bool = False) -> list[Written]:
        """Many at once, in one transaction. Ids that are taken are refused unless `replace`."""
        with self.writing():
            ready = list(items)
            if not replace:
                write.refuse_known(self._connection, [draft.id for draft, _ in ready if draft.id])
            return write.put_many(self._connection, ready, forget=self._forget, log=self.log)

    def move(self, document_id: str, path: str, path_words: str) -> None:
        with self.writing():
            write.move(self._connection, document_id, path, path_words, log=self.log)

    def touch(self, document_id: str, mtime_ns: int, size: int) -> None:
        with self.writing():
            write.touch(self._connection, document_id, mtime_ns, size)

    def remove(self, document_ids: Sequence[str]) -> int:
        with self.writing():
            return write.remove(self._connection, document_ids, forget=self._forget, log=self.log)

    def retag(self, document_id: str, add: Sequence[str], remove: Sequence[str]) -> tuple[str, ...]:
        with self.writing():
            return write.retag(self._connection, document_id, add, remove, log=self.log)

    def file_states(self, folder: str | None = None) -> dict[str, FileState]:
        with self._reading() as connection:
            return listing.file_states(connection, folder)

    def file_state(self, path: str) -> FileState | None:
        with self._reading() as connection:
            return listing.file_state(connection, path)

    def document(self, document_id: str) -> Document | None:
        with self._reading() as connection:
            return listing.document(connection, document_id)

    def documents(self, where: Filter = EVERYTHING, limit: int | None = None, offset: int = 0) -> list[Document]:
        with self._reading() as connection:
            return listing.documents(connection, where, limit, offset)

    def count(self, where: Filter = EVERYTHING) -> int:
        with self._reading() as connection:
            return listing.count(connection, where)

    def tags(self) -> dict[str, int]:
        with self._reading() as connection:
            return listing.tags(connection)

    def known_ids(self, beginning: str, limit: int = 5) -> list[str]:
        with self._reading() as connection:
            return listing.known_ids(connection, beginning, limit)

    def chunks(self, document_ids: Sequence[str]) -> list[Chunk]:
        with self._reading() as connection:
            return read.chunks(connection, document_ids)

    def chunks_by_id(self, chunk_ids: Sequence[str]) -> dict[str, Chunk]:
        with self._reading() as connection:
            return read.chunks_by_id(connection, chunk_ids)

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, Document]:
        with self._reading() as connection:
            return listing.documents_by_id(connection, document_ids)

    def chunk_by_id(self, chunk_id: str) -> Chunk | None:
        with self._reading() as connection:
            return read.chunk_by_id(connection, chunk_id)

    def opening_texts(self, document_ids: Sequence[str], characters: int) -> dict[str, str]:
        with self._reading() as connection:
            return listing.opening_texts(connection, document_ids, characters)

    def timeline(
        self, where: Filter, limit: int | None, anchor: str | None = None, before: int = 0, after: int = 0
    ) -> list[Entry]:
        with self._reading() as connection:
            if anchor is not None and listing.document(connection, anchor) is None:
                raise UnknownId(f"There is no document {anchor!r}.", "", "`kb list` shows documents with their ids.")
            return listing.timeline(connection, where, limit, anchor, before, after)

    # sources

    def put_source(self, path: str, tags: Sequence[str], exclude: Sequence[str], kind: str | None) -> int:
        with self.writing():
            return sources.put(self._connection, path, tags, exclude, kind)

    def sources(self) -> list[Source]:
        with self._reading() as connection:
            return listing.sources(connection)

    def source_read(self, source_id: int) -> None:
        with self.writing():
            sources.was_read(self._connection, source_id)

    def remove_source(self, path: str) -> bool:
        with self.writing():
            return sources.remove(self._connection, path)

    # retrieval

    def allowed(self, where: Filter, words: Words | None = None) -> array[int] | None:
        with self._reading():
            unwanted = ""
            if words is not None and words.excluded:
                unwanted = match.expressions(words, self.stems).unwanted
            return self._filters.allowed(where, unwanted)

    def tokens(self, text: str) -> list[tuple[int, int, str]]:
        """The words as the index sees them: where each begins and ends, and its stem."""
        if self._analyse is None:
            self._analyse = self._connection.fts5_tokenizer("porter", ["unicode61"])
        return match.tokens(self._analyse, text)

    def stems(self, text: str) -> list[str]:
        return [token for _, _, token in self.tokens(text)]

    def keyword(self, words: Words, limit: int, allowed: array[int] | None) -> Ranking:
        from scrubjay.store.sqlite.keyword import Keyword

        with self._reading() as connection:
            return Keyword(connection, self.stems, self._weights, allowed, self._as_fts5()).search(words, limit)

    def exact(self, words: Words, limit: int, allowed: array[int] | None) -> Ranking:
        from scrubjay.store.sqlite.keyword import Keyword

        with self._reading() as connection:
            return Keyword(connection, self.stems, self._weights, allowed).exact(words, limit)

    def bm25(self, words: Words, limit: int, allowed: array[int] | None, k1: float, b: float) -> Ranking:
        """The BM25 channel; excluded words and CJK runs are honoured as in `keyword`."""
        with self._reading():
            return self._scoring().rank(match.bm25_terms(words, self.stems), k1, b, limit, allowed)

    def _scoring(self) -> Scorer:
        """The plain form makes way when numpy has come meanwhile."""
        if self._scorer is None or (isinstance(self._scorer, bm25.PlainScorer) and "numpy" in sys.modules):
            title, trail, path = self._weights
            self._scorer = bm25.scorer(self._connection, (title, trail, path, 1.0, 1.0))
        return self._scorer

    def _as_fts5(self) -> AsFts5 | None:
        """The faster way to what FTS5 finds; only where numpy is there, because importing it is not faster."""
        if "numpy" not in sys.modules or not all(self._weights):
            return None
        return getattr(self._scoring(), "as_fts5", None)

    def nearest(self, model: int, vector: Sequence[float], limit: int, allowed: array[int] | None) -> Ranking:
        with self._reading():
            found = self.index.nearest(model, vector, limit, allowed)
            return Ranking("vector", tuple(Candidate(number, score) for number, score in found), "cosine")

    def fetch(self, numbers: Sequence[int]) -> list[Chunk]:
        with self._reading() as connection:
            return read.fetch(connection, numbers)

    def remembers(self) -> bool:
        with self._reading() as connection:
            return read.remembers(connection)

    # vectors

    @property
    def index(self) -> VectorIndex:
        if self._index is None:
            from scrubjay.store.sqlite.vectors import VectorIndex

            self._index = VectorIndex(self._connection, self.location, self._engine)
        return self._index

    def vectors_of(self, numbers: Sequence[int]) -> dict[int, Sequence[float]]:
        """The stored vectors of these chunks, by the main model; some may have none."""
        active = next((model for model in self.models() if model.state == "active"), None)
        if active is None or not numbers:
            return {}
        with self._reading():
            found, rows = self.index.vectors_of(active.number, numbers)
        return {number: [float(value) for value in row] for number, row in zip(found, rows, strict=True)}

    def models(self) -> list[StoredModel]:
        with self._reading() as connection:
            return models.stored(connection)

    def use_model(self, identity: ModelIdentity, state: str = "active") -> int:
        with self.writing():
            return models.use(self._connection, identity, state)

    def swap_model(self, new: int, old: Sequence[int]) -> None:
        with self.writing():
            models.swap(self._connection, new, old)

    def want_all_vectors(self, model: int) -> None:
        with self.writing():
            models.want_all(self._connection, model)

    def drop_model(self, model: int) -> None:
        with self.writing():
            models.drop(self._connection, model)

    def pending(self, model: int, limit: int, after: int = 0) -> list[tuple[int, str]]:
        with self._reading() as connection:
            return waiting.pending(connection, model, limit, after)

    def pending_count(self, model: int | None = None) -> int:
        with self._reading() as connection:
            counted = waiting.counts(connection, model)
            return counted.get("pending", 0) + counted.get("retry", 0)

    def put_vectors(self, model: int, rows: Sequence[tuple[int, str]], vectors: Sequence[Any]) -> None:
        with self.writing():
            waiting.put(self._connection, self.index, model, rows, vectors)

    def reuse_vectors(self, model: int, rows: Sequence[tuple[int, str]]) -> set[int]:
        with self.writing():
            return waiting.reuse(self._connection, self.index, model, rows)

    def tidy_vectors(self, model: int) -> None:
        """After many were written: merges what pays, and makes the next search find it ready."""
        with self.writing():
            self.index.compact(model, force=False)
        with self._reading():
            self.index.follow(model)

    def mark_embedding(self, model: int, numbers: Sequence[int], status: str, reason: str) -> None:
        with self.writing():
            waiting.mark(self._connection, model, numbers, status, reason)

    def skip_embedding(self, model: int, numbers: Sequence[int]) -> None:
        with self.writing():
            waiting.skip(self._connection, model, numbers)

    def retry_failed(self, model: int) -> None:
        with self.writing():
            waiting.retry_failed(self._connection, model)

    def vectors(self, model: int) -> Iterator[tuple[array[int], NDArray[np.float32]]]:
        yield from self.index.all(model)

    def _forget(self, chunks: Sequence[int]) -> None:
        """Called before chunks are deleted: their texts and vectors are kept elsewhere."""
        self.log.keep(chunks)
        for known in models.stored(self._connection):
            waiting.remember(self._connection, self.index, known.number, chunks)

    # health

    def take_notices(self) -> list[Notice]:
        """What the vector index had to say since last asked."""
        if self._index is None:
            return []
        told, self._index.notices = self._index.notices, []
        return told

    def status(self) -> dict[str, Any]:
        with self._reading() as connection:
            return health.status(connection, self.location)

    def check(self) -> list[Check]:
        with self._reading() as connection:
            return health.checks(connection)

    def repair(self) -> None:
        with self.writing():
            health.repair(self._connection)
