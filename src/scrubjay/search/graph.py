"""Follows links from the best hits: what they lead to may answer what they do not.

Activation starts at the best chunks that words and meaning found, runs along the edges both
ways, loses a part at every hop and divides where many edges meet. What a hit gets back from
another hit counts as well: two good hits that are linked are better than each alone. Hits that
nothing leads to or from are not listed at all, so a base without links is searched as before.
"""

from __future__ import annotations

from math import sqrt
from time import perf_counter

from scrubjay.types import Candidate
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay.types import Ranking
    from scrubjay.types.graph import Spreading, Step

    Neighbours = Callable[[Sequence[int]], Sequence[Step]]

_LOW = 50  # scores are stretched between the best and the one at this rank
_FRONT = 40  # chunks that a hop goes on from
_LEAST = 0.01  # activation that is not worth following


def seeds(rankings: Sequence[Ranking], count: int) -> dict[int, float]:
    """The best chunks of every source; how much each starts with, from 0 to 1."""
    start: dict[int, float] = {}
    for ranking in rankings:
        best = ranking.candidates[:count]
        if not best:
            continue
        top, low = best[0].score, ranking.candidates[: _LOW][-1].score
        for candidate in best:
            share = (candidate.score - low) / (top - low) if top > low else 1.0
            start[candidate.chunk] = start.get(candidate.chunk, 0.0) + share / len(rankings)
    return start


def entrances(
    rankings: Sequence[Ranking], documents_of: Callable[[Sequence[int]], Mapping[int, int]]
) -> dict[int, int]:
    """For each document that was found, its best chunk: where a link that names the whole leads to."""
    ordered = sorted(
        (rank, candidate.chunk) for ranking in rankings for rank, candidate in enumerate(ranking.candidates)
    )
    documents = documents_of([chunk for _, chunk in ordered])
    faces: dict[int, int] = {}
    for _, chunk in ordered:
        if chunk in documents:
            faces.setdefault(documents[chunk], chunk)
    return faces


def spread(
    start: Mapping[int, float],
    neighbours: Neighbours,
    how: Spreading,
    faces: Mapping[int, int] | None = None,
    clock: Callable[[], float] = perf_counter,
) -> list[Candidate]:
    """The chunks that activation reached, most active first, each with the path of edges to it.

    `faces` says by which chunk a document is entered, where an edge names only the document.
    """
    until = clock() + how.milliseconds / 1000
    own = dict(start)
    gained: dict[int, float] = {}
    giving: set[int] = set()
    paths: dict[int, str] = {}
    front = {chunk: active for chunk, active in own.items() if active > 0}
    for _ in range(how.hops):
        if not front or clock() > until:
            break
        arriving: dict[int, float] = {}
        strongest: dict[int, tuple[float, str]] = {}
        for step, share in _shares(neighbours(list(front)), front, how.decay):
            target = step.target if step.exact else (faces or {}).get(step.document, step.target)
            if target == step.source:
                continue
            arriving[target] = arriving.get(target, 0.0) + share
            giving.add(step.source)
            if share > strongest.get(target, (0.0, ""))[0]:
                strongest[target] = share, _path(paths.get(step.source, ""), step)
        for chunk, active in arriving.items():
            gained[chunk] = gained.get(chunk, 0.0) + active
            paths.setdefault(chunk, strongest[chunk][1])
        ordered = sorted(arriving.items(), key=lambda item: (-item[1], item[0]))
        front = {chunk: active for chunk, active in ordered[:_FRONT] if active > _LEAST}
    totals = {chunk: gained.get(chunk, 0.0) + own.get(chunk, 0.0) for chunk in {*gained, *giving}}
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [Candidate(chunk, active, paths.get(chunk, "")) for chunk, active in ranked if active > 0]


def _shares(steps: Sequence[Step], front: Mapping[int, float], decay: float) -> list[tuple[Step, float]]:
    """What each step carries: less for a weak edge, and less the more edges its chunk has."""
    edges: dict[int, int] = {}
    for step in steps:
        edges[step.source] = edges.get(step.source, 0) + 1
    return [
        (step, front[step.source] * decay * step.strength * _pull(step.relation) / sqrt(edges[step.source]))
        for step in steps
        if step.source in front
    ]


def _pull(relation: str) -> float:
    row = RELATIONS.get(relation)
    return row.pull if row is not None else 0.5


def _path(before: str, step: Step) -> str:
    """ "Tor Johnson → is mentioned by → Ed Wood": how the chunk was reached."""
    row = RELATIONS.get(step.relation)
    words = step.relation if row is None else row.forward if step.forward else row.backward
    return f"{before or step.source_title} → {words} → {step.target_title}"
