"""Follows links from the best hits: what they lead to may answer what they do not.

Activation starts at the best chunks that words and meaning found, runs along the edges both
ways, loses a part at every hop and divides where many edges meet. What a hit gets back from
another hit counts as well: two good hits that are linked are better than each alone. Of the hits
that nothing leads to or from only those are listed on which words and meaning agree: who types a
title wants that document, and not the two others that happen to be linked (bench/graph.py).
A base without links is searched as before.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from math import sqrt
from operator import itemgetter
from time import perf_counter

from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import RELATIONS, Reached, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay.ports import Graph
    from scrubjay.types import Ranking
    from scrubjay.types.graph import Row, Spreading

    Way = tuple[int, Row]  # the hop in which a node was first reached, and the strongest edge to it then

_LOW = 50  # scores are stretched between the best and the one at this rank
_FRONT = 40  # chunks that a hop goes on from
_LEAST = 0.01  # activation that is not worth following
_AGREED = 0.5  # more than one of two sources alone gives
_PULLS = {name: row.pull for name, row in RELATIONS.items()}
_OTHER_PULL = 0.5  # of a relation that this version does not know


def seeds(rankings: Sequence[Ranking], count: int) -> dict[int, float]:
    """The best chunks of every source; how much each starts with, from 0 to 1."""
    start: dict[int, float] = {}
    for ranking in rankings:
        best = ranking.candidates[:count]
        if not best:
            continue
        top, low = best[0].score, ranking.candidates[:_LOW][-1].score
        for candidate in best:
            share = (candidate.score - low) / (top - low) if top > low else 1.0
            start[candidate.chunk] = start.get(candidate.chunk, 0.0) + share / len(rankings)
    return start


def entrances(
    rankings: Sequence[Ranking], documents_of: Callable[[Sequence[int]], Mapping[int, int]]
) -> dict[int, int]:
    """For each document that was found, its best chunk: where a link that names the whole leads to."""
    by_rank = zip_longest(*(ranking.candidates for ranking in rankings))
    ordered = dict.fromkeys(candidate.chunk for rank in by_rank for candidate in rank if candidate is not None)
    faces: dict[int, int] = {}
    documents = documents_of(list(ordered))
    for chunk in ordered:
        if chunk in documents:
            faces.setdefault(documents[chunk], chunk)
    return faces


def spread(
    start: Mapping[int, float],
    graph: Graph,
    how: Spreading,
    faces: Mapping[int, int] | None = None,
    most: int | None = None,
    clock: Callable[[], float] = perf_counter,
) -> list[Reached]:
    """The chunks that activation reached, most active first (at most `most`), each with the path to it.

    `faces` says by which chunk a document is entered, where an edge names only the document. Where
    nothing says, the document itself stands for its first chunk (as minus its number) until it
    counts: most of what a hop comes to is never looked at again.
    """
    until = clock() + how.milliseconds / 1000
    gained: dict[int, float] = {}
    ways: dict[int, Way] = {}
    giving: set[int] = set()
    arriving: dict[int, float] = {}
    front = {chunk: active for chunk, active in start.items() if active > 0}
    for hop in range(how.hops):
        if hop:
            least = _worth_following(gained, most, how.decay)
            best = _best({node: active for node, active in arriving.items() if active > least}, _FRONT)
            front = _opened(best, graph, gained, ways)
        if not front or clock() > until:
            break
        arriving, strongest, sources = _hop(graph.neighbours(list(front), how.fan), front, how.decay, faces or {})
        giving |= sources
        for node, active in arriving.items():
            if node in gained:
                gained[node] += active
            else:
                gained[node] = active
            if node not in ways:
                ways[node] = hop, strongest[node]
    for chunk in start if gained else ():
        if chunk in gained or chunk in giving or start[chunk] > _AGREED:
            gained[chunk] = gained.get(chunk, 0.0) + start[chunk]
    chosen = _opened(_best(gained, most), graph, {}, ways)
    return [Reached(chunk, active, _path(chunk, ways)) for chunk, active in _best(chosen, None) if active > 0]


def _hop(
    steps: Sequence[Row], front: Mapping[int, float], decay: float, faces: Mapping[int, int]
) -> tuple[dict[int, float], dict[int, Row], set[int]]:
    """What comes to each node, by which edge most, and who gave: less over a weak edge, and less the
    more edges there are."""
    edges = Counter(map(itemgetter(0), steps))
    carried = {chunk: front[chunk] * decay / sqrt(count) for chunk, count in edges.items()}
    arriving: dict[int, float] = {}
    most: dict[int, float] = {}
    strongest: dict[int, Row] = {}
    for step in steps:
        source, target, document, relation, _, strength = step
        node = target or faces.get(document) or -document
        share = carried[source] * strength * _PULLS.get(relation, _OTHER_PULL)
        if node not in arriving:
            arriving[node] = most[node] = share
            strongest[node] = step
            continue
        arriving[node] += share
        if share > most[node]:
            most[node] = share
            strongest[node] = step
    return arriving, strongest, set(edges)


def _worth_following(gained: Mapping[int, float], most: int | None, decay: float) -> float:
    """Less than this cannot bring anything new into the list: after the next edge there are `most` better ones."""
    if most is None or len(gained) < most or not decay:
        return _LEAST
    return max(_LEAST, sorted(gained.values(), reverse=True)[most - 1] / decay)


def _best(nodes: Mapping[int, float], most: int | None) -> list[tuple[int, float]]:
    """The most active, equal ones by their numbers; the rest is not even put in order."""
    if most is None or len(nodes) <= most:
        return sorted(nodes.items(), key=_by_activation)
    least = sorted(nodes.values(), reverse=True)[most - 1]
    return sorted([item for item in nodes.items() if item[1] >= least], key=_by_activation)[:most]


def _by_activation(item: tuple[int, float]) -> tuple[float, int]:
    return -item[1], item[0]


def _opened(
    nodes: Sequence[tuple[int, float]], graph: Graph, gained: dict[int, float], ways: dict[int, Way]
) -> dict[int, float]:
    """Documents among the nodes give way to their first chunks, here and in what was noted of them."""
    openings = graph.openings([-node for node, _ in nodes if node < 0])
    found: dict[int, float] = {}
    for node, active in nodes:
        chunk = openings.get(-node, 0) if node < 0 else node
        if not chunk:
            continue
        found[chunk] = found.get(chunk, 0.0) + active
        if node < 0:
            ways.setdefault(chunk, ways[node])
            if node in gained:
                gained[chunk] = gained.get(chunk, 0.0) + gained.pop(node)
    return found


def _path(chunk: int, ways: Mapping[int, Way]) -> tuple[Step, ...]:
    """The edges by which it was first reached; each step back was made in an earlier hop."""
    path: list[Step] = []
    hop = len(ways) + 1
    while chunk in ways and ways[chunk][0] < hop:
        hop, row = ways[chunk]
        path.append(Step._make(row))
        chunk = path[-1].source
    return tuple(reversed(path))


def worded(reached: Sequence[Reached], graph: Graph) -> list[str]:
    """ "Tor Johnson → is mentioned by → Ed Wood": how each chunk was reached."""
    chunks = {step.source for each in reached for step in each.path} | {each.chunk for each in reached}
    titles = graph.titles(list(chunks))
    return [
        " → ".join(
            [
                *(word for step in each.path for word in (titles.get(step.source, ""), _relation(step))),
                titles.get(each.chunk, ""),
            ]
        )
        if each.path
        else ""
        for each in reached
    ]


def _relation(step: Step) -> str:
    row = RELATIONS.get(step.relation)
    return step.relation if row is None else row.forward if step.forward else row.backward
