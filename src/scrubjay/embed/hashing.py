"""A deterministic embedder without a model: words hashed into a vector.

For tests and demonstrations of the machinery. It knows nothing of meaning (it finds shared
words and shared parts of words), so it is never chosen unless it is named.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from math import sqrt

from scrubjay.types import ModelIdentity
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.types import Role

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Each word and each of its trigrams adds ±1 at a place that its hash decides."""

    def __init__(self, dim: int = 256, name: str = "hashing") -> None:
        self.name = name
        self.dim = dim
        self.identity = ModelIdentity(name, dim, revision="1")

    def embed(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:  # noqa: ARG002 - words are words in either
        import numpy as np

        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature in _features(text):
                value = int.from_bytes(blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest(), "little")
                row[(value >> 1) % self.dim] += 1.0 if value & 1 else -1.0
            length = sqrt(float(row @ row))
            if length:
                row /= length
            else:
                row[0] = 1.0  # no words at all: any fixed direction, since zero has none
        return rows


def _features(text: str) -> Iterator[str]:
    for word in _WORD.findall(text.lower()):
        yield word
        framed = f"<{word}>"
        yield from (framed[i : i + 3] for i in range(len(framed) - 2))
