"""What an agent is told when it remembers, and the tools that recall and correct."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scrubjay.mcp.answers import Answer

Call = Callable[..., Answer]
BACKUP = "The nightly backup of the mail server runs at two in the morning"


def test_r093_the_same_again_is_told(call: Call) -> None:
    first = call("remember", text=BACKUP)
    again = call("remember", text=BACKUP, tags="ops")
    assert again.data["id"] == first.data["id"]
    assert again.data["again"] is True
    assert again.data["tags"] == ["ops"]
    assert "firmer" in again.text


def test_r093_a_contradiction_is_told_listed_and_settled(call: Call) -> None:
    old = call("remember", text=BACKUP).data["id"]
    new = call("remember", text=f"{BACKUP} no longer")
    [notice] = new.data["notices"]
    assert "may contradict" in notice["reason"]
    assert "Both are kept" in new.text
    [conflict] = call("memory_conflicts").data["conflicts"]
    assert (conflict["kind"], conflict["id"], conflict["by"]) == ("conflict", old, new.data["id"])
    done = call("correct_memory", id=old, action="Superseded", into=new.data["id"], why="asked")
    assert done.data["kind"] == "superseded"
    assert "is superseded by" in done.text
    assert call("memory_conflicts").data == {"returned": 0, "conflicts": []}
    marked = {hit["id"]: hit.get("marks", []) for hit in call("search_memories", query="backup").data["results"]}
    assert marked[old][0] == f"superseded by {new.data['id']}"
    assert f"superseded by {new.data['id']}" in call("get_observations", ids=old).text
    undone = call("correct_memory", id=done.data["record"], kind="undo")
    assert undone.data["undone"] is True
    assert call("correct_memory", id=done.data["record"], kind="undo").failed


def test_r104_match_memories(call: Call) -> None:
    kept = call("remember", text="Ask Ada about the vault", trigger_phrases="vault, the safe", importance="Critical")
    answer = call("match_memories", prompt="who knows how to open the safe?")
    assert answer.data == {
        "returned": 1,
        "matches": [
            {"id": kept.data["id"], "title": "Ask Ada about the vault", "phrases": ["the safe"],
             "importance": "critical"}
        ],
    }  # fmt: skip
    assert "the safe" in answer.text
    assert "complete" in call("match_memories", text="nothing").text


def test_r105_what_is_said_of_a_memory_is_kept(call: Call) -> None:
    old = call("remember", text="install git with apt").data["id"]
    new = call("remember", text="install git with the installer", replaces=old, category="procedural").data["id"]
    gone = call("remember", text="install git from the source", tier="deprecated").data["id"]
    found = [hit["id"] for hit in call("search_memories", query="install git").data["results"]]
    assert found == [new, old]
    assert gone not in found


@pytest.mark.parametrize(("kind", "by"), [("superseded", None), ("wrong", None), ("merged", "d_none"), ("undo", None)])
def test_what_cannot_be_corrected_is_told(call: Call, kind: str, by: str | None) -> None:
    kept = call("remember", text="one").data["id"]
    assert call("correct_memory", id=kept, kind=kind, by=by).failed
