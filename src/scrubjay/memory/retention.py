"""How much of a memory is left after a time, and what looking at it does.

The forgetting curve of FSRS: a memory of stability S is recalled with probability .9 after S
days, and falls slowly after. Being useful at the right moment, when it was nearly forgotten,
strengthens it most; looking twice in a minute does nothing. Nothing is deleted for being
forgotten, it only ranks lower.
"""

from __future__ import annotations

from math import exp

from scrubjay.errors import UsageError

FACTOR = 19 / 81
DECAY = -0.5
# Retention falls to a half after S × this many days, so a half-life gives a stability.
_HALF = float(0.5 ** (1 / DECAY) - 1) / FACTOR
LONGEST = 36_500.0  # a hundred years: more means nothing, and keeps the numbers finite
_SHORTEST = 0.01
# Growth by one use has FSRS's form; gentler than its fit to graded reviews, because being read
# is weaker proof of knowing than being recalled.
_GROWTH, _SATURATION, _SPACING = 1.2, 0.2, 1.3


def retention(days: float, stability: float | None) -> float:
    """R = (1 + 19/81 · t/S)^−0.5: 1 at once, .9 after S days. None: it does not fade."""
    if stability is None:
        return 1.0
    if stability <= 0:
        raise UsageError(f"A stability of {stability:g} days is impossible.", "", "Give a number above 0.")
    return float((1 + FACTOR * max(days, 0.0) / stability) ** DECAY)


def stability_of(half_life_days: float | None) -> float | None:
    """The stability with which a half is left after `half_life_days`."""
    return None if half_life_days is None else half_life_days / _HALF


def days_until(wanted: float, stability: float) -> float:
    """After how many days only `wanted` is left."""
    if not 0 < wanted <= 1:
        raise UsageError(f"{wanted:g} is not a share of a memory.", "", "Give a number above 0, at most 1.")
    return float(wanted ** (1 / DECAY) - 1) / FACTOR * stability


def after_use(stability: float | None, days: float) -> float | None:
    """The stability after the memory was used, `days` after the last time.

    Grows with how much was forgotten, and less the stabler it already is.
    """
    if stability is None:
        return None
    forgotten = 1 - retention(days, stability)
    growth = float(exp(_GROWTH) * stability**-_SATURATION * (exp(_SPACING * forgotten) - 1))
    return min(max(stability * (1 + growth), _SHORTEST), LONGEST)


def factor(retained: float, floor: float = 0.5) -> float:
    """What a score is multiplied by: from 1, all retained, to `floor`, all forgotten.

    What is old may still be the only answer, so it is lowered and never lost.
    """
    return floor + (1 - floor) * min(max(retained, 0.0), 1.0)
