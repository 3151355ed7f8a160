"""What memory has to say in one search: what is not searched, what weighs, what stands where.

Asked for by the search pipeline only where the base knows something of memories or the profile
weighs them; everything is read from the store once a search, by one statement each.
"""

from __future__ import annotations

from scrubjay.memory.marks import marks
from scrubjay.types.base import TYPE_CHECKING, Later

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay.memory import weighing
    from scrubjay.ports import Store
    from scrubjay.types import Fused, QueryPlan
    from scrubjay.types.memory import Standing
else:  # a search that only marks what it shows does not need it
    weighing = Later("scrubjay.memory.weighing")


class Ranking:
    """The memories behind the chunks of one search. `tokens_of` says what a chunk costs to read.

    Without `heeds` every memory of the base is the last word: nothing is marked or stands behind another.
    """

    def __init__(self, plan: QueryPlan, store: Store, tokens_of: Callable[[int], int], heeds: bool) -> None:
        self._plan = plan
        self._memory = store.memory
        self._heeds = heeds
        self._records = store.memory.records
        self._tokens_of = tokens_of
        self._standings: dict[int, Standing] = {}
        self._successors: dict[int, Sequence[str]] = {}

    def weighed(self, fused: Sequence[Fused]) -> list[Fused]:
        """Every factor of the profile, and what is superseded behind what supersedes it."""
        from datetime import UTC, datetime

        self._read(fused)
        ranked = list(fused)
        if self._plan.weighing is not None:
            ranked = weighing.weighed(ranked, self._standings, self._plan.weighing, datetime.now(UTC))
        return self._placed(ranked, self._plan.superseded)

    def placed(self, ranked: Sequence[Fused]) -> list[Fused]:
        """After scores were given anew: only what must stand before or behind is moved."""
        return self._placed(ranked, 1.0)

    def _placed(self, ranked: Sequence[Fused], weight: float) -> list[Fused]:
        placed = list(ranked)
        if self._successors and self._plan.superseded != 1:
            placed = weighing.after_successors(placed, self._successors, self._document_of, weight)
        if self._plan.weighing is not None and self._plan.weighing.tiers:
            budget = self._plan.weighing.first_tokens
            placed = weighing.constitutional_first(placed, self._standings, self._tokens_of, budget)
        return placed

    def marks(self, chunks: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        """Chunk number → what is to be said of its document."""
        if not self._heeds:
            return {}
        from time import gmtime, strftime

        missing = [number for number in chunks if number not in self._standings]
        self._standings.update(self._memory.standings(missing))
        standings = {number: self._standings[number] for number in chunks if number in self._standings}
        records = self._records.of_documents({standing.document for standing in standings.values()})
        successors = self._memory.successors(list(chunks))
        now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
        return {
            number: marks(each.document, each.facts, records.get(each.document, ()), successors.get(number, ()), now)
            for number, each in standings.items()
        }

    def _read(self, fused: Sequence[Fused]) -> None:
        numbers = [item.chunk for item in fused]
        self._successors = dict(self._memory.successors(numbers)) if self._heeds else {}
        if self._plan.weighing is not None or self._successors:
            self._standings = dict(self._memory.standings(numbers, telling=not self._successors))

    def _document_of(self, chunk: int) -> str:
        standing = self._standings.get(chunk)
        return "" if standing is None else standing.document
