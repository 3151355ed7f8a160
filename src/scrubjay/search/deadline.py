"""How much time a search has left, and what it had to leave out.

Stages ask before they begin. Only what can be done without is left out: words are always looked
for first, so that even the shortest time brings an answer, which says what it lacks.
"""

from __future__ import annotations

from time import perf_counter

from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Deadline:
    """Counts from its making; without `milliseconds` it never passes."""

    def __init__(self, milliseconds: float | None, clock: Callable[[], float] = perf_counter) -> None:
        self.milliseconds = milliseconds
        self._clock = clock
        self._end = None if milliseconds is None else clock() + milliseconds / 1000
        self.skipped: list[str] = []

    def seconds(self) -> float | None:
        """What is left, never below zero; None where there is no deadline."""
        return None if self._end is None else max(0.0, self._end - self._clock())

    def allows(self, stage: str) -> bool:
        """Whether there is time for the stage; if not, it is noted as left out."""
        if self.seconds() == 0.0:
            self.skip(stage)
            return False
        return True

    def skip(self, stage: str) -> None:
        if stage not in self.skipped:
            self.skipped.append(stage)

    def notices(self) -> tuple[Notice, ...]:
        if not self.skipped:
            return ()
        *most, last = self.skipped
        names = f"{', '.join(most)} and {last}" if most else last
        reason = f"The search stopped after its {self.milliseconds:g} ms: {names} did not run to the end."
        return (Notice("deadline", reason, "Allow more with --deadline-ms or search.deadline_ms."),)
