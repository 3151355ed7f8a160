"""Switches reranking off when it has become slow, and lets it try again after a rest.

The 95th percentile, because a single slow answer is no reason and an average hides one in
ten. After the rest the old times are forgotten: a provider that had a bad minute must not
stay switched off for as long as a server runs.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

THRESHOLD_MS = 500.0
WINDOW = 100
LEAST = 20  # fewer samples say nothing
REST_SECONDS = 300.0


class LatencyGuard:
    """Remembers the last times of one reranker. Times that equal the threshold are good."""

    def __init__(
        self,
        threshold_ms: float = THRESHOLD_MS,
        *,
        rest_seconds: float = REST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.threshold_ms = threshold_ms
        self._rest = rest_seconds
        self._clock = clock
        self._times: deque[float] = deque(maxlen=WINDOW)
        self._off_since: float | None = None
        self._lock = threading.Lock()

    def record(self, milliseconds: float) -> None:
        with self._lock:
            self._times.append(milliseconds)

    def allows(self) -> bool:
        """Whether to rerank now. The rest begins with the first time that the answer is no."""
        with self._lock:
            now = self._clock()
            if self._off_since is not None and now - self._off_since >= self._rest:
                self._times.clear()
            if self._p95() <= self.threshold_ms:
                self._off_since = None
            elif self._off_since is None:
                self._off_since = now
            return self._off_since is None

    @property
    def p95(self) -> float:
        """The time that 95 of 100 calls do not exceed; 0 while there are too few to tell."""
        with self._lock:
            return self._p95()

    def notice(self) -> Notice:
        return Notice(
            "rerank",
            f"reranking is off: its 95th percentile is {self.p95:.0f} ms, above {self.threshold_ms:g} ms",
            "Raise RERANK_P95_THRESHOLD, lower MAX_RERANK_CANDIDATES, or choose a faster provider.",
        )

    def _p95(self) -> float:
        if len(self._times) < LEAST:
            return 0.0
        rank = -(-len(self._times) * 95 // 100)  # rounded up, in whole numbers
        return sorted(self._times)[rank - 1]
