"""Whether one ranking is really better than another, or only lucky with these queries.

Paired randomisation: if the two were equally good, swapping them for any query would change
nothing, so we swap at random and count how often the difference comes out as large. Few
queries are counted out exactly. A seed makes every answer repeatable.
"""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

ROUNDS = 10_000
_EXACT_UP_TO = 12  # differing queries: 4,096 ways to swap them
_EPSILON = 1e-12


class Comparison(NamedTuple):
    """The means, their difference (second − first) with a 95 % interval, and what luck explains."""

    first: float
    second: float
    difference: float
    low: float
    high: float
    p: float
    better: int
    worse: int
    same: int

    @property
    def significant(self) -> bool:
        return self.p < 0.05

    def told(self) -> str:
        verdict = "a real difference" if self.significant else "may be luck"
        return (
            f"{self.first:.4f} → {self.second:.4f} ({self.difference:+.4f}, 95 % {self.low:+.4f} to {self.high:+.4f}, "
            f"p = {self.p:.4f}: {verdict}; {self.better} better, {self.worse} worse, {self.same} the same)"
        )


def compare(first: Sequence[float], second: Sequence[float], *, rounds: int = ROUNDS, seed: int = 0) -> Comparison:
    """Compares two lists of values for the same queries, in the same order."""
    if len(first) != len(second):
        raise UsageError(
            f"{len(first)} values cannot be compared with {len(second)}.",
            "They must be of the same queries.",
            "Score both runs on the same judgements.",
        )
    if not first:
        raise UsageError("There is nothing to compare.", "Both lists are empty.", "Score at least one query.")
    from random import Random

    differences = [b - a for a, b in zip(first, second, strict=True)]
    moved = [difference for difference in differences if abs(difference) > _EPSILON]
    count = len(differences)
    low, high = _interval(differences, rounds, Random(seed))
    return Comparison(
        sum(first) / count,
        sum(second) / count,
        sum(differences) / count,
        low,
        high,
        _p(moved, rounds, Random(seed)),
        sum(difference > 0 for difference in moved),
        sum(difference < 0 for difference in moved),
        count - len(moved),
    )


def compare_queries(first: Mapping[str, float], second: Mapping[str, float], *, seed: int = 0) -> Comparison:
    """The same for values by query; both must have the same queries."""
    if first.keys() != second.keys():
        odd = sorted(first.keys() ^ second.keys())[0]
        raise UsageError("The two runs are not of the same queries.", f"{odd} is in one only.", "Score both again.")
    queries = sorted(first)
    return compare([first[query] for query in queries], [second[query] for query in queries], seed=seed)


def _p(moved: Sequence[float], rounds: int, luck: Random) -> float:
    """How often chance alone gives a difference at least as large, either way."""
    if not moved:
        return 1.0
    observed = abs(sum(moved)) - _EPSILON
    if len(moved) <= _EXACT_UP_TO:
        ways = 1 << len(moved)
        return sum(abs(_swapped(moved, way)) >= observed for way in range(ways)) / ways
    # Eight queries at a time: what each of the 256 ways to swap them adds, looked up by a random byte.
    tables = [
        [_swapped(eight, way) for way in range(256)] for eight in (moved[at : at + 8] for at in range(0, len(moved), 8))
    ]
    extreme = sum(
        abs(sum(map(list.__getitem__, tables, luck.randbytes(len(tables))))) >= observed for _ in range(rounds)
    )
    return (extreme + 1) / (rounds + 1)


def _swapped(moved: Sequence[float], way: int) -> float:
    """The sum with the sign of every difference turned whose bit is set in `way`."""
    return sum(-each if way >> at & 1 else each for at, each in enumerate(moved))


def _interval(differences: Sequence[float], rounds: int, luck: Random) -> tuple[float, float]:
    """The middle 95 % of the means of queries drawn again with replacement (bootstrap)."""
    count = len(differences)
    means = sorted(sum(luck.choices(differences, k=count)) / count for _ in range(max(rounds // 10, 200)))
    return means[int(0.025 * len(means))], means[int(0.975 * len(means)) - 1]
