"""Calls a function again when it fails for a passing reason."""

import random
import time


class GaveUp(Exception):
    """All attempts failed; the last error is the cause."""


def backoff(attempt: int, base: float = 0.2, most: float = 10.0) -> float:
    """Seconds to wait before the given attempt: doubling, with jitter, never above `most`."""
    return random.uniform(0, min(most, base * 2**attempt))


def retry(function, attempts: int = 5, errors=(ConnectionError, TimeoutError)):
    """Runs `function` until it succeeds or no attempt is left."""
    for attempt in range(attempts):
        try:
            return function()
        except errors as error:
            if attempt == attempts - 1:
                raise GaveUp(f"no success in {attempts} attempts") from error
            time.sleep(backoff(attempt))
