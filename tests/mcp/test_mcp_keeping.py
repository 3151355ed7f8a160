"""remember, link_memories and memory_status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.mcp.answers import Answer
from scrubjay.mcp.desk import Desk

Call = Callable[..., Answer]
Note = Callable[..., str]


def test_what_is_remembered_is_kept_whole(call: Call) -> None:
    kept = call(
        "remember", text="We chose SQLite.\n\nOne file.", title="Store", tags=["decision"], date="2026-01-20",
        metadata={"source": "talk"},
    )  # fmt: skip
    assert {name: kept.data[name] for name in ("title", "type", "tags", "created_at")} == {
        "title": "Store", "type": "note", "tags": ["decision"], "created_at": "2026-01-20T00:00:00Z",
    }  # fmt: skip
    assert kept.text.startswith(f"Remembered as {kept.data['id']}: Store #decision.")
    [whole] = call("get_observations", ids=kept.data["id"]).data["observations"]
    assert whole["text"] == "We chose SQLite.\n\nOne file."
    assert whole["metadata"]["source"] == "talk"


def test_a_type_of_a_models_own_is_a_tag(call: Call) -> None:
    kept = call("remember", text="We chose SQLite", type="Decision", tags="store")
    assert kept.data["type"] == "note"
    assert "decision" in kept.data["tags"]
    found = call("search_memories", query="sqlite", tags="decision")
    assert [hit["id"] for hit in found.data["results"]] == [kept.data["id"]]


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_is_not_remembered(call: Call, text: str) -> None:
    answer = call("remember", text=text)
    assert answer.failed
    assert "text of remember is empty" in answer.text or "remember needs text" in answer.text


def test_an_id_that_is_taken_is_refused(call: Call) -> None:
    call("remember", text="git", id="d_mine")
    answer = call("remember", text="cake", id="d_mine")
    assert answer.failed
    assert "d_mine" in answer.text


def test_r092_links_by_the_words_that_models_use(call: Call, note: Note) -> None:
    a, b = note("the crash"), note("the fix")
    link = call("link_memories", **{"from": a, "to": b, "type": "caused", "confidence": "0.5", "why": "the log"})
    assert link.data == {"source": a, "target": b, "relation": "caused", "strength": 0.5, "evidence": "the log"}
    assert link.text == f"Linked: {a} caused {b} (strength 0.5). Evidence: the log"
    again = call("link_memories", source=a, target=b, relation="Caused ", strength=0.8)
    assert again.data["strength"] == 0.8


def test_r092_what_was_linked_is_seen_by_whoever_reads_it(call: Call, note: Note) -> None:
    old, new = note("We use MySQL", title="Store"), note("We use SQLite", title="Store, again")
    call("link_memories", source=new, target=old, relation="supersedes")
    answer = call("get_observations", ids=[old, new])
    link = {
        "source": new,
        "relation": "supersedes",
        "target": old,
        "source_title": "Store, again",
        "target_title": "Store",
    }
    assert [one["links"] for one in answer.data["observations"]] == [[link], [link]]
    assert f"({new}: Store, again — supersedes {old})\nWe use MySQL" in answer.text
    assert f"({new} supersedes {old}: Store)\nWe use SQLite" in answer.text
    assert "links" not in call("get_observations", ids=note("alone")).data["observations"][0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"relation": "likes"}, "caused"),
        ({"relation": "caused", "strength": 1.5}, "1"),
        ({"relation": "caused", "target": "d_unknown"}, "d_unknown"),
        ({"relation": "caused", "target": "same"}, "itself"),
    ],
)
def test_r092_links_that_cannot_be(call: Call, note: Note, given: dict[str, object], words: str) -> None:
    a, b = note("the crash"), note("the fix")
    target = {"same": a}.get(str(given.get("target")), given.get("target", b))
    answer = call("link_memories", **{"source": a, **given, "target": target})
    assert answer.failed
    assert words in answer.text
    assert "Cure:" in answer.text
    assert "kb list" not in answer.text  # a model has no command line


def test_the_status_says_what_there_is_and_what_waits(place: str, write: Callable[..., Path], call: Call) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        kb.add(write("notes/git.md", "---\ntags: [ops]\n---\n# Git\n"))
        kb.note("cake", tags=["ops", "food"])
    answer = call("memory_status")
    assert answer.data["documents"] == 2
    assert answer.data["by_type"] == {"markdown": 1, "note": 1}
    assert answer.data["tags"] == {"ops": 2, "food": 1}
    assert [Path(one["path"]).name for one in answer.data["sources"]] == ["git.md"]
    assert f"Base {place}: 2 documents (1 note, 1 markdown) in 2 passages." in answer.text
    assert "Tags: ops (2), food (1)." in answer.text


def test_the_status_of_an_empty_base(call: Call, place: str, desk: Desk) -> None:
    scrubjay.open(place).close()
    text = call("memory_status").text
    assert "empty; nothing has been added or remembered yet" in text
    assert "Search is by words only." in text
