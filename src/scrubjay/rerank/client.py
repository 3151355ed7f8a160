"""One reranker for every server: it asks in calls of a hundred at most and checks what comes back.

A wrong order is worse than none, so an answer counts only when it is whole: every passage
scored once, by a number. There is one short try and one more, because somebody is waiting.
"""

from __future__ import annotations

from importlib import import_module
from math import isfinite

from scrubjay.errors import RerankError, UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from scrubjay.ports import Transport

    class Shape(Protocol):
        """A module that speaks one protocol."""

        def body(self, model: str, query: str, passages: Sequence[str]) -> dict[str, Any]: ...
        def scores(self, value: Any) -> list[tuple[int, Any]]: ...


MOST_PASSAGES = 100  # in one call
LONGEST_PASSAGE = 12_000  # characters; beyond that a model cuts anyway, after everything was sent
SECONDS = 5.0
ATTEMPTS = 2


class Provider(NamedTuple):
    """A row: `shape` is the module that speaks its protocol, `key_names` where its key may be."""

    name: str
    shape: str
    url: str
    path: str
    model: str
    key_names: tuple[str, ...] = ()
    vendor: bool = False


PROVIDERS: Mapping[str, Provider] = {
    row.name: row
    for row in (
        Provider("voyage", "voyage", "https://api.voyageai.com", "/v1/rerank", "rerank-2.5", ("VOYAGE_API_KEY",), True),
        Provider(
            "cohere",
            "cohere",
            "https://api.cohere.com",
            "/v2/rerank",
            "rerank-v3.5",
            ("COHERE_API_KEY", "CO_API_KEY"),
            True,
        ),
        Provider(
            "jina",
            "compatible",
            "https://api.jina.ai",
            "/v1/rerank",
            "jina-reranker-v2-base-multilingual",
            ("JINA_API_KEY",),
            True,
        ),
        Provider("tei", "tei", "http://127.0.0.1:8080", "/rerank", "tei", ("TEI_API_KEY",)),
        Provider("compatible", "compatible", "", "/v1/rerank", "default", ("KB_RERANKER_KEY",)),
    )
}


class HttpReranker:
    """A Reranker behind a URL. The key is fetched for each request and kept nowhere."""

    def __init__(
        self,
        provider: Provider,
        shape: Shape,
        transport: Transport,
        *,
        key: Callable[[], str | None],
        model: str = "",
        url: str = "",
        seconds: float = SECONDS,
    ) -> None:
        self._provider, self._shape, self._transport, self._key = provider, shape, transport, key
        self._model = model or provider.model
        self._url = url or provider.url
        self._seconds = seconds

    def __repr__(self) -> str:
        return f"<HttpReranker {self.name} at {self._url}>"

    @property
    def name(self) -> str:
        return f"{self._provider.name}/{self._model}"

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score a passage, in order. Raises RerankError when the answer is not whole."""
        places = [place for place, text in enumerate(passages) if text.strip()]  # an empty one is refused
        found: dict[int, float] = {}
        for start in range(0, len(places), MOST_PASSAGES):
            part = places[start : start + MOST_PASSAGES]
            scores = self._call(query, [passages[place][:LONGEST_PASSAGE] for place in part])
            found.update(zip(part, scores, strict=True))
        lowest = min(found.values(), default=0.0)
        return [found.get(place, lowest) for place in range(len(passages))]

    def _call(self, query: str, passages: list[str]) -> list[float]:
        reply = self._transport.post(
            self._url,
            self._provider.path,
            self._shape.body(self._model, query, passages),
            headers=self._headers(),
            seconds=self._seconds,
            attempts=ATTEMPTS,
        )
        if not reply.ok:
            raise RerankError(f"{self.name} could not rerank.", f"{reply.reason}.", reply.cure)
        try:
            answers = self._shape.scores(reply.value)
            by_index = {index: _number(score) for index, score in answers}
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self._nonsense("it holds no scores") from None
        if len(by_index) < len(answers) or set(by_index) != set(range(len(passages))):
            raise self._nonsense(f"it does not score each of the {len(passages)} passages once")
        return [by_index[index] for index in range(len(passages))]

    def _nonsense(self, why: str) -> RerankError:
        cure = "Check that the URL, the provider and the model belong together."
        return RerankError(f"{self.name} gave an answer that is no use.", f"Because {why}.", cure)

    def _headers(self) -> dict[str, str]:
        key = self._key()
        if key is None and self._provider.vendor:
            first = self._provider.key_names[0]
            cure = f"Set {first} in the environment, or store it with `keyring set scrubjay {first}`."
            raise RerankError(f"{self.name} needs a key.", f"{first} is not set.", cure)
        return {} if key is None else {"Authorization": f"Bearer {key}"}


def http_reranker(
    name: str,
    transport: Transport,
    *,
    key: Callable[[], str | None],
    url: str = "",
    model: str = "",
    seconds: float = SECONDS,
) -> HttpReranker:
    """The reranker of a provider, or of `provider/model`; nothing is sent before it is used."""
    name, _, named_model = name.partition("/")
    model = model or named_model
    provider = PROVIDERS.get(name)
    if provider is None:
        raise UsageError(f"There is no reranking provider {name!r}.", "", f"Choose one of {', '.join(PROVIDERS)}.")
    if not (url or provider.url):
        raise UsageError(f"The provider {name!r} needs a URL.", "It can be any server.", "Give its URL in the config.")
    shape = import_module(f"scrubjay.rerank.{provider.shape}")
    return HttpReranker(provider, shape, transport, key=key, model=model, url=url, seconds=seconds)


def _number(score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not isfinite(score):
        raise ValueError
    return float(score)
