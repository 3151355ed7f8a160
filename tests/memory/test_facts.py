from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.memory.facts import facts_of
from scrubjay.types.memory import ORDINARY


def test_of_an_ordinary_text_nothing_is_known() -> None:
    assert facts_of("The port is 5432.") == ORDINARY
    assert facts_of("") == ORDINARY


def test_what_is_said_outright_wins_over_what_the_file_says() -> None:
    written = {
        "memory_type": "working", "importance_tier": "critical", "trigger_phrases": ["a phrase"], "project": "old",
        "session": "s1", "source": "book",
    }  # fmt: skip
    assert facts_of("x", metadata=written)[:8] == (
        "working", "metadata", "memory_type: working", "critical", None, "old", "s1", "book",
    )  # fmt: skip
    said = facts_of(
        "x", metadata=written, memory_type="semantic", importance="normal", triggers="one, two", project="new/",
        session="s2", source="me",
    )  # fmt: skip
    assert said == ("semantic", "given", "semantic", "normal", None, "new", "s2", "me", ("one", "two"))


@pytest.mark.parametrize("key", ["importance_tier", "importance", "tier"])
def test_the_tier_in_front_matter(key: str) -> None:
    assert facts_of("x", metadata={key: " Important "}).tier == "important"


@pytest.mark.parametrize("odd", ["urgent", 8, ["critical"], None, {"a": 1}, ""])
def test_an_odd_tier_in_a_file_is_passed_over(odd: object) -> None:
    assert facts_of("x", metadata={"importance": odd}).tier == "normal"


def test_an_odd_tier_or_type_said_outright_is_an_error() -> None:
    with pytest.raises(UsageError, match="urgent"):
        facts_of("x", importance="urgent")
    with pytest.raises(UsageError, match="eternal"):
        facts_of("x", memory_type="eternal")


def test_type_in_front_matter_may_be_the_memory_type() -> None:
    assert facts_of("x", metadata={"type": "Procedural"})[:3] == ("procedural", "metadata", "type: procedural")
    assert facts_of("x", metadata={"type": "article"}).kind_source == "default"


@pytest.mark.parametrize(
    ("created", "expires"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-08T00:00:00Z"),
        ("2026-01-01", "2026-01-08T00:00:00Z"),
        ("9999-12-30", "9999-12-31T23:59:59Z"),
        ("no date", "9999-12-31T23:59:59Z"),
    ],
)
def test_temporary_ends_seven_days_after_its_date(created: str, expires: str) -> None:
    assert facts_of("x", created_at=created, importance="temporary").expires_at == expires


def test_without_a_date_temporary_counts_from_now() -> None:
    ends = facts_of("x", importance="temporary").expires_at
    assert ends is not None
    assert ends > "2026"


@given(
    st.dictionaries(
        st.sampled_from(["type", "tier", "triggers", "session", "source", "project"]),
        st.none() | st.integers() | st.text() | st.lists(st.text()),
    )
)
def test_no_front_matter_can_stop_a_file_from_being_read(metadata: dict[str, object]) -> None:
    facts = facts_of("x", metadata=metadata)
    assert len(facts.triggers) <= 10
