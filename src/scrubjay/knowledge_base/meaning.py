"""Which embedders speak for a base, and when they may.

The stored vectors decide: a query is embedded by a model that made them, whatever the config
says now, and two models' vectors are never compared. Several models may share a base, each for
the scripts it knows. An embedder is loaded when it is first needed and not before, so a search
by words costs nothing of it.
"""

from __future__ import annotations

from scrubjay.errors import EmbeddingError, ModelMismatch, NoEmbedder, ScrubjayError
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, Later

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.ingest.embedding import Embedded, Embedding, Speaker
    from scrubjay.ports import Embedder, Store
    from scrubjay.store import identity
    from scrubjay.types import ModelIdentity, Progress, StoredModel

    Covers = Callable[[str], bool] | None
    Ask = Callable[[str], tuple[int, Sequence[float]]]
else:  # a search by words does not need it
    identity = Later("scrubjay.store.identity")

_REMEMBERED = 256  # query vectors kept, because people ask the same again
GIVEN = "given"  # the name of a model that only the caller knows: it hands in vectors


def identity_of(embedder: Embedder) -> ModelIdentity:
    """What the embedder says of itself, or its name and dimension."""
    from scrubjay.types import ModelIdentity

    own = getattr(embedder, "identity", None)
    return own if isinstance(own, ModelIdentity) else ModelIdentity(embedder.name, embedder.dim)


def _left_to(covers: Covers, earlier: Sequence[Covers]) -> Covers:
    """A text is embedded by the first model that covers it, and by no other."""
    if not earlier:
        return covers
    return lambda text: (covers is None or covers(text)) and not any(other is None or other(text) for other in earlier)


def _switched_off(text: str) -> tuple[int, Sequence[float]]:  # noqa: ARG001 - it stands in for what embeds a query
    raise NoEmbedder(
        "Meaning is switched off, so the words answer alone.", "The setting embedder.name is none.",
        "kb config set embedder.name auto",
    )  # fmt: skip


class Meaning:
    """The embedders of one open base."""

    def __init__(self, store: Store, config: Config, given: Embedder | None) -> None:
        self._store = store
        self._config = config
        self._given = given
        self._loaded: dict[str, Embedder] = {}
        self._asked: dict[tuple[int, str], Sequence[float]] = {}
        if given is not None:
            active = self.active()
            if active:
                identity.require_same(active[0].identity, identity_of(given))

    def active(self) -> list[StoredModel]:
        return [model for model in self._store.models() if model.state == "active"]

    def embedder(self, name: str) -> Embedder:
        """The embedder of that name, loaded now if it was not."""
        if self._given is not None and name == self._given.name:
            return self._given
        if name not in self._loaded:
            from scrubjay import registry

            if not registry.may_send(name, self._config):
                raise NoEmbedder(
                    f"The base's vectors are by {name}, which your settings do not name.",
                    "Nothing was sent there.", f"If you want that: kb config set embedder.name {name}",
                )  # fmt: skip
            self._loaded[name] = registry.embedder(name, self._config)
        return self._loaded[name]

    def wanted(self) -> list[str]:
        """The names of the embedders in force, the main one first; empty when there is none.

        A base keeps its model when the settings change: `kb reindex` changes it.
        """
        if self._given is not None:
            return [self._given.name]
        if self._config.get("embedder.name") == "none":
            return []
        from scrubjay import registry

        stored = [model.identity.name for model in self.active()]
        if not stored:
            return registry.wanted(self._config)
        return list(dict.fromkeys([*stored, *registry.companions(stored[0], self._config)]))

    def configured(self) -> list[str]:
        """The names that the settings ask for, whatever the base holds."""
        if self._given is not None:
            return [self._given.name]
        from scrubjay import registry

        return registry.wanted(self._config)

    # --- asking ---

    def query_vector(self, vector: Sequence[float] | None, mode: str) -> Ask | None:
        """What turns the query into a model's number and a vector; None where nothing can."""
        if mode == "keyword":
            return None
        if vector is not None:
            return lambda _: self._checked(vector)
        if self._given is None and self._config.get("embedder.name") == "none":
            return _switched_off
        return self._ask if self.active() or self.wanted() else None

    def _checked(self, vector: Sequence[float]) -> tuple[int, Sequence[float]]:
        active = self.active()
        if not active:
            raise NoEmbedder("The base holds no vectors.", "None were ever given or made.", "Add some first.")
        fitting = [model for model in active if model.identity.dim == len(vector)]
        if not fitting:
            raise ModelMismatch(
                f"The query vector has {len(vector)} dimensions.",
                f"The stored ones have {active[0].identity.dim} ({active[0].identity.name}).",
                "Give a vector of the model that made the stored ones.",
            )
        return fitting[0].number, vector

    def _ask(self, text: str) -> tuple[int, Sequence[float]]:
        active = self.active()
        if not active:
            raise NoEmbedder("No chunk has a vector yet.", "They wait to be embedded.", "kb update")
        from scrubjay import registry

        for model in active:
            covers = registry.coverage(model.identity.name)
            if covers is None or covers(text):
                return model.number, self._embedded(model, text)
        names = " and ".join(model.identity.name for model in active)
        do = "does" if len(active) == 1 else "do"
        told = f"This was searched by its words alone: {names} {do} not read its script."
        raise NoEmbedder(told, "", self._reader(text))

    def _reader(self, text: str) -> str:
        """How a text in a script that no model of this base knows could be searched by meaning."""
        from scrubjay import registry

        names = registry.models_for(text)
        ready = registry.installed(self._config)
        if any(name in ready for name in names):
            return "The installed model for it is used after: kb update"
        if names:
            return f"By meaning too: kb models pull {names[0]}, then kb update"
        return "docs/models.md names models for more languages."

    def _embedded(self, model: StoredModel, text: str) -> Sequence[float]:
        known = self._asked.get((model.number, text))
        if known is not None:
            return known
        embedder = self._of(model)
        rows = embedder.embed([text], "query")
        if len(rows) != 1 or len(rows[0]) != embedder.dim:
            raise EmbeddingError(
                f"{embedder.name} did not answer with one vector of {embedder.dim} numbers.",
                f"It gave {len(rows)} of {len(rows[0]) if len(rows) else 0}.",
                "Check the embedder; `kb doctor` tests it.",
            )
        if len(self._asked) >= _REMEMBERED:
            self._asked.pop(next(iter(self._asked)))
        vector: Sequence[float] = rows[0]
        self._asked[model.number, text] = vector
        return vector

    def is_here(self) -> bool:
        """Whether queries can be embedded on this machine, at no cost to anybody."""
        active = self.active()
        return bool(active) and not any("/" in model.identity.name for model in active)

    def forget_queries(self) -> None:
        """The next query is embedded again, whoever asked it before: for measuring."""
        self._asked.clear()

    def _of(self, model: StoredModel) -> Embedder:
        """A stored model's embedder; never another one's."""
        if model.identity.name == GIVEN and self._given is None:
            raise NoEmbedder(
                "The base's vectors came from its caller.", "No embedder here can make such.",
                "Search with a vector of that model, or by words.",
            )  # fmt: skip
        embedder = self.embedder(model.identity.name)
        identity.require_same(model.identity, identity_of(embedder))
        return embedder

    # --- embedding ---

    def speakers(self) -> tuple[list[Speaker], list[Notice]]:
        """Every model that is to embed, taken into the base if it is new there."""
        from scrubjay import registry
        from scrubjay.ingest.embedding import Speaker

        found: list[Speaker] = []
        notices: list[Notice] = []
        earlier: list[Covers] = []  # also of a model that fails now: its texts wait for it
        for name in self.wanted():
            if name == GIVEN:
                continue
            covers = None if self._given is not None else registry.coverage(name)
            mine = _left_to(covers, tuple(earlier))
            earlier.append(covers)
            try:
                embedder = self.embedder(name)
                ours = identity_of(embedder)
                for model in self.active():
                    if model.identity.name == name:
                        identity.require_same(model.identity, ours)
                found.append(Speaker(self._store.use_model(ours), embedder, mine))
            except ScrubjayError as error:
                notices.append(Notice("embed", f"{error.what} {error.why}".strip(), error.cure))
            except Exception as error:  # anybody's code
                notices.append(Notice("embed", f"{name}: {type(error).__name__}: {error}", "Run `kb doctor`."))
        return found, notices

    def embedding(
        self, tell: Callable[[Progress], None] | None, again: bool = False
    ) -> tuple[Embedding | None, list[Notice]]:
        """A run over the waiting chunks, with `again` also over those that failed; None where nobody can embed."""
        from scrubjay.ingest.embedding import Embedding

        speakers, notices = self.speakers()
        if not speakers:
            return None, notices
        for speaker in speakers if again else ():
            self._store.retry_failed(speaker.model)
        return Embedding(self._store, speakers, int(self._config.get("embedding.batch")), tell), notices

    def embed_pending(self, tell: Callable[[Progress], None] | None = None) -> tuple[int, tuple[Notice, ...]]:
        """Gives waiting chunks their vectors now, if there is an embedder."""
        run, notices = self.embedding(tell)
        if run is None:
            return 0, tuple(notices)
        done = run.run()
        return done.chunks, (*notices, *done.notices, *self.about_unread(done))

    def about_unread(self, done: Embedded) -> tuple[Notice, ...]:
        """Told once, when such chunks come in: what no model of the base reads is found by its words."""
        if not done.unread:
            return ()
        count = "1 chunk is" if done.unread == 1 else f"{done.unread:,} chunks are"
        reason = f"{count} found by words only: no model here reads their script."
        return (Notice("embed", reason, self._reader(done.unread_text)),)

    def take_given(self, dim: int) -> int:
        """Vectors come from the caller: they are the embedder's, or of a model we do not know."""
        from scrubjay.types import ModelIdentity

        ours = identity_of(self._given) if self._given is not None else ModelIdentity(GIVEN, dim)
        active = self.active()
        if active:
            ours = active[0].identity
        if ours.dim != dim:
            identity.require_same(ours, ModelIdentity(GIVEN, dim))
        return self._store.use_model(ours)

    def described(self) -> dict[str, Any] | None:
        """For `kb status`: the main model, stored or the one that would be used."""
        active = self.active()
        if active:
            return active[0].identity._asdict()
        if self._given is not None:
            return identity_of(self._given)._asdict()
        names = self.wanted()
        return {"name": names[0], "dim": None} if names else None
