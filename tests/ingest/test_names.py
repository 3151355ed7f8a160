"""What documents are called, which of them a link means, and where a text mentions them."""

from __future__ import annotations

import pytest

from scrubjay.ingest.mentions import Titles, possible
from scrubjay.ingest.names import choose, in_words, lookup, mentionable, names_of, slug, without_ending
from scrubjay.types.graph import Named


@pytest.mark.parametrize(
    ("path", "title", "names"),
    [
        ("/notes/git-setup.md", "Setting up Git",
         ["f:git-setup", "t:git setup", "f:notes/git-setup", "t:setting up git", "m:setting up git"]),
        ("/p/pkg/__init__.py", "", ["f:__init__", "t:init", "f:pkg/__init__", "f:pkg"]),
        ("/p/pkg/a.go", "", ["f:a", "t:a", "f:pkg/a", "g:p/pkg"]),
        (None, "Sourdough", ["t:sourdough", "m:sourdough"]),
        (None, "", []),
    ],
)  # fmt: skip
def test_names(path: str | None, title: str, names: list[str]) -> None:
    assert names_of(path, title) == names


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Setting up Git", "setting up git"), ("Ed Wood (film)", "ed wood"), ("all small letters", ""), ("Of", ""),
        ("Git", ""), ("A B", ""), ("2026-01-01", ""), ("One Two Three Four Five Six Seven Eight Nine", ""), ("", ""),
    ],
)  # fmt: skip
def test_which_titles_a_text_may_mention(title: str, said: str) -> None:
    assert mentionable(title) == said


def test_a_title_that_is_only_the_files_name_is_not_mentioned() -> None:
    assert mentionable("Retry", "retry") == ""
    assert mentionable("Retry", "other") == "retry"


@pytest.mark.parametrize(
    ("file", "bare"), [("a.md", "a"), (".gitignore", ".gitignore"), ("Makefile", "Makefile"), ("a.tar.gz", "a.tar")]
)
def test_endings(file: str, bare: str) -> None:
    assert without_ending(file) == bare


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("n:Git Setup#How", "t:git setup"), ("n:folder/Git.md", "t:git"), ("p:/notes/Git.md", "f:notes/git"),
        ("s:main.py", "f:main"), ("g:x/y/z", "g:y/z"), ("i:d_1", ""),
    ],
)  # fmt: skip
def test_what_a_link_is_looked_up_under(wanted: str, name: str) -> None:
    assert lookup(wanted) == name


def test_the_nearest_of_equal_names_is_meant() -> None:
    near, far = Named(1, "/work/a/git.md"), Named(2, "/other/git.md")
    assert choose("n:git", "/work/a/here.md", [far, near], 9) == [1]
    assert choose("n:git", "/other/here.md", [far, near], 9) == [2]
    assert choose("n:a/git", "/other/here.md", [far, near], 9) == [1], "a folder in the link decides"
    assert choose("n:git", "/work/a/git.md", [near], 1) == [], "nothing leads to itself"


def test_whole_paths_are_meant_whole() -> None:
    documents = [Named(1, "/a/git.md"), Named(2, "/b/git.md"), Named(3, "/c/git/index.md")]
    assert choose("p:/b/git.md", "/x.md", documents, 9) == [2]
    assert choose("p:/b/git", "/x.md", documents, 9) == [2]
    assert choose("p:/c/git", "/x.md", documents, 9) == [3]
    assert choose("p:/d/git.md", "/x.md", documents, 9) == []
    assert choose("s:git.md", "/b/x.md", documents, 9) == [2]


def test_code_uses_code_of_its_own_language() -> None:
    assert choose("s:one", "/p/a.py", [Named(1, "/p/one.js"), Named(2, "/p/one.py")], 9) == [2]


def test_a_go_package_is_all_its_files() -> None:
    files = [Named(number, f"/src/m/pkg/{number}.go") for number in range(1, 12)]
    assert choose("g:m/pkg", "/src/m/main.go", files, 99) == list(range(1, 9))


@pytest.mark.parametrize(
    ("heading", "anchor"), [("How to Install", "how-to-install"), ("C++ & Rust!", "c-rust"), ("数据库", "数据库")]
)
def test_anchors(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_words() -> None:
    assert in_words("Git_Setup — (How)") == "git setup how"


# --- mentions --------------------------------------------------------------------------------

TITLES = Titles({"setting up git": [1], "git": [2], "ed wood": [3, 4], "common": [1, 2, 3, 4]})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as Setting up Git says", ["setting up git"]), ("setting up git", []), ("Git is a tool", ["git"]),
        ("Ed Wood and Ed  Wood", ["ed wood"]), ("Edward Wood", []), ("Common words", []), ("", []),
        ("Setting up\nGit", ["setting up git"]), ("(Git)", ["git"]), ("Git, Git, Git", ["git"]),
    ],
)  # fmt: skip
def test_mentions(text: str, found: list[str]) -> None:
    assert [title for title, _ in TITLES.mentioned(text)] == found


def test_what_could_be_a_title() -> None:
    assert {"setting", "setting up", "setting up git"} <= possible(["as Setting up Git says"])
    assert possible(["no capital letters here"]) == set()
