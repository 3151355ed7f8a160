"""Keeps token vectors in the base where the settings ask for it, and gives them to who reranks.

What is kept is of the whole passage, its headings included; so nothing depends on the question and a
search only reads. The chunks without any are the queue: an interrupted run goes on with them, and a
passage that is still waiting is read by the model when it is needed.
"""

from __future__ import annotations

from hashlib import sha256

from scrubjay.errors import ScrubjayError
from scrubjay.knowledge_base.meaning import identity_of
from scrubjay.rerank import Item
from scrubjay.rerank.local import LocalReranker, MemoryTokenCache
from scrubjay.rerank.tokens import FORM, Packed, ProjectedTokens, unpacked
from scrubjay.search.pipeline import heading
from scrubjay.types import Notice, Progress
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Reranker, Store
    from scrubjay.rerank.local import TokenVectors
    from scrubjay.types import Chunk

    Tell = Callable[[Progress], None]

SETTING = "rerank.token_vectors"
_BATCH = 32  # passages; about 5 MB of vectors before they are packed


class KeptTokenCache:
    """A TokenCache that finds what the base keeps; what it does not have is remembered in memory only."""

    def __init__(self, store: Store, model: int) -> None:
        self._store = store
        self._model = model
        self._memory = MemoryTokenCache()

    def get(self, key: str) -> TokenVectors | None:
        kept = self._store.kept_tokens.get(self._model, FORM, bytes.fromhex(key.rpartition(":")[2]))
        return self._memory.get(key) if kept is None else unpacked(Packed(*kept))

    def put(self, key: str, vectors: TokenVectors) -> None:
        self._memory.put(key, vectors)


def local_reranker(store: Store, config: Config, meaning: Meaning) -> Reranker | None:
    """Late interaction over the token vectors of a model that is here; None where none gives any."""
    embedder = token_embedder(meaning)
    if embedder is None:
        return None
    model = _model_of(embedder, meaning) if config.get(SETTING) else None
    if model is None:
        return LocalReranker(embedder, MemoryTokenCache())
    return LocalReranker(ProjectedTokens(embedder), KeptTokenCache(store, model), whole=True)


def token_embedder(meaning: Meaning) -> Any:
    """The first model in force that gives a vector for every token."""
    for name in meaning.wanted():
        embedder = meaning.embedder(name)
        if hasattr(embedder, "token_vectors"):
            return embedder
    return None


def keep_tokens(store: Store, config: Config, meaning: Meaning, tell: Tell | None = None) -> tuple[Notice, ...]:
    """Makes the token vectors that are missing, batch by batch; takes them all away where they are not wanted."""
    if not config.get(SETTING):
        store.kept_tokens.clear()
        return ()
    try:
        embedder = token_embedder(meaning)
        model = None if embedder is None else _model_of(embedder, meaning)
        if embedder is not None and model is not None:
            _keep(store, model, ProjectedTokens(embedder), tell)
    except ScrubjayError as error:
        return (Notice("embed", f"{error.what} {error.why}".strip(), error.cure),)
    except Exception as error:  # an embedder is anybody's code
        reason = f"Token vectors could not be made: {type(error).__name__}: {error}."
        return (Notice("embed", reason, "Reranking makes them when it needs them; `kb doctor` tests the embedder."),)
    return ()


def _keep(store: Store, model: int, tokens: ProjectedTokens, tell: Tell | None) -> None:
    after = done = 0
    while numbers := store.kept_tokens.missing(model, FORM, _BATCH, after):
        after = numbers[-1]
        texts = {chunk.number: passage(chunk) for chunk in store.fetch(numbers)}
        made = dict(zip(texts, tokens.packed(list(texts.values())), strict=True))
        with store.writing():  # a text that was changed meanwhile waits for the next run
            same = [chunk.number for chunk in store.fetch(list(texts)) if passage(chunk) == texts[chunk.number]]
            rows = [(number, _digest(texts[number]), *made[number]) for number in same]
            store.kept_tokens.put(model, FORM, rows)
        done += len(numbers)
        if tell is not None:
            tell(Progress("embed", done, done, f"{tokens.name}, tokens"))


def passage(chunk: Chunk) -> str:
    """What a reranker is given of this chunk."""
    return Item(chunk.id, chunk.text, heading=heading(chunk)).passage


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _model_of(embedder: Any, meaning: Meaning) -> int | None:
    """Its number in this base; None where the base's vectors are of another one."""
    ours = identity_of(embedder)
    return next((model.number for model in meaning.active() if model.identity == ours), None)
