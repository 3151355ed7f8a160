"""Chunks that wait for a vector, and vectors that are known already for the same text.

The same text is never embedded twice: a vector is found again by the hash of what was embedded,
in another chunk that lives or among those of chunks that were deleted lately. So files may be
moved, split and added again without paying for it.
"""

from __future__ import annotations

from array import array

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from scrubjay.store.sqlite.vectors import VectorIndex

    Row = tuple[int, str]

_REMEMBERED = 50_000  # vectors of deleted chunks kept


def pending(connection: apsw.Connection, model: int, limit: int, after: int) -> list[Row]:
    """Chunks that wait for a vector of this model, with the text to embed: headings and content."""
    rows = connection.execute(
        "SELECT c.number, c.title, c.trail, c.text FROM embeddings AS e JOIN chunks AS c ON c.number = e.chunk"
        " WHERE e.model = ? AND e.status IN ('pending', 'retry') AND e.status <> 'success' AND e.chunk > ?"
        " ORDER BY e.chunk LIMIT ?",
        (model, after, limit),
    )
    return [(number, embedding_text(title, trail, text)) for number, title, trail, text in rows]


def embedding_text(title: str, trail: str, text: str) -> str:
    """The headings go along, because a paragraph alone often does not name its subject."""
    headings = [part for part in (title, *trail.split("\x1f")) if part]
    missing = [heading for heading in dict.fromkeys(headings) if heading not in text[:400]]
    return "\n".join([*missing, text])


def counts(connection: apsw.Connection, model: int | None = None) -> dict[str, int]:
    """How many chunks are in each state but success, of one model or of all."""
    rows = connection.execute(
        "SELECT status, count(*) FROM embeddings WHERE status <> 'success' AND (?1 IS NULL OR model = ?1)"
        " GROUP BY status",
        (model,),
    )
    return dict(rows)


def mark(connection: apsw.Connection, model: int, numbers: Sequence[int], status: str, reason: str) -> None:
    connection.executemany(
        "UPDATE embeddings SET status = ?, reason = ?, attempts = attempts + 1 WHERE chunk = ? AND model = ?",
        [(status, reason[:500], number, model) for number in numbers],
    )


def skip(connection: apsw.Connection, model: int, numbers: Sequence[int]) -> None:
    """These chunks are not for this model: they are in a script that it does not know."""
    connection.executemany("DELETE FROM embeddings WHERE chunk = ? AND model = ?", [(n, model) for n in numbers])


def retry_failed(connection: apsw.Connection, model: int) -> None:
    """What failed before is tried again, a few times over the base's life."""
    connection.execute(
        "UPDATE embeddings SET status = 'retry' WHERE model = ? AND status = 'failed' AND attempts < 5", (model,)
    )


def text_hash(text: str) -> bytes:
    from hashlib import blake2b  # brings OpenSSL along, which a search need not pay for

    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def put(
    connection: apsw.Connection, index: VectorIndex, model: int, rows: Sequence[Row], vectors: Sequence[Any]
) -> None:
    """Stores vectors together with the hashes of their texts."""
    index.put(model, [number for number, _ in rows], vectors)
    connection.executemany(
        "UPDATE embeddings SET hash = ? WHERE chunk = ? AND model = ?",
        [(text_hash(text), number, model) for number, text in rows],
    )


def reuse(connection: apsw.Connection, index: VectorIndex, model: int, rows: Sequence[Row]) -> set[int]:
    """Gives the chunks whose text was embedded before that vector; returns which they were."""
    hashes = {number: text_hash(text) for number, text in rows}
    there = known(connection, index, model, tuple(dict.fromkeys(hashes.values())))
    again = [(number, text) for number, text in rows if hashes[number] in there]
    if again:
        put(connection, index, model, again, [there[hashes[number]] for number, _ in again])
    return {number for number, _ in again}


def known(connection: apsw.Connection, index: VectorIndex, model: int, hashes: tuple[bytes, ...]) -> dict[bytes, Any]:
    """The vectors of texts by their hashes, of chunks that are there and of some that were."""
    import apsw

    if not hashes:
        return {}
    live: list[Any] = connection.execute(
        "SELECT min(chunk), hash FROM embeddings WHERE model = ? AND status IN ('success', 'partial')"
        " AND hash IN (SELECT value FROM carray(?)) GROUP BY hash",
        (model, apsw.carray(hashes)),
    ).fetchall()
    of_chunk: dict[int, bytes] = dict(live)
    numbers, vectors = index.vectors_of(model, list(of_chunk))
    found = {of_chunk[number]: vector for number, vector in zip(numbers, vectors, strict=True)}
    gone = connection.execute(
        "SELECT hash, vector FROM vector_cache WHERE model = ? AND hash IN (SELECT value FROM carray(?))",
        (model, apsw.carray(hashes)),
    )
    for digest, data in gone:
        found.setdefault(digest, array("f", data))
    return found


def remember(connection: apsw.Connection, index: VectorIndex, model: int, numbers: Sequence[int]) -> None:
    """Before chunks are deleted: keeps their vectors under their texts' hashes for a while."""
    import apsw

    if not numbers:
        return
    hashes = dict(
        connection.execute(
            "SELECT chunk, hash FROM embeddings WHERE model = ? AND status IN ('success', 'partial')"
            " AND hash IS NOT NULL AND chunk IN (SELECT value FROM carray(?))",
            (model, apsw.carray(array("q", numbers))),
        )
    )
    if not hashes:
        return
    found, vectors = index.vectors_of(model, list(hashes))
    connection.executemany(
        "INSERT INTO vector_cache (model, hash, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(model, hashes[number], array("f", vector).tobytes()) for number, vector in zip(found, vectors, strict=True)],
    )
    connection.execute(
        "DELETE FROM vector_cache WHERE number <= (SELECT max(number) FROM vector_cache) - ?", (_REMEMBERED,)
    )
