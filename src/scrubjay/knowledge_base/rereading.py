"""Who reranks for an open base, and what is remembered of it: its speed and its scores.

The guard and the cache live as long as the base is open. The reranker is chosen when it is
first needed; a vendor only where the user's own settings say so, never because a key is there.
"""

from __future__ import annotations

import os

from scrubjay.errors import ScrubjayError
from scrubjay.rerank import Reranked, rerank
from scrubjay.rerank.cache import RerankCache
from scrubjay.rerank.guard import LatencyGuard
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Reranker, Store
    from scrubjay.rerank import Item
    from scrubjay.rerank.choose import Choice
    from scrubjay.types import QueryPlan

_OWN = ("user", "environment", "argument")  # layers that are the user's own; a project's is not


def reranker_named(config: Config, profile: str | None = None) -> str:
    """The provider; a cross-encoder where a model here is meant and `rerank.model` is a folder of one.

    With `auto` it must exist: a vendor's model has a name too, but is no folder.
    """
    asked, model = str(config.get("rerank.provider", profile)), str(config.get("rerank.model"))
    if model and (asked == "local" or (asked == "auto" and os.path.isdir(os.path.expanduser(model)))):
        return "cross-encoder"
    return asked


class Rereading:
    """The reranking of one open base."""

    def __init__(self, store: Store, config: Config, meaning: Meaning, given: Reranker | None) -> None:
        self._store = store
        self._config = config
        self._meaning = meaning
        self._given = given
        self._choices: dict[str, Choice] = {}
        self.guard = LatencyGuard(float(config.get("rerank.p95_ms")))
        self.cache = RerankCache(float(config.get("rerank.cache_ms")), int(config.get("rerank.cache_size")))

    def __call__(self, plan: QueryPlan, items: Sequence[Item], seconds: float) -> Reranked:
        """The items in the reranker's order, or as they were with a notice; never raises."""
        before = tuple(item.id for item in items)
        try:
            choice = self._choice(plan.profile)
        except ScrubjayError as error:
            return Reranked(before, notices=(Notice("rerank", f"{error.what} {error.why}".strip(), error.cure),))
        if choice.reranker is None:
            return Reranked(before, notices=choice.notices)
        done = rerank(
            plan.words.text, items, choice.reranker,
            limit=plan.rerank_candidates, seconds=seconds, guard=self.guard, cache=self.cache,
        )  # fmt: skip
        return done._replace(notices=(*choice.notices, *done.notices))

    def _choice(self, profile: str) -> Choice:
        if profile not in self._choices:
            self._choices[profile] = self._chosen(profile)
        return self._choices[profile]

    def _chosen(self, profile: str) -> Choice:
        from scrubjay import registry
        from scrubjay.rerank.choose import Choice, choose

        if self._given is not None:
            return Choice("given", self._given)
        asked = reranker_named(self._config, profile)
        allowed = any(
            self._config.lookup(name, profile)[1] in _OWN for name in ("rerank.provider", "rerank.enabled")
        )  # fmt: skip
        return choose(
            asked,
            has_key=lambda name: registry.reranker_key(name, self._config)() is not None,
            http=lambda name: registry.reranker(name, self._config),
            local=self._local,
            vendors_allowed=allowed,
        )

    def _local(self) -> Reranker | None:
        from scrubjay.knowledge_base.rereadable import local_reranker

        return local_reranker(self._store, self._config, self._meaning)
