"""A base as it was at a moment: to the search it looks like any store.

Documents that have not changed since are searched where they are. Those that were changed or
deleted since are put together again, as they were, in a base in memory, whose chunks go by
negative numbers. Both are asked and what they say is merged: cosines can be compared as they
are; for words, those of the past are scored with how common each word is in the whole base.
"""

from __future__ import annotations

from array import array
from math import log

from scrubjay.errors import UnknownId
from scrubjay.store.sqlite import bm25, match, waiting
from scrubjay.types import Candidate, Draft, Notice, Piece, Ranking
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.store.sqlite.store import SqliteStore
    from scrubjay.types import Chunk, Document, Entry, Filter, Words

    State = tuple[Mapping[str, Any], tuple[str, ...]]

MOST = 20_000  # chunks put together again for one search: above a second of work
_SCORED = 2000
_LIFT = ("title", "trigram", "phrase", "identifier")


class PastStore:
    """See `scrubjay.ports.Store`, as far as reading needs it; what is not here the present answers."""

    def __init__(self, live: SqliteStore, moment: str, states: Sequence[State], changed: Sequence[str]) -> None:
        from scrubjay.store.sqlite.store import SqliteStore

        self._live = live
        self._past = SqliteStore(":memory:", actor="")
        self._notices: list[Notice] = []
        self._put_together(states)
        self._models = self._give_vectors()
        self._known = live.history.unchanged(moment, changed)
        self._moment = moment, changed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._live, name)

    # made

    def _put_together(self, states: Sequence[State]) -> None:
        texts = self._live.history.texts(piece for _, pieces in states for piece in pieces)
        count = 0
        with self._past.writing():
            for left, (header, ids) in enumerate(states):
                pieces = [texts[piece] for piece in ids if piece in texts]
                count += len(pieces)
                if count > MOST:
                    reason = f"{len(states) - left} documents that changed since are left out: there are too many."
                    self._notices.append(Notice("as-of", reason, "Search at a later date, or for a --path."))
                    break
                self._past.put(_draft(header), placed(pieces))

    def _give_vectors(self) -> dict[int, int]:
        """Vectors that are still known under their texts; which model here is which there."""
        numbers: dict[int, int] = {}
        missing = 0
        for model in self._live.models():
            if model.state != "active":
                continue
            numbers[model.number] = there = self._past.use_model(model.identity)
            rows = self._past.pending(there, MOST + 1)
            hashes = {number: waiting.text_hash(text) for number, text in rows}
            with self._live._reading() as connection:
                known = waiting.known(connection, self._live.index, model.number, tuple(set(hashes.values())))
            found = [row for row in rows if hashes[row[0]] in known]
            missing += len(rows) - len(found)
            if found:
                self._past.put_vectors(there, found, [known[hashes[number]] for number, _ in found])
        if missing:
            reason = f"{missing} passages of that time have no vector any more; they are found by their words."
            self._notices.append(Notice("as-of", reason))
        return numbers

    # asked

    def take_notices(self) -> list[Notice]:
        told, self._notices = self._notices, []
        return [*told, *self._live.take_notices(), *self._past.take_notices()]

    def allowed(self, where: Filter, words: Words | None = None) -> array[int]:
        present = self._live.allowed(where, words)
        here = self._known if present is None else array("q", sorted(set(present) & set(self._known)))
        past = self._past.allowed(where, words)
        if past is None:
            past = self._past.history.unchanged("9999", ())
        return array("q", [*(-number for number in reversed(past)), *here])

    def keyword(self, words: Words, limit: int, allowed: array[int] | None) -> Ranking:
        here, there = self._split(allowed)
        live = self._live.keyword(words, limit, here)
        past = self._past.keyword(words, _SCORED, there)
        if not past.candidates or (past.tier == "like" and live.candidates and live.tier != "like"):
            return live
        if past.tier == "like" or (live.tier == "like" and live.candidates):
            live = live if past.tier == live.tier else Ranking("keyword")
            return _merged(live.candidates, past.candidates, limit, past.tier)
        scores = self._scores(words, 1.2, 0.75)
        best = max((candidate.score for candidate in live.candidates if not candidate.note), default=0.0)
        best = max(best, *(scores.get(candidate.chunk, 0.0) for candidate in past.candidates))
        rescored = [
            candidate._replace(score=scores.get(candidate.chunk, 0.0) + _lift(candidate.note, best))
            for candidate in past.candidates
        ]
        return _merged(live.candidates, rescored, limit, live.tier if live.candidates else past.tier)

    def bm25(self, words: Words, limit: int, allowed: array[int] | None, k1: float, b: float) -> Ranking:
        here, there = self._split(allowed)
        live = self._live.bm25(words, limit, here, k1, b)
        among = set(there)
        scores = self._scores(words, k1, b)
        past = [Candidate(number, score) for number, score in scores.items() if number in among]
        return _merged(live.candidates, past, limit, "bm25")

    def nearest(self, model: int, vector: Sequence[float], limit: int, allowed: array[int] | None) -> Ranking:
        here, there = self._split(allowed)
        live = self._live.nearest(model, vector, limit, here).candidates
        past: tuple[Candidate, ...] = ()
        if model in self._models and there:
            past = self._past.nearest(self._models[model], vector, limit, there).candidates
        return _merged(live, past, limit, "cosine")._replace(source="vector")

    def fetch(self, numbers: Sequence[int]) -> list[Chunk]:
        found = {chunk.number: chunk for chunk in self._live.fetch([number for number in numbers if number > 0])}
        for chunk in self._past.fetch([-number for number in numbers if number < 0]):
            found[-chunk.number] = chunk._replace(number=-chunk.number)
        return [found[number] for number in numbers if number in found]

    # looked at

    def _standing(self) -> set[str]:
        """The documents that were there and have not changed since."""
        return self._live.history.unchanged_documents(*self._moment)

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, Document]:
        standing = self._standing()
        present = self._live.documents_by_id([identity for identity in document_ids if identity in standing])
        return {**present, **self._past.documents_by_id(document_ids)}

    def documents(self, where: Filter, limit: int | None = None, offset: int = 0) -> list[Document]:
        standing = self._standing()
        present = [document for document in self._live.documents(where) if document.id in standing]
        every = sorted([*present, *self._past.documents(where)], key=lambda each: (each.path is None, each.path or ""))
        return every[offset:] if limit is None else every[offset : offset + limit]

    def chunks(self, document_ids: Sequence[str]) -> list[Chunk]:
        standing = self._standing()
        present = self._live.chunks([identity for identity in document_ids if identity in standing])
        return [*present, *self._past.chunks(document_ids)]

    def chunks_by_id(self, chunk_ids: Sequence[str]) -> dict[str, Chunk]:
        known = set(self._known)
        present = self._live.chunks_by_id(chunk_ids)
        found = {identity: chunk for identity, chunk in present.items() if chunk.number in known}
        return {**found, **self._past.chunks_by_id(chunk_ids)}

    def chunk_by_id(self, chunk_id: str) -> Chunk | None:
        return self.chunks_by_id([chunk_id]).get(chunk_id)

    def opening_texts(self, document_ids: Sequence[str], characters: int) -> dict[str, str]:
        present = self._live.opening_texts(document_ids, characters)
        return {**present, **self._past.opening_texts(document_ids, characters)}

    def timeline(
        self, where: Filter, limit: int | None, anchor: str | None = None, before: int = 0, after: int = 0
    ) -> list[Entry]:
        """What stood in the timeline then, oldest first."""
        standing = self._standing()
        present = [entry for entry in self._live.timeline(where, None) if entry.id in standing]
        every = sorted([*present, *self._past.timeline(where, None)], key=lambda entry: entry.created_at)
        if anchor is None:
            return every if limit is None else every[-limit:]
        place = next((at for at, entry in enumerate(every) if entry.id == anchor), None)
        if place is None:
            raise UnknownId(f"There was no document {anchor!r} then.", "", "Without the anchor, all are shown.")
        return every[max(0, place - before) : place + after + 1]

    def close(self) -> None:
        self._past.close()

    def _split(self, allowed: array[int] | None) -> tuple[array[int], array[int]]:
        numbers = array("q") if allowed is None else allowed
        here = array("q", [number for number in numbers if number > 0])
        return here, array("q", sorted(-number for number in numbers if number < 0))

    def _scores(self, words: Words, k1: float, b: float) -> dict[int, float]:
        """BM25 of the past's chunks, by how common the words are in both bases together."""
        terms = match.bm25_terms(words, self._live.stems)
        weights = (*self._live._weights, 1.0, 1.0)
        with self._live._reading() as present, self._past._reading() as connection:
            past = bm25.PlainScorer(connection, weights)
            (here, totals), (there, more) = bm25.totals(present), bm25.totals(connection)
            count = here + there
            holders = f"SELECT count(DISTINCT doc) FROM {bm25.vocabulary(present)} WHERE term = ?"
            average = (sum(totals) + sum(more)) / max(count, 1)
            scores: dict[int, float] = {}
            for term in dict.fromkeys(terms):
                found = past._term(term)
                if not found:
                    continue
                holding = len(found) + int(present.execute(holders, (term,)).get)
                weight = max(log((count - holding + 0.5) / (holding + 0.5)), 1e-6)
                lengths = past._lengths_of(found)
                for number, counts in found.items():
                    often = bm25.weighted(counts, weights)
                    length = float(sum(lengths.get(number, ())))
                    scores[number] = scores.get(number, 0.0) + bm25.term_score(weight, often, length, average, k1, b)
        return scores


def _merged(live: Sequence[Candidate], past: Sequence[Candidate], limit: int, tier: str) -> Ranking:
    """The past's numbers turn negative here, and nowhere else."""
    every = [*live, *(candidate._replace(chunk=-candidate.chunk) for candidate in past)]
    every.sort(key=lambda candidate: (-candidate.score, candidate.chunk))
    return Ranking("keyword", tuple(every[:limit]), tier)


def _lift(note: str, best: float) -> float:
    kind = note.removeprefix("exact ")
    return best * (len(_LIFT) - _LIFT.index(kind)) + best * 0.01 if kind in _LIFT else 0.0


def _draft(header: Mapping[str, Any]) -> Draft:
    return Draft(
        title=header["title"],
        kind=header["kind"],
        path=header["path"],
        id=header["id"],
        tags=tuple(header["tags"]),
        created_at=header["created_at"],
        modified_at=header["modified_at"],
        summary=header["summary"],
        size=header["size"],
        path_words=header["words"] or "",
        metadata=header["metadata"],
        untitled=not header["searched_title"],
    )


def placed(pieces: Sequence[tuple[str, tuple[str, ...], int | None]]) -> list[Piece]:
    """The pieces with their lines counted anew: they join to the text that was."""
    placed, line = [], 1
    for text, trail, page in pieces:
        breaks = text.count("\n")
        last = line + breaks - (1 if text.endswith("\n") else 0)
        placed.append(Piece(text, (line, max(last, line)), trail, page))
        line += breaks
    return placed
