from __future__ import annotations

import pytest

from scrubjay.search.intent import INTENTS, guess, intent


def test_r073_seven_intents() -> None:
    assert [row.name for row in INTENTS] == [
        "add_feature", "fix_bug", "refactor", "security_audit", "find_spec", "find_decision", "understand",
    ]  # fmt: skip


def test_r074_primary_two_secondary_one_threshold_three() -> None:
    found = guess("fix login crash after update")
    assert (found.intent, found.score) == ("fix_bug", 5.0)
    assert found.words == ("fix", "crash", "after")
    assert guess("fix after").intent == "fix_bug"
    assert guess("fix after").score == 3.0
    assert guess("fix").intent == "understand"


@pytest.mark.parametrize("query", ["hello", "", "  ", "数据库", "install git"])
def test_r075_else_understand(query: str) -> None:
    assert guess(query)[:3] == ("understand", 0.0, 0.0)


def test_r076_examples() -> None:
    assert guess("add user registration feature").intent == "add_feature"
    found = guess("add dark mode feature")
    assert found.intent == "add_feature"
    assert found.confidence == pytest.approx(0.85, abs=1e-4)


def test_r077_a_decision_is_favoured_where_reasons_are_asked() -> None:
    found = guess("why did we choose sqlite decision rationale")
    assert found.intent == "find_decision"
    assert intent("find_decision").kinds["decision_record"] > 1.0
    assert intent("find_decision").kinds.get("note", 1.0) == 1.0


def test_r077_every_intent_weighs_the_three_sources() -> None:
    for row in INTENTS:
        assert set(row.sources) == {"vector", "keyword", "graph"}
        assert all(0.5 <= weight <= 2 for weight in (*row.sources.values(), *row.kinds.values()))
        assert not row.primary & row.secondary
