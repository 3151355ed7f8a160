"""Files that cannot be read as they claim: each is a notice with its cause, and the rest is kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay
from fakes import environment

Write = Callable[..., Path]


@pytest.fixture
def good(write: Write) -> Path:
    """A file that every run has to keep, whatever else lies beside it."""
    return write("notes/good.md", "# Good\n\nmarmalade\n")


def added(place: str, folder: Path) -> tuple[scrubjay.AddReport, scrubjay.KnowledgeBase]:
    kb = scrubjay.open(place)
    return kb.add(folder), kb


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog"),
        ("no.pdf", b"this is no PDF at all"),
        ("empty.pdf", b""),
    ],
)
def test_a_broken_pdf_is_a_notice(place: str, good: Path, write: Write, name: str, data: bytes) -> None:
    write(f"notes/{name}", data)
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 1
        assert any(name in notice.reason for notice in report.notices), report.notices
        assert len(kb.search("marmalade").hits) == 1


def test_an_encrypted_pdf_is_a_notice(place: str, good: Path, write: Write) -> None:
    fpdf = pytest.importorskip("fpdf")
    document = fpdf.FPDF()
    document.add_page()
    document.set_font("helvetica")
    document.cell(text="secret quince")
    document.set_encryption(owner_password="a", user_password="b")
    write("notes/locked.pdf", bytes(document.output()))
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 1
        assert any("locked.pdf" in notice.reason and "password" in notice.reason for notice in report.notices)
        assert kb.search("quince").hits == ()


def test_bytes_that_are_no_text_are_passed_over(place: str, good: Path, write: Write) -> None:
    write("notes/picture.txt", bytes(range(256)) * 40)
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 1
        assert [document.title for document in kb.list()] == ["Good"]


def test_invalid_utf8_is_kept_and_told(place: str, good: Path, write: Write) -> None:
    write("notes/broken.txt", b"quince jelly " + "é".encode() * 5 + b"\xff\xfe and so on " * 2 + b"end of it")
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 2
        assert any("broken.txt" in notice.reason or notice.stage == "decode" for notice in report.notices)
        assert len(kb.search("quince").hits) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252"])
def test_other_encodings_are_read(place: str, write: Write, encoding: str) -> None:
    text = "Das Gelände ist schön, die Quitten sind reif, und das Café öffnet früh. " * 3
    path = write("notes/other.txt", text.encode(encoding))
    with scrubjay.open(place) as kb:
        kb.add(path)
        [document] = kb.list()
        assert kb.get(document.id).documents[0].text == text


def test_an_empty_file_is_no_failure(place: str, good: Path, write: Write) -> None:
    write("notes/empty.md", b"")
    report, kb = added(place, good.parent)
    with kb:
        assert len(kb.search("marmalade").hits) == 1
        assert kb.add(good.parent).changed == 0
    assert report.added in (1, 2)


def test_a_folder_named_like_a_file_is_entered(place: str, write: Write, tmp_path: Path) -> None:
    write("notes/folder.md/inside.md", "# Inside\n\nquince\n")
    with scrubjay.open(place) as kb:
        assert kb.add(tmp_path / "notes").added == 1


def test_a_pipe_is_not_waited_for(place: str, good: Path) -> None:
    os.mkfifo(good.parent / "pipe.md")
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 1
        assert any("not a file" in notice.reason for notice in kb.add(good.parent / "pipe.md").notices)


def test_a_file_that_vanishes_while_it_is_added(place: str, good: Path, write: Write) -> None:
    write("notes/a.md", "# A\n")
    late = write("notes/zzz.md", "# Late\n")
    with scrubjay.open(place) as kb:
        report = kb.add(good.parent, progress=lambda progress: late.unlink(missing_ok=True))
        assert report.added == 2
        assert any("zzz.md" in notice.reason for notice in report.notices)


def test_one_line_of_three_megabytes(place: str, good: Path, write: Write) -> None:
    line = "marmalade quince " * 180_000
    path = write("notes/line.json", '["' + line + '"]')
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 2
        [document] = kb.list(path=path)
        assert kb.get(document.id).documents[0].text == '["' + line + '"]'


def test_too_large_a_file_is_named_with_the_cure(place: str, good: Path, write: Write) -> None:
    write("notes/huge.txt", b"x" * 1_100_000)
    with scrubjay.open(place, config={"ingest.max_file_mb": 1}) as kb:
        report = kb.add(good.parent)
    assert report.added == 1
    [notice] = [notice for notice in report.notices if "huge.txt" in notice.reason]
    assert "ingest.max_file_mb" in notice.remedy


def test_names_that_are_hard_to_write(place: str, write: Write, tmp_path: Path) -> None:
    names = [
        "with space.md",
        "quote'\".md",
        "new\nline.md",
        "-dash.md",
        "ünï 漢字 🦊.md",
        "a%b_c?#.md",
        "semi;colon.md",
    ]
    for name in names:
        write(f"notes/{name}", "# Title\n\nmarmalade\n")
    with scrubjay.open(place) as kb:
        assert kb.add(tmp_path / "notes").added == len(names)
        assert {hit.path for hit in kb.search("marmalade", top=20).hits} == {str(tmp_path / "notes" / n) for n in names}
        for name in names:
            assert len(kb.search("marmalade", path=tmp_path / "notes" / name).hits) == 1
        assert kb.remove(tmp_path / "notes" / names[0]) == 1


def test_a_name_that_is_no_text_is_a_notice(place: str, good: Path) -> None:
    with open(os.fsencode(good.parent) + b"/bad\xff.md", "wb") as file:
        file.write(b"# Bad\n")
    report, kb = added(place, good.parent)
    with kb:
        assert report.added == 1
        assert any("not valid text" in notice.reason for notice in report.notices)


def bound(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`kb …` run by somebody whom permissions bind: they do not bind root, unless it gives that up."""
    before = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root without setpriv: permissions cannot be tried")
        before = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    return subprocess.run(
        [*before, sys.executable, "-B", "-m", "scrubjay", *words],
        capture_output=True, text=True, env=environment(home), cwd=home, timeout=60,
    )  # fmt: skip


def test_a_file_that_may_not_be_read_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "notes" / "closed").mkdir(parents=True)
    (tmp_path / "notes" / "good.md").write_text("# Good\n")
    (tmp_path / "notes" / "secret.md").write_text("# Secret\n")
    (tmp_path / "notes" / "secret.md").chmod(0)
    (tmp_path / "notes" / "closed").chmod(0)
    done = bound(tmp_path, "add", "notes", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["added"] == 1
    for name in ("secret.md", "closed"):
        assert any(name in notice["reason"] and notice["remedy"] for notice in report["notices"]), name


@pytest.mark.parametrize("mode", [0o111, 0o000, 0o444])
def test_what_cannot_be_looked_at_for_a_while_is_not_forgotten(tmp_path: Path, mode: int) -> None:
    """A folder that may be entered and not listed looks as if it were empty."""
    deep = tmp_path / "notes" / "closed" / "deep"
    deep.mkdir(parents=True)
    (deep / "a.md").write_text("# A\n")
    (tmp_path / "notes" / "b.md").write_text("# B\n")
    assert bound(tmp_path, "add", "notes").returncode == 0
    (tmp_path / "notes" / "closed").chmod(mode)
    try:
        done = bound(tmp_path, "update", "--json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert (report["removed"], report["skipped"]) == (0, 1)
        assert any("closed" in notice["reason"] for notice in report["notices"])
    finally:
        (tmp_path / "notes" / "closed").chmod(0o755)
    assert json.loads(bound(tmp_path, "update", "--json").stdout)["skipped"] == 2


def test_a_base_that_may_only_be_read_is_searched_and_not_written(tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "kb.db") as kb:
        kb.note("marmalade")
    (tmp_path / "kb.db").chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        done = bound(tmp_path, "search", "marmalade", "--json")
        assert (done.returncode, json.loads(done.stdout)["returned"]) == (0, 1), done.stderr
        assert bound(tmp_path, "status", "--json").returncode == 0
        done = bound(tmp_path, "note", "quince")
        assert done.returncode == 1
        assert "cannot be written" in done.stderr
        assert "Traceback" not in done.stderr
    finally:
        tmp_path.chmod(0o700)
