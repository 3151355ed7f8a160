from __future__ import annotations

import pytest

from scrubjay.errors import UsageError
from scrubjay.memory.conflicts import CORRECTIONS, decide
from scrubjay.memory.documents import DOCUMENT_KINDS, document_kind
from scrubjay.memory.kinds import DEFAULT, MEMORY_KINDS, infer
from scrubjay.memory.relations import RELATIONS, link
from scrubjay.memory.retention import retention, stability_of
from scrubjay.memory.tiers import TIERS, tier
from scrubjay.memory.triggers import Trigger, phrases, triggered


def test_r091_nine_kinds_with_their_half_lives() -> None:
    assert {row.name: row.half_life_days for row in MEMORY_KINDS} == {
        "working": 1, "episodic": 7, "prospective": 14, "implicit": 30, "declarative": 60, "procedural": 90,
        "semantic": 180, "autobiographical": 365, "meta-cognitive": None,
    }  # fmt: skip
    assert DEFAULT == "declarative"


def test_r091_the_source_of_the_inference_is_kept() -> None:
    assert infer("The port is 5432.") == ("declarative", "default", "")
    assert infer("x", metadata={"memory_type": "episodic"}) == ("episodic", "metadata", "memory_type: episodic")


def test_r092_six_relations() -> None:
    assert [row.name for row in RELATIONS] == [
        "caused", "enabled", "supersedes", "contradicts", "derived_from", "supports",
    ]  # fmt: skip


def test_r092_what_is_refused() -> None:
    with pytest.raises(UsageError, match="likes"):
        link("a", "b", "likes")
    with pytest.raises(UsageError, match=r"1\.5"):
        link("a", "b", "caused", 1.5)
    with pytest.raises(UsageError, match="itself"):
        link("a", "a", "caused")


def test_r093_thresholds() -> None:
    assert [decide(at).action for at in (1.0, 0.95, 0.9499, 0.85, 0.8499, 0.70, 0.6999, -1.0)] == [
        "reinforce", "reinforce", "update", "update", "link", "link", "create", "create",
    ]  # fmt: skip
    assert CORRECTIONS == ("superseded", "deprecated", "refined", "merged")


def test_r093_retention() -> None:
    assert retention(0, 10) == 1.0
    assert retention(10, 10) == pytest.approx(0.9, abs=1e-9)
    assert retention(30, 10) == pytest.approx((1 + 19 / 81 * 3) ** -0.5, abs=1e-9)
    assert retention(30, 10) == pytest.approx(0.766032, abs=1e-4)
    half = stability_of(60)
    assert half is not None
    assert retention(60, half) == pytest.approx(0.5)


def test_r094_multipliers() -> None:
    assert {row.name: row.multiplier for row in DOCUMENT_KINDS} == {
        "spec": 1.4, "plan": 1.3, "tasks": 1.1, "checklist": 1.0, "decision_record": 1.4,
        "implementation_summary": 1.1, "research": 1.0, "handover": 1.0,
    }  # fmt: skip


def test_r094_only_under_a_specs_folder() -> None:
    assert document_kind("/x/specs/1/decision-record.md")[:2] == ("decision_record", 1.4)
    assert document_kind("/project/docs/spec.md")[:2] == ("memory", 1.0)


def test_r104_at_most_ten_phrases() -> None:
    assert phrases([f"phrase {number}" for number in range(12)]) == tuple(f"phrase {number}" for number in range(10))


def test_r104_at_word_boundaries() -> None:
    triggers = [Trigger("d_1", ("art", "login crash"))]
    assert triggered("start of it", triggers) == []
    assert triggered("login crashes", triggers) == []
    assert [found.document for found in triggered("the art of a login crash.", triggers)] == ["d_1"]


def test_r104_sorted_by_matches_then_importance() -> None:
    triggers = [
        Trigger("d_low", ("git",), 0.5),
        Trigger("d_high", ("git",), 3.0),
        Trigger("d_two", ("git", "install"), 1.0),
    ]
    assert [found.document for found in triggered("install git", triggers)] == ["d_two", "d_high", "d_low"]


def test_r105_tiers() -> None:
    assert {row.name: row.multiplier for row in TIERS} == {
        "constitutional": 3.0, "critical": 2.0, "important": 1.5, "normal": 1.0, "temporary": 0.5, "deprecated": 0,
    }  # fmt: skip
    assert tier("temporary").expires_days == 7
    assert not tier("deprecated").searched
