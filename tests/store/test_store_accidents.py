"""What may happen to the file: locked, full, foreign, damaged, and processes that die in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from fakes import environment, process, script
from scrubjay.errors import BaseFull, BaseLocked, BaseMissing, BaseReadOnly, NotABase

Write = Callable[..., Path]


def sound(place: str) -> None:
    with scrubjay.open(place) as kb:
        assert [check for check in kb.doctor() if check.ok is False] == []


def test_no_base_is_made_when_none_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BaseMissing) as raised:
        scrubjay.open(tmp_path / "none.db", create=False)
    assert "kb add" in raised.value.cure
    assert not (tmp_path / "none.db").exists()


def test_searching_without_a_base_makes_none(tmp_path: Path) -> None:
    done = process(tmp_path, "search", "git")
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no base" in done.stderr
    assert not (tmp_path / "kb.db").exists()


@pytest.mark.parametrize(
    "data", [b"This is a text file, not a base. " * 200, b"\0" * 5000, b"SQLite format 3\0" + b"x" * 2000]
)
def test_a_file_of_another_kind_is_refused_and_left_alone(place: str, data: bytes) -> None:
    Path(place).write_bytes(data)
    with pytest.raises(NotABase) as raised:
        scrubjay.open(place)
    assert place in raised.value.what
    assert raised.value.cure
    assert Path(place).read_bytes() == data


def test_another_programs_base_is_refused_and_left_alone(place: str) -> None:
    connection = apsw.Connection(place)
    connection.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1); PRAGMA user_version = 1")
    connection.close()
    before = Path(place).read_bytes()
    with pytest.raises(NotABase, match="another program"):
        scrubjay.open(place)
    assert Path(place).read_bytes() == before


def test_an_empty_file_becomes_a_base(place: str) -> None:
    Path(place).write_bytes(b"")
    with scrubjay.open(place) as kb:
        assert kb.note("git")


def test_a_folder_is_no_base(tmp_path: Path) -> None:
    with pytest.raises(NotABase, match="folder"):
        scrubjay.open(tmp_path)


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "a" / "b" / "kb.db") as kb:
        assert kb.note("git")


def test_a_place_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BaseReadOnly) as raised:
        scrubjay.open(tmp_path / "file" / "kb.db")
    assert raised.value.cure


def test_a_damaged_base_says_so(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes({"text": f"git {number} " * 50} for number in range(200))
    with open(place, "r+b") as file:
        size = os.path.getsize(place)
        file.seek(4096)
        file.write(b"\xde\xad\xbe\xef" * ((size - 4096) // 4))
    with pytest.raises(NotABase) as raised, scrubjay.open(place) as kb:
        kb.search("git", mode="keyword")
    assert "damaged" in raised.value.what
    assert raised.value.cure


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_damaged_index_is_no_empty_result(place: str, mode: str) -> None:
    """Also not in a hybrid search, where a source that fails is usually left out."""
    with scrubjay.open(place) as kb:
        kb.note("git")
    connection = apsw.Connection(place)
    connection.execute("UPDATE chunks_fts_data SET block = x'00' WHERE id > 100")
    connection.close()
    with scrubjay.open(place) as kb:
        with pytest.raises(NotABase) as raised:
            kb.search("git", mode=mode)
        assert raised.value.cure
        kb.doctor(repair=True)
        assert len(kb.search("git", mode=mode).hits) == 1


def test_meaning_answers_when_the_index_of_words_is_damaged(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "git", "vector": [1, 0]}])
    connection = apsw.Connection(place)
    connection.execute("UPDATE chunks_fts_data SET block = x'00' WHERE id > 100")
    connection.close()
    with scrubjay.open(place) as kb:
        result = kb.search("git", vector=[1, 0])
        assert [hit.sources for hit in result.hits] == [("vector",)]
        assert "keyword" in {notice.stage for notice in result.notices}


def test_a_locked_base_is_waited_for_and_then_named(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git")
    other = apsw.Connection(place)
    other.execute("BEGIN IMMEDIATE")
    with scrubjay.open(place, config={"store.busy_seconds": 0}) as kb:
        assert len(kb.search("git").hits) == 1, "readers do not wait for writers"
        with pytest.raises(BaseLocked) as raised:
            kb.note("cake")
        assert "store.busy_seconds" in raised.value.cure
        other.execute("ROLLBACK")
        assert kb.note("cake")
    other.close()


def test_a_full_disk_loses_nothing(place: str) -> None:
    with scrubjay.open(place) as kb:
        kept = kb.note("marmalade")
        pages = kb.store._connection.pragma("page_count")
        kb.store._connection.pragma("max_page_count", pages + 8)
        with pytest.raises(BaseFull) as raised:
            kb.notes({"text": f"quince {number} " * 60} for number in range(400))
        assert "space" in raised.value.cure
        assert [document.id for document in kb.list()] == [kept]
        kb.store._connection.pragma("max_page_count", 1 << 30)
        assert kb.note("now there is room")
    sound(place)


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
from scrubjay.cli.main import run
sys.argv = ["kb", "add", sys.argv[1]]
sys.exit(run())
"""


def test_a_full_disk_on_the_command_line(place: str, write: Write, tmp_path: Path) -> None:
    assert process(tmp_path, "note", "marmalade").returncode == 0
    for number in range(60):
        write(f"notes/{number}.txt", " ".join(f"w{number}x{place_}" for place_ in range(2000)))
    one = script(tmp_path, FULL, str(tmp_path / "notes"))
    _, told = one.communicate(timeout=60)
    assert one.returncode == 1, told
    assert "Traceback" not in told
    assert "what was written before is kept" in told
    with scrubjay.open(place) as kb:
        assert len(kb.search("marmalade").hits) == 1
        assert kb.add(tmp_path / "notes").added > 0
        assert kb.status()["documents"] == 61
    sound(place)


KILLED = """
import sys, scrubjay
with scrubjay.open(sys.argv[1]) as kb:
    kb.note("written before", id="before")
    with kb.store.writing():
        kb.notes({"text": f"half {n} " * 40} for n in range(300))
        print("now", flush=True)
        sys.stdin.read()
"""


def test_killed_in_the_middle_of_a_transaction(place: str, tmp_path: Path) -> None:
    one = script(tmp_path, KILLED, place)
    assert one.stdout is not None
    assert one.stdout.readline() == "now\n"
    one.kill()
    one.communicate()
    assert one.returncode == -signal.SIGKILL
    with scrubjay.open(place) as kb:
        assert [document.id for document in kb.list()] == ["before"]
        assert kb.search("half").hits == ()
    sound(place)


KILLED_WHILE_ADDING = """
import os, signal, sys, scrubjay
def tell(progress):
    if progress.stage == "read" and progress.done == 25:
        os.kill(os.getpid(), signal.SIGKILL)
with scrubjay.open(sys.argv[1], config={"embedder.name": "hashing"}) as kb:
    kb.note("written before")
    kb.add(sys.argv[2], progress=tell)
"""


def test_killed_in_the_middle_of_an_add(place: str, write: Write, tmp_path: Path) -> None:
    for number in range(50):
        write(f"notes/{number:02}.md", f"# Note {number}\n\ngit\n")
    one = script(tmp_path, KILLED_WHILE_ADDING, place, str(tmp_path / "notes"))
    one.communicate(timeout=60)
    assert one.returncode == -signal.SIGKILL
    sound(place)
    with scrubjay.open(place, config={"embedder.name": "hashing"}) as kb:
        report = kb.add(tmp_path / "notes")
        assert report.added + report.skipped == 50
        status = kb.status()
        assert (status["documents"], status["pending"], status["vectors"]) == (51, 0, 51)
    sound(place)


INTERRUPTED = """
import builtins, os, signal, sys
real = builtins.open
def open(path, *rest, **more):
    if str(path).endswith("25.md"):
        os.kill(os.getpid(), signal.SIGINT)
    return real(path, *rest, **more)
builtins.open = open
from scrubjay.cli.main import run
sys.argv = ["kb", "add", *sys.argv[1:]]
sys.exit(run())
"""


@pytest.mark.parametrize("embedder", ["none", "hashing"])
def test_ctrl_c_keeps_what_was_done(place: str, write: Write, tmp_path: Path, embedder: str) -> None:
    for number in range(50):
        write(f"notes/{number:02}.md", f"# Note {number}\n\ngit\n")
    one = script(tmp_path, INTERRUPTED, str(tmp_path / "notes"), KB_EMBEDDER_NAME=embedder)
    out, told = one.communicate(timeout=60)
    assert (one.returncode, out) == (130, ""), told
    assert told.startswith("Stopped.")
    assert "is kept" in told
    assert "Traceback" not in told
    with scrubjay.open(place) as kb:
        assert kb.status()["documents"] == 25
        assert (kb.add(tmp_path / "notes").added, kb.status()["documents"]) == (25, 50)
    sound(place)


def test_ctrl_c_in_the_middle_of_a_statement(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement stays half read as long as the exception lives; closing must not stumble over it."""
    held: list[Any] = []

    def stopped(connection: apsw.Connection, *rest: Any) -> list[int]:
        held.append(connection.executemany("SELECT value FROM json_each(?)", [("[1, 2]",)] * 3))
        next(held[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("scrubjay.store.sqlite.write._insert", stopped)
    with pytest.raises(KeyboardInterrupt), scrubjay.open(place) as kb:
        kb.note("half written")
    sound(place)


def test_ctrl_c_while_a_note_is_typed(tmp_path: Path) -> None:
    one = subprocess.Popen(
        [sys.executable, "-m", "scrubjay", "note", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(tmp_path), cwd=tmp_path,
    )  # fmt: skip
    assert one.stdin is not None
    one.stdin.write("half a note")
    one.stdin.flush()
    one.send_signal(signal.SIGINT)
    _, told = one.communicate(timeout=60)
    assert one.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in told or one.returncode == -signal.SIGINT
    assert not (tmp_path / "kb.db").exists() or scrubjay.open(tmp_path / "kb.db").list() == []


def test_the_wal_of_a_dead_process_is_read(place: str, tmp_path: Path) -> None:
    code = "import os, sys, scrubjay\nkb = scrubjay.open(sys.argv[1]); kb.note('marmalade'); os._exit(1)"
    one = script(tmp_path, code, place)
    one.communicate(timeout=60)
    with scrubjay.open(place) as kb:
        assert len(kb.search("marmalade").hits) == 1


def test_files_beside_the_base_may_be_deleted(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes({"text": f"git {n}", "vector": [1, n]} for n in range(50))
        before = [hit.id for hit in kb.search("git", vector=[1, 3], mode="vector").hits]
    beside: list[Any] = [path for path in Path(place).parent.glob("kb.db*") if path != Path(place)]
    for path in beside:
        path.unlink()
    with scrubjay.open(place) as kb:
        assert [hit.id for hit in kb.search("git", vector=[1, 3], mode="vector").hits] == before
