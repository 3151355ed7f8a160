"""Adding and updating: what is read again and what is not, what moves, what goes, and what a fault costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from samples import pdf
from scrubjay import registry
from scrubjay.errors import ReadError, UsageError
from scrubjay.ingest import files, pipeline
from scrubjay.types import AddReport, Reading, Span

Write = Callable[..., Path]


@pytest.fixture
def kb(place: str) -> Iterator[scrubjay.KnowledgeBase]:
    with scrubjay.open(place) as base:
        yield base


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read whole, in order."""
    seen: list[str] = []
    real = files.content_hash

    def counted(data: bytes) -> str:
        seen.append(data.decode("utf-8", "replace")[:20])
        return real(data)

    monkeypatch.setattr(pipeline, "content_hash", counted)
    return seen


def counts(report: AddReport) -> dict[str, int]:
    return {name: value for name, value in report._asdict().items() if isinstance(value,
    int) and value and name != "chunks"}


def later(path: Path, seconds: int = 10) -> None:
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime + seconds))


def test_the_same_again_reads_nothing(kb: scrubjay.KnowledgeBase, write: Write, opened: list[str],
tmp_path: Path) -> None:
    for number in range(5):
        write(f"notes/{number}.md", f"# Note {number}\n")
    assert counts(kb.add(tmp_path / "notes")) == {"added": 5}
    opened.clear()
    assert counts(kb.add(tmp_path / "notes")) == {"skipped": 5}
    assert counts(kb.update()) == {"skipped": 5}
    assert opened == []


def test_a_newer_time_with_the_same_text_writes_nothing(
    kb: scrubjay.KnowledgeBase, write: Write, opened: list[str], tmp_path: Path
) -> None:
    path = write("notes/a.md", "# A\n")
    kb.add(tmp_path / "notes")
    before = kb.list()[0]
    later(path)
    opened.clear()
    assert counts(kb.update()) == {"skipped": 1}
    assert len(opened) == 1
    assert counts(kb.update()) == {"skipped": 1}
    assert len(opened) == 1, "the new time was kept, so the file is not read a third time"
    assert kb.list()[0].modified_at == before.modified_at


def test_a_change_is_read_and_the_id_stays(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    path = write("notes/a.md", "# A\n\nmarmalade\n")
    kb.add(tmp_path / "notes")
    [before] = kb.list()
    write("notes/a.md", "# A\n\nquince\n")
    later(path)
    assert counts(kb.update()) == {"changed": 1}
    assert [document.id for document in kb.list()] == [before.id]
    assert kb.search("marmalade").hits == ()
    assert len(kb.search("quince").hits) == 1


def test_a_change_of_the_same_size_in_the_same_second(kb: scrubjay.KnowledgeBase, write: Write,
tmp_path: Path) -> None:
    path = write("notes/a.md", "# A\n\nmarmalade\n")
    kb.add(tmp_path / "notes")
    time = path.stat().st_mtime_ns
    write("notes/a.md", "# A\n\nquincejam\n")
    os.utime(path, ns=(time, time + 1))
    assert counts(kb.update()) == {"changed": 1}


def test_a_renamed_file_keeps_its_id_its_tags_and_its_chunks(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    path = write("notes/old.md", "# A\n\nmarmalade\n")
    kb.add(tmp_path / "notes")
    [before] = kb.list()
    kb.tag(before.id, add=["mine"])
    [chunk] = kb.store.chunks([before.id])
    (tmp_path / "notes" / "deep").mkdir()
    path.rename(tmp_path / "notes" / "deep" / "new.md")
    assert counts(kb.update()) == {"moved": 1}
    [after] = kb.list()
    assert (after.id, after.path, after.tags) == (before.id, str(tmp_path / "notes" / "deep" / "new.md"), ("mine",))
    assert [one.id for one in kb.store.chunks([after.id])] == [chunk.id]
    assert [hit.path for hit in kb.search("deep").hits] == [after.path], "it is found by its new folder"
    assert counts(kb.update()) == {"skipped": 1}


def test_a_renamed_file_that_was_called_by_its_name_gets_the_new_one(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    write("notes/old.txt", "marmalade\n").rename(tmp_path / "notes" / "first.txt")
    kb.add(tmp_path / "notes")
    (tmp_path / "notes" / "first.txt").rename(tmp_path / "notes" / "second.txt")
    kb.update()
    assert [hit.title for hit in kb.search("marmalade").hits] == ["second"]


def test_a_moved_file_is_found_by_its_new_folder_in_chinese(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    path = write("notes/a.txt", "marmalade\n")
    kb.add(tmp_path / "notes")
    (tmp_path / "notes" / "数据").mkdir()
    path.rename(tmp_path / "notes" / "数据" / "a.txt")
    kb.update()
    assert len(kb.search("数据").hits) == 1


def test_a_copy_is_another_document(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "# A\n")
    kb.add(tmp_path / "notes")
    write("notes/b.md", "# A\n")
    assert counts(kb.update()) == {"added": 1, "skipped": 1}
    assert len({document.id for document in kb.list()}) == 2


def test_two_files_change_places(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    one, two = write("notes/a.txt", "marmalade\n"), write("notes/b.txt", "quince and more\n")
    kb.add(tmp_path / "notes")
    one.rename(tmp_path / "c")
    two.rename(one)
    (tmp_path / "c").rename(two)
    kb.update()
    assert [hit.path for hit in kb.search("marmalade").hits] == [str(two)]
    assert [hit.path for hit in kb.search("quince").hits] == [str(one)]


def test_what_is_gone_goes_only_at_an_update(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "# A\n")
    write("notes/b.md", "# B\n").unlink()
    gone = write("notes/c.md", "# C\n")
    kb.add(tmp_path / "notes")
    gone.unlink()
    assert counts(kb.add(tmp_path / "notes")) == {"skipped": 1}
    assert len(kb.list()) == 2
    assert counts(kb.update()) == {"skipped": 1, "removed": 1}


def test_what_is_ignored_now_goes(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "# A\n")
    write("notes/private/b.md", "# B\n")
    kb.add(tmp_path / "notes")
    write("notes/.kbignore", "private\n")
    assert counts(kb.update()) == {"skipped": 1, "removed": 1}


def test_a_file_that_has_become_a_picture_goes(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    path = write("notes/a.txt", "marmalade\n")
    kb.add(tmp_path / "notes")
    write("notes/a.txt", bytes(range(256)) * 9)
    later(path)
    assert counts(kb.update()) == {"removed": 1, "left_out": 1}
    assert kb.search("marmalade").hits == ()


def test_a_source_that_is_gone_keeps_what_was_read_and_says_how_to_forget_it(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    write("notes/a.md", "# A\n")
    kb.add(tmp_path / "notes")
    (tmp_path / "notes").rename(tmp_path / "unmounted")
    report = kb.update()
    assert counts(report) == {}
    [notice] = report.notices
    assert f"kb remove {tmp_path / 'notes'}" in notice.remedy
    assert len(kb.list()) == 1


def test_f15_a_file_that_was_added_alone_and_is_gone_goes(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    path = write("notes/a.md", "# A\n")
    kb.add(path)
    path.unlink()
    report = kb.update()
    assert (counts(report), report.notices) == ({"removed": 1}, ())
    assert kb.list() == []
    assert kb.update().notices == (), "it is not asked for again"


@pytest.mark.parametrize("path", ["", " "])
def test_an_empty_path_is_not_the_current_folder(kb: scrubjay.KnowledgeBase, path: str) -> None:
    kb.add(os.getcwd(), exclude=["*"])
    with pytest.raises(UsageError, match="empty"):
        kb.add(path)
    with pytest.raises(UsageError, match="empty"):
        kb.remove(path)
    assert len(kb.status()["sources"]) == 1


def test_what_is_ignored_out_here_may_be_a_source_of_its_own(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    write("notes/.kbignore", "built\nlone.md\n")
    write("notes/a.md", "# A\n")
    gone = write("notes/built/b.md", "# B\n")
    lone = write("notes/lone.md", "# Lone\n")
    kb.add([tmp_path / "notes", gone.parent, lone])
    kb.tag(kb.list(path=lone)[0].id, add=["mine"])
    assert counts(kb.update()) == {"skipped": 3}
    assert kb.tags() == {"mine": 1}
    gone.unlink()
    assert counts(kb.update()) == {"skipped": 2, "removed": 1}


def test_a_file_source_in_a_folder_that_is_gone_with_all_it_held(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    path = write("notes/deep/a.md", "# A\n")
    write("notes/b.md", "# B\n")
    kb.add([tmp_path / "notes", path])
    path.unlink()
    path.parent.rmdir()
    assert counts(kb.update()) == {"removed": 1, "skipped": 1}
    assert (counts(kb.update()), kb.update().notices) == ({"skipped": 1}, ())


def test_another_type_that_is_asked_for_is_given_to_what_is_unchanged(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    path = write("notes/a.md", "# A\n")
    kb.add(tmp_path / "notes")
    [before] = kb.list()
    assert counts(kb.add(path, kind="note")) == {"changed": 1}
    assert [(one.id, one.kind) for one in kb.list()] == [(before.id, "note")]
    assert counts(kb.add(path, kind="note")) == {"skipped": 1}


@pytest.mark.parametrize("name", ["private", "a b.md", "wi[ld]*?.md", "!not.md", "#no.md", "back\\slash.md",
"ende.md "])
@pytest.mark.parametrize("by_id", [False, True])
def test_what_was_removed_does_not_come_back_by_itself(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path, name: str, by_id: bool
) -> None:
    path = write(f"notes/{name}/x.md" if name == "private" else f"notes/{name}", "# Gone\n")
    write("notes/wild.md", "# Stays\n")
    kb.add(tmp_path / "notes")
    [gone] = [document for document in kb.list() if document.path == str(path)]
    assert kb.remove(gone.id if by_id else tmp_path / "notes" / name) == 1
    kb.update()
    assert [document.path for document in kb.list()] == [str(tmp_path / "notes" / "wild.md")]
    kb.add(tmp_path / "notes")
    assert {document.path for document in kb.list()} == {str(path), str(tmp_path / "notes" / "wild.md")}


def test_what_holds_nothing_is_no_source(kb: scrubjay.KnowledgeBase, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    kb.add(tmp_path / "pipe.md")
    assert kb.status()["sources"] == []


def test_a_file_without_text_is_named_only_when_it_was_asked_for(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    """Its head looks like text, what follows does not: a sound, a database, an archive."""
    path = write("notes/sound", b"text to begin with\n" * 600 + bytes(5000) + bytes(range(256)) * 9)
    assert (counts(kb.add(path.parent)), kb.add(path.parent).notices) == ({"left_out": 1}, ())
    [notice] = kb.add(path).notices
    assert "holds no text" in notice.reason


def test_files_without_text_are_counted_and_not_read(
    kb: scrubjay.KnowledgeBase, write: Write, opened: list[str], tmp_path: Path
) -> None:
    write("notes/a.md", "# A\n")
    write("notes/b.png", b"\x89PNG\r\n\x1a\n" + bytes(5000))
    write("notes/c", bytes(range(256)) * 900)
    report = kb.add(tmp_path / "notes")
    assert counts(report) == {"added": 1, "left_out": 2}
    assert report.notices == ()
    assert opened == ["# A\n"]


def test_a_film_is_left_out_and_that_it_is_large_is_no_news(place: str, write: Write, tmp_path: Path) -> None:
    write("films/a.mp4", bytes(1_200_000))
    write("films/b.log", "words " * 200_000)
    with scrubjay.open(place, config={"ingest.max_file_mb": 1}) as kb:
        report = kb.add(tmp_path / "films")
    assert counts(report) == {"left_out": 1}
    [notice] = report.notices
    assert "b.log" in notice.reason


def test_a_file_that_grows_while_it_is_read_is_told(place: str, write: Write, tmp_path: Path) -> None:
    write("notes/a.log", "x" * 900_000)

    def grow(now: Any) -> None:
        if now.stage == "read":
            write("notes/b.log", "y " * 600_000)

    write("notes/b.log", "small")
    with scrubjay.open(place, config={"ingest.max_file_mb": 1}) as kb:
        report = kb.add(tmp_path / "notes", progress=grow)
    assert report.added == 1
    [notice] = report.notices
    assert "b.log is too large" in notice.reason
    assert "ingest.max_file_mb" in notice.remedy


def test_a_file_that_changes_after_it_was_seen_is_read_again_next_time(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    write("notes/a.md", "# A\n")
    path = write("notes/b.md", "# B\n")

    def change(now: Any) -> None:
        if now.stage == "read":
            write("notes/b.md", "# B\n\nquince\n")
            later(path, 100)

    kb.add(tmp_path / "notes", progress=change)
    kb.update()
    assert len(kb.search("quince").hits) == 1


class Loud:
    """A reader of another package."""

    def read(self, path: str, data: bytes) -> Reading:
        if data == b"poison":
            raise KeyError("poison")
        text = data.decode().upper()
        return Reading(text, "note", "Loud", (Span(0, len(text)),))


def test_readers_of_other_packages_are_used(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_entry_points", lambda group: [Entry("loud", Loud)] if "readers" in group else [])
    write("notes/a.loud", "quince")
    write("notes/b.loud", "poison")
    write("notes/c.md", "# C\n")
    report = kb.add(tmp_path / "notes")
    assert report.added == 2
    assert kb.get(kb.search("quince").hits[0].document_id).documents[0].text == "QUINCE"
    [notice] = report.notices
    assert "b.loud" in notice.reason
    assert "KeyError" in notice.reason


class Entry:
    """What importlib.metadata gives for an entry point."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value, self._target = name, repr(value), value

    def load(self) -> Any:
        if self._target is None:
            raise ImportError("no module named missing")
        return self._target


def test_a_reader_that_cannot_be_loaded_is_named(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_entry_points", lambda group: [Entry("md", None)] if "readers" in group else [])
    report = kb.add(write("notes/a.md", "# A\n"))
    assert report.added == 1
    assert ".md" in report.notices[0].reason


def test_read_errors_read_as_one_sentence(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    [notice] = kb.add(write("locked.pdf", pdf("secret", password="x"))).notices
    assert "is protected by a password: its text is encrypted" in notice.reason


def test_the_bytes_of_a_file(tmp_path: Path, write: Write) -> None:
    path = str(write("a.txt", "0123456789"))
    assert files.load(path, 4, lambda head: head == b"0123", 10) == b"0123456789"
    assert files.load(path, 4, lambda head: False, 10) is None
    with pytest.raises(ReadError, match="too large"):
        files.load(path, 4, lambda head: True, 9)
    with pytest.raises(ReadError, match="folder"):
        files.load(str(tmp_path), 4, lambda head: True, 9)
    with pytest.raises(ReadError, match="does not exist"):
        files.load(str(tmp_path / "none"), 4, lambda head: True, 9)


def test_tags_and_type_are_given_to_all_and_to_what_comes_later(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path
) -> None:
    write("notes/a.md", "---\ntags: own\n---\n# A\n")
    kb.add(tmp_path / "notes", tags=["given"], kind="note")
    write("notes/b.md", "# B\n")
    kb.update()
    assert [(document.kind, document.tags) for document in kb.list()] == [("note", ("given", "own")),
    ("note", ("given",))]


def test_tags_given_later_reach_what_is_unchanged(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "# A\n")
    kb.add(tmp_path / "notes")
    kb.add(tmp_path / "notes", tags=["later"])
    assert kb.tags() == {"later": 1}


def test_progress_counts_every_file_once(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    for number in range(7):
        write(f"notes/{number}.md", "# A\n")
    seen: list[tuple[int, int | None]] = []
    kb.add(tmp_path / "notes", progress=lambda now: seen.append((now.done,
    now.total)) if now.stage == "read" else None)
    assert seen == [(done, 7) for done in range(1, 8)]


def test_the_base_is_not_read_into_itself(tmp_path: Path, write: Write) -> None:
    write("notes/a.md", "# A\n")
    write("notes/base.text-embedding.lock", "left by a process that was killed")
    write("notes/base.text2", "another file")
    with scrubjay.open(tmp_path / "notes" / "base.text") as kb:
        report = kb.add(tmp_path / "notes")
        assert (report.added, report.left_out, report.notices) == (2, 0, ())


def test_times_of_wild_clocks(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    path = write("notes/a.md", "# A\n")
    os.utime(path, ns=(0, -(10**18)))
    assert kb.add(path).added == 1


@pytest.mark.parametrize("folder", [True, False])
def test_nothing_in_it(kb: scrubjay.KnowledgeBase, tmp_path: Path, write: Write, folder: bool) -> None:
    path = tmp_path / "empty" if folder else write("empty.md", "")
    if folder:
        path.mkdir()
    report = kb.add(path)
    assert report.notices == ()
    assert kb.search("anything").hits == ()
    assert counts(kb.update()) in ({}, {"skipped": 1})
