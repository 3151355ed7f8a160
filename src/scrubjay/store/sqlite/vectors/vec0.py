"""The sqlite-vec engine: a `chunks_vec` table of the vec0 kind, kept in step with the blocks.

The table is derived and may be dropped at any time. It compares by cosine (its own default is
L2), and the allowed chunks go into its search as ids, so that they are chosen before the nearest
are (joined afterwards, a filter would leave few or none). What it proposes is scored exactly,
with a few more rows than asked so that ties end the same way as in the other engines.
"""

from __future__ import annotations

import math
from array import array
from contextlib import contextmanager

import apsw

from scrubjay.errors import MissingExtra
from scrubjay.store.sqlite.vectors import blocks, rows
from scrubjay.store.sqlite.vectors.blocks import Mark
from scrubjay.store.sqlite.vectors.exact_python import ROUNDING, cosine
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from scrubjay.types import Notice

MOST = 4096  # rows that one vec0 search can return
PATIENCE = 50  # milliseconds that a search waits for another writer
SPARE = 32  # proposals beyond those asked for, so that ties at the end are seen whole


def load_extension(connection: apsw.Connection) -> None:
    """Loads sqlite-vec into the connection. Raises MissingExtra with the cure when it cannot be."""
    try:
        import sqlite_vec

        connection.enable_load_extension(True)
        try:
            connection.load_extension(sqlite_vec.loadable_path())
        finally:
            connection.enable_load_extension(False)
    except (ImportError, OSError, AttributeError, apsw.Error) as error:
        raise MissingExtra(
            "The sqlite-vec engine cannot be used.",
            f"The extension does not load: {error}",
            "pip install sqlite-vec, or: kb config set vector.engine auto",
        ) from error


class Vec0Engine:
    """See `engines.Engine`."""

    name = "sqlite-vec"

    def __init__(self, connection: apsw.Connection, notices: list[Notice]) -> None:
        load_extension(connection)
        self._connection = connection
        self._notices = notices
        self._private: tuple[int, Mark] | None = None  # what a table of this connection alone reflects

    def nearest(
        self, model: int, unit: array[float], limit: int, allowed: array[int] | None
    ) -> list[tuple[int, float]]:
        table = self._in_step(model)
        query = tuple(unit)
        with blocks.snapshot(self._connection):
            for chunks in self._proposals(table, unit, limit, allowed):
                ranked = sorted((-cosine(rows.unpacked("f", row), query), chunk) for chunk, row in chunks)
                settled = len(ranked) <= limit or -ranked[-1][0] < -ranked[limit - 1][0] - ROUNDING
                if settled:
                    break
        return [(chunk, -score + 0.0) for score, chunk in ranked[:limit]]

    def _proposals(self, table: str, unit: array[float], limit: int, allowed: array[int] | None) -> Iterator[list[Any]]:
        """The nearest by vec0's own measure: a few more than asked, then many, at last all."""
        query = rows.packed(array("f", unit))
        only = "" if allowed is None else " AND rowid IN (SELECT value FROM carray(?))"
        bound = () if allowed is None else (apsw.carray(allowed),)
        for k in (limit + SPARE, MOST):
            if limit < k <= MOST:
                sql = f"SELECT rowid, vector FROM {table} WHERE vector MATCH ? AND k = ?{only}"
                found = self._connection.execute(sql, (query, k, *bound)).fetchall()
                yield found
                if len(found) < k:
                    return
        yield self._connection.execute(f"SELECT rowid, vector FROM {table} WHERE true{only}", bound).fetchall()

    def _in_step(self, model: int) -> str:
        """The name of a table that reflects the base now, having brought it up if it did not."""
        if self._private is None:
            if self._reflects() == (model, blocks.latest(self._connection)):
                return "main.chunks_vec"
            try:
                with self._connection if self._connection.in_transaction else _writing(self._connection):
                    self._bring_up("main", model, self._reflects())
                    return "main.chunks_vec"
            except (apsw.ReadOnlyError, apsw.BusyError, apsw.LockedError, apsw.FullError):
                self._connection.execute("DROP TABLE IF EXISTS temp.chunks_vec")
                self._private = (model, Mark())
                self._create("temp", model)
        with blocks.snapshot(self._connection):
            self._private = self._bring_up("temp", model, self._private)
        return "temp.chunks_vec"

    def _reflects(self) -> tuple[int, Mark] | None:
        """The model and mark that the base's own table stands for; None when there is no table."""
        if self._connection.execute("SELECT 1 FROM main.sqlite_schema WHERE name = 'chunks_vec'").fetchone() is None:
            return None
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'chunks_vec'").fetchone()
        if row is None:
            return None
        model, number, stamp = map(int, str(row[0]).split())
        return model, Mark(number, stamp)

    def _bring_up(self, schema: str, model: int, reflected: tuple[int, Mark] | None) -> tuple[int, Mark]:
        now = blocks.latest(self._connection)
        if reflected is None or reflected[0] != model or not blocks.remembers(self._connection, reflected[1]):
            self._create(schema, model)
            reflected = model, Mark()
        seen = reflected[1].number
        if reflected[1] != now:
            self._remove(schema, list(blocks.withdrawn(self._connection, model, seen)) if seen else [])
            dim = blocks.dimension(self._connection, model)
            for extent in blocks.extents(self._connection, model, self._notices, after=seen):
                self._add(schema, extent, dim, replacing=bool(seen))
        if schema == "main":
            self._connection.execute(
                "INSERT INTO meta (key, value) VALUES ('chunks_vec', ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (f"{model} {now.number} {now.stamp}",),
            )
        return model, now

    def _create(self, schema: str, model: int) -> None:
        dim = blocks.dimension(self._connection, model)
        self._connection.execute(f"DROP TABLE IF EXISTS {schema}.chunks_vec")
        self._connection.execute(
            f"CREATE VIRTUAL TABLE {schema}.chunks_vec USING vec0 (vector float[{dim}] distance_metric=cosine)"
        )

    def _add(self, schema: str, extent: blocks.Extent, dim: int, *, replacing: bool) -> None:
        if replacing:
            self._remove(schema, extent.chunks)
        held = memoryview(blocks.vectors(self._connection, extent.block))
        size = dim * rows.FLOAT
        places = extent.rows or range(len(extent.chunks))
        pairs = zip(extent.chunks, (bytes(held[size * at : size * (at + 1)]) for at in places), strict=True)
        self._connection.executemany(
            f"INSERT INTO {schema}.chunks_vec (rowid, vector) VALUES (?, ?)",
            (pair for pair in pairs if _is_unit(pair[1])),
        )

    def _remove(self, schema: str, chunks: Iterable[int]) -> None:
        self._connection.executemany(f"DELETE FROM {schema}.chunks_vec WHERE rowid = ?", [(chunk,) for chunk in chunks])

    def rows_of(self, model: int, numbers: array[int]) -> tuple[list[int], list[array[float]]]:
        """The stored rows of these chunks, ascending; those without a vector are left out."""
        table = self._in_step(model)
        found: list[Any] = self._connection.execute(
            f"SELECT rowid, vector FROM {table} WHERE rowid IN (SELECT value FROM carray(?)) ORDER BY rowid",
            (apsw.carray(numbers),),
        ).fetchall()
        return [number for number, _ in found], [rows.unpacked("f", row) for _, row in found]

    def follow(self, model: int) -> None:
        """Brings the table up to the present."""
        self._in_step(model)

    def close(self) -> None:
        """The table belongs to the base and stays."""


@contextmanager
def _writing(connection: apsw.Connection) -> Iterator[None]:
    """A write transaction that is not waited for: a search has other ways."""
    patience = connection.pragma("busy_timeout")
    connection.set_busy_timeout(PATIENCE)
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        connection.set_busy_timeout(int(patience))
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _is_unit(row: bytes) -> bool:
    return abs(math.hypot(*rows.unpacked("f", row)) - 1) < 1e-3
