"""The matrix as a file beside the base, mapped into memory instead of read.

    header   magic, dimension, coded, rows, model, the mark in the log, three sums, its checksum
    index    int64 chunk numbers, then float32 steps of the int8 copy
    codes    int8 rows, the copy that a SIMD kernel scans (absent where there is none)
    rows     float32 rows, of which a search then touches only the best few

Every section begins on a page. The file can be deleted at any time. It is written under another
name and put in place whole, so an open one never changes; and since it is checked when opened
(what a search scans, by its sums; the rest, row by row when scored), it need not be forced to
disk: after a power cut it is at worst made again.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import time
import zlib
from itertools import pairwise

import numpy as np

from scrubjay.store.sqlite.vectors import matrix
from scrubjay.store.sqlite.vectors.blocks import Mark
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from numpy.typing import NDArray

    from scrubjay.store.sqlite.vectors.matrix import Codes, Floats, Matrix, Numbers

MAGIC = b"SJVEC\x00\x00\x01"
HEADER = struct.Struct("<8sIIqqqq3QI")
PAGE = 4096
PIECE = 256 * PAGE
ABANDONED = 600  # seconds after which another process's unfinished file is taken for dead


def path_of(base: str, model: int) -> str:
    return f"{base}-vectors-{model}.cache"


class Layout:
    """Where each section begins, from the three numbers that decide it."""

    def __init__(self, count: int, dim: int, coded: bool) -> None:
        self.count, self.dim, self.coded = count, dim, coded
        self.width = matrix.code_width(dim) if coded else 0
        self.index = PAGE
        self.steps = self.index + count * 8
        self.codes = _paged(self.steps + (count * 4 if coded else 0))
        self.rows = _paged(self.codes + count * self.width)
        self.end = _paged(self.rows + count * dim * 4)

    def sections(self) -> tuple[tuple[int, int], ...]:
        return (self.index, self.codes), (self.codes, self.rows), (self.rows, self.end)


def _paged(position: int) -> int:
    return -(-position // PAGE) * PAGE


class CacheWriter:
    """A target for `building.build` that writes the file. `finish` puts it in place and opens it."""

    def __init__(self, path: str, model: int, mark: Mark) -> None:
        self._path, self._model, self._mark = path, model, mark
        self._draft = f"{path}.{os.getpid()}-{time.monotonic_ns():x}.tmp"
        self._file: BinaryIO | None = None

    def begin(self, numbers: Numbers, dim: int, coded: bool) -> None:
        self.abandon()
        self._layout = Layout(len(numbers), dim, coded)
        self._file = open(self._draft, "xb")  # noqa: SIM115 - closed by finish or abandon
        self._file.truncate(self._layout.end)
        self._write(self._layout.index, numbers.astype("<i8"))

    def put(self, at: NDArray[np.int64], rows: Floats, codes: Codes | None, steps: Floats | None) -> None:
        """Rows that stand together in the file are written together."""
        edges = np.flatnonzero(np.diff(at) != 1) + 1
        for start, stop in pairwise([0, *edges.tolist(), len(at)]):
            first = int(at[start])
            self._write(self._layout.rows + first * self._layout.dim * 4, rows[start:stop].astype("<f4", copy=False))
            if codes is not None and steps is not None:
                self._write(self._layout.codes + first * self._layout.width, codes[start:stop])
                self._write(self._layout.steps + first * 4, steps[start:stop].astype("<f4", copy=False))

    def finish(self) -> Matrix:
        file = self._open()
        file.flush()
        layout = self._layout
        with open(self._draft, "rb") as source:
            sums = [_sum_read(source, *span) for span in layout.sections()]
        facts = (MAGIC, layout.dim, int(layout.coded), layout.count, self._model, *self._mark, *sums)
        header = HEADER.pack(*facts, 0)[:-4]
        self._write(0, np.frombuffer(header + struct.pack("<I", zlib.crc32(header)), np.uint8))
        file.close()
        self._file = None
        os.replace(self._draft, self._path)
        found = load(self._path, self._model, layout.dim, layout.coded, checked=True)
        if found is None:
            raise OSError(f"{self._path} could not be read back")
        return found[0]

    def abandon(self) -> None:
        """Leaves nothing behind when the file could not be finished."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
        with contextlib.suppress(OSError):
            os.unlink(self._draft)

    def _open(self) -> BinaryIO:
        assert self._file is not None
        return self._file

    def _write(self, position: int, values: NDArray[Any]) -> None:
        file = self._open()
        file.seek(position)
        file.write(np.ascontiguousarray(values).data.cast("B"))


def load(path: str, model: int, dim: int, coded: bool, *, checked: bool = False) -> tuple[Matrix, Mark] | None:
    """The matrix and its mark, or None when the file is missing, damaged, or not for this use."""
    try:
        with open(path, "rb") as file:
            mapped = _mapped(file)
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None
    facts = _header(mapped)
    if facts is None:
        return None
    _, its_dim, its_coded, count, its_model, number, stamp, *sums = facts
    layout = Layout(count, its_dim, bool(its_coded))
    if its_model != model or its_dim != dim or (coded and not its_coded) or len(mapped) != layout.end:
        return None
    scanned = (True, coded, not coded)  # rows that are only scored are checked against their codes then
    for span, total, needed in zip(layout.sections(), sums, scanned, strict=True):
        if needed and not checked and int(_words(mapped, *span).sum()) != total:
            return None
    return _arrays(mapped, layout), Mark(number, stamp)


def _arrays(mapped: mmap.mmap, layout: Layout) -> Matrix:
    count, dim, width = layout.count, layout.dim, layout.width
    codes = steps = None
    if layout.coded:
        codes = np.frombuffer(mapped, np.int8, count * width, layout.codes).reshape(count, width)
        steps = np.frombuffer(mapped, "<f4", count, layout.steps)
    rows = np.frombuffer(mapped, "<f4", count * dim, layout.rows).reshape(count, dim)
    return matrix.Matrix(np.frombuffer(mapped, "<i8", count, layout.index), rows, codes, steps)


def _mapped(file: BinaryIO) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _header(mapped: mmap.mmap) -> tuple[Any, ...] | None:
    head = mapped[: HEADER.size]
    if len(head) < HEADER.size or not head.startswith(MAGIC):
        return None
    *facts, checksum = HEADER.unpack(head)
    return tuple(facts) if zlib.crc32(head[:-4]) == checksum else None


def _words(mapped: mmap.mmap, start: int, end: int) -> NDArray[np.uint64]:
    """A section as numbers to add up: one pass at the speed of memory, which the scan needs anyway."""
    return np.frombuffer(mapped, "<u8", (end - start) // 8, start)


def _sum_read(file: BinaryIO, start: int, end: int) -> int:
    """The same without mapping, so that writing a large file takes little memory."""
    file.seek(start)
    total = 0
    for position in range(start, end, PIECE):
        total += int(np.frombuffer(file.read(min(PIECE, end - position)), "<u8").sum())
    return total % 2**64


def sweep(base: str, models: set[int]) -> None:
    """Removes the files of models that are gone, and what a killed process left half written."""
    folder, beginning = os.path.split(f"{base}-vectors-")
    now = time.time()
    with contextlib.suppress(OSError), os.scandir(folder or ".") as files:
        for file in files:
            label, _, kind = file.name.removeprefix(beginning).partition(".")
            if not file.name.startswith(beginning) or not label.isdigit():
                continue
            stale = kind.endswith(".tmp") and now - file.stat().st_mtime > ABANDONED
            if stale or (kind == "cache" and int(label) not in models):
                os.unlink(file.path)
