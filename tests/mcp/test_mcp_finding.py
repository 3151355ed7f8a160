"""The three layers: what a model reads, within its budget, and what it is told when there is nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import scrubjay
from scrubjay.disclose.budget import tokens
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.mcp.answers import Answer
from scrubjay.mcp.desk import Desk
from scrubjay.mcp.tools import TOOLS, Tool

Call = Callable[..., Answer]
Note = Callable[..., str]


def compact(answer: Answer) -> int:
    return tokens(json.dumps(answer.data, ensure_ascii=False, separators=(",", ":")))


# --- search_memories ---


def test_r055_hits_have_id_score_snippet_and_similarity(call: Call, note: Note) -> None:
    kept = note("We chose SQLite because one file is enough", title="Store", tags=["decision"])
    note("Cake needs butter")
    [hit] = call("search_memories", query="sqlite file").data["results"]
    assert hit["id"] == hit["document_id"] == kept
    assert hit["score"] > 0
    assert 0 <= hit["similarity_score"] <= 1
    assert "SQLite" in hit["snippet"]
    assert hit["tags"] == ["decision"]


def test_the_text_names_ids_dates_and_the_next_step(call: Call, note: Note) -> None:
    kept = note("We chose SQLite because one file is enough", title="Store", tags="decision", date="2026-01-20")
    text = call("search_memories", query="sqlite").text
    first, second, *_ = text.splitlines()
    assert first == "1 memory for 'sqlite' by words:"
    assert second.startswith(f"1. {kept} · Store · 2026-01-20 · score 0.0")
    assert second.endswith("#decision")
    assert f"Whole texts: get_observations(ids=['{kept}'])." in text


def test_a_file_is_named_by_the_passage_with_its_place(call: Call, place: str, write: Callable[..., Path]) -> None:
    path = write("notes/git.md", "# Git\n\nintro\n\n## Installing\n\napt install git\n")
    with scrubjay.open(place) as kb:
        kb.add(path)
    [hit] = call("search_memories", query="apt install").data["results"]
    assert hit["id"].startswith("c_")
    assert hit["document_id"].startswith("d_")
    assert hit["path"].endswith("notes/git.md")
    assert hit["lines"][0] >= 1
    whole = call("get_observations", ids=[hit["document_id"]]).data["observations"][0]
    assert whole["text"].startswith("# Git")


def test_a_long_note_found_by_several_passages_is_one_memory(call: Call, note: Note) -> None:
    kept = note("\n\n".join(f"Section {n}: the marmalade. " + "More is said here. " * 60 for n in range(8)))
    results = call("search_memories", query="marmalade").data["results"]
    assert [hit["id"] for hit in results] == [kept]


@pytest.mark.parametrize("given", ["notes", "Note", "memories", ["note"], "all", "*"])
def test_types_as_models_write_them(call: Call, note: Note, given: object) -> None:
    kept = note("git")
    assert [hit["id"] for hit in call("search_memories", query="git", type=given).data["results"]] == [kept]


def test_a_type_that_does_not_exist_names_those_that_do(call: Call, note: Note) -> None:
    note("git")
    answer = call("search_memories", query="git", type="decision")
    assert answer.failed
    assert "pdf, markdown, code, note" in answer.text.replace(" or ", ", ").replace(", and ", ", ")


def test_the_profile_is_full_unless_another_is_asked(call: Call, note: Note, desk: Desk) -> None:
    note("git")
    seen = []
    with desk.using() as kb:
        inner = kb.search
        kb.search = lambda *given, **asked: seen.append(asked["profile"]) or inner(*given, **asked)  # type: ignore
        call("search_memories", query="git")
        call("search_memories", query="git", profile="kb")
    assert seen == ["full", "kb"]


def test_what_only_meaning_found_is_not_sold_as_a_match(place: str, checked: Callable[..., None]) -> None:
    embedder = HashingEmbedder(8)
    desk = Desk(place, open=lambda base, **asked: scrubjay.open(base, embedder=embedder, **asked))
    desk.call("remember", {"text": "install git"})
    far = desk.call("search_memories", {"query": "quantum lattice"})
    assert far.data["results"][0]["sources"] == ["vector"]
    assert far.text.startswith("No passage has the words of 'quantum lattice'. Nearest in meaning, perhaps about")
    near = desk.call("search_memories", {"query": "git"})
    assert near.text.startswith("1 memory for 'git' by words and meaning:")
    assert desk.close()


# --- nothing found is an answer, unavailable is another ---


def test_nothing_found_says_that_the_base_was_searched(call: Call, note: Note, place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        kb.note("git")
    note("git and more")
    answer = call("search_memories", query="zebra", mode="keyword")
    assert not answer.failed
    assert answer.data["results"] == []
    assert answer.data["searched"] == {"documents": 2, "chunks": 2, "complete": True}
    assert "Nothing found for 'zebra' in 2 documents (2 passages), searched by words." in answer.text
    assert "the same search again will find nothing again" in answer.text


def test_filters_that_leave_nothing_are_named(call: Call, note: Note) -> None:
    note("git", tags=["ops"])
    answer = call("search_memories", query="git", tags=["oops"], start_date="2020-01-01")
    assert answer.data["searched"]["documents"] == 0
    assert "no document of the base passes the filters" in answer.text
    assert "Filter tag oops: alone it leaves 0 documents." in answer.text


def test_f19_what_could_not_be_asked_is_named(call: Call, note: Note) -> None:
    note("git")
    answer = call("search_memories", query="zebra")  # there is no embedder
    assert answer.data["searched"]["complete"] is False
    assert [one["stage"] for one in answer.data["notices"]] == ["vector"]
    assert "Not everything could be asked" in answer.text
    assert "will find nothing again" not in answer.text


def test_f19_no_base_is_an_error_and_never_empty(call: Call, place: str) -> None:
    for name, asked in (
        ("search_memories", {"query": "git"}),
        ("timeline", {}),
        ("get_observations", {"ids": ["d_1"]}),
        ("link_memories", {"source": "a", "target": "b", "relation": "caused"}),
        ("memory_status", {}),
    ):
        answer = call(name, **asked)
        assert answer.failed, name
        assert f"There is no base at {place}" in answer.text
        assert "remember makes one too" in answer.text
    assert not Path(place).exists()


# --- budgets and cursors ---


def test_a_search_stays_within_its_budget_and_the_cursor_goes_on(call: Call, note: Note) -> None:
    ids = [note(f"marmalade {number} " + "and more of it " * 20) for number in range(12)]
    first = call("search_memories", query="marmalade", limit=12, max_tokens=600)
    assert 1 <= first.data["returned"] < 12
    assert compact(first) <= 600
    assert tokens(first.text) <= 600
    assert first.data["more"] == 12 - first.data["returned"]
    assert first.data["next_cursor"] in first.text
    seen, answer = [], first
    while True:
        seen += [hit["id"] for hit in answer.data["results"]]
        if "next_cursor" not in answer.data:
            break
        answer = call("search_memories", query="marmalade", limit=12, max_tokens=600, cursor=answer.data["next_cursor"])
    assert sorted(seen) == sorted(ids)


def test_a_cursor_of_another_question_is_refused(call: Call, note: Note) -> None:
    for number in range(12):
        note(f"marmalade {number} " + "and more of it " * 20)
    cursor = call("search_memories", query="marmalade", max_tokens=300).data["next_cursor"]
    for asked in ({"query": "more"}, {"query": "marmalade", "limit": 5}, {"query": "marmalade", "tags": ["a"]}):
        answer = call("search_memories", cursor=cursor, **asked)
        assert answer.failed
        assert "does not belong to this request" in answer.text
    assert call("search_memories", query="marmalade", cursor="nonsense").failed


def test_a_budget_of_one_token_still_gets_on(call: Call, note: Note) -> None:
    note("marmalade one")
    note("marmalade two")
    first = call("search_memories", query="marmalade", max_tokens=1)
    assert first.data["returned"] == 1
    second = call("search_memories", query="marmalade", max_tokens=1, cursor=first.data["next_cursor"])
    assert second.data["results"][0]["id"] != first.data["results"][0]["id"]
    assert call("search_memories", query="marmalade", max_tokens=0).failed


def test_r057_the_layers_save_context(call: Call, place: str) -> None:
    sentence = "We looked at the store again and wrote down what we found. "
    with scrubjay.open(place) as kb:
        kb.notes({"text": (f"Entry {n}. " + sentence * 40)[:2000], "created_at": "2026-01-01"} for n in range(50))
    found = call("search_memories", query="store")
    first = found.data["results"][0]["id"]
    around = call("timeline", anchor=first)
    detail = call("get_observations", ids=[first])
    assert len(detail.data["observations"][0]["text"]) == 2000
    assert len(found.text) + len(around.text) + len(detail.text) <= 50 * 2000 / 10


# --- timeline ---


def test_r053_timeline_by_dates(call: Call, note: Note) -> None:
    third, first, second = (note(f"on day {d}", created_at=f"2026-01-0{d}", tags=["diary"]) for d in (3, 1, 2))
    answer = call("timeline", start_date="2026-01-01", end_date="2026-01-02")
    assert [entry["id"] for entry in answer.data["entries"]] == [first, second]
    assert answer.data["entries"][0] == {
        "id": first, "created_at": "2026-01-01T00:00:00Z", "type": "note", "tags": ["diary"], "title": "on day 1",
        "summary": "on day 1",
    }  # fmt: skip
    assert answer.text.splitlines()[0] == f"2026-01-01  {first}  on day 1 #diary"
    assert [entry["id"] for entry in call("timeline").data["entries"]] == [first, second, third]


def test_r053_timeline_around_an_anchor(call: Call, note: Note) -> None:
    ids = [note(f"on day {day}", created_at=f"2026-01-{day:02}") for day in range(1, 10)]
    answer = call("timeline", anchor=ids[4], before=2, after=1)
    assert [entry["id"] for entry in answer.data["entries"]] == ids[2:6]
    equal = [note("the same moment", created_at="2026-02-01", title=str(n)) for n in range(7)]
    assert [e["id"] for e in call("timeline", anchor=equal[3], before=2, after=2).data["entries"]] == equal[1:6]


def test_the_timeline_gives_the_latest_and_says_that_there_is_more(call: Call, note: Note) -> None:
    ids = [note(f"on day {day}", created_at=f"2026-01-{day:02}") for day in range(1, 10)]
    answer = call("timeline", limit=3)
    assert [entry["id"] for entry in answer.data["entries"]] == ids[-3:]
    assert answer.data["older"] is True
    assert f"Older entries exist: timeline(anchor={ids[-3]!r}, before=20, after=0)" in answer.text
    whole = call("timeline", limit=9)
    assert "older" not in whole.data
    assert len(whole.data["entries"]) == 9


def test_older_entries_of_the_same_moment_can_be_reached(call: Call, place: str) -> None:
    with scrubjay.open(place) as kb:
        ids = kb.notes({"text": f"note {n}", "created_at": "2026-01-01T00:00:00Z"} for n in range(50))
    answer = call("timeline", limit=20)
    seen = [entry["id"] for entry in answer.data["entries"]]
    while "Older entries exist" in answer.text or len(answer.data["entries"]) == 21:
        answer = call("timeline", anchor=seen[0], before=20, after=0)
        seen = [entry["id"] for entry in answer.data["entries"]][:-1] + seen
    assert seen == ids


def test_an_empty_timeline_is_final(call: Call, note: Note) -> None:
    note("git", created_at="2026-01-01")
    answer = call("timeline", start_date="2026-02-01")
    assert answer.data == {"returned": 0, "entries": []}
    assert "the base was searched (1 document) and holds none that fits" in answer.text


def test_before_without_an_anchor_is_refused(call: Call, note: Note) -> None:
    note("git")
    answer = call("timeline", before=3)
    assert answer.failed
    assert "Give anchor=ID" in answer.text


# --- get_observations ---


def test_r056_whole_objects_in_the_asked_order(call: Call, note: Note) -> None:
    ids = [note(f"what happened on {day}", created_at=day) for day in ("2026-01-01", "2026-01-02", "2026-01-03")]
    answer = call("get_observations", ids=[ids[2], "d_unknown", ids[0], "c_unknown", ids[2]])
    assert [one["id"] for one in answer.data["observations"]] == [ids[2], ids[0]]
    assert answer.data["observations"][0]["text"] == "what happened on 2026-01-03"
    assert answer.data["missing"] == ["d_unknown", "c_unknown"]
    assert "No memory has these ids: d_unknown, c_unknown." in answer.text
    empty = call("get_observations", ids=[])
    assert empty.failed
    assert "No id was given." in empty.text


def test_r058_2000_ids_work(call: Call, place: str) -> None:
    with scrubjay.open(place) as kb:
        ids = kb.notes({"text": f"git {number}"} for number in range(2000))
    answer = call("get_observations", ids=ids, max_tokens=1_000_000)
    assert [one["id"] for one in answer.data["observations"]] == ids


def test_a_document_larger_than_the_budget_is_read_in_parts(call: Call, place: str, write: Callable[..., Path]) -> None:
    text = "".join(f"line {number} of the long report, with some words\n" for number in range(1, 801))
    with scrubjay.open(place) as kb:
        kb.add(write("report.txt", text))
        [document] = kb.list()
    read, lines, turns = "", None, 0
    while turns == 0 or lines:
        answer = call("get_observations", ids=[document.id], max_tokens=1000, **({"lines": lines} if lines else {}))
        assert tokens(answer.text) <= 1000
        assert compact(answer) <= 1000
        [part] = answer.data["observations"]
        read += part["text"]
        lines = part.get("next_lines")
        assert bool(lines) == part.get("truncated", False)
        turns += 1
    assert read == text
    assert turns > 5


def test_one_endless_line_is_cut_and_says_so(call: Call, note: Note) -> None:
    kept = note("word " * 5000)
    answer = call("get_observations", ids=[kept], max_tokens=500)
    [part] = answer.data["observations"]
    assert part["truncated"] is True
    assert tokens(answer.text) <= 500
    assert "cut to max_tokens" in answer.text


def test_several_texts_that_do_not_fit_are_had_with_the_cursor(call: Call, note: Note) -> None:
    ids = [note(f"memory {n}: " + "some words of it " * 40) for n in range(6)]
    seen: list[str] = []
    cursor = None
    while not seen or cursor:
        answer = call("get_observations", ids=ids, max_tokens=500, cursor=cursor)
        assert compact(answer) <= 500
        seen += [one["id"] for one in answer.data["observations"]]
        cursor = answer.data.get("next_cursor")
    assert seen == ids


@pytest.mark.parametrize(
    ("lines", "text"), [("2:3", "b\nc\n"), ("2-3", "b\nc\n"), ("3:", "c\nd"), ("2", "b\n"), (2, "b\n")]
)
def test_lines_of_a_text(call: Call, note: Note, lines: object, text: str) -> None:
    kept = note("a\nb\nc\nd")
    assert call("get_observations", ids=kept, lines=lines).data["observations"][0]["text"] == text


@pytest.mark.parametrize("lines", ["0:3", "5:2", "some", "-", ":"])
def test_lines_that_are_none(call: Call, note: Note, lines: str) -> None:
    kept = note("a\nb")
    assert call("get_observations", ids=kept, lines=lines).failed


# --- any text ---


@given(st.text())
def test_r059_any_text_is_a_safe_query(text: str) -> None:
    answer = _shared().call("search_memories", {"query": text})
    assert not answer.failed, answer.text
    assert answer.data["query"] == text


@pytest.mark.parametrize(
    "text", ["C++", "node.js", '"x', "a:b", "foo-bar", "NOT", "*", "(", "", "\0", "🦜", "'; DROP TABLE chunks; --"]
)
def test_r059_the_known_ones(text: str) -> None:
    assert not _shared().call("search_memories", {"query": text}).failed


@given(st.text(min_size=1))
def test_r059_any_text_is_a_safe_id(text: str) -> None:
    answer = _shared().call("get_observations", {"ids": [text]})
    assert answer.failed or "observations" in answer.data


Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["d_1", "last week", "10"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)
ARGUMENTS = sorted({one.name for tool in TOOLS for one in tool.parameters} - {"id"})


@given(st.sampled_from(TOOLS), st.dictionaries(st.sampled_from(ARGUMENTS), Json, max_size=5))
def test_r059_any_arguments_are_answered_and_nothing_is_a_fault_of_ours(tool: Tool, arguments: dict[str, Any]) -> None:
    answer = _shared().call(tool.name, arguments)
    assert answer.text
    assert "Something unexpected happened" not in answer.text
    if not answer.failed:
        Draft202012Validator(dict(tool.output)).validate(answer.data)
        json.dumps(answer.data, allow_nan=False).encode()  # it can be sent


_DESKS: list[Desk] = []


def _shared() -> Desk:
    """One base for all examples: what is asked changes nothing in it."""
    if not _DESKS:
        kb = scrubjay.open(":memory:", embedder=HashingEmbedder(8))
        kb.notes({"text": text} for text in ("install git in C++", "数据库设计", "node.js notes"))
        _DESKS.append(Desk(":memory:", open=lambda *given, **asked: kb))
    return _DESKS[0]


# --- confidence ---


def test_a_model_is_told_when_nothing_fits(call: Call, note: Note) -> None:
    for number in range(20):
        note(f"number {number}: how to water tomatoes in the garden")
    sure = call("search_memories", query="water tomatoes")
    assert (sure.data["confidence"], "absent_words" in sure.data) == ("strong", False)
    doubtful = call("search_memories", query="kubernetes ingress in the garden")
    assert doubtful.data["confidence"] == "none"
    assert doubtful.data["absent_words"] == ["kubernetes", "ingress"]
    told = "Nothing here seems to be about this: the base has no “kubernetes” and no “ingress”."
    assert doubtful.text.startswith(told)
