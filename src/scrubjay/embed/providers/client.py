"""One embedder for every provider: it asks, checks what comes back, and makes unit vectors of it.

What differs between providers is a row in the table and a module of a few lines that knows
the shape of a request and of a reply. The key is fetched for each request and kept nowhere.
"""

from __future__ import annotations

from urllib.parse import quote

from scrubjay.embed.providers.batch import batches
from scrubjay.embed.providers.run import Run
from scrubjay.embed.providers.table import Call, known
from scrubjay.errors import EmbeddingError
from scrubjay.types import ModelIdentity
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol

    from scrubjay.embed.providers.table import Provider
    from scrubjay.ports.plugs import Reply, Transport, Vectors
    from scrubjay.types import Role

    class Shape(Protocol):
        """A module that speaks one protocol."""

        def body(self, call: Call) -> dict[str, Any]: ...
        def vectors(self, value: Any) -> list[tuple[int, Any]]: ...


SECONDS = 120.0  # for one call with documents: a model at home may have to be loaded first
QUERY_SECONDS, QUERY_ATTEMPTS = 10.0, 2  # somebody waits for this one


class HttpEmbedder:
    """An Embedder behind a URL. `dim` asks the model for that many dimensions, where it can choose."""

    def __init__(
        self,
        provider: Provider,
        shape: Shape,
        transport: Transport,
        *,
        key: Callable[[], str | None],
        model: str = "",
        url: str = "",
        dim: int | None = None,
        default_dim: int = 768,
        prefixes: tuple[str, str] | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._provider, self._shape, self._transport, self._key = provider, shape, transport, key
        self._model = model or provider.model
        self._url = url or provider.url
        self._path = provider.path.replace("{model}", quote(self._model, safe=""))
        card = known(self._model)
        self._asked_dim = dim if card is None or dim != card.dim else None
        self._dim = dim or (card.dim if card else None)
        self._default_dim = default_dim
        self._query_prefix, self._document_prefix = prefixes or (
            (card.query_prefix, card.document_prefix) if card else ("", "")
        )
        self._seconds = seconds

    def __repr__(self) -> str:
        return f"<HttpEmbedder {self.name} at {self._url}>"

    @property
    def name(self) -> str:
        return f"{self._provider.name}/{self._model}"

    @property
    def batch(self) -> int:
        """How many texts one call takes, so that a vendor is asked as seldom as it allows."""
        return self._provider.limits.items

    @property
    def dim(self) -> int:
        """What the model is known to have, else what one try shows, else the default."""
        if self._dim is None:
            self._run(["dimension"], "query")
        return self._dim or self._default_dim

    @property
    def identity(self) -> ModelIdentity:
        """Raises EmbeddingError while nobody knows the dimension: a guess would be kept with the vectors."""
        if self._dim is None:
            run = self._run(["dimension"], "query")
            if run.failures:
                raise EmbeddingError(f"{self.name} could not be asked.", f"{run.failures[0]}.", run.cure)
        return ModelIdentity(
            self.name, self.dim, query_prefix=self._query_prefix, document_prefix=self._document_prefix
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """One unit vector a text, in order. Raises EmbeddingError when any text has none."""
        run = self._run(texts, role)
        if run.failures:
            place, why = min(run.failures.items())
            which = f"{len(run.failures)} of {len(texts)} texts (the first is number {place + 1})"
            raise EmbeddingError(f"{self.name} could not embed {which}.", f"{why}.", run.cure)
        return self._rows(run, len(texts))

    def embed_some(self, texts: Sequence[str], role: Role) -> tuple[Vectors, dict[int, str]]:
        """As `embed`, but what fails is told by its place, and its row is zeros."""
        run = self._run(texts, role)
        return self._rows(run, len(texts)), run.failures

    def _rows(self, run: Run, count: int) -> Vectors:
        import numpy as np

        asked_nothing = count > 0 and not run.vectors and not run.failures  # all texts were blank
        width = run.dim or (self.dim if asked_nothing else self._default_dim)
        rows = np.zeros((count, width), dtype=np.float32)
        for place, vector in run.vectors.items():
            rows[place] = vector
        return rows

    def _run(self, texts: Sequence[str], role: Role) -> Run:
        prefix = self._query_prefix if role == "query" else self._document_prefix
        key = self._key()
        if key is None and self._provider.vendor:
            first = self._provider.key_names[0]
            raise EmbeddingError(
                f"{self.name} needs a key.",
                f"{' or '.join(self._provider.key_names)} is not set.",
                f"Set {first} in the environment, or store it with `keyring set scrubjay {first}`.",
            )

        def ask(batch: Sequence[str]) -> Reply:
            return self._transport.post(
                self._url,
                self._path,
                self._shape.body(Call(self._model, batch, role, self._asked_dim)),
                headers=self._headers(key),
                seconds=QUERY_SECONDS if role == "query" else self._seconds,
                attempts=QUERY_ATTEMPTS if role == "query" else None,
            )

        run = Run(ask, self._shape.vectors, self._dim)
        # An empty text is like nothing: its row stays zeros, and no provider is asked about it.
        filled = ((place, prefix + text) for place, text in enumerate(texts) if text.strip())
        run.through(batches(filled, self._provider.limits))
        self._dim = self._dim or run.dim
        return run

    def _headers(self, key: str | None) -> dict[str, str]:
        if key is None:
            return {}
        header = self._provider.key_header
        return {header: f"Bearer {key}" if header == "Authorization" else key}
