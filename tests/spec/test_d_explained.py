"""R63, R67 and R100: the formula by default, a source that fails, a hit that explains itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import scrubjay
from fakes import Failing


def test_r063_k_is_60(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("apple")
    found = kb.search("apple", profile="full")
    assert found.plan.rrf_k == 60
    assert found.hits[0].votes[0].contribution == pytest.approx(1 / 61)


def test_r067_a_failing_source_is_skipped_with_a_notice() -> None:
    embedder = Failing(lambda role, text: role == "query")
    with scrubjay.open(":memory:", embedder=embedder) as kb:
        kb.note("apple")
        found = kb.search("apple", profile="full")
    assert found.hits[0].sources == ("keyword",)
    (notice,) = [notice for notice in found.notices if notice.stage == "vector"]
    assert "the model server is away" in notice.reason
    assert notice.remedy


def test_r100_a_hit_explains_itself(run: Callable[..., Any]) -> None:
    run("note", "why we chose sqlite: the decision and its rationale")
    record = json.loads(run("search", "sqlite decision", "--profile", "full", "--json", "--explain").out)
    (hit,) = record["results"]
    assert hit["sources"] == ["keyword"]
    assert hit["ranks"] == {"keyword": 1, "vector": None, "graph": None}
    votes = [step for step in hit["explain"] if step["step"] == "vote"]
    factors = [step for step in hit["explain"] if step["step"] == "factor"]
    assert len(votes) == len(hit["sources"])
    score = sum(vote["contribution"] for vote in votes)
    for factor in factors:
        score *= factor["value"]
    assert score == pytest.approx(hit["score"], abs=1e-9)
