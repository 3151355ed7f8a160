"""The parts that an open base is made of: what every group of its methods works with."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.config import Config
    from scrubjay.knowledge_base.habits import Habits
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.knowledge_base.rereading import Rereading
    from scrubjay.knowledge_base.uses import Uses
    from scrubjay.ports import Reranker, Store
    from scrubjay.rerank import Item, Reranked
    from scrubjay.types import Notice, QueryPlan


class Parts:
    """The store, the settings, the embedders, the reranker, and what was learned from use."""

    def __init__(self, store: Store, config: Config, meaning: Meaning, reranker: Reranker | None = None) -> None:
        self.store = store
        self.config = config
        self._meaning = meaning
        self._reranker = reranker
        self._known_rereading: Rereading | None = None
        self._known_habits: Habits | None = None
        self._known_uses: Uses | None = None

    @property
    def _habits(self) -> Habits:
        if self._known_habits is None:
            from scrubjay.knowledge_base.habits import Habits

            self._known_habits = Habits(self.store, bool(self.config.get("graph.learn")))
        return self._known_habits

    def _reread(self, plan: QueryPlan, items: Sequence[Item], seconds: float) -> Reranked:
        return self._rereading(plan, items, seconds)

    @property
    def _rereading(self) -> Rereading:
        if self._known_rereading is None:
            from scrubjay.knowledge_base.rereading import Rereading

            self._known_rereading = Rereading(self.store, self.config, self._meaning, self._reranker)
        return self._known_rereading

    def _tied(self, profile: str | None, deadline_ms: float | None) -> Sequence[Notice]:
        """Before something that may follow links: those of notes that came in bulk are looked for."""
        get = self.config.get
        if (profile or get("search.profile")) != "full":
            return ()
        from scrubjay.knowledge_base.owed import tie

        hurried = bool(get("search.deadline_ms") if deadline_ms is None else deadline_ms)
        return tie(self.store, self.config, hurried=hurried)

    @property
    def _uses(self) -> Uses:
        if self._known_uses is None:
            from scrubjay.knowledge_base.uses import Uses

            self._known_uses = Uses(self.store, bool(self.config.get("memory.uses")))
        return self._known_uses
