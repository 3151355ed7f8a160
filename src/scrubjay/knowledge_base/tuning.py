"""Learning from the base itself how it is best searched, and keeping it in the base."""

from __future__ import annotations

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types import SearchOptions
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.evaluate.tune import Learned
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store
    from scrubjay.types import Progress, Ranking

    Tell = Callable[[Progress], None]

SAMPLE = 250  # chunks that queries are made from
_QUICK = 60  # the same after adding, where nobody asked for it
_WORTH = 100  # chunks; a smaller base says too little about itself
_CHANGED = 0.5  # of the chunks there were when it was learned
_SHARE, _MOST_SECONDS = 0.1, 5.0  # of what the adding took


class Tuning(Parts):
    """`tune` and `tuned`."""

    def tune(self, *, sample: int = SAMPLE, seconds: float | None = None, progress: Tell | None = None) -> Learned:
        """Measures words and meaning on queries made from the texts; `auto` fusion uses the result."""
        return tune(self.store, self.config, self._meaning, sample, seconds, progress)

    @property
    def tuned(self) -> dict[str, Any] | None:
        """What `tune` found last."""
        known = self.store.tuning.learned()
        return None if known is None else dict(known)


def tune(
    store: Store, config: Config, meaning: Meaning, sample: int, seconds: float | None, progress: Tell | None
) -> Learned:
    """Learns, and remembers it in the base unless nothing could be learned."""
    from scrubjay.evaluate.known import queries
    from scrubjay.evaluate.tune import learn
    from scrubjay.search.stopwords import STOP_WORDS

    numbers = store.tuning.sample(sample)
    found, beside = queries(store.fetch(numbers), store.tuning.related(numbers), STOP_WORDS)
    legs = _legs(store, config, meaning)
    done = learn({"itself": found, "related": beside}, legs, seconds=seconds, progress=progress)
    if done.vector_weight is not None:
        models = [model.identity.name for model in store.models() if model.state == "active"]
        store.tuning.remember({**done._asdict(), "chunks": store.status()["chunks"], "models": models})
    return done


def tune_if_worth_it(store: Store, config: Config, meaning: Meaning, spent: float) -> None:
    """After adding: where `auto` fusion is in use, the base has changed much, and it costs little."""
    if not any(config.get("fusion.method", profile) == "auto" for profile in config.profiles):
        return
    chunks = int(store.status()["chunks"])
    before = int((store.tuning.learned() or {"chunks": 0})["chunks"])
    much = abs(chunks - before) > _CHANGED * max(chunks, before)
    if chunks >= _WORTH and much and meaning.is_here():
        tune(store, config, meaning, _QUICK, min(spent * _SHARE, _MOST_SECONDS), None)


def _legs(store: Store, config: Config, meaning: Meaning) -> Callable[[str], Sequence[Ranking]]:
    """Words and meaning, asked one by one, as profile `full` asks them."""
    from scrubjay.search.plan import plan as make_plan
    from scrubjay.search.retrieve import retrieve

    ask = meaning.query_vector(None, "hybrid")

    def legs(query: str) -> Sequence[Ranking]:
        plan = make_plan(SearchOptions(query, profile="full"), config)
        return retrieve(plan._replace(sources=("keyword", "vector")), store, ask).rankings

    return legs
