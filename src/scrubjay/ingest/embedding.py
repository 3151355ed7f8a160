"""Gives every waiting chunk its vector, batch by batch; what fails stays waiting.

The store is the queue: a chunk waits there from the moment it is written, so that nothing is
lost when the process ends in any way, and the next run goes on. One process embeds a base at a
time; another one that comes along leaves its chunks to the first, so no work is done twice.
An embedder that is down blocks nothing: the words are searchable, the rest is tried again.
"""

from __future__ import annotations

from scrubjay.errors import ScrubjayError
from scrubjay.ingest.alone import alone
from scrubjay.types import Notice, Progress
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from scrubjay.ports import Embedder, Store

    Tell = Callable[[Progress], None]
    Rows = Sequence[tuple[int, str]]

_WINDOW = 16  # batches read at once, so that texts of like length can go together


class Speaker(NamedTuple):
    """A model of the base with its embedder, and the texts it is for (None: all)."""

    model: int
    embedder: Embedder
    covers: Callable[[str], bool] | None = None


class Embedded(NamedTuple):
    """How many chunks got a vector, and what went wrong."""

    chunks: int
    notices: tuple[Notice, ...] = ()
    unread: int = 0  # chunks in scripts that no model of the base knows,
    unread_text: str = ""  # and one of them


class Embedding:
    """One run over all chunks that wait. `stop` makes it end after the batch at hand."""

    def __init__(self, store: Store, speakers: Sequence[Speaker], batch: int, tell: Tell | None = None) -> None:
        self._store = store
        self._speakers = speakers
        self._batch = max(batch, 1)
        self._tell = tell
        self._stopped = False
        self._done = 0
        self._unread, self._unread_text = 0, ""
        self._notices: list[Notice] = []

    def stop(self) -> None:
        self._stopped = True

    def run(self) -> Embedded:
        """Embeds until nothing waits, the embedder can no more, or somebody stops it."""
        while self._waiting() and not self._stopped:
            with alone(self._store.location) as free:
                if not free:
                    reason = f"Another process is embedding this base; it takes {_chunks(self._waiting())} along."
                    self._notices.append(Notice("embed", reason))
                    break
                before = self._done + self._unread
                for speaker in self._speakers:
                    self._speak(speaker)
                    self._store.tidy_vectors(speaker.model)
            if self._notices or self._done + self._unread == before:
                break  # otherwise look once more: someone may have left us chunks while we finished
        return Embedded(self._done, tuple(self._notices), self._unread, self._unread_text)

    def _waiting(self) -> int:
        return sum(self._store.pending_count(speaker.model) for speaker in self._speakers)

    def _speak(self, speaker: Speaker) -> None:
        """All that one model has to embed."""
        failed: dict[int, str] = {}
        after = 0
        try:
            while not self._stopped and (rows := self._store.pending(speaker.model, self._batch * _WINDOW, after)):
                after = rows[-1][0]
                for part in self._parts(speaker, self._read_by(speaker, rows)):
                    if self._stopped:
                        break
                    self._done += self._embed(speaker, part, failed)
                    if self._tell is not None:
                        self._tell(Progress("embed", self._done, self._done + self._waiting(), speaker.embedder.name))
        except Exception as error:  # an embedder is anybody's code
            self._notices.append(_down(error, self._waiting()))
        if failed:
            self._notices.append(_refused(failed))

    def _read_by(self, speaker: Speaker, rows: Rows) -> Rows:
        """The rows that are for this model; it will not be asked for the others again."""
        covers = speaker.covers
        if covers is None:
            return rows
        others = [row for row in rows if not covers(row[1])]
        if not others:
            return rows
        self._store.skip_embedding(speaker.model, [number for number, _ in others])
        if speaker is self._speakers[-1]:
            before = self._speakers[:-1]
            unread = [text for _, text in others if not any(one.covers is None or one.covers(text) for one in before)]
            self._unread += len(unread)
            self._unread_text = next(iter(unread), self._unread_text)
        left = {number for number, _ in others}
        return [row for row in rows if row[0] not in left]

    def _parts(self, speaker: Speaker, rows: Rows) -> list[Rows]:
        """Batches of like length, without what was embedded before."""
        known = self._store.reuse_vectors(speaker.model, rows)
        self._done += len(known)
        self._mark_cut(speaker, [row for row in rows if row[0] in known])
        fresh = sorted((row for row in rows if row[0] not in known), key=lambda row: len(row[1]))
        batch = max(self._batch, int(getattr(speaker.embedder, "batch", 0)))
        return [fresh[start : start + batch] for start in range(0, len(fresh), batch)]

    def _embed(self, speaker: Speaker, rows: Rows, failed: dict[int, str]) -> int:
        """One batch; if it fails, its halves, until the one text that cannot be embedded is found."""
        some = getattr(speaker.embedder, "embed_some", None)
        if some is not None:  # it tells by itself which texts it could not do
            vectors, refused = some([text for _, text in rows], "document")
            return self._keep(speaker, rows, vectors, refused, failed)
        try:
            vectors = speaker.embedder.embed([text for _, text in rows], "document")
            _check(speaker.embedder, vectors, len(rows))
        except Exception as error:
            if len(rows) > 1:
                middle = len(rows) // 2
                return self._embed(speaker, rows[:middle], failed) + self._embed(speaker, rows[middle:], failed)
            speaker.embedder.embed(["test"], "document")  # if even this fails, it is not the text: raises
            return self._keep(speaker, rows, [None], {0: str(error)}, failed)
        return self._keep(speaker, rows, vectors, {}, failed)

    def _keep(self, speaker: Speaker, rows: Rows, vectors: Any, refused: dict[int, str], failed: dict[int, str]) -> int:
        with self._store.writing():
            for place, reason in refused.items():
                failed[rows[place][0]] = reason
                self._store.mark_embedding(speaker.model, [rows[place][0]], "failed", reason)
            good = [place for place in range(len(rows)) if place not in refused]
            if good:
                self._store.put_vectors(speaker.model, [rows[at] for at in good], [vectors[at] for at in good])
                self._mark_cut(speaker, [rows[at] for at in good])
        return len(good)

    def _mark_cut(self, speaker: Speaker, rows: Rows) -> None:
        """Chunks that are longer than the model reads have the vector of their beginning: 'partial'."""
        cut = getattr(speaker.embedder, "cut", None)
        places = cut([text for _, text in rows]) if cut is not None and rows else ()
        if places:
            numbers = [rows[place][0] for place in places]
            self._store.mark_embedding(speaker.model, numbers, "partial", "longer than the model reads")


def _check(embedder: Embedder, vectors: Any, count: int) -> None:
    shape = getattr(vectors, "shape", None)
    if shape != (count, embedder.dim):
        raise ScrubjayError(
            f"{embedder.name} answered with vectors of shape {shape}.", f"({count}, {embedder.dim}) was expected."
        )


def _down(error: Exception, waiting: int) -> Notice:
    reason, cure = f"{type(error).__name__}: {error}".rstrip(": "), ""
    if isinstance(error, ScrubjayError):
        reason, cure = f"{error.what} {error.why}".strip(), error.cure
    return Notice(
        "embed",
        f"Embedding stopped: {reason.rstrip('.')}. {_chunks(waiting)} left to embed; their words are searchable.",
        cure or "Mend it, then run: kb update",
    )


def _refused(failed: dict[int, str]) -> Notice:
    first = next(iter(failed.values()))
    reason = f"{_chunks(len(failed))} could not be embedded ({first})."
    return Notice("embed", reason, "They are found by their words.")


def _chunks(count: int) -> str:
    return "1 chunk" if count == 1 else f"{count:,} chunks"
