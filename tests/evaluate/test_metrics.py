from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.evaluate.metrics import average_precision, hit, mrr, ndcg, precision, ranked, recall, score

JUDGED = {"a": 3.0, "b": 1.0, "c": 0.0, "d": 2.0}


def test_ndcg_has_linear_gains() -> None:
    best = 3 + 2 / log2(3) + 1 / 2
    assert ndcg(JUDGED, ["a", "d", "b"], 10) == pytest.approx(1.0)
    assert ndcg(JUDGED, ["c", "b", "x", "a"], 10) == pytest.approx((1 / log2(3) + 3 / log2(5)) / best)
    assert ndcg(JUDGED, ["b", "a", "d"], 1) == pytest.approx(1 / 3)


def test_the_others() -> None:
    found = ["x", "a", "c", "b"]
    assert recall(JUDGED, found, 4) == pytest.approx(2 / 3)
    assert recall(JUDGED, found, 2) == pytest.approx(1 / 3)
    assert precision(JUDGED, found, 4) == 0.5
    assert precision(JUDGED, ["a"], 10) == pytest.approx(0.1)
    assert mrr(JUDGED, found, 10) == 0.5
    assert mrr(JUDGED, found, 1) == 0.0
    assert hit(JUDGED, found, 1) == 0.0
    assert hit(JUDGED, found, 2) == 1.0
    assert average_precision(JUDGED, found, 100) == pytest.approx((1 / 2 + 2 / 4) / 3)


def test_a_document_counts_once() -> None:
    assert recall({"a": 1}, ["x", "x", "a"], 2) == 1.0
    assert ndcg({"a": 1}, ["a", "a"], 10) == 1.0


def test_means_are_over_the_judged_queries() -> None:
    found = score({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q9": ["z"]}, ["ndcg@10", "recall@5"])
    assert found.means == {"ndcg@10": 0.5, "recall@5": 0.5}
    assert found.per_query == {"q1": {"ndcg@10": 1.0, "recall@5": 1.0}, "q2": {"ndcg@10": 0.0, "recall@5": 0.0}}
    assert score({}, {}).means["map@100"] == 0.0


def test_negative_and_missing_judgements_are_not_relevant() -> None:
    assert ndcg({"a": -1, "b": 1}, ["a", "b"], 10) == pytest.approx(1 / log2(3))
    assert recall({"a": 0}, ["a"], 10) == 0.0


@pytest.mark.parametrize("name", ["ndcg", "ndcg@", "ndcg@0", "f1@10", "recall@x"])
def test_an_unknown_measure_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="measure"):
        score({}, {}, [name])


def test_equal_scores_are_ordered_by_id() -> None:
    assert ranked({"b": 1.0, "a": 1.0, "c": 2.0}) == ["c", "a", "b"]


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3)), st.permutations("abcdefgh"))
def test_all_are_between_0_and_1(judged: dict[str, int], documents: list[str]) -> None:
    found = score({"q": judged}, {"q": documents}, ["ndcg@3", "recall@3", "precision@3", "hit@3", "mrr@3", "map@3"])
    assert all(0.0 <= value <= 1.0000001 for value in found.means.values())
    best = sorted(judged, key=lambda doc: -judged[doc])
    if any(judged.values()):
        assert ndcg(judged, best, 6) == pytest.approx(1.0)
