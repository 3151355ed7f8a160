"""The plugs for anybody: an embedder, a reranker, a reader, and the way to a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.types import Reading, Role

    Vectors = NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. May also have `identity` (a ModelIdentity) when it knows more."""

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """One row a text, in order, float32. Raises EmbeddingError when it cannot."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Scores passages against a query, higher is better, in the order given."""

    @property
    def name(self) -> str: ...

    def score(self, query: str, passages: Sequence[str]) -> Sequence[float]: ...


class Reply(Protocol):
    """What a server said: `status` 0 when it could not be asked; `reason` and `cure` when it is no use."""

    @property
    def ok(self) -> bool: ...
    @property
    def status(self) -> int: ...
    @property
    def value(self) -> Any: ...
    @property
    def reason(self) -> str: ...
    @property
    def cure(self) -> str: ...
    @property
    def too_long(self) -> bool: ...


class Transport(Protocol):
    """Asks a server in JSON, again while that can help; handed to embedders and rerankers."""

    def post(
        self,
        base: str,
        path: str,
        body: Mapping[str, Any],
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float = 60.0,
        attempts: int | None = None,
    ) -> Reply:
        """Never raises: a failure is a reply that says why, and never tells a key."""
        ...


class Reader(Protocol):
    """Makes a text with its structure out of one file's bytes."""

    def read(self, path: str, data: bytes) -> Reading:
        """Raises ReadError, with the cure, when the bytes are not what the name promises."""
        ...
