"""What use and repetition do to a memory, and how much of it is left.

A memory starts as stable as its kind is lasting: half of it is left after the kind's half-life.
Each use moves that on, most when it was nearly forgotten. Being said again is stronger proof than
being read, so it always adds something.
"""

from __future__ import annotations

from scrubjay.memory.kinds import half_life
from scrubjay.memory.retention import LONGEST, after_use, retention, stability_of
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Life

if TYPE_CHECKING:
    from datetime import datetime

SAID_AGAIN = 1.2  # what saying it again multiplies the stability by, at the least
SOON = 1 / 24  # days within which a second use is the same use


def stability(life: Life, kind: str) -> float | None:
    """In days; None for what does not fade."""
    return stability_of(half_life(kind)) if life.stability is None else life.stability


def age(moment: str | None, now: datetime) -> float:
    """Days since then; 0 for what lies ahead or cannot be read."""
    from datetime import UTC, datetime

    try:
        then = datetime.fromisoformat(moment or "")
    except ValueError:
        return 0.0
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max((now - then).total_seconds() / 86400, 0.0)


def used(life: Life, kind: str, created_at: str, now: datetime) -> Life | None:
    """The life after a use; None when it was used a moment ago and nothing changes."""
    days = age(life.used_at or created_at, now)
    if life.used_at is not None and days < SOON:
        return None
    return Life(after_use(stability(life, kind), days), life.uses + 1, _stamp(now))


def said_again(life: Life, kind: str, created_at: str, now: datetime) -> Life:
    """The life after the same was said once more."""
    before = stability(life, kind)
    grown = after_use(before, age(life.used_at or created_at, now))
    firmer = None if grown is None or before is None else min(max(grown, before * SAID_AGAIN), LONGEST)
    return Life(firmer, life.uses + 1, _stamp(now))


def retained(life: Life, kind: str, created_at: str, now: datetime) -> tuple[float, float, float | None]:
    """How much is left, after how many days, at which stability."""
    days, firmness = age(life.used_at or created_at, now), stability(life, kind)
    return retention(days, firmness), days, firmness


def _stamp(now: datetime) -> str:
    return f"{now:%Y-%m-%dT%H:%M:%SZ}"
