"""Following what was added: real files, looks instead of sleeping."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from fakes import environment
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import BaseLocked
from scrubjay.types.watching import Noticed

Run = Callable[..., Any]


class Watched:
    """A base that watches a folder; `look` looks, and says what was told."""

    def __init__(self, kb: scrubjay.KnowledgeBase, folder: Path) -> None:
        self.kb = kb
        self.folder = folder
        self._told: list[Noticed] = []
        self.watch = kb._watch(self._told.append)
        self._time = 1_700_000_000

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self._time += 10  # a file system's clock may be coarse
        os.utime(path, (self._time, self._time))

    def look(self, times: int = 1) -> list[tuple[str, str]]:
        for _ in range(times):
            self.watch.look()
        told, self._told[:] = list(self._told), []
        return [(each.what, os.path.basename(each.path) if each.path else each.detail) for each in told]


@pytest.fixture
def watched(place: str, tmp_path: Path) -> Iterator[Watched]:
    folder = tmp_path / "notes"
    (folder).mkdir()
    (folder / "a.md").write_text("# Alpha\n")
    with scrubjay.open(place, embedder=HashingEmbedder(8), actor="watch") as kb:
        kb.add(folder)
        watched = Watched(kb, folder)
        assert watched.look() == []
        yield watched


def test_a_new_file_is_read_when_it_stands_still(watched: Watched) -> None:
    watched.write("b.md", "# Beta\n\nabout lamps\n")
    assert watched.look() == []
    watched.write("b.md", "# Beta\n\nabout lamps and doors\n")
    assert watched.look() == []  # it was still being written
    assert watched.look() == [("added", "b.md")]
    assert watched.look(3) == []
    assert watched.kb.search("doors").hits[0].title == "Beta"
    assert watched.kb.store.pending_count() == 0
    assert watched.kb.history(watched.kb.search("doors").hits[0].document_id)[0].actor == "watch"


def test_changes_removals_and_moves_are_followed(watched: Watched) -> None:
    watched.write("a.md", "# Alpha\n\nchanged\n")
    watched.write("b.md", "# Beta\n")
    assert watched.look(2) == [("changed", "a.md"), ("added", "b.md")]
    (watched.folder / "a.md").unlink()
    (watched.folder / "b.md").rename(watched.folder / "c.md")
    assert watched.look(2) == [("moved", "c.md"), ("removed", "a.md")]
    assert [document.title for document in watched.kb.list()] == ["Beta"]


def test_what_never_stands_still_is_read_after_a_while(watched: Watched) -> None:
    told = []
    for turn in range(10):
        watched.write("log.md", "# Log\n" + "line\n" * turn)
        told += watched.look()
    assert told == [("added", "log.md")]


def test_touching_a_file_is_no_change(watched: Watched) -> None:
    os.utime(watched.folder / "a.md", (1, 1))
    assert watched.look(3) == []


def test_files_that_are_no_documents_are_not_told(watched: Watched) -> None:
    (watched.folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    assert [what for what, _ in watched.look(3) if what != "note"] == []


def test_a_folder_that_is_away_keeps_what_it_held(watched: Watched) -> None:
    watched.folder.rename(watched.folder.with_name("elsewhere"))
    assert watched.look(3) == [("away", "notes")]
    assert len(watched.kb.list()) == 1
    watched.folder.with_name("elsewhere").rename(watched.folder)
    assert watched.look(3) == []
    watched.write("a.md", "# Alpha\n\nback again\n")
    assert watched.look(2) == [("changed", "a.md")]


def test_a_file_that_was_added_alone_goes_when_it_is_gone(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "alone.md").write_text("# Alone\n")
    watched.kb.add(tmp_path / "alone.md")
    watched.look()
    (tmp_path / "alone.md").unlink()
    assert watched.look(3) == [("removed", "alone.md")]
    assert [document.title for document in watched.kb.list()] == ["Alpha"]


def test_a_source_that_is_added_meanwhile_is_watched(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "x.md").write_text("# Extra\n")
    watched.kb.add(tmp_path / "more")
    assert watched.look() == []
    (tmp_path / "more" / "x.md").write_text("# Extra\n\nmore words\n")
    assert watched.look(2) == [("changed", "x.md")]


def test_its_own_writing_is_no_news(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Alpha\n")
    with scrubjay.open(tmp_path / "own.db") as kb:
        kb.add(tmp_path)
        watched = Watched(kb, tmp_path)
        watched.look()

        kb.note("this makes the base larger")
        changed = kb.store._connection.total_changes()  # type: ignore[attr-defined]
        assert watched.look(4) == []
        assert kb.store._connection.total_changes() == changed  # type: ignore[attr-defined]


def test_trouble_is_told_once_and_tried_again(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.write("b.md", "# Beta\n")
    real, fails = watched.watch._read, [3]

    def read(requests: Any) -> Any:
        if fails[0]:
            fails[0] -= 1
            raise BaseLocked("The base is locked.")
        return real(requests)

    monkeypatch.setattr(watched.watch, "_read", read)
    assert watched.look(4) == [("note", "The base is locked.")]
    assert watched.look() == [("added", "b.md")]


def test_saved_searches_hear_of_it(watched: Watched) -> None:
    watched.kb.alert("lamp")
    watched.write("b.md", "# Beta\n\na lamp\n")
    watched.look(2)
    assert [match.title for match in watched.kb.alerts_due()] == ["Beta"]


def test_it_waits_as_long_as_asked_and_ends_when_told(watched: Watched) -> None:
    waited: list[float] = []

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        return len(waited) == 3

    watched.kb.watch(every=7.5, wait=wait)
    assert waited == [7.5] * 3


def test_a_look_that_takes_long_is_taken_less_often(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 1.0])
    monkeypatch.setattr("scrubjay.knowledge_base.watching.process_time", lambda: next(moments))
    waited: list[float] = []
    watched.watch.run(2.0, lambda seconds: waited.append(seconds) or True)
    assert waited == [50.0]


def test_kb_watch_without_anything_added(run: Run) -> None:
    run("note", "git")
    done = run("watch")
    assert (done.code, "kb add" in done.err) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_kb_watch_tells_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Alpha\n")
    with scrubjay.open(tmp_path / "kb.db") as kb:
        kb.add(folder)
    (folder / "b.md").write_text("# Beta\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "scrubjay", "watch", "--json", "--every", "0.05"], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path, KB_EMBEDDER_NAME="none"),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (told["what"], told["path"]) == ("added", str(folder / "b.md"))
    assert (process.returncode, out) == (130, "")
    assert err == "Stopped. What was read is kept.\n"
