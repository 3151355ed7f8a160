"""Keeping the blocks few and full: small ones are merged, rows that no longer count are dropped.

Remembering one note writes a block of one row; sixteen of a size become one of the next size,
so a row is rewritten at most twice and a base of single notes stays as quick to read as one
that was filled at once. Readers are not disturbed: a merged block says how much of the past it
covers, and who has seen that much skips it.
"""

from __future__ import annotations

from array import array

import apsw

from scrubjay.store.sqlite.vectors import blocks, rows
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scrubjay.types import Notice

TIERS = ((1, 63), (64, blocks.BLOCK_ROWS - 1))  # rows a block
PILE = 16  # blocks of one tier that are too many
KEPT_LINES = 1000  # of the log, so that readers a little behind can still catch up


def merge_small(connection: apsw.Connection, model: int) -> None:
    """Merges a tier when it has piled up. Inside the caller's write transaction."""
    for least, most in TIERS:
        found: list[Any] = connection.execute(
            "SELECT number FROM vector_blocks WHERE model = ? AND count BETWEEN ? AND ?",
            (model, least, most),
        ).fetchall()
        if len(found) >= PILE:
            _rewrite(connection, model, array("q", sorted(row[0] for row in found)))


def wasteful(connection: apsw.Connection, model: int) -> bool:
    """Whether so many rows no longer count that rewriting their blocks pays."""
    lines = connection.execute("SELECT count(*) FROM vector_log WHERE model = ? AND chunk IS NOT NULL", (model,)).get
    held = connection.execute("SELECT coalesce(sum(count), 0) FROM vector_blocks WHERE model = ?", (model,)).get
    return bool(lines > KEPT_LINES + held // 4)


def compact(connection: apsw.Connection, model: int, notices: list[Notice]) -> None:
    """Leaves only full blocks without dead rows, and a short log."""
    found = blocks.extents(connection, model, notices)
    held = dict(connection.execute("SELECT number, count FROM vector_blocks WHERE model = ?", (model,)))
    full = {extent.block for extent in found if extent.rows is None and len(extent.chunks) == blocks.BLOCK_ROWS}
    worn = set(held) - full
    if len(worn) > 1 or any(extent.rows is not None for extent in found) or worn - {e.block for e in found}:
        _rewrite(connection, model, array("q", sorted(worn)))
    connection.execute(
        "DELETE FROM vector_log WHERE model = ? AND number <= (SELECT max(number) FROM vector_log) - ?",
        (model, KEPT_LINES),
    )


def _rewrite(connection: apsw.Connection, model: int, numbers: array[int]) -> None:
    """The living rows of these blocks into new ones, in order; a block that cannot be read stays."""
    dim = blocks.dimension(connection, model)
    size, chunks, data, covers = dim * rows.FLOAT, array("q"), bytearray(), 0
    for extent in blocks.extents(connection, model, [], only=numbers):
        held = memoryview(blocks.vectors(connection, extent.block))
        places: Sequence[int] = range(len(extent.chunks)) if extent.rows is None else extent.rows
        for chunk, place in zip(extent.chunks, places, strict=True):
            if len(chunks) == blocks.BLOCK_ROWS:
                blocks.append(connection, model, chunks, bytes(data), covers)
                chunks, data, covers = array("q"), bytearray(), 0
            covers = max(covers, extent.covers)
            chunks.append(chunk)
            data += held[size * place : size * (place + 1)]
    if chunks:
        blocks.append(connection, model, chunks, bytes(data), covers)
    connection.execute(
        "DELETE FROM vector_blocks WHERE number IN (SELECT value FROM carray(?))"
        " AND length(chunks) = count * ? AND length(vectors) = count * ?",
        (apsw.carray(numbers), rows.NUMBER, size),
    )
