"""Reranks with the embedder's own token vectors: every word of the query finds its best match.

Late interaction needs no second model and, measured on four kinds of collection, beats small
cross-encoders; but never alone. On one collection it lost to the fused score, so 0.6 of it is
mixed with 0.4 of that, both stretched to the range 0 to 1 over the candidates.

Of a long passage only its heading and the part with most of the query's words are read: the
whole dilutes the match and costs more than twice as much (docs/adr/0021-local-reranking.md).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from hashlib import sha256

from scrubjay.rerank.window import weights, window
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.types import Role

    TokenVectors = NDArray[np.float32]  # tokens × dimensions, rows of length one

    class TokenEmbedder(Protocol):
        """An embedder that also gives a vector for every token."""

        @property
        def name(self) -> str: ...
        def token_vectors(self, texts: Sequence[str], role: Role) -> list[TokenVectors]: ...

    class TokenCache(Protocol):
        """Keeps token vectors by a key that is their model's and text's."""

        def get(self, key: str) -> TokenVectors | None: ...
        def put(self, key: str, vectors: TokenVectors) -> None: ...


MAXSIM_SHARE = 0.6
_MOST = 440  # characters that are read of a passage
_HEADING = 120
CACHE_BYTES = 64 * 1024 * 1024


class LocalReranker:
    """A Reranker over token vectors. `blend` is what makes it safe: see the module."""

    def __init__(self, embedder: TokenEmbedder, cache: TokenCache | None = None, *, whole: bool = False) -> None:
        """`whole`: read all of a passage, whatever is asked, so that its vectors can be kept."""
        self._embedder = embedder
        self._cache = cache
        self._whole = whole

    @property
    def name(self) -> str:
        return f"local/{self._embedder.name}"

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """MaxSim: for every token of the query its nearest token in the passage, averaged."""
        if not passages:
            return []
        asked = self._embedder.token_vectors([query], "query")[0]
        if self._whole:
            return maxsim(asked, self._documents(passages))
        words = weights(query, passages)
        return maxsim(asked, self._documents([shortened(passage, words) for passage in passages]))

    def blend(self, scores: Sequence[float], fused: Sequence[float]) -> list[float]:
        pairs = zip(stretched(scores), stretched(fused), strict=True)
        return [MAXSIM_SHARE * mine + (1 - MAXSIM_SHARE) * theirs for mine, theirs in pairs]

    def key(self, text: str) -> str:
        """Under which a cache has the vectors of this text."""
        return f"{self._embedder.name}:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    def _documents(self, passages: Sequence[str]) -> list[TokenVectors]:
        if self._cache is None:
            return self._embedder.token_vectors(passages, "document")
        keys = [self.key(text) for text in passages]
        found = {key: vectors for key in keys if (vectors := self._cache.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, passages, strict=True) if key not in found}
        if missing:
            made = self._embedder.token_vectors(list(missing.values()), "document")
            for key, vectors in zip(missing, made, strict=True):
                found[key] = vectors
                self._cache.put(key, vectors)
        return [found[key] for key in keys]


class MemoryTokenCache:
    """A TokenCache of the most recently used vectors, up to a number of bytes (about 300 passages).

    Kept as they are: half floats would hold twice as many, and take as long to read as MaxSim does.
    """

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most = most_bytes
        self._held = 0
        self._entries: OrderedDict[str, TokenVectors] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> TokenVectors | None:
        with self._lock:
            vectors = self._entries.get(key)
            if vectors is not None:
                self._entries.move_to_end(key)
            return vectors

    def put(self, key: str, vectors: TokenVectors) -> None:
        with self._lock:
            self._held += vectors.nbytes - (self._entries[key].nbytes if key in self._entries else 0)
            self._entries[key] = vectors
            self._entries.move_to_end(key)
            while self._held > self._most:
                self._held -= self._entries.popitem(last=False)[1].nbytes


def shortened(passage: str, words: Mapping[str, float]) -> str:
    """The first line, if it is a heading, and the part below that has most of the query's words."""
    head, line, rest = passage.partition("\n")
    if not line or len(head) > _HEADING:
        head, rest = "", passage
    part = window(rest, words, _MOST - len(head))
    return f"{head}\n{part}" if head else part


def maxsim(query: TokenVectors, passages: Sequence[TokenVectors]) -> list[float]:
    """The mean over the query's tokens of the best match; a passage without tokens is the worst of all."""
    best = [float((query @ tokens.T).max(axis=1).mean()) if len(query) and len(tokens) else None for tokens in passages]
    lowest = min((score for score in best if score is not None), default=0.0)
    return [lowest if score is None else score for score in best]


def stretched(values: Sequence[float]) -> list[float]:
    """To the range 0 to 1; all zeros when the values do not differ and so say nothing."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
