"""Vectors as they are written: checked, of length one, float32, little-endian.

A vector of zeros has no direction and one with NaN or infinity poisons every comparison, so
neither is ever stored: that is an error which names the chunk. Lengths are taken out once when
writing, so that a cosine is a plain product ever after. Works the same with and without numpy;
vectors are scaled by their largest component first, so that no square overflows.
"""

from __future__ import annotations

import math
import sys
from array import array

from scrubjay.errors import EmbeddingError, ModelMismatch
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

FLOAT = 4  # bytes of a float32
NUMBER = 8  # bytes of a chunk number


def numpy_or_none() -> ModuleType | None:
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def packed(values: array[Any]) -> bytes:
    """The array's bytes as the base keeps them, whatever this machine's byte order is."""
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values.tobytes()


def unpacked(code: str, data: bytes | memoryview) -> array[Any]:
    """The opposite: numbers ("q") or floats ("f") out of a blob, or a slice of one."""
    values: array[Any] = array(code)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def unit_rows(numbers: Sequence[int], vectors: Sequence[Sequence[float]] | NDArray[np.float32], dim: int) -> bytes:
    """All rows as one blob. Raises EmbeddingError or ModelMismatch before anything is written."""
    if len(numbers) != len(vectors):
        raise EmbeddingError(
            f"{len(vectors)} vectors came for {len(numbers)} chunks.",
            "The embedder left some out, or made some up.",
            "Nothing was stored; add again, or use another embedder.",
        )
    np = numpy_or_none()
    if np is None:
        return b"".join(packed(_unit(number, row, dim)) for number, row in zip(numbers, vectors, strict=True))
    try:
        given = np.asarray(vectors, dtype=np.float64)
    except ValueError:  # rows of different lengths: find the one that is wrong
        given = np.asarray([_of_dimension(row, dim) for row in vectors], dtype=np.float64)
    if given.ndim != 2 or given.shape[1] != dim:
        raise wrong_dimension(given.shape[-1], dim)
    with np.errstate(invalid="ignore", over="ignore"):
        peak = np.abs(given).max(axis=1)
    usable = np.isfinite(peak) & (peak > 0)
    if not usable.all():
        raise _unusable(int(numbers[int(np.argmin(usable))]))
    scaled = given / peak[:, None]
    scaled /= np.sqrt((scaled * scaled).sum(axis=1))[:, None]
    return bytes(scaled.astype("<f4").tobytes())


def unit_query(query: Sequence[float], dim: int) -> array[float] | None:
    """The query in float64 with length one; None when it points nowhere (zeros, NaN)."""
    values = array("d", _of_dimension(query, dim))
    length = math.hypot(*values)
    if length == math.inf and all(map(math.isfinite, values)):  # too long to be told
        values = array("d", [value / sys.float_info.max for value in values])
        length = math.hypot(*values)
    if not 0 < length < math.inf:
        return None
    return array("d", [value / length for value in values])


def wrong_dimension(given: int, dim: int) -> ModelMismatch:
    return ModelMismatch(
        "The vector cannot be compared with the stored ones.",
        f"It has {given} dimensions; the base's model makes {dim}.",
        "Use the model of the base (`kb status` names it), or rebuild the vectors: kb reindex",
    )


def _unit(number: int, row: Sequence[float], dim: int) -> array[float]:
    values = unit_query(row, dim)
    if values is None:
        raise _unusable(number)
    return array("f", values)


def _of_dimension(row: Sequence[float], dim: int) -> Sequence[float]:
    if len(row) != dim:
        raise wrong_dimension(len(row), dim)
    return row


def _unusable(number: int) -> EmbeddingError:
    return EmbeddingError(
        f"The vector of chunk {number} cannot be used.",
        "It is all zeros, or holds NaN or infinity.",
        "Nothing was stored; the embedder should be replaced or mended.",
    )
