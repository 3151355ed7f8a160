"""Writing documents: new ones, changed ones, gone ones; always inside the caller's transaction.

A changed document keeps every chunk whose text is still there, with its id and its vector;
only what is new is written and only what is gone is deleted. UPSERT everywhere: REPLACE would
skip the delete triggers and break the full-text tables.
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import blake2b

from scrubjay.errors import DuplicateId, UnknownId
from scrubjay.store.sqlite import clock, memory
from scrubjay.store.sqlite.cjk import bigrams
from scrubjay.types import Written
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    import apsw

    from scrubjay.store.sqlite.history import Log

    Forget = Callable[[Sequence[int]], None]
    Row = tuple[str | int | None, ...]  # of the table chunks

    from scrubjay.types import Draft, Piece

_INTO = "INSERT INTO chunks (id, document, ordinal, line_start, line_end, page, title, trail, path, text, bigrams)"
_VALUES = "(" + ", ".join("?" * 11) + ")"
_TOGETHER = 2900  # chunks that one statement writes; SQLite takes at most 32,766 values
_TRAIL = "\x1f"  # between the headings of a trail: occurs in no text and is no word


def digest(*parts: str, size: int) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=size).hexdigest()


def put(
    connection: apsw.Connection,
    draft: Draft,
    pieces: Sequence[Piece],
    now: str | None = None,
    *,
    forget: Forget | None = None,
    log: Log | None = None,
) -> Written:
    """Writes one document. With `path` or a known `id` it replaces what was there.

    `forget` is told the numbers of chunks just before they are deleted; `log` keeps the history.
    """
    return put_many(connection, [(draft, pieces)], now, forget=forget, log=log)[0]


def put_many(
    connection: apsw.Connection,
    items: Iterable[tuple[Draft, Sequence[Piece]]],
    now: str | None = None,
    *,
    forget: Forget | None = None,
    log: Log | None = None,
) -> list[Written]:
    """The same for many. The chunks of new documents are written together at the end.

    FTS5 gathers words in memory, but every further statement makes it write out what it has, as a
    tiny index of its own: one statement a chunk takes twice as long as one for hundreds of them.
    """
    now = now or clock.now()
    written: list[Written] = []
    waiting: list[Row] = []
    fresh: list[str] = []  # ids of new documents, for the history
    for draft, pieces in items:
        known = _known(connection, draft)
        if known is not None:
            _settle(connection, waiting, written)  # this document may be among them
            _log(log, fresh, now)
            written.append(_replaced(connection, draft, pieces, now, known, forget, log))
            continue
        number, identity = _document(connection, draft, now, None)
        _set_tags(connection, number, draft.tags, True)
        if draft.memory is not None:
            memory.put(connection, number, draft.memory, True)
        fresh.append(identity)
        chunks = _identified(identity, pieces)
        waiting += [_row(number, place, draft, chunk, piece) for place, (chunk, piece) in enumerate(chunks)]
        written.append(Written(identity, len(pieces), 0, 0, ()))
        if len(waiting) >= _TOGETHER:
            _settle(connection, waiting, written)
    _settle(connection, waiting, written)
    _log(log, fresh, now)
    return written


def _log(log: Log | None, fresh: list[str], now: str) -> None:
    if log is not None and fresh:
        log.added(fresh, now)
    fresh.clear()


def _settle(connection: apsw.Connection, waiting: list[Row], written: list[Written]) -> None:
    """Writes the chunks that wait; they belong to the documents that were written last."""
    numbers = _insert(connection, waiting)
    waiting.clear()
    end, place = len(numbers), len(written)
    while end > 0:
        place -= 1
        start = end - written[place].added
        written[place] = written[place]._replace(chunk_ids=tuple(numbers[start:end]))
        end = start


def _replaced(
    connection: apsw.Connection,
    draft: Draft,
    pieces: Sequence[Piece],
    now: str,
    known: tuple[int, str],
    forget: Forget | None,
    log: Log | None,
) -> Written:
    number, identity = known
    before = log.header(number) if log is not None else None
    earlier = log.pieces(number) if log is not None else []
    _document(connection, draft, now, known)
    _set_tags(connection, number, draft.tags, False)
    if draft.memory is not None:
        memory.put(connection, number, draft.memory, False)
    chunks = _identified(identity, pieces)
    written = _difference(connection, number, identity, draft, chunks, forget)
    if log is not None:
        log.changed(number, before, earlier if earlier != [chunk for chunk, _ in chunks] else None)
    return written


def _known(connection: apsw.Connection, draft: Draft) -> tuple[int, str] | None:
    known: tuple[int, str] | None = None
    if draft.path is not None:
        known = connection.execute("SELECT number, id FROM documents WHERE path = ?", (draft.path,)).fetchone()
    elif draft.id is not None:
        known = connection.execute("SELECT number, id FROM documents WHERE id = ?", (draft.id,)).fetchone()
    return known


def _document(connection: apsw.Connection, draft: Draft, now: str, known: tuple[int, str] | None) -> tuple[int, str]:
    created = clock.utc(draft.created_at) if draft.created_at else None
    modified = clock.utc(draft.modified_at) if draft.modified_at else now
    values = (
        draft.title, draft.kind, modified, now, draft.summary, draft.size, draft.mtime_ns,
        draft.content_hash, draft.source_id, _json(draft.metadata),
    )  # fmt: skip
    if known is not None:
        connection.execute(
            "UPDATE documents SET title = ?, kind = ?, modified_at = ?, indexed_at = ?, summary = ?, size = ?,"
            " mtime_ns = ?, content_hash = ?, source = ?, metadata = ?, created_at = coalesce(?, created_at)"
            " WHERE number = ?",
            (*values, created, known[0]),
        )
        return known
    identity = draft.id or _new_id(connection, draft, now)
    connection.execute(
        "INSERT INTO documents (title, kind, modified_at, indexed_at, summary, size, mtime_ns, content_hash, source,"
        " metadata, id, path, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*values, identity, draft.path, created or now),
    )
    return connection.last_insert_rowid(), identity


def _json(metadata: Mapping[str, Any]) -> str:
    return json.dumps(metadata, ensure_ascii=False, default=str) if metadata else "{}"


def _new_id(connection: apsw.Connection, draft: Draft, now: str) -> str:
    """Short and made from the path, so that adding again after a removal gives the same id.

    A note has no path: its text's hash and the time stand for one. The next row number tells
    apart what is equal even in that, a thousand equal notes written at once as well as two.
    """
    seed = draft.path or f"{draft.content_hash}{now}"
    salt = ""
    while True:
        identity = "d_" + digest(seed, salt, size=6)
        if connection.execute("SELECT 1 FROM documents WHERE id = ?", (identity,)).fetchone() is None:
            return identity
        salt += f"+{connection.execute('SELECT max(number) FROM documents').get}"


def refuse_known(connection: apsw.Connection, identities: Sequence[str]) -> None:
    """Raises DuplicateId when one of the ids is taken already, or given twice."""
    twice = [identity for identity, count in Counter(identities).items() if count > 1]
    for identity in identities:
        if connection.execute("SELECT 1 FROM documents WHERE id = ?", (identity,)).fetchone() is not None:
            twice.append(identity)
    if twice:
        raise DuplicateId(
            f"The id {twice[0]!r} is taken.",
            "An id names one document for good.",
            f"Leave the id out to get a new one, or remove the old one first: kb remove {twice[0]}",
        )


def _identified(document_id: str, pieces: Sequence[Piece]) -> list[tuple[str, Piece]]:
    """Chunk ids: from the text and which occurrence of it in its document this is."""
    seen: Counter[str] = Counter()
    chunks = []
    for piece in pieces:
        seen[piece.text] += 1
        chunks.append(("c_" + digest(document_id, str(seen[piece.text]), piece.text, size=7), piece))
    return chunks


def _row(document: int, ordinal: int, draft: Draft, identity: str, piece: Piece) -> Row:
    trail = _TRAIL.join(piece.trail)
    title = "" if draft.untitled else draft.title
    lines = piece.lines
    cjk = bigrams("\n".join((title, trail, draft.path_words, piece.text)))
    return (
        identity, document, ordinal, lines[0], lines[1], piece.page, title, trail, draft.path_words, piece.text, cjk
    )  # fmt: skip


def _insert(connection: apsw.Connection, rows: Sequence[Row]) -> range:
    """Writes chunks by one statement for hundreds of them, and returns their numbers."""
    for start in range(0, len(rows), _TOGETHER):
        part = rows[start : start + _TOGETHER]
        values = ", ".join([_VALUES] * len(part))
        connection.execute(f"{_INTO} VALUES {values}", [value for row in part for value in row])
    last = connection.last_insert_rowid()  # numbers are given one after the other, and nobody else writes now
    return range(last - len(rows) + 1, last + 1)


def _difference(
    connection: apsw.Connection,
    document: int,
    identity: str,
    draft: Draft,
    chunks: Sequence[tuple[str, Piece]],
    forget: Forget | None,
) -> Written:
    old = {
        chunk_id: (number, rest)
        for number, chunk_id, *rest in connection.execute(
            "SELECT number, id, ordinal, line_start, line_end, page, title, trail, path FROM chunks WHERE document = ?",
            (document,),
        )
    }
    wanted = {chunk_id for chunk_id, _ in chunks}
    gone = [(number,) for chunk_id, (number, _) in old.items() if chunk_id not in wanted]
    if forget is not None:
        forget([number for (number,) in gone])
    connection.executemany("DELETE FROM chunks WHERE number = ?", gone)
    fresh: list[Row] = []
    kept = 0
    for ordinal, (chunk_id, piece) in enumerate(chunks):
        if chunk_id not in old:
            fresh.append(_row(document, ordinal, draft, chunk_id, piece))
            continue
        kept += 1
        number, rest = old[chunk_id]
        row = _row(document, ordinal, draft, chunk_id, piece)
        if tuple(rest[:4]) != row[2:6]:
            connection.execute(
                "UPDATE chunks SET ordinal = ?, line_start = ?, line_end = ?, page = ? WHERE number = ?",
                (*row[2:6], number),
            )
        if tuple(rest[4:6]) != row[6:8]:
            connection.execute(
                "UPDATE chunks SET title = ?, trail = ?, path = ?, bigrams = ? WHERE number = ?",
                (row[6], row[7], row[8], row[10], number),
            )
    return Written(identity, len(fresh), kept, len(gone), tuple(_insert(connection, fresh)))


def move(connection: apsw.Connection, document_id: str, path: str, path_words: str, *, log: Log | None = None) -> None:
    """A renamed file keeps its id, its chunks and its vectors."""
    number = document_number(connection, document_id)
    before = None if log is None else log.header(number)
    connection.execute("UPDATE documents SET path = ? WHERE number = ?", (path, number))
    rows = connection.execute(
        "SELECT number, title, trail, text FROM chunks WHERE document = ? AND path <> ?", (number, path_words)
    ).fetchall()
    connection.executemany(
        "UPDATE chunks SET path = ?, bigrams = ? WHERE number = ?",
        [(path_words, bigrams(f"{title}\n{trail}\n{path_words}\n{text}"), chunk) for chunk, title, trail, text in rows],
    )
    if log is not None:
        log.changed(number, before, None, "moved")


def touch(connection: apsw.Connection, document_id: str, mtime_ns: int, size: int) -> None:
    connection.execute("UPDATE documents SET mtime_ns = ?, size = ? WHERE id = ?", (mtime_ns, size, document_id))


def remove(
    connection: apsw.Connection,
    document_ids: Sequence[str],
    *,
    forget: Forget | None = None,
    log: Log | None = None,
) -> int:
    removed = 0
    for identity in document_ids:
        row = connection.execute("SELECT number FROM documents WHERE id = ?", (identity,)).fetchone()
        if row is None:
            continue
        if log is not None:
            log.changed(row[0], log.header(row[0]), log.pieces(row[0]), "deleted")
        if forget is not None:
            rows = connection.execute("SELECT number FROM chunks WHERE document = ?", row)
            forget([number for (number,) in rows])
        connection.execute("DELETE FROM documents WHERE number = ?", row)
        removed += 1
    return removed


def _set_tags(connection: apsw.Connection, document: int, tags: Sequence[str], fresh: bool) -> None:
    if not fresh:
        connection.execute("DELETE FROM tags WHERE document = ? AND NOT by_hand", (document,))
    for tag in tags:
        connection.execute("INSERT INTO tags (tag, document) VALUES (?, ?) ON CONFLICT DO NOTHING", (tag, document))


def retag(
    connection: apsw.Connection,
    document_id: str,
    add: Sequence[str],
    remove: Sequence[str],
    *,
    log: Log | None = None,
) -> tuple[str, ...]:
    number = document_number(connection, document_id)
    before = None if log is None else log.header(number)
    for tag in remove:
        connection.execute("DELETE FROM tags WHERE document = ? AND tag = ?", (number, tag))
    for tag in add:
        connection.execute(
            "INSERT INTO tags (tag, document, by_hand) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET by_hand = 1",
            (tag, number),
        )
    if log is not None:
        log.changed(number, before, None, "retagged")
    return tuple(
        tag for (tag,) in connection.execute("SELECT tag FROM tags WHERE document = ? ORDER BY tag", (number,))
    )


def document_number(connection: apsw.Connection, document_id: str) -> int:
    row = connection.execute("SELECT number FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        raise UnknownId(f"There is no document {document_id!r}.", "", "`kb list` shows the documents with their ids.")
    return int(row[0])
