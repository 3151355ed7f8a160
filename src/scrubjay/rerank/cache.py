"""Remembers the scores of the last rerankings, so that paging or asking again costs nothing.

The key is a hash over everything that decides the scores; an edited passage has another
content hash and so another key. It lives in memory: five minutes are not worth a file.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from hashlib import sha256

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TTL_MS = 300_000
SIZE = 1_000


class RerankCache:
    """The most recently used `size` entries, each for `ttl_ms`. Zero of either keeps nothing."""

    def __init__(
        self, ttl_ms: float = TTL_MS, size: int = SIZE, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ttl_ms = ttl_ms
        self._size = size
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, tuple[float, ...]]] = OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    def key(query: str, passages: Sequence[tuple[str, str]], name: str) -> str:
        """SHA-256 of the query, the ids with their content hashes, and the name (provider/model)."""
        provider, _, model = name.partition("/")
        whole = json.dumps([query, [list(pair) for pair in passages], provider, model])
        return sha256(whole.encode("ascii")).hexdigest()

    def get(self, key: str) -> tuple[float, ...] | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if (self._clock() - entry[0]) * 1000 > self._ttl_ms:
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return entry[1]

    def put(self, key: str, scores: Sequence[float]) -> None:
        if self._ttl_ms <= 0:
            return
        with self._lock:
            self._entries[key] = (self._clock(), tuple(scores))
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def __len__(self) -> int:
        return len(self._entries)
