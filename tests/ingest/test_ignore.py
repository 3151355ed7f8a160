"""Ignore files mean what git makes them mean; git itself is asked where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.ingest.walk import Found, walk
from scrubjay.types import Notice

Write = Callable[..., Path]
TREE = (
    "a.md", "b.log", "build/out.md", "src/build/x.md", "src/main.md", "src/keep.log", "src/deep/build.md",
    "docs/a.md", "docs/sub/a.md", "docs/sub/b.md", "foo/bar/baz.md", "abc.md", "a b.md", "#x.md", "!y.md",
)  # fmt: skip


def left(root: Path) -> set[str]:
    return {os.path.relpath(item.path, root) for item in walk([root]) if isinstance(item, Found)}


def planted(root: Path, rules: dict[str, str]) -> Path:
    """The tree with these ignore files in it."""
    for name in (*(TREE if not root.exists() else ()), *rules):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rules.get(name, "text"))
    return root


def of_git(root: Path) -> set[str]:
    """What git would take."""
    home = {"HOME": str(root.parent), "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    if not (root / ".git").exists():
        subprocess.run(["git", "init", "-q", str(root)], check=True, env=home)
    done = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True, env=home,
    )  # fmt: skip
    return {name for name in done.stdout.split("\0") if name and not os.path.basename(name).startswith(".")}


RULES = [
    ({".gitignore": "*.log\n"}, {"b.log", "src/keep.log"}),
    ({".gitignore": "*.log\n!keep.log\n"}, {"b.log"}),
    ({".gitignore": "!keep.log\n*.log\n"}, {"b.log", "src/keep.log"}),
    ({".gitignore": "/a.md\n"}, {"a.md"}),
    ({".gitignore": "a.md\n"}, {"a.md", "docs/a.md", "docs/sub/a.md"}),
    ({".gitignore": "build/\n"}, {"build/out.md", "src/build/x.md"}),
    ({".gitignore": "/build\n"}, {"build/out.md"}),
    ({".gitignore": "build.md/\n"}, set()),
    ({".gitignore": "docs/a.md\n"}, {"docs/a.md"}),
    ({".gitignore": "docs/*\n!docs/sub\n"}, {"docs/a.md"}),
    ({".gitignore": "docs/\n!docs/a.md\n"}, {"docs/a.md", "docs/sub/a.md", "docs/sub/b.md"}),
    ({".gitignore": "**/sub/*.md\n"}, {"docs/sub/a.md", "docs/sub/b.md"}),
    ({".gitignore": "foo/**/baz.md\n"}, {"foo/bar/baz.md"}),
    ({".gitignore": "foo/**\n"}, {"foo/bar/baz.md"}),
    ({".gitignore": "a?c.md\n[!a].md\n"}, {"abc.md", "src/build/x.md", "docs/sub/b.md"}),
    ({".gitignore": "a b.md  \n"}, {"a b.md"}),
    ({".gitignore": "\\#x.md\n\\!y.md\n# comment\n"}, {"#x.md", "!y.md"}),
    ({".gitignore": "*.md\r\n"}, {name for name in TREE if name.endswith(".md")}),
    ({".gitignore": "\ufeff*.log\n"}, {"b.log", "src/keep.log"}),
    ({"docs/.gitignore": "a.md\n"}, {"docs/a.md", "docs/sub/a.md"}),
    ({"docs/.gitignore": "/a.md\n"}, {"docs/a.md"}),
    (
        {".gitignore": "*.md\n", "docs/.gitignore": "!a.md\n"},
        {name for name in TREE if name.endswith(".md")} - {"docs/a.md", "docs/sub/a.md"},
    ),
    ({".gitignore": "docs/\n", "docs/.gitignore": "!a.md\n"}, {"docs/a.md", "docs/sub/a.md", "docs/sub/b.md"}),
    ({".gitignore": "*\n!*/\n!*.log\n"}, {name for name in TREE if name.endswith(".md")}),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "gone"), RULES, ids=range(len(RULES)))
def test_rules(tmp_path: Path, rules: dict[str, str], gone: set[str]) -> None:
    root = planted(tmp_path / "tree", rules)
    assert set(TREE) - left(root) == gone
    if shutil.which("git"):
        assert left(root) == of_git(root)


LINES = st.lists(
    st.builds(
        lambda no, start, parts, end: no + start + "/".join(parts) + end,
        st.sampled_from(["", "", "", "!"]),
        st.sampled_from(["", "", "/", "**/"]),
        st.lists(
            st.sampled_from(
                [
                    *("*", "*.md", "a.md", "build", "src", "docs", "sub", "foo", "bar", "**", "a*", "?.md", "[ab].*"),
                    *("[!a].md", "[a-c]*", "**b*", "*/a*", "\\a.md", "[[:alpha:]].md"),
                ]
            ),
            min_size=1,
            max_size=3,
        ),
        st.sampled_from(["", "", "/", "/*", "/**"]),
    ),
    min_size=1,
    max_size=4,
)  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@given(top=LINES, nested=LINES)
def test_any_rules_mean_what_git_makes_them_mean(tmp_path: Path, top: list[str], nested: list[str]) -> None:
    root = planted(tmp_path / "tree", {".gitignore": "\n".join(top), "docs/.gitignore": "\n".join(nested)})
    assert left(root) == of_git(root)


def test_kbignore_adds_and_wins(tmp_path: Path) -> None:
    root = planted(tmp_path / "tree", {".gitignore": "*.log\n", ".kbignore": "!keep.log\n/docs\n"})
    assert set(TREE) - left(root) == {"b.log", "docs/a.md", "docs/sub/a.md", "docs/sub/b.md"}


def test_rules_above_the_folder_that_was_named_hold(tmp_path: Path, write: Write) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    write("repo/.gitignore", "*.log\n/docs/a.md\n")
    write("repo/docs/a.md")
    write("repo/docs/b.md")
    write("repo/docs/c.log")
    assert left(tmp_path / "repo" / "docs") == {"b.md"}


def test_rules_above_a_folder_that_is_in_no_repository_do_not(tmp_path: Path, write: Write) -> None:
    write(".gitignore", "*\n")
    write("docs/a.md")
    assert left(tmp_path / "docs") == {"a.md"}


def test_a_folder_that_is_named_is_wanted_though_ignored(tmp_path: Path, write: Write) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    write("repo/.gitignore", "dist/\n*.log\n")
    write("repo/dist/a.md")
    assert left(tmp_path / "repo" / "dist") == {"a.md"}


def test_a_line_that_is_no_pattern_is_named_and_the_others_hold(tmp_path: Path, write: Write) -> None:
    write(".gitignore", "!\n*.log\n")
    write("a.log")
    write("a.md")
    items = list(walk([tmp_path]))
    assert [item.path for item in items if isinstance(item, Found)] == [str(tmp_path / "a.md")]
    assert [notice for notice in items if isinstance(notice, Notice) and "'!'" in notice.reason]


def test_an_ignore_file_that_is_a_folder_is_a_notice(tmp_path: Path, write: Write) -> None:
    (tmp_path / ".gitignore").mkdir()
    write("a.md")
    items = list(walk([tmp_path]))
    assert left(tmp_path) == {"a.md"}
    assert [notice for notice in items if isinstance(notice, Notice) and ".gitignore" in notice.reason]
