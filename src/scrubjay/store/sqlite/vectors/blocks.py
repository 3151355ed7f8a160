"""The tables of vectors: the log of what happened, the blocks, and which of their rows still count.

Nothing is ever changed in place. A block is written once; a vector that goes, goes by a line in
the log that ends all older rows of its chunk. Whoever has seen the log up to a mark needs only
the blocks and lines after it, so a single new note costs its readers one row, not the matrix.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager

import apsw

from scrubjay.errors import UnknownId
from scrubjay.store.sqlite.vectors import rows
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

BLOCK_ROWS = 1024  # 1.5 MB at 384 dimensions: large enough to read fast, small enough to rewrite


class Mark(NamedTuple):
    """A place in the log. The stamp tells it from the same number in another copy's future."""

    number: int = 0
    stamp: int = 0


class Extent(NamedTuple):
    """A block, the chunks in it that still count, and their rows (None: all, in order)."""

    block: int
    covers: int
    chunks: array[int]
    rows: array[int] | None


class Gone(Exception):
    """A block was merged into another since it was looked up: look again."""


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[None]:
    """Everything read inside belongs to one moment, also while another process writes."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("COMMIT")


def latest(connection: apsw.Connection) -> Mark:
    row = connection.execute("SELECT number, stamp FROM vector_log ORDER BY number DESC LIMIT 1").fetchone()
    return Mark() if row is None else Mark(*row)


def remembers(connection: apsw.Connection, mark: Mark) -> bool:
    """Whether this base's history went through that mark, and its log still tells what came after."""
    if mark == Mark():
        return True
    row = connection.execute("SELECT stamp FROM vector_log WHERE number = ?", (mark.number,)).fetchone()
    return row is not None and row[0] == mark.stamp


def dimension(connection: apsw.Connection, model: int) -> int:
    row = connection.execute("SELECT dim FROM models WHERE number = ?", (model,)).fetchone()
    if row is None:
        raise UnknownId(f"There is no model {model} in this base.", "", "`kb status` names the model it has.")
    return int(row[0])


def withdrawn(connection: apsw.Connection, model: int, after: int = 0) -> dict[int, int]:
    """Chunks whose vectors went, with the line of the log that says so last."""
    return dict(
        connection.execute(
            "SELECT chunk, max(number) FROM vector_log"
            " WHERE number > ? AND model = ? AND chunk IS NOT NULL GROUP BY chunk",
            (after, model),
        )
    )


def extents(
    connection: apsw.Connection,
    model: int,
    notices: list[Notice],
    after: int = 0,
    without: Container[int] = (),
    only: array[int] | None = None,
) -> list[Extent]:
    """What the blocks hold that counts and is news to who has seen the log up to `after`."""
    dim = dimension(connection, model)
    ended = withdrawn(connection, model, after)
    columns = "SELECT number, covers, count, chunks, length(vectors) FROM vector_blocks WHERE "
    found = []
    for number, covers, count, chunks, size in (
        connection.execute(columns + "model = ? AND covers > ? ORDER BY number", (model, after))
        if only is None
        else connection.execute(
            columns + "number IN (SELECT value FROM carray(?)) ORDER BY number", (apsw.carray(only),)
        )
    ):
        if len(chunks) != count * rows.NUMBER or size != count * dim * rows.FLOAT:
            notice = _skipped(number, count, size, dim)
            if notice not in notices:
                notices.append(notice)
            continue
        extent = _living(number, covers, rows.unpacked("q", chunks), ended, without)
        if extent.chunks:
            found.append(extent)
    return found


def _living(number: int, covers: int, chunks: array[int], ended: dict[int, int], without: Container[int]) -> Extent:
    if not ended and not without:
        return Extent(number, covers, chunks, None)
    kept = array("q", (row for row, c in enumerate(chunks) if ended.get(c, 0) <= number and c not in without))
    if len(kept) == len(chunks):
        return Extent(number, covers, chunks, None)
    return Extent(number, covers, array("q", (chunks[row] for row in kept)), kept)


def _skipped(number: int, count: int, size: int, dim: int) -> Notice:
    each = size / max(count, 1) / rows.FLOAT
    return Notice(
        "vector",
        f"block {number} was skipped: its {count} vectors have {each:g} dimensions, the model's have {dim}",
        "rebuild the vectors: kb reindex",
    )


def vectors(connection: apsw.Connection, block: int) -> bytes:
    row = connection.execute("SELECT vectors FROM vector_blocks WHERE number = ?", (block,)).fetchone()
    if row is None:
        raise Gone(block)
    data: bytes = row[0]
    return data


def some_rows(connection: apsw.Connection, extent: Extent, places: Sequence[int], dim: int) -> Iterator[bytes]:
    """Only these rows of a block, without reading the rest of it."""
    size = dim * rows.FLOAT
    try:
        blob = connection.blob_open("main", "vector_blocks", "vectors", extent.block, False)
    except apsw.SQLError as error:
        raise Gone(extent.block) from error
    with blob:
        for place in places:
            blob.seek(size * (extent.rows[place] if extent.rows else place))
            yield blob.read(size)


def append(connection: apsw.Connection, model: int, chunks: array[int], data: bytes, covers: int = 0) -> None:
    """Writes one block. `covers` is set when it holds what older blocks held."""
    number = connection.execute("INSERT INTO vector_log (model) VALUES (?) RETURNING number", (model,)).get
    connection.execute(
        "INSERT INTO vector_blocks (number, model, covers, count, chunks, vectors) VALUES (?, ?, ?, ?, ?, ?)",
        (number, model, covers or number, len(chunks), rows.packed(chunks), data),
    )


def existing(connection: apsw.Connection, numbers: array[int]) -> set[int]:
    """Those of these chunks that are still there: one may go while its vector is being made."""
    found = connection.execute(
        "SELECT number FROM chunks WHERE number IN (SELECT value FROM carray(?))", (apsw.carray(numbers),)
    )
    return {number for (number,) in found}


def take_note(connection: apsw.Connection, model: int, numbers: array[int]) -> None:
    """Marks the chunks as embedded; vectors that they had until now are withdrawn."""
    bound = (model, apsw.carray(numbers))
    connection.execute(
        "INSERT INTO vector_log (model, chunk) SELECT model, chunk FROM embeddings"
        " WHERE model = ? AND chunk IN (SELECT value FROM carray(?)) AND status IN ('success', 'partial')",
        bound,
    )
    connection.execute(
        "INSERT INTO embeddings (model, chunk, status) SELECT ?, value, 'success' FROM carray(?) WHERE true"
        " ON CONFLICT (chunk, model) DO UPDATE SET status = 'success', reason = ''",
        bound,
    )


def count(connection: apsw.Connection, model: int) -> int:
    total: int = connection.execute(
        "SELECT count(*) FROM embeddings WHERE model = ? AND status IN ('success', 'partial')", (model,)
    ).get
    return total


def news(connection: apsw.Connection, model: int, after: int) -> int:
    """At most this many rows are new to who has seen the log up to `after`."""
    total: int = connection.execute(
        "SELECT coalesce(sum(count), 0) FROM vector_blocks WHERE model = ? AND covers > ?", (model, after)
    ).get
    return total


def models(connection: apsw.Connection) -> set[int]:
    return {number for (number,) in connection.execute("SELECT number FROM models")}
