"""Measuring a search with judged queries: legs, documents behind chunks, what cannot be asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scrubjay.errors import NoEmbedder, UsageError
from scrubjay.evaluate.judgements import Judgements
from scrubjay.evaluate.naming import Naming
from scrubjay.evaluate.run import difference, evaluate, measures_at, percentile
from scrubjay.types import Hit, SearchResult

JUDGED = Judgements({"q1": "git", "q2": "cake"}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}})
NAMES = Naming({"d_a": "a", "d_b": "b", "d_c": "c"})


def hit(document: str, graph: int | None = None) -> Hit:
    return Hit(
        1, f"c_{document}", document, 1.0, 1.0, None, "", "note", (), (), (1, 1), None, "", "", (), (),
        {"keyword": 1, "graph": graph}, None, (), (),
    )  # fmt: skip


def answering(answers: dict[str, list[Hit]], took: float = 2.0) -> Callable[[str, int], SearchResult]:
    def search(query: str, top: int) -> SearchResult:
        assert top == 30  # three chunks for each of the ten documents
        return SearchResult(query, "kb", "hybrid", tuple(answers[query]), (), {"total": took}, None)  # type: ignore[arg-type]

    return search


def test_documents_are_judged_where_their_first_chunk_stands() -> None:
    answers = {"git": [hit("d_c"), hit("d_c"), hit("d_a")], "cake": [hit("d_b")]}
    found = evaluate(JUDGED, NAMES, {"hybrid": answering(answers)})
    assert found.measures == measures_at(10)
    assert found.whole.per_query["q1"]["mrr@10"] == 0.5
    assert found.whole.means["mrr@10"] == 0.75
    assert (found.whole.p50_ms, found.whole.p95_ms) == (2.0, 2.0)


def test_what_links_found_is_a_leg_of_its_own() -> None:
    answers = {"git": [hit("d_c", 2), hit("d_a", 1)], "cake": [hit("d_b")]}
    found = evaluate(JUDGED, NAMES, {"hybrid": answering(answers)})
    assert [leg.name for leg in found.legs] == ["graph", "hybrid"]
    assert found.legs[0].per_query["q1"]["mrr@10"] == 1.0
    assert found.legs[0].per_query["q2"]["mrr@10"] == 0.0


def test_a_chunk_may_be_judged_itself() -> None:
    judged = Judgements({"q": "git"}, {"q": {"c_d_a": 1.0}})
    found = evaluate(judged, Naming({}), {"hybrid": answering({"git": [hit("d_a")]})})
    assert found.whole.means["mrr@10"] == 1.0


def refusing(query: str, top: int) -> SearchResult:
    raise NoEmbedder("There is no embedder.", "", "kb models pull")


def test_a_leg_that_cannot_be_asked_is_left_out_and_told() -> None:
    answers = {"git": [hit("d_a")], "cake": [hit("d_b")]}
    found = evaluate(JUDGED, NAMES, {"vector": refusing, "hybrid": answering(answers)})
    assert [leg.name for leg in found.legs] == ["hybrid"]
    assert [(notice.stage, notice.remedy) for notice in found.notices] == [("vector", "kb models pull")]
    assert "2 of 2" in found.notices[0].reason


def test_without_any_leg_there_is_nothing_to_tell() -> None:
    with pytest.raises(UsageError, match="kb models pull"):
        evaluate(JUDGED, NAMES, {"vector": refusing})


def test_documents_that_are_not_there_are_told() -> None:
    answers = {"git": [hit("d_a")], "cake": []}
    found = evaluate(JUDGED, Naming({"d_a": "a"}, ("b",)), {"hybrid": answering(answers)})
    assert "1 judged documents are not in the base and count as not found: b." in found.notices[0].reason
    with pytest.raises(UsageError, match="--corpus"):
        evaluate(JUDGED, Naming({}, ("a", "b")), {"hybrid": answering(answers)})


def test_two_settings_are_compared_query_by_query() -> None:
    first = evaluate(JUDGED, NAMES, {"hybrid": answering({"git": [hit("d_c"), hit("d_a")], "cake": [hit("d_b")]})})
    second = evaluate(JUDGED, NAMES, {"hybrid": answering({"git": [hit("d_a")], "cake": [hit("d_b")]})})
    found = difference(first, second)
    assert found.measures["mrr@10"].difference == 0.25
    assert (found.measures["mrr@10"].better, found.measures["mrr@10"].same) == (1, 1)
    assert [(query, two) for query, _, two in found.moved] == [("q1", 1.0)]


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([5, 1, 9], 0.5) == 5
    assert percentile([5, 1, 9], 0.95) == 9
    assert percentile([7], 0.5) == 7
