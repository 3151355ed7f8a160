"""What was changed is told, what was deleted is not forgotten, and the past can be searched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import UnknownId, UsageError
from scrubjay.store.sqlite import clock

Run = Callable[..., Any]
Write = Callable[..., Path]


class Days:
    """The clock of a test: every change happens on the day that it says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.today = "2026-01-01"
        monkeypatch.setattr(clock, "now", lambda: f"{self.today}T12:00:00Z")

    def __call__(self, day: int) -> None:
        self.today = f"2026-01-{day:02}"


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch, place: str) -> Days:
    """A base whose history begins on the first of January 2026."""
    days = Days(monkeypatch)
    with scrubjay.open(place) as kb:
        kb.store._connection.execute("UPDATE changes SET at = '2026-01-01T00:00:00Z'")  # type: ignore[attr-defined]
    return days


def told(kb: scrubjay.KnowledgeBase, id: str) -> list[tuple[str, str]]:
    return [(change.at[:10], change.what) for change in kb.history(id)]


def test_every_change_of_a_note_is_kept(on: Days, place: str) -> None:
    with scrubjay.open(place, actor="cli") as kb:
        on(2)
        kb.notes([{"id": "n", "text": "line one\nline two\n", "title": "Plan"}])
        on(3)
        kb.notes([{"id": "n", "text": "line one\nline 2\n", "title": "Plan"}], replace=True)
        on(4)
        kb.tag("n", add=["ops"])
        on(5)
        kb.remove("n")
        changes = kb.history("n")
    assert [(change.at[:10], change.what, change.actor) for change in changes] == [
        ("2026-01-02", "added", "cli"), ("2026-01-03", "updated", "cli"), ("2026-01-04", "retagged", "cli"),
        ("2026-01-05", "deleted", "cli"),
    ]  # fmt: skip
    assert changes[1].diff.splitlines()[2:] == ["@@ -1,2 +1,2 @@", " line one", "-line two", "+line 2"]
    assert (changes[0].added_lines, changes[1].added_lines, changes[1].removed_lines) == (2, 1, 1)
    assert changes[2].fields == {"tags": ([], ["ops"])}
    assert "-line 2" in changes[3].diff.splitlines()


def test_files_that_are_changed_renamed_and_deleted(on: Days, place: str, write: Write, tmp_path: Path) -> None:
    first = write("notes/a.md", "# Alpha\n\nfirst words\n")
    with scrubjay.open(place) as kb:
        on(2)
        kb.add(tmp_path / "notes")
        [document] = kb.list()
        on(3)
        write("notes/a.md", "# Alpha\n\nother words\n")
        kb.update()
        on(4)
        first.rename(tmp_path / "notes" / "b.md")
        kb.update()
        on(5)
        (tmp_path / "notes" / "b.md").unlink()
        kb.update()
        assert told(kb, document.id) == [
            ("2026-01-02", "added"), ("2026-01-03", "updated"), ("2026-01-04", "moved"), ("2026-01-05", "deleted"),
        ]  # fmt: skip
        changes = kb.history(document.id)
        assert changes[2].fields["path"] == (str(first), str(tmp_path / "notes" / "b.md"))
        assert kb.version(document.id, changes[0].number) == "# Alpha\n\nfirst words\n"
        assert kb.version(document.id, changes[2].number) == "# Alpha\n\nother words\n"
        assert kb.version(document.id, changes[3].number) == ""


def test_what_is_found_the_same_is_no_change(on: Days, place: str) -> None:
    with scrubjay.open(place) as kb:
        for _ in range(3):
            kb.notes([{"id": "n", "text": "the same", "tags": ["a"], "metadata": {"b": 1}}], replace=True)
        kb.tag("n", add=["a"])
        assert told(kb, "n") == [("2026-01-01", "added")]


def test_long_documents_keep_only_what_was_replaced(on: Days, place: str) -> None:
    parts = [f"# Part {n}\n\n{f'words of part {n} ' * 120}\n\n" for n in range(20)]
    with scrubjay.open(place) as kb:
        kb.notes([{"id": "long", "text": "".join(parts)}])
        ask = kb.store._connection.execute  # type: ignore[attr-defined]
        chunks = ask("SELECT count(*) FROM chunks").get
        changed = [*parts[:7], "# Part 7\n\nnew\n\n", *parts[8:]]
        kb.notes([{"id": "long", "text": "".join(changed)}], replace=True)
        assert 0 < ask("SELECT count(*) FROM old_chunks").get <= chunks // 8
        first, second = kb.history("long")
        assert kb.version("long", first.number) == "".join(parts)
        assert kb.version("long", second.number) == "".join(changed)


def test_a_text_that_comes_and_goes_is_kept_once(on: Days, place: str) -> None:
    with scrubjay.open(place) as kb:
        for text in ("one", "two", "one", "two", "one"):
            kb.notes([{"id": "n", "text": text}], replace=True)
        assert kb.store._connection.execute("SELECT count(*) FROM old_chunks").get == 2  # type: ignore[attr-defined]
        assert [kb.version("n", change.number) for change in kb.history("n")] == ["one", "two", "one", "two", "one"]


def test_a_note_can_be_made_what_it_was(on: Days, place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes(
            [
                {
                    "id": "n",
                    "text": "good words",
                    "title": "T",
                    "tags": ["a"],
                    "metadata": {"k": 1},
                    "created_at": "2025-05-05",
                }
            ]
        )
        before = kb.get("n").documents[0]
        kb.notes([{"id": "n", "text": "bad words"}], replace=True)
        kb.remove("n")
        kb.revert("n", kb.history("n")[0].number)
        after = kb.get("n").documents[0]
        assert after._replace(modified_at="") == before._replace(modified_at="")
        assert [hit.document_id for hit in kb.search("good").hits] == ["n"]
        assert [what for _, what in told(kb, "n")] == ["added", "updated", "deleted", "added"]
        with pytest.raises(UsageError, match="no version"):
            kb.revert("n", 999)


def test_what_a_file_says_the_file_decides(place: str, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "# A\n")
    with scrubjay.open(place) as kb:
        kb.add(tmp_path / "notes")
        [document] = kb.list()
        with pytest.raises(UsageError, match="is the file"):
            kb.revert(document.id, kb.history(document.id)[0].number)


def test_an_unknown_id_is_an_error(place: str) -> None:
    with scrubjay.open(place) as kb, pytest.raises(UnknownId, match="nobody"):
        kb.history("nobody")


def test_history_can_be_switched_off(place: str) -> None:
    with scrubjay.open(place, config={"history.enabled": False}) as kb:
        kb.notes([{"id": "n", "text": "one"}])
        kb.notes([{"id": "n", "text": "two"}], replace=True)
        kb.remove("n")
        assert kb.store._connection.execute("SELECT count(*) FROM changes").get == 1  # type: ignore[attr-defined]
        assert kb.store._connection.execute("SELECT count(*) FROM old_chunks").get == 0  # type: ignore[attr-defined]


def test_who_changes_something_is_noted(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("a", id="a")
    with scrubjay.open(place, actor="mcp") as kb:
        kb.note("b", id="b")
    with scrubjay.open(place, actor="cli", config={"history.actor": "alice"}) as kb:
        kb.note("c", id="c")
        assert [kb.history(id)[0].actor for id in "abc"] == ["library", "mcp", "alice"]


@pytest.fixture
def january(on: Days, place: str) -> str:
    """Git was there first; bread was rewritten on the 5th; the lamp went on the 8th; the door came on the 9th."""
    with scrubjay.open(place, embedder=HashingEmbedder(32)) as kb:
        on(2)
        kb.notes(
            [
                {"id": "git", "text": "install git first", "title": "Git", "tags": ["ops"]},
                {"id": "bread", "text": "sourdough needs time and patience", "title": "Bread", "tags": ["kitchen"]},
                {"id": "lamp", "text": "the lamp is made of brass", "title": "Lamp", "tags": ["home"]},
            ]
        )
        on(5)
        kb.notes([{"id": "bread", "text": "use yeast instead", "title": "Yeast", "tags": ["quick"]}], replace=True)
        on(8)
        kb.remove("lamp")
        on(9)
        kb.notes([{"id": "door", "text": "the door of brass", "title": "Door", "tags": ["home"]}])
    return place


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_the_past_is_searched_as_it_was(january: str, mode: str) -> None:
    with scrubjay.open(january, embedder=HashingEmbedder(32)) as kb:

        def best(query: str, day: int, **more: Any) -> tuple[str, str] | None:
            hits = kb.search(query, as_of=f"2026-01-{day:02}", mode=mode, **more).hits
            return (hits[0].document_id, hits[0].title) if hits else None

        assert best("sourdough needs time and patience", 4) == ("bread", "Bread")
        assert best("use yeast instead", 6) == ("bread", "Yeast")
        assert best("the lamp is made of brass", 7) == ("lamp", "Lamp")
        assert best("the door of brass", 9) == ("door", "Door")
        assert best("install git first", 2) == best("install git first", 9) == ("git", "Git")
        assert best("install git first", 1) is None
        assert "sourdough" in kb.search("sourdough needs time", as_of="2026-01-04", mode=mode).hits[0].snippet
        if mode == "keyword":
            assert best("sourdough", 6) is None
            assert best("lamp", 8) is None
            assert best("door", 8) is None


def test_filters_see_the_past_as_it_was(january: str) -> None:
    with scrubjay.open(january) as kb:
        assert [hit.title for hit in kb.search("needs time", as_of="2026-01-04", tags="kitchen").hits] == ["Bread"]
        assert kb.search("needs time", as_of="2026-01-04", tags="quick").hits == ()
        assert [hit.title for hit in kb.search("brass -door", as_of="2026-01-07").hits] == ["Lamp"]
        assert [hit.title for hit in kb.search('"made of brass"', as_of="2026-01-07").hits] == ["Lamp"]
        assert kb.search("brass", as_of="2026-01-07", kind="pdf").hits == ()


def test_a_changed_document_ranks_as_it_did_then(on: Days, place: str) -> None:
    """One of many changed: its words weigh what they weigh in the whole base, not among the changed."""
    texts = [f"note {n} about sqlite and files" for n in range(30)]
    texts[3] = "note 3 about sqlite sqlite sqlite write-ahead log and files"
    with scrubjay.open(place) as kb:
        on(2)
        kb.notes({"id": f"n{n}", "text": text} for n, text in enumerate(texts))
        before = [(hit.document_id, hit.rank) for hit in kb.search("sqlite log", top=3).hits]
        on(5)
        kb.notes([{"id": "n3", "text": "nothing of the kind"}], replace=True)
        result = kb.search("sqlite log", as_of="2026-01-03", top=3)
        assert before[0][0] == "n3"
        assert result.hits[0].document_id == "n3"
        assert result.as_of == "2026-01-03T23:59:59Z"


def test_a_passage_without_its_vector_is_told(january: str) -> None:
    with scrubjay.open(january, embedder=HashingEmbedder(32)) as kb:
        kb.store._connection.execute("DELETE FROM vector_cache")  # type: ignore[attr-defined]
        result = kb.search("sourdough needs time", as_of="2026-01-04")
        assert result.hits[0].title == "Bread"
        assert "have no vector any more" in result.notices[0].reason


def test_what_was_found_in_the_past_can_be_read_there(january: str) -> None:
    with scrubjay.open(january) as kb:
        hit = kb.search("sourdough", as_of="2026-01-04").hits[0]
        assert kb.get(hit.id).missing == (hit.id,)
        assert kb.get(hit.id, as_of="2026-01-04").documents[0].text == "sourdough needs time and patience"
        both = kb.get(["bread", "lamp", "door", "git"], as_of="2026-01-06")
        assert [(one.id, one.title, one.text) for one in both.documents] == [
            ("bread", "Yeast", "use yeast instead"),
            ("lamp", "Lamp", "the lamp is made of brass"),
            ("git", "Git", "install git first"),
        ]
        assert both.missing == ("door",)


def test_the_timeline_as_it_stood(january: str) -> None:
    with scrubjay.open(january) as kb:

        def stood(day: int, **more: Any) -> list[str]:
            return [entry.title for entry in kb.timeline(as_of=f"2026-01-{day:02}", **more)]

        assert sorted(stood(4)) == ["Bread", "Git", "Lamp"]
        assert sorted(stood(6)) == ["Git", "Lamp", "Yeast"]
        assert sorted(stood(9)) == ["Door", "Git", "Yeast"]
        assert stood(4, tags="kitchen") == ["Bread"]
        assert len(stood(4, limit=2)) == 2
        assert "Lamp" in stood(4, anchor="lamp", before=0, after=0)
        assert next(iter(kb.timeline(as_of="2026-01-04", tags="home"))).summary == "the lamp is made of brass"
        with pytest.raises(UnknownId, match="no document 'door'"):
            stood(4, anchor="door")


def test_before_the_history_began_it_says_so(january: str) -> None:
    with scrubjay.open(january) as kb:
        result = kb.search("git", as_of="2025-12-31")
        assert result.hits == ()
        assert "kept since 2026-01-01" in result.notices[0].reason


def test_what_was_there_before_the_history_is_known_by_its_reading(on: Days, place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("an old note about git", id="old")
        ask = kb.store._connection.execute  # type: ignore[attr-defined]
        ask("DELETE FROM changes WHERE what = 'added'; UPDATE documents SET indexed_at = '2025-06-01T00:00:00Z'")
        assert len(kb.search("git", as_of="2025-07-01").hits) == 1
        assert len(kb.search("git", as_of="2025-05-01").hits) == 0
        on(3)
        kb.notes([{"id": "old", "text": "rewritten"}], replace=True)
        assert [hit.snippet for hit in kb.search("git", as_of="2025-07-01").hits] == ["an old note about git"]


def test_vacuum_bounds_the_history(january: str) -> None:
    with scrubjay.open(january) as kb:
        freed = kb.vacuum(history=True, keep="2026-01-06")
        assert (freed.changes, freed.texts, freed.kept_since) == (4, 1, "2026-01-06T00:00:00Z")
        assert [change.what for change in kb.history("lamp")] == ["deleted"]
        assert kb.search("lamp", as_of="2026-01-07").hits[0].document_id == "lamp"
        assert kb.search("sourdough", as_of="2026-01-04").hits == ()
        assert "kept since 2026-01-06" in kb.search("sourdough", as_of="2026-01-04").notices[0].reason
        assert kb.vacuum(history=True, keep="2026-02-01").texts == 1
        assert kb.store._connection.execute("SELECT count(*) FROM old_chunks").get == 0  # type: ignore[attr-defined]
        assert [check for check in kb.doctor() if check.ok is False] == []


def test_vacuum_gives_room_back(place: str) -> None:
    with scrubjay.open(place, config={"history.enabled": False}) as kb:
        kb.notes({"text": f"{n} " + "word " * 2000} for n in range(100))
        kb.store.remove([document.id for document in kb.list()])
        freed = kb.vacuum()
        assert freed.bytes_after < freed.bytes_before / 2
        assert Path(place).stat().st_size == freed.bytes_after


def test_history_goes_along_with_an_export(january: str, tmp_path: Path) -> None:
    with scrubjay.open(january) as kb:
        before = {id: told(kb, id) for id in ("git", "bread", "lamp", "door")}
        kb.export(tmp_path / "x.jsonl", history=True)
    with scrubjay.open(tmp_path / "new.db") as kb:
        report = kb.import_(tmp_path / "x.jsonl")
        assert report.failed == 0
        assert {id: told(kb, id) for id in before} == before
        assert kb.search("sourdough", as_of="2026-01-04").hits[0].title == "Bread"
        assert kb.import_(tmp_path / "x.jsonl").rows == 0


def test_kb_history_and_vacuum(run: Run, place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"id": "n", "text": "one\ntwo\n", "title": "T"}])
    with scrubjay.open(place, actor="cli") as kb:
        kb.notes([{"id": "n", "text": "one\n2\n", "title": "T"}], replace=True)
    shown = run("history", "n").out
    assert "added by library" in shown
    assert "updated by cli" in shown
    assert "-two\n+2\n" in shown
    changes = json.loads(run("history", "n", "--json").out)["changes"]
    assert [change["what"] for change in changes] == ["added", "updated"]
    assert changes[1]["diff"].endswith("-two\n+2\n")
    assert run("history", "n", "--show", str(changes[0]["number"])).out == "one\ntwo\n"
    assert run("history", "n", "--restore", str(changes[0]["number"])).code == 0
    assert "two" in run("get", "n").out
    assert run("history", "nobody").code == 1
    assert run("history", "n", "--show", "1", "--restore", "1").code == 2
    assert "freed" in run("vacuum").out
    told = json.loads(run("vacuum", "--history", "--keep", "2040-01-01", "--json").out)
    assert (told["changes"], told["texts"]) == (3, 2)
    assert run("vacuum", "--keep", "3d").code == 2
    assert run("search", "two", "--as-of", "yesterday", "--json").code == 0
    assert run("search", "two", "--as-of", "no such day").code == 2
