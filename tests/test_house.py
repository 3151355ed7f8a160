"""The rules by which the house is built, kept by a test so that nobody has to remember them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "scrubjay"

# A module imports from its own part and from lower floors only.
FLOORS = {
    "_tuples": 0, "types": 0, "errors": 0, "ports": 0,
    "config": 1,
    "registry": 2, "transport": 2,
    "ingest": 3, "embed": 3, "store": 3, "search": 3, "rerank": 3, "memory": 3,
    "disclose": 4, "evaluate": 4, "ingest.pipeline": 4, "search.pipeline": 4,
    "knowledge_base": 5,
    "__init__": 6, "cli": 6, "mcp": 6, "web": 6, "__main__": 7,
}  # fmt: skip
NEIGHBOURS = {"ingest", "embed", "store", "search", "rerank", "memory"}
SQL = re.compile(
    r"\s*(SELECT\b.+\bFROM\b|INSERT( OR \w+)? INTO\b|UPDATE \w+ SET\b|DELETE FROM\b|CREATE (VIRTUAL )?TABLE\b"
    r"|DROP (TABLE|INDEX)\b|BEGIN\b|COMMIT$|PRAGMA \w)",
    re.DOTALL,
)
ENGINES = {"apsw", "sqlite3", "sqlite_vec"}
TABLES = {"types", "config.settings", "search.acronyms"}  # data: long because there is much of it


class Module(NamedTuple):
    """A file of the package: its name inside it, its text and what Python makes of it."""

    name: str
    text: str
    tree: ast.Module


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def floor(name: str) -> int:
    return FLOORS.get(name, FLOORS.get(name.split(".")[0], -1))


def imports(tree: ast.Module) -> Iterator[str]:
    """Modules of the package that are imported anywhere in the file, by their name inside it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the package in full"
            module = node.module or ""
            if module == "scrubjay":
                yield from (alias.name for alias in node.names)
            elif module.startswith("scrubjay."):
                inner = module.removeprefix("scrubjay.")
                within = [f"{inner}.{alias.name}" for alias in node.names]
                yield from (name for name in within if (PACKAGE / (name.replace(".", "/") + ".py")).exists())
                yield inner
        elif isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("scrubjay.") for alias in node.names if "scrubjay." in alias.name)


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every text in the file that is not a docstring, with its line."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


@pytest.fixture(scope="module")
def modules() -> list[Module]:
    read = [(name_of(path), path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]
    return [Module(name, text, ast.parse(text)) for name, text in read]


def test_every_part_has_its_floor(modules: list[Module]) -> None:
    assert [module.name for module in modules if floor(module.name) < 0] == []


def test_imports_go_down(modules: list[Module]) -> None:
    faults = []
    for module in modules:
        own = module.name.split(".")[0]
        for target in imports(module.tree):
            other = target.split(".")[0]
            if other == own or module.name == "__init__" or floor(target) < 0:
                continue
            if floor(target) > floor(module.name):
                faults.append(f"{module.name} imports {target}, which stands above it")
            elif own in NEIGHBOURS and other in NEIGHBOURS and floor(module.name) == 3:
                faults.append(f"{module.name} imports {target}, its neighbour")
    assert faults == []


def test_a_module_is_read_in_one_sitting(modules: list[Module]) -> None:
    long = {module.name: module.text.count("\n") for module in modules if module.text.count("\n") > 400}
    assert set(long) <= TABLES, long


def test_modules_are_of_a_size_to_be_read(modules: list[Module]) -> None:
    sizes = sorted(module.text.count("\n") for module in modules if module.text.count("\n") > 5)
    assert sizes[len(sizes) // 2] <= 270


def test_a_function_fits_on_a_screen(modules: list[Module]) -> None:
    long = []
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
                length = (body[-1].end_lineno or 0) - body[0].lineno + 1
                if length > 40:
                    long.append(f"{module.name}.{node.name}: {length} lines")
    assert long == []


def test_a_module_says_its_duty(modules: list[Module]) -> None:
    mute = []
    for module in modules:
        first = (ast.get_docstring(module.tree) or " ").splitlines()[0].rstrip()
        if first[-1:] not in (".", ":", "?", "…") and module.text.count("\n") > 5:
            mute.append(f"{module.name}: {first!r} is no sentence")
    assert mute == []


def test_sql_is_only_in_the_store(modules: list[Module]) -> None:
    outside = [module for module in modules if module.name.split(".")[0] != "store"]
    assert [(module.name, *place) for module in outside for place in texts(module.tree) if SQL.match(place[1])] == []


def test_sqlite_is_only_in_the_store(modules: list[Module]) -> None:
    faults = []
    for module in modules:
        if module.name.split(".")[0] == "store":
            continue
        for node in ast.walk(module.tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            faults += [f"{module.name} imports {name}" for name in names if name.split(".")[0] in ENGINES]
    assert faults == []


def test_the_environment_is_read_only_in_config(modules: list[Module]) -> None:
    readers = {
        module.name
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv", "expandvars")
    }
    assert readers <= {"config"}


def test_nothing_global_can_change(modules: list[Module]) -> None:
    changed = [
        f"{module.name}: global {name}"
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Global)
        for name in node.names
    ]
    assert changed == []
