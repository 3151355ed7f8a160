"""Spreading activation: what links lead to, how much of it arrives, and by which way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.graph import entrances, seeds, spread, worded
from scrubjay.types import Candidate, Ranking
from scrubjay.types.graph import Spreading

if TYPE_CHECKING:
    from scrubjay.types.graph import Reached, Row

FAR = Spreading(milliseconds=60_000)
LINKS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)).filter(lambda pair: pair[0] != pair[1]), max_size=40)


class Drawn:
    """A graph as a test draws it: chunk n belongs to document n, and is its first chunk."""

    def __init__(self, links: Sequence[tuple[int, int]], exact: bool = False, strength: float = 1.0) -> None:
        self.links, self.exact, self.strength = links, exact, strength
        self.asked: list[list[int]] = []

    def neighbours(self, chunks: Sequence[int], fan: int) -> list[Row]:
        self.asked.append(sorted(chunks))
        forward = [(a, b if self.exact else 0, b, "links", True, self.strength) for a, b in self.links if a in chunks]
        back = [(b, a if self.exact else 0, a, "links", False, self.strength) for a, b in self.links if b in chunks]
        return [*forward, *back]

    def openings(self, documents: Sequence[int]) -> Mapping[int, int]:
        return {document: document for document in documents}

    def titles(self, chunks: Sequence[int]) -> Mapping[int, str]:
        return {chunk: f"T{chunk}" for chunk in chunks}


def active(found: Sequence[Reached]) -> dict[int, float]:
    return {each.chunk: round(each.active, 6) for each in found}


def test_a_part_is_lost_at_every_hop() -> None:
    found = spread({1: 1.0}, Drawn([(1, 2), (2, 3)]), FAR)
    # 2 gets a half; of that a quarter of 1 each goes on to 3 and back to 1, divided by the root of 2 edges
    assert active(found) == {1: 1.176777, 2: 0.5, 3: 0.176777}


def test_the_way_is_told() -> None:
    graph = Drawn([(2, 1), (2, 3)])
    found = spread({1: 1.0}, graph, FAR)
    ways = dict(zip((each.chunk for each in found), worded(found, graph), strict=True))
    assert ways[2] == "T1 → is linked from → T2"
    assert ways[3] == "T1 → is linked from → T2 → links to → T3"


def test_two_hits_that_are_linked_do_not_explain_each_other_in_a_circle() -> None:
    found = spread({1: 1.0, 2: 1.0}, Drawn([(1, 2)]), FAR)
    assert {each.chunk: len(each.path) for each in found} == {1: 1, 2: 1}
    assert active(found) == {1: 1.75, 2: 1.75}


def test_a_document_is_entered_by_the_chunk_that_was_found() -> None:
    found = spread({1: 1.0}, Drawn([(1, 2)]), FAR._replace(hops=1), {2: 77})
    assert active(found) == {1: 1.0, 77: 0.5}
    assert active(spread({1: 1.0}, Drawn([(1, 2)], exact=True), FAR._replace(hops=1), {2: 77})) == {1: 1.0, 2: 0.5}


def test_a_document_without_chunks_is_left_out() -> None:
    graph = Drawn([(1, 2), (1, 3)])
    graph.openings = lambda documents: {d: d for d in documents if d != 3}
    assert set(active(spread({1: 1.0}, graph, FAR))) == {1, 2}


def test_nothing_is_followed_when_time_is_up_or_there_is_nothing() -> None:
    moments = iter([0.0, 9.0])
    assert spread({1: 1.0}, Drawn([(1, 2)]), Spreading(milliseconds=1), clock=lambda: next(moments)) == []
    assert spread({1: 1.0}, Drawn([]), FAR) == []
    assert spread({1: 0.0}, Drawn([(1, 2)]), FAR) == []
    assert spread({1: 1.0}, Drawn([(1, 2)]), FAR._replace(hops=0)) == []


def test_what_cannot_enter_the_list_any_more_is_not_followed() -> None:
    links = [(1, n) for n in range(2, 12)] + [(n, n + 20) for n in range(2, 12)]
    wide, short = Drawn(links), Drawn(links)
    spread({1: 1.0}, wide, FAR)
    found = spread({1: 1.0}, short, FAR, most=5)
    assert len(found) == 5
    assert len(wide.asked) == 2
    assert short.asked == [[1]], "ten were reached; what they lead to would come after all of them"


@given(LINKS, st.dictionaries(st.integers(1, 12), st.floats(0.01, 1), min_size=1, max_size=3), st.integers(0, 3))
def test_the_order_is_by_activation_and_does_not_depend_on_that_of_the_edges(
    links: list[tuple[int, int]], start: dict[int, float], hops: int
) -> None:
    how = FAR._replace(hops=hops)
    found = spread(start, Drawn(links), how)
    values = [each.active for each in found]
    assert values == sorted(values, reverse=True)
    assert len({each.chunk for each in found}) == len(found)
    for each in found:
        assert len(each.path) <= max(hops, 0)
        assert [step.document for step in each.path][-1:] in ([], [each.chunk])
    assert active(spread(start, Drawn(links[::-1]), how)) == active(found)


def test_seeds_are_the_best_of_every_source() -> None:
    rankings = [
        Ranking("keyword", tuple(Candidate(n, 10.0 - n) for n in range(1, 6))),
        Ranking("vector", (Candidate(1, 0.9), Candidate(9, 0.5))),
        Ranking("empty"),
    ]
    assert seeds(rankings, 2) == {1: 2 / 3, 2: 0.25, 9: 0.0}


def test_the_best_found_chunk_stands_for_its_document() -> None:
    rankings = [Ranking("a", (Candidate(5, 1), Candidate(6, 1))), Ranking("b", (Candidate(8, 1), Candidate(7, 1)))]
    assert entrances(rankings, lambda chunks: {5: 1, 6: 2, 7: 2, 8: 1}) == {1: 5, 2: 6}
