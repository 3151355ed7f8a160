"""What programs may rely on: `scrubjay.__all__` and nothing else, and a start that costs nothing."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import scrubjay
from fakes import SOURCE

SURFACE = {
    "AddReport", "Document", "Embedder", "Entry", "Found", "Hit", "KnowledgeBase", "ModelIdentity", "Notice",
    "Passage", "Reader", "Reranker", "ScrubjayError", "SearchResult", "Store", "UsageError", "__version__", "open",
}  # fmt: skip


def imported(code: str) -> set[str]:
    """The modules that a fresh Python has after running `code`."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {SOURCE!r})\n{code}\nprint(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())


def test_r106_the_surface_is_exactly_this() -> None:
    assert set(scrubjay.__all__) == SURFACE
    assert len(scrubjay.__all__) == len(SURFACE)
    assert dir(scrubjay) == sorted(SURFACE)


@pytest.mark.parametrize("name", sorted(SURFACE))
def test_r106_every_name_can_be_had(name: str) -> None:
    assert getattr(scrubjay, name) is not None


def test_r106_nothing_else_can_be_had() -> None:
    with pytest.raises(AttributeError, match="SqliteStore"):
        _ = scrubjay.SqliteStore  # type: ignore[attr-defined]


def test_r106_importing_brings_no_library_along() -> None:
    modules = imported("import scrubjay")
    heavy = {"numpy", "apsw", "typing", "dataclasses", "sqlite3", "asyncio", "urllib.request", "argparse", "tomllib"}
    assert modules & heavy == set()


def test_r106_star_import_gives_the_surface() -> None:
    namespace: dict[str, object] = {}
    exec("from scrubjay import *", namespace)
    assert set(namespace) >= SURFACE


def test_r106_the_types_are_given_along() -> None:
    package = Path(SOURCE) / "scrubjay"
    assert (package / "py.typed").is_file(), "type checkers ignore a package without this mark"


def test_r106_every_public_function_says_its_types() -> None:
    methods = {name: value for part in scrubjay.KnowledgeBase.__mro__[:-1] for name, value in vars(part).items()}
    assert {"add", "search", "link", "status"} <= set(methods)
    functions = [scrubjay.open, *(value for name, value in methods.items() if name[0] != "_")]
    for function in functions:
        signature = inspect.signature(function.fget if isinstance(function, property) else function)
        assert signature.return_annotation is not inspect.Signature.empty, function
        untyped = [name for name, part in signature.parameters.items() if part.annotation is part.empty]
        assert untyped in ([], ["self"]), function


def test_the_version_is_told_once() -> None:
    project = tomllib.loads((Path(SOURCE).parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert scrubjay.__version__ == project["project"]["version"]


def test_a_search_by_words_loads_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "git.md").write_text("---\ntags: [ops]\n---\n\n# Git\n\ninstall git\n")
    with scrubjay.open(tmp_path / "kb.db") as kb:
        kb.note("install git")
        kb.add(tmp_path / "git.md")
    done = subprocess.run(
        [
            sys.executable, "-c",
            "import sys, scrubjay\n"
            "with scrubjay.open(sys.argv[1]) as kb: assert len(kb.search('git', mode='keyword').hits) == 2\n"
            "print(*sys.modules)", str(tmp_path / "kb.db"),
        ],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": SOURCE, "HOME": str(tmp_path)},
    )  # fmt: skip
    unwanted = {"numpy", "onnxruntime", "dataclasses", "argparse", "inspect", "re", "json", "scrubjay.memory.weighing"}
    assert unwanted & set(done.stdout.split()) == set()
