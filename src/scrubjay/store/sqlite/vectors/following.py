"""Keeps matrices in step with the base: asks for the last line of its log before every search.

A view is a large main matrix (the mapped file, or memory where no file can be written) and small
parts with what was written since. What went away is masked. When the news grow to a tenth of the
main matrix it is built again, so no single write ever costs its readers a rebuild. The mark's
stamp makes a base that was restored, copied or rolled back look like what it is: another history.
"""

from __future__ import annotations

import apsw
import numpy as np

from scrubjay.store.sqlite.vectors import blocks, building, cachefile, matrix
from scrubjay.store.sqlite.vectors.blocks import Mark
from scrubjay.store.sqlite.vectors.matrix import Matrix
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scrubjay.types import Notice

SMALL = 4096  # rows that are read from the blocks faster than a file of their own pays
SHORT = 1024  # rows of a part that the next news are joined to
PARTS = 8  # more than this are joined


class Part(NamedTuple):
    """A matrix and which of its rows still count (None: all)."""

    matrix: Matrix
    alive: NDArray[np.bool_] | None = None
    living: NDArray[np.int64] | None = None  # the same as places

    def among(self, allowed: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
        """The places of the allowed chunks that count; None when that is all of them."""
        if allowed is None:
            return self.living
        where = matrix.places(self.matrix, allowed)
        if self.alive is not None:
            where = where[self.alive[where]]
        return None if len(where) == len(self.matrix.numbers) else where

    def without(self, chunks: NDArray[np.int64]) -> Part:
        dead = matrix.places(self.matrix, chunks)
        if not len(dead):
            return self
        alive = np.ones(len(self.matrix.numbers), bool) if self.alive is None else self.alive.copy()
        alive[dead] = False
        return Part(self.matrix, alive, np.flatnonzero(alive))


class View(NamedTuple):
    """All vectors of a model as they were at a mark of the log. Never changed, only replaced."""

    mark: Mark = Mark()
    parts: tuple[Part, ...] = ()


class Follower:
    """Hands out the view of the present moment."""

    def __init__(self, connection: apsw.Connection, base: str | None, coded: bool, notices: list[Notice]) -> None:
        self._connection = connection
        self._base = base
        self._coded = coded
        self._notices = notices
        self._views: dict[int, View] = {}
        self._distrusted: set[int] = set()

    def view(self, model: int) -> View:
        known = self._views.get(model)
        if known is not None and known.mark == blocks.latest(self._connection):
            return known
        with blocks.snapshot(self._connection):
            now = blocks.latest(self._connection)
            if known is None or not blocks.remembers(self._connection, known.mark):
                known = self._opened(model)
            known = self._brought_up(known, model, now)
        self._views[model] = known
        return known

    def distrust(self, model: int) -> None:
        """The file turned out damaged while it was read: it is made again, and not read until then."""
        self._views.pop(model, None)
        self._distrusted.add(model)

    def _opened(self, model: int) -> View:
        if self._base is None or model in self._distrusted:
            return View()
        dim = blocks.dimension(self._connection, model)
        found = cachefile.load(cachefile.path_of(self._base, model), model, dim, self._coded)
        if found is None or not blocks.remembers(self._connection, found[1]):
            return View()
        return View(found[1], (Part(found[0]),))

    def _brought_up(self, known: View, model: int, now: Mark) -> View:
        if known.mark == now:
            return known
        main = len(known.parts[0].matrix.numbers) if known.parts else 0
        held = sum(len(part.matrix.numbers) for part in known.parts[1:])
        if blocks.news(self._connection, model, known.mark.number) + held > max(SMALL, main // 10):
            return self._built(model, now)
        fresh = building.build(self._connection, model, building.InMemory(), self._notices, after=known.mark.number)
        gone = [*blocks.withdrawn(self._connection, model, known.mark.number), *fresh.numbers.tolist()]
        parts = [part.without(np.array(sorted(gone), np.int64)) for part in known.parts]
        if parts and parts[0].living is not None and len(parts[0].living) < main * 3 // 4:
            return self._built(model, now)
        if len(fresh.numbers):
            parts.append(Part(fresh))
        return View(now, tuple(_tidied(parts)))

    def _built(self, model: int, now: Mark) -> View:
        rows = blocks.news(self._connection, model, 0)
        coded = self._coded and rows > SMALL
        if rows > SMALL and self._base is not None and not self._uncommitted():
            writer = cachefile.CacheWriter(cachefile.path_of(self._base, model), model, now)
            try:
                made = building.build(self._connection, model, writer, self._notices, coded=coded)
            except OSError:
                writer.abandon()  # a folder that cannot be written, a full disk: memory does as well
            except BaseException:
                writer.abandon()
                raise
            else:
                self._distrusted.discard(model)
                cachefile.sweep(self._base, blocks.models(self._connection))
                return View(now, (Part(made),))
        made = building.build(self._connection, model, building.InMemory(), self._notices, coded=coded)
        return View(now, (Part(made),))

    def _uncommitted(self) -> bool:
        """What another process may never see must not reach a file."""
        return self._connection.txn_state("main") == apsw.SQLITE_TXN_WRITE

    def forget(self) -> None:
        self._views.clear()


def _tidied(parts: list[Part]) -> list[Part]:
    """Joins the last parts while they are short, and all but the main one when they are many."""
    tail = parts[1:]
    if len(tail) > PARTS:
        return [parts[0], Part(_joined(tail))]
    if len(tail) > 1 and len(tail[-1].matrix.numbers) + len(tail[-2].matrix.numbers) <= SHORT:
        return [*parts[:-2], Part(_joined(tail[-2:]))]
    return parts


def _joined(parts: list[Part]) -> Matrix:
    """Small matrices as one, without the rows that no longer count."""
    numbers = np.concatenate([p.matrix.numbers if p.living is None else p.matrix.numbers[p.living] for p in parts])
    rows = np.concatenate([p.matrix.rows if p.living is None else p.matrix.rows[p.living] for p in parts])
    order = np.argsort(numbers, kind="stable")
    return Matrix(numbers[order], rows[order])
