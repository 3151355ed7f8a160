"""Which files are found below a folder, in which order, and what is said of the others."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.ingest.walk import Found, walk
from scrubjay.types import Notice

Write = Callable[..., Path]


def names(root: Path, **options: object) -> list[str]:
    """The paths found below `root`, relative to it, in the order of the walk."""
    return [os.path.relpath(item.path, root) for item in walk([root], **options) if isinstance(item, Found)]  # type: ignore[arg-type]


def notices(*paths: Path, **options: object) -> list[Notice]:
    return [item for item in walk(paths, **options) if isinstance(item, Notice)]  # type: ignore[arg-type]


def test_files_come_in_one_order(tmp_path: Path, write: Write) -> None:
    for name in ("b.md", "a.md", "c/z.md", "c/a/1.md", "B.md", "c.md"):
        write(name)
    assert names(tmp_path) == ["B.md", "a.md", "b.md", "c.md", "c/z.md", "c/a/1.md"]


def test_size_and_time_are_the_files(tmp_path: Path, write: Write) -> None:
    path = write("a.md", "four")
    os.utime(path, ns=(5, 1_234_567_890_123_456_789))
    [found] = walk([tmp_path])
    assert found == Found(str(path), str(tmp_path), 4, 1_234_567_890_123_456_789)


def test_a_file_named_alone_is_taken_though_hidden_or_ignored(tmp_path: Path, write: Write) -> None:
    write(".gitignore", "secret.md\n")
    for name in ("secret.md", ".hidden.md", "node_modules/x.md"):
        path = write(name)
        [found] = walk([path])
        assert (found.path, found.root) == (str(path), str(path.parent))


def test_hidden_files_and_folders_are_passed_over_unless_wanted(tmp_path: Path, write: Write) -> None:
    for name in ("a.md", ".b.md", ".c/d.md", ".git/config"):
        write(name)
    assert names(tmp_path) == ["a.md"]
    assert names(tmp_path, include_hidden=True) == [".b.md", "a.md", ".c/d.md"]


@pytest.mark.parametrize("folder", ["node_modules", "__pycache__", ".venv", ".git", "__MACOSX", ".kb"])
def test_what_programs_make_is_passed_over(tmp_path: Path, write: Write, folder: str) -> None:
    write("a.md")
    write(f"deep/{folder}/pkg/readme.md")
    assert names(tmp_path, include_hidden=True) == ["a.md"]


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "CACHEDIR.TAG"])
def test_a_folder_that_says_it_is_a_programs(tmp_path: Path, write: Write, mark: str) -> None:
    write(f"env/{mark}")
    write("env/lib/readme.md")
    write("a.md")
    assert names(tmp_path) == ["a.md"]
    assert "lib/readme.md" in names(tmp_path / "env"), "who names it wants it"


def test_a_folder_that_is_named_is_entered_whatever_it_is_called(tmp_path: Path, write: Write) -> None:
    write("node_modules/pkg/readme.md")
    write(".notes/a.md")
    assert names(tmp_path / "node_modules") == ["pkg/readme.md"]
    assert names(tmp_path / ".notes") == ["a.md"]


def test_the_same_file_by_two_ways_is_found_once(tmp_path: Path, write: Write) -> None:
    path = write("in/a.md")
    assert [item.path for item in walk([tmp_path, path.parent, path]) if isinstance(item, Found)] == [str(path)]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (["*.log"], ["a.md", "b/c.md", "b/d/c.md"]),
        (["b"], ["a.log", "a.md"]),
        (["/a.md"], ["a.log", "b/c.md", "b/d/c.md", "b/d/x.log"]),
        (["b/d/"], ["a.log", "a.md", "b/c.md"]),
        (["**/c.md"], ["a.log", "a.md", "b/d/x.log"]),
        (["*", "!a.md"], ["a.md"]),
        ([], ["a.log", "a.md", "b/c.md", "b/d/c.md", "b/d/x.log"]),
    ],
)
def test_exclude(tmp_path: Path, write: Write, patterns: list[str], left: list[str]) -> None:
    for name in ("a.md", "a.log", "b/c.md", "b/d/c.md", "b/d/x.log"):
        write(name)
    assert names(tmp_path, exclude=patterns) == left


def test_a_pattern_that_is_none_is_named(tmp_path: Path, write: Write) -> None:
    write("a.md")
    [notice] = notices(tmp_path, exclude=["!"])
    assert "'!'" in notice.reason
    assert names(tmp_path, exclude=["!"]) == ["a.md"]


def test_a_file_too_large_is_named_with_the_setting(tmp_path: Path, write: Write) -> None:
    write("a.md", "x" * 101)
    write("b.md", "x" * 100)
    assert names(tmp_path, max_bytes=100) == ["b.md"]
    [notice] = notices(tmp_path, max_bytes=100)
    assert "a.md" in notice.reason
    assert "ingest.max_file_mb" in notice.remedy


def test_a_path_that_is_not_there_suggests_one_that_is(tmp_path: Path, write: Write) -> None:
    write("notes/a.md")
    [notice] = notices(tmp_path / "ntes")
    assert "does not exist" in notice.reason
    assert str(tmp_path / "notes") in notice.remedy
    [notice] = notices(tmp_path / "nowhere" / "deep")
    assert "there is no folder" in notice.remedy


def test_links_stay_inside(tmp_path: Path, write: Write) -> None:
    write("in/a.md")
    outside = write("out/b.md")
    (tmp_path / "in" / "to_a.md").symlink_to("a.md")
    (tmp_path / "in" / "to_b.md").symlink_to(outside)
    (tmp_path / "in" / "folder").symlink_to(outside.parent)
    (tmp_path / "in" / "broken").symlink_to("nothing")
    (tmp_path / "in" / "loop").symlink_to(".")
    assert names(tmp_path / "in") == ["a.md"]
    [notice] = notices(tmp_path / "in")
    assert "2 links lead out" in notice.reason


def test_a_folder_reached_by_a_link_is_read_when_it_is_named(tmp_path: Path, write: Write) -> None:
    write("real/a.md")
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    assert names(tmp_path / "alias") == ["a.md"]
    assert notices(tmp_path / "alias") == []


def test_links_in_a_ring_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert names(tmp_path) == []
    assert notices(tmp_path / "a"), "naming it says why nothing came of it"


def test_pipes_and_sockets_are_not_read(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md")
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)  # a socket's path may be no longer than a hundred characters
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        assert names(tmp_path) == ["a.md"]
        [notice] = notices(tmp_path / "socket.md")
    assert "not a file or a folder" in notice.reason


def test_a_name_that_is_no_text_is_a_notice(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/bad\xff.md", "wb"):
        pass
    [notice] = notices(tmp_path)
    notice.reason.encode("utf-8")
    assert "bad" in notice.reason
    assert "rename" in notice.remedy


def test_deep_nesting(tmp_path: Path, write: Write) -> None:
    deep = "/".join(["d"] * 200)
    write(f"{deep}/a.md")
    assert names(tmp_path) == [f"{deep}/a.md"]
