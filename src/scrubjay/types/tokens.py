"""What a store does with token vectors; it does not know what their bytes mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

KeptRow = tuple[int, bytes, bytes, bytes]  # a chunk's number, the hash of what was read, the scales, the rows


class KeptTokens(Protocol):
    """Token vectors by chunk and model; `form` is how they were made. They go with their chunk and their model."""

    def missing(self, model: int, form: int, limit: int, after: int) -> list[int]: ...
    def put(self, model: int, form: int, rows: Sequence[KeptRow]) -> None: ...
    def get(self, model: int, form: int, digest: bytes) -> tuple[bytes, bytes] | None: ...
    def clear(self) -> int: ...
