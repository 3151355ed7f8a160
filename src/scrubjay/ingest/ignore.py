"""Decides which files a person does not want found: ignore files, and folders everyone skips.

`.gitignore` already says what is generated and what is private; `.kbignore`, with the same
syntax, adds what is only noise for searching and wins where they differ. As in git, a folder's
own rules come before its parents', and nothing inside an ignored folder can be wanted again.
"""

from __future__ import annotations

import os

from scrubjay.ingest.patterns import Patterns, parsed
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

IGNORE_FILES = (".gitignore", ".kbignore")  # the later one wins
JUNK_FOLDERS = frozenset(
    {
        *(".git", ".hg", ".svn", ".bzr", "CVS", ".kb", ".obsidian", ".Trash", ".trash", "__MACOSX"),
        *("node_modules", "bower_components", "__pycache__", ".venv", ".tox", ".nox", ".eggs"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints", ".idea", ".gradle"),
        *("$RECYCLE.BIN", "System Volume Information", "lost+found"),
    }
)
JUNK_FILES = frozenset({"Thumbs.db", "desktop.ini", ".DS_Store"})
# A folder that holds one of these says itself that all in it is made by a program.
JUNK_MARKS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})


class Rules(NamedTuple):
    """The rules of one folder, and those of the folders above it."""

    folder: str
    patterns: Patterns
    above: Rules | None

    def ignores(self, path: str, is_folder: bool) -> bool:
        rules: Rules | None = self
        while rules is not None:
            verdict = rules._says(path, is_folder)
            if verdict is not None:
                return verdict
            rules = rules.above
        return False

    def _says(self, path: str, is_folder: bool) -> bool | None:
        inside = path[len(self.folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        return self.patterns.ignores(inside, is_folder)


def rules_of(folder: str, names: Iterable[str], above: Rules | None, notices: list[Notice]) -> Rules | None:
    """The rules that hold in `folder`, whose ignore files are among `names`."""
    lines: list[str] = []
    for name in IGNORE_FILES:
        if name in names:
            lines += _lines(os.path.join(folder, name), notices)
    patterns = compiled(lines, folder, notices)
    return Rules(folder, patterns, above) if patterns else above


def rules_above(root: str, notices: list[Notice]) -> Rules | None:
    """The rules of the folders above `root`, up to the top of the repository that it is part of.

    A rule that ignores `root` itself is dropped: who names a folder wants it.
    """
    folders: list[str] = []
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None  # the top of the disk: not in a repository
        folders.append(above)
        folder = above
    rules: Rules | None = None
    for folder in reversed(folders):
        names = [name for name in IGNORE_FILES if os.path.isfile(os.path.join(folder, name))]
        below = rules_of(folder, names, rules, notices)
        if below is not rules and below is not None and not below._says(root, True):
            rules = below
    return rules


def compiled(lines: Iterable[str], where: str, notices: list[Notice]) -> Patterns | None:
    """The patterns as one matcher; one that cannot fit anything is named and left out."""
    kept = []
    for line in lines:
        try:
            pattern = parsed(line)
        except ValueError as problem:
            reason = f"the ignore pattern {line!r} in {where} fits nothing: {problem}"
            notices.append(Notice("walk", reason, "correct it"))
        else:
            if pattern is not None:
                kept.append(pattern)
    return Patterns(kept) if kept else None


def _lines(path: str, notices: list[Notice]) -> list[str]:
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return file.read().split("\n")
    except OSError as problem:
        notices.append(Notice("walk", f"{path} could not be read: {problem.strerror}", "its rules do not apply"))
        return []
