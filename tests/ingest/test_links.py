"""What a text leads to: links in every notation, imports of every language, and cited paths and ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.ingest.imports import imports, reader_of
from scrubjay.ingest.links import links

HERE = "/notes/deep/here.md"


def wanted(text: str, kind: str = "markdown", path: str | None = HERE) -> list[str]:
    return [found.wanted for found in links(text, kind, path)]


@pytest.mark.parametrize(
    ("text", "leads_to"),
    [
        ("[git](git.md)", ["p:/notes/deep/git.md"]),
        ("[git](./git.md)", ["p:/notes/deep/git.md"]),
        ("[git](../git.md#setup)", ["p:/notes/git.md#setup"]),
        ("[git](/abs/git.md)", ["p:/abs/git.md"]),
        ("[git](<git.md>)", ["p:/notes/deep/git.md"]),
        ("[git](my%20git.md)", ["p:/notes/deep/my git.md"]),
        ('[git](git.md "a title")', ["p:/notes/deep/git.md"]),
        ("[git](git_(vcs).md)", ["p:/notes/deep/git_(vcs).md"]),
        ("![picture](git.png)", ["p:/notes/deep/git.png"]),
        ("[git](git.md?raw=1)", ["p:/notes/deep/git.md"]),
        ("[out](https://x.y/git.md) [mail](mailto:a@b.c) [here](#above)", []),
        ("[[Git]]", ["n:Git"]),
        ("[[Git|the tool]]", ["n:Git"]),
        ("[[Git#Setup]]", ["n:Git#Setup"]),
        ("[[#Setup]]", []),
        ("[a]\n\n[a]: git.md", ["p:/notes/deep/git.md"]),
        ("[^1]: git.md is a footnote", ["s:git.md"]),
        ('<a href="git.html">x</a> <img src="a/b.png">', ["p:/notes/deep/git.html", "p:/notes/deep/a/b.png"]),
        ("`git <git.rst>`_ and :doc:`other`", ["p:/notes/deep/git.rst", "p:/notes/deep/other"]),
        (".. include:: part.rst", ["p:/notes/deep/part.rst"]),
        ("as d_0123456789ab says", ["i:d_0123456789ab"]),
        ("see src/main.py for it", ["s:src/main.py"]),
        ("see ./main.py for it", ["p:/notes/deep/main.py"]),
        ("nothing leads anywhere (really) [not] a link", []),
        ("[twice](git.md) and [twice](git.md)", ["p:/notes/deep/git.md"]),
    ],
)
def test_links_of_a_text(text: str, leads_to: list[str]) -> None:
    assert wanted(text) == leads_to


def test_a_note_without_a_path_looks_by_the_end_of_paths() -> None:
    assert wanted("[git](tools/git.md)", path=None) == ["s:tools/git.md"]


def test_the_words_of_a_link_are_its_evidence() -> None:
    [found] = links("[how to\n  install git](git.md)", "markdown", HERE)
    assert (found.relation, found.origin, found.evidence) == ("links", "link", "how to install git")


def test_a_list_of_links_has_an_end() -> None:
    assert len(links(" ".join(f"[[Page {number}]]" for number in range(1000)), "markdown", HERE)) == 200


@given(text=st.text(st.sampled_from("[](){}<>|#`:_./a \n\"'=ä\u200d"), max_size=200),
kind=st.sampled_from(["markdown", "code"]))
def test_any_text(text: str, kind: str) -> None:
    for found in links(text, kind, "/a/b.py"):
        assert found.wanted[1:2] == ":"
        assert found.relation in ("links", "imports", "cites")


@pytest.mark.parametrize("text", ["[" * 30_000, "[a](" * 10_000, "[[" * 20_000, "a/" * 50_000, "(" * 50_000,
"<a href='" * 9_000])
def test_torn_links_end(text: str) -> None:
    assert isinstance(links(text, "markdown", HERE), list)


@pytest.mark.parametrize(
    ("path", "text", "used"),
    [
        ("/p/a.py", "import os, json", []),
        ("/p/a.py", "import pkg.mod", ["s:pkg/mod"]),
        ("/p/a.py", "import pkg.mod as m, other", ["s:pkg/mod", "s:other"]),
        ("/p/a.py", "from pkg.mod import one, two as t", ["s:pkg/mod/one", "s:pkg/mod/two", "s:pkg/mod"]),
        ("/p/q/a.py", "from . import one", ["p:/p/q/one"]),
        ("/p/q/a.py", "from ..x import one", ["p:/p/x/one", "p:/p/x"]),
        ("/p/a.py", "from pkg import (\n    one,\n    two,\n)", ["s:pkg/one", "s:pkg/two", "s:pkg"]),
        ("/p/a.py", "# from pkg import one", []),
        ("/p/a.js", 'import x from "./one.js"\nconst y = require("../two")\nimport "react"', ["p:/p/one.js",
        "p:/two"]),
        ("/p/a.ts", 'export * from "./one"', ["p:/p/one"]),
        ("/p/a.go", 'import (\n\t"fmt"\n\t"x.org/m/pkg/one"\n)', ["g:pkg/one"]),
        ("/p/a.rs", "mod one;\nuse crate::two::Three;", ["p:/p/one", "s:src/two/Three", "s:src/two"]),
        ("/p/A.java", "import org.x.One;\nimport java.util.List;", ["s:org/x/One"]),
        ("/p/a.c", '#include "one.h"\n#include <stdio.h>\n#include "lib/two.h"', ["p:/p/one.h", "p:/p/lib/two.h",
        "s:lib/two.h"]),
        ("/p/a.unknown", "import one", []),
    ],
)
def test_imports(path: str, text: str, used: list[str]) -> None:
    assert [found.wanted for found in imports(text, path)] == used
    assert all(found.relation == "imports" for found in imports(text, path))


def test_a_text_without_a_path_imports_nothing() -> None:
    assert list(imports("import one", None)) == []
    assert reader_of(None) is None
