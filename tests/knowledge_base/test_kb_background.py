"""Embedding beside reading, with real processes: words at once, nothing lost by kill -9, one change-over."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import scrubjay
from fakes import Fixed, process, script
from scrubjay.types import Progress

BATCH, FILES = 8, 50
# An embedder that tells every batch it is given, and from one of them on waits for a word before it answers.
SLOW = """
import sys, numpy, scrubjay
class Slow:
    name, dim = sys.argv[3] if len(sys.argv) > 3 else "slow", 4
    batches = 0
    def embed(self, texts, role):
        if role == "document":
            print(len(texts), flush=True)
            if self.batches == int(sys.argv[2]):
                sys.stdin.readline()
            self.batches += 1
        return numpy.ones((len(texts), 4), numpy.float32)
with scrubjay.open(sys.argv[1], embedder=None if sys.argv[2] == "-" else Slow(), config={"embedding.batch": 8}) as kb:
"""
ADD = SLOW + "    print('report', kb.add('notes').embedded, flush=True)\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\ngit and word{number}\n")
    return tmp_path


def wait_for(running: subprocess.Popen[str], batches: int) -> list[int]:
    assert running.stdout
    return [int(running.stdout.readline()) for _ in range(batches)]


def killed(running: subprocess.Popen[str]) -> None:
    running.send_signal(signal.SIGKILL)
    running.communicate()


def state(place: Path) -> tuple[int, int]:
    with scrubjay.open(place, embedder=Fixed({}, [1.0, 0, 0, 0], "slow")) as kb:
        status = kb.status()
        return status["vectors"], status["pending"]


def test_kill_9_in_the_middle_loses_at_most_one_batch(notes: Path) -> None:
    place = notes / "kb.db"
    first = script(notes, ADD, str(place), "3")
    done = wait_for(first, 4)  # three are written, the fourth is being computed
    killed(first)
    written, _ = state(place)
    assert sum(done[:3]) == written
    second = script(notes, ADD, str(place), "-1")
    out, err = second.communicate(timeout=60)
    assert second.returncode == 0, err
    again = [int(line) for line in out.splitlines() if not line.startswith("report")]
    assert state(place) == (FILES, 0)
    assert written + sum(again) == FILES  # only what was lost was computed again
    assert sum(done) + sum(again) - FILES <= BATCH
    with scrubjay.open(place) as kb:
        assert all(check.ok is not False for check in kb.store.check())


def test_words_are_searchable_while_vectors_are_made(notes: Path) -> None:
    place = notes / "kb.db"
    running = script(notes, ADD, str(place), "0")
    wait_for(running, 1)  # and it does not go on
    try:
        found = process(notes, "search", "word7", "--json")
        told = json.loads(found.stdout)
        assert [Path(hit["path"]).name for hit in told["results"]][:1] == ["7.md"]
    finally:
        out, err = running.communicate("go on\n", timeout=60)
    assert running.returncode == 0, err
    assert out.splitlines()[-1] == f"report {FILES}"


def test_ctrl_c_keeps_what_was_made(notes: Path) -> None:
    place = notes / "kb.db"
    running = script(notes, ADD, str(place), "2")
    done = wait_for(running, 3)
    os.kill(running.pid, signal.SIGINT)
    running.communicate("\n", timeout=60)
    assert running.returncode != 0
    assert state(place)[0] >= sum(done[:2])


def test_a_change_over_that_is_killed_is_taken_up_again_and_nobody_notices(notes: Path) -> None:
    place = notes / "kb.db"
    with scrubjay.open(place, embedder=Fixed({}, [1.0, 0, 0, 0], "slow")) as kb:
        kb.add(notes / "notes")
    change = (
        SLOW.replace("None if", "None if True or")
        + "    from scrubjay import registry; registry.embedder = lambda name, config: Slow()\n"
        + "    print(kb.reindex('other'), flush=True)\n"
    )
    first = script(notes, change, str(place), "2", "other")
    wait_for(first, 3)
    with scrubjay.open(place, embedder=Fixed({}, [1.0, 0, 0, 0], "slow")) as kb:  # another process, meanwhile
        hits = kb.search("anything", mode="vector", top=100).hits
        assert len(hits) == FILES
        states = [(model.identity.name, model.state) for model in kb.models]
        assert states == [("slow", "active"), ("other", "building")]
    killed(first)
    assert state(place)[0] >= FILES  # the old vectors are all there
    second = script(notes, change, str(place), "-1", "other")
    out, err = second.communicate(timeout=60)
    assert second.returncode == 0, err
    again = [int(line) for line in out.splitlines() if line.isdigit()]
    assert sum(again) == FILES - 2 * BATCH  # the two batches of the first try were kept
    with scrubjay.open(place, embedder=Fixed({}, [1.0, 0, 0, 0], "other")) as kb:
        assert [(model.identity.name, model.state) for model in kb.models] == [("other", "active")]
        assert len(kb.search("anything", mode="vector", top=100).hits) == FILES


def test_progress_of_embedding_is_told_after_reading(notes: Path) -> None:
    told: list[Progress] = []
    with scrubjay.open(notes / "kb.db", embedder=Fixed({}, [1.0, 0]), config={"embedding.batch": BATCH}) as kb:
        report = kb.add(notes / "notes", progress=told.append)
    stages = [progress.stage for progress in told]
    assert stages == sorted(stages, reverse=True)  # "read" all before "embed": two bars cannot be read
    last = [progress for progress in told if progress.stage == "embed"][-1:]
    assert report.embedded == FILES
    assert all((progress.done, progress.total) == (FILES, FILES) for progress in last)
