"""Token vectors made small enough to be kept: 128 dimensions, a byte each, and a scale a token.

The projection is orthonormal and belongs to a model's identity: rows written by one machine or base mean
the same in every other. For the default model it is shipped: the directions in which its tokens differ
most. For others it is drawn from a fixed seed, which loses more (docs/adr/0026-token-vectors.md).
`FORM` is the version of all this, and rows of another form are never compared with these.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.rerank.local import TokenEmbedder, TokenVectors
    from scrubjay.types import Role

DIMENSIONS = 128
FORM = 1  # to be raised with every change of the projection or of how rows are packed
_SEED = 20_240_128


class Packed(NamedTuple):
    """The token vectors of one text: half floats, one a token, and the int8 rows they scale."""

    scales: bytes
    rows: bytes


class ProjectedTokens:
    """A token embedder whose vectors are those of another one, projected; documents as if they had been kept.

    So a passage that is not kept yet is compared exactly as it will be when it is.
    """

    def __init__(self, embedder: TokenEmbedder) -> None:
        self._embedder = embedder
        self._projection = str(projection_file(embedder))

    @property
    def name(self) -> str:
        return f"{self._embedder.name}+{DIMENSIONS}"

    def token_vectors(self, texts: Sequence[str], role: Role) -> list[TokenVectors]:
        made = self._projected(texts, role)
        return made if role == "query" else [unpacked(packed(vectors)) for vectors in made]

    def packed(self, texts: Sequence[str]) -> list[Packed]:
        """What is to be kept of these documents."""
        return [packed(vectors) for vectors in self._projected(texts, "document")]

    def _projected(self, texts: Sequence[str], role: Role) -> list[TokenVectors]:
        return [projected(vectors, self._projection) for vectors in self._embedder.token_vectors(texts, role)]


def projection_file(embedder: Any) -> Path:
    """Where the projection of this model is, if one is shipped: of these very weights, not of others by their name."""
    revision = getattr(getattr(embedder, "identity", None), "revision", "")
    name = f"{embedder.name}-{revision}".replace("/", "-")
    return Path(__file__).parent / "projections" / f"{name}.npy"


def projected(vectors: TokenVectors, file: str = "") -> TokenVectors:
    """Rows of length one in 128 dimensions; of those that have no more, as they are."""
    import numpy as np

    if vectors.shape[-1] <= DIMENSIONS:
        return vectors
    rows = vectors @ _projection(vectors.shape[-1], file)
    unit: TokenVectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit


def packed(vectors: TokenVectors) -> Packed:
    import numpy as np

    if not len(vectors):
        return Packed(b"", b"")
    scales = (np.abs(vectors).max(axis=1, keepdims=True) / 127).astype("<f2")
    rows = np.rint(vectors / np.maximum(scales.astype(np.float32), 1e-12))
    return Packed(scales.tobytes(), np.clip(rows, -127, 127).astype(np.int8).tobytes())


def unpacked(kept: Packed) -> TokenVectors:
    import numpy as np

    scales = np.frombuffer(kept.scales, "<f2").astype(np.float32)
    rows = np.frombuffer(kept.rows, np.int8).reshape(len(scales), -1 if len(scales) else DIMENSIONS)
    vectors: TokenVectors = rows.astype(np.float32) * scales[:, None]
    return vectors


@lru_cache(maxsize=4)
def _projection(dimensions: int, file: str = "") -> NDArray[np.float32]:
    """The one that is shipped, or drawn by the old generator: its numbers are promised never to change."""
    import numpy as np

    if file and Path(file).is_file():
        shipped: NDArray[np.float32] = np.load(file).astype(np.float32)
        return shipped
    drawn = np.random.RandomState(_SEED).standard_normal((dimensions, DIMENSIONS))
    orthonormal, upper = np.linalg.qr(drawn)
    signed: NDArray[np.float32] = (orthonormal * np.sign(np.diag(upper))).astype(np.float32)
    return signed  # the signs make it the one decomposition that there is
