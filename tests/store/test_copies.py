"""Whole copies of a base: one moment of it, checked; and back, with what was there kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from fakes import script
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import BaseLocked, BaseMissing, BaseTooNew, NotABase, UsageError
from scrubjay.knowledge_base.carrying import restore
from scrubjay.store.sqlite import copies
from scrubjay.store.sqlite.connect import SCHEMA_VERSION

Run = Callable[..., Any]


def titles(place: str | Path) -> list[str]:
    with scrubjay.open(place, create=False) as kb:
        assert [check for check in kb.doctor() if check.ok is False] == []
        return [document.title for document in kb.list()]


@pytest.fixture
def saved(place: str, tmp_path: Path) -> str:
    """A backup of a base that has since gone on."""
    with scrubjay.open(place) as kb:
        kb.note("install git", title="Git")
        file = str(tmp_path / "saved.db")
        kb.backup(file)
        kb.note("sourdough needs time", title="Bread")
    return file


def test_a_backup_is_one_file_of_one_moment(saved: str, place: str, tmp_path: Path) -> None:
    assert titles(saved) == ["Git"]
    assert titles(place) == ["Git", "Bread"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("saved")] == ["saved.db"]


def test_a_backup_tells_what_is_in_it(place: str, tmp_path: Path) -> None:
    with scrubjay.open(place) as kb:
        kb.note("install git")
        made = kb.backup(tmp_path / "copy.db")
    assert (made.documents, made.chunks, made.schema) == (1, 1, SCHEMA_VERSION)
    assert made.file == str(tmp_path / "copy.db")
    assert made.bytes == (tmp_path / "copy.db").stat().st_size


def test_vectors_and_the_words_go_along(place: str, tmp_path: Path) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.notes({"text": f"note {n} about {word}"} for n, word in enumerate(("git", "bread", "lamps")))
        before = [(hit.id, hit.score) for hit in kb.search("bread").hits]
        kb.backup(tmp_path / "copy.db")
    with scrubjay.open(tmp_path / "copy.db", embedder=HashingEmbedder(16)) as copy:
        assert [(hit.id, hit.score) for hit in copy.search("bread").hits] == before


def test_a_file_that_is_there_is_kept_unless_forced(saved: str, place: str) -> None:
    with scrubjay.open(place) as kb:
        with pytest.raises(UsageError, match="there already"):
            kb.backup(saved)
        assert titles(saved) == ["Git"]
        kb.backup(saved, force=True)
    assert titles(saved) == ["Git", "Bread"]


def test_a_backup_onto_itself_or_a_folder_is_refused(place: str, tmp_path: Path) -> None:
    with scrubjay.open(place) as kb:
        for target in (place, tmp_path, tmp_path / "nowhere" / "x.db"):
            with pytest.raises(UsageError):
                kb.backup(target, force=True)


def test_a_base_in_memory_can_be_backed_up(kb: scrubjay.KnowledgeBase, tmp_path: Path) -> None:
    kb.note("install git", title="Git")
    kb.backup(tmp_path / "copy.db")
    assert titles(tmp_path / "copy.db") == ["Git"]


def test_a_backup_is_consistent_while_another_process_writes(place: str, tmp_path: Path) -> None:
    code = (
        "import sys, scrubjay\n"
        f"with scrubjay.open({place!r}) as kb:\n"
        "    for n in range(10**6):\n"
        "        kb.notes([{'text': f'left {n} ' + 'word ' * 200, 'id': f'l{n}'},"
        " {'text': f'right {n}', 'id': f'r{n}'}])\n"
        "        if n == 5: print('going', flush=True)\n"
    )
    with scrubjay.open(place) as kb:
        writer = script(tmp_path, code)
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "going\n"
            made = [kb.backup(tmp_path / f"{n}.db") for n in range(3)]
        finally:
            writer.kill()
            writer.communicate()
    for copied in made:
        with scrubjay.open(copied.file) as copy:
            ids = {document.id for document in copy.list()}
        assert {identity[1:] for identity in ids if identity[0] == "l"} == {i[1:] for i in ids if i[0] == "r"}
        assert len(ids) == copied.documents > 0


def test_restore_keeps_the_present_base_aside(saved: str, place: str) -> None:
    held = restore(saved, place)
    assert titles(place) == ["Git"]
    assert held.file == place
    assert titles(held.aside) == ["Git", "Bread"]


def test_who_has_the_base_open_goes_on_with_the_restored_one(saved: str, place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("a lamp of brass", title="Lamp")
        assert [hit.title for hit in kb.search("lamp").hits][:1] == ["Lamp"]
        restore(saved, place)
        assert kb.search("lamp", mode="keyword").hits == ()
        assert [hit.title for hit in kb.search("git").hits] == ["Git"]
        kb.note("written after", title="After")
        assert [hit.title for hit in kb.search("written after").hits][:1] == ["After"]
    assert titles(place) == ["Git", "After"]


def test_a_restore_that_has_to_give_up_leaves_everything_as_it_was(saved: str, place: str, tmp_path: Path) -> None:
    connection = apsw.Connection(place)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(BaseLocked):
        copies.restore(saved, place, "now", busy_seconds=0.01)
    connection.execute("ROLLBACK")
    connection.close()
    assert titles(place) == ["Git", "Bread"]
    assert [path.name for path in tmp_path.iterdir() if "before" in path.name] == []


def test_restore_where_there_is_no_base(saved: str, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "new.db"
    assert restore(saved, target).aside == ""
    assert titles(target) == ["Git"]


def test_restore_in_place_of_a_damaged_base(saved: str, place: str) -> None:
    data = bytearray(Path(place).read_bytes())
    data[4096 : len(data)] = b"\xff" * (len(data) - 4096)
    Path(place).write_bytes(data)
    held = restore(saved, place)
    assert titles(place) == ["Git"]
    assert Path(held.aside).read_bytes()[5000:5010] == b"\xff" * 10


def test_restore_leaves_other_files_alone(saved: str, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("dear aunt, " * 50)
    with pytest.raises(NotABase, match="not a base"):
        restore(saved, letter)
    assert letter.read_text().startswith("dear aunt")
    held = restore(saved, letter, force=True)
    assert Path(held.aside).read_text().startswith("dear aunt")
    assert titles(letter) == ["Git"]


def test_what_is_restored_must_be_a_sound_base(saved: str, place: str, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    connection = apsw.Connection(str(other))
    connection.execute("CREATE TABLE x (y)")
    connection.close()
    newer = tmp_path / "newer.db"
    newer.write_bytes(Path(saved).read_bytes())
    connection = apsw.Connection(str(newer))
    connection.pragma("user_version", SCHEMA_VERSION + 1)
    connection.close()
    broken = tmp_path / "broken.db"
    broken.write_bytes(Path(saved).read_bytes()[:20480] + b"\xff" * 8192 + Path(saved).read_bytes()[28672:])
    for file, error in ((other, NotABase), (newer, BaseTooNew), (broken, NotABase), (tmp_path / "no", BaseMissing)):
        with pytest.raises(error):
            restore(file, place)
    with pytest.raises(UsageError):
        restore(place, place)
    assert titles(place) == ["Git", "Bread"]


def test_derived_files_of_the_old_base_go(saved: str, place: str) -> None:
    stale = [Path(f"{place}-vectors-1.cache"), Path(f"{place}-recent")]
    for file in stale:
        file.write_bytes(b"old")
    restore(saved, place)
    assert not any(file.exists() for file in stale)


def test_a_backup_of_an_older_format_is_brought_up_to_date(place: str, tmp_path: Path) -> None:
    import gzip

    frozen = sorted((Path(__file__).parents[1] / "fixtures" / "bases").glob("v*.db.gz"))[0]
    old = tmp_path / "old.db"
    old.write_bytes(gzip.decompress(frozen.read_bytes()))
    assert restore(old, place).schema == int(frozen.name[1:5])
    assert sorted(titles(place)) == ["Bread", "Git", "数据库"]


def test_kb_backup_and_restore(run: Run, place: str, tmp_path: Path) -> None:
    run("note", "install git", "--title", "Git")
    file = str(tmp_path / "saved.db")
    assert "1 document in 1 chunk" in run("backup", file).out
    again = run("backup", file)
    assert (again.code, "--force" in again.err) == (2, True)
    assert json.loads(run("backup", file, "--force", "--json").out)["documents"] == 1
    run("note", "sourdough", "--title", "Bread")
    done = run("restore", file)
    assert (done.code, "kept in" in done.err) == (0, True)
    assert titles(place) == ["Git"]
    told = json.loads(run("restore", file, "--base", str(tmp_path / "elsewhere.db"), "--json").out)
    assert (told["file"], told["aside"]) == (str(tmp_path / "elsewhere.db"), "")
    assert run("backup", str(tmp_path / "x.db"), "--base", str(tmp_path / "none.db")).code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="folders without write permission work otherwise there")
def test_a_backup_that_cannot_be_written_leaves_nothing(place: str, tmp_path: Path) -> None:
    import os

    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if os.access(locked, os.W_OK):
        pytest.skip("this user may write everywhere")
    with scrubjay.open(place) as kb, pytest.raises(scrubjay.ScrubjayError):
        kb.backup(locked / "x.db")
    assert list(locked.iterdir()) == []
