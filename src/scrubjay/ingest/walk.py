"""Finds the files below the paths that were given, and says what was left out and why.

The order is always the same. A file that is named is taken even when it is hidden or ignored;
in a folder, hidden, ignored and generated files are passed over, which is what its owner meant.
Links below the folder are never followed: what they point to inside is found at its own place,
and what lies outside was not added. Nothing here raises for one bad file: it becomes a `Notice`.
"""

from __future__ import annotations

import os
import stat

from scrubjay.ingest.ignore import JUNK_FILES, JUNK_FOLDERS, JUNK_MARKS, Rules, compiled, rules_above, rules_of
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scrubjay.ingest.patterns import Patterns

MAX_BYTES = 100_000_000


class Found(NamedTuple):
    """A file to read. `root` is the folder that was added, or the parent of a file named alone."""

    path: str
    root: str
    size: int
    mtime_ns: int


class _Wanted(NamedTuple):
    """What holds for one root: where it is, what is excluded, how large a file may be that holds text."""

    root: str
    exclude: Patterns | None
    max_bytes: int
    include_hidden: bool
    may_hold_text: Callable[[str], bool]

    def excludes(self, path: str, is_folder: bool) -> bool:
        if self.exclude is None:
            return False
        inside = os.path.relpath(path, self.root).replace(os.sep, "/")
        return bool(self.exclude.ignores(inside, is_folder))


def walk(
    paths: Iterable[str | os.PathLike[str]],
    *,
    exclude: Sequence[str] = (),
    max_bytes: int = MAX_BYTES,
    include_hidden: bool = False,
    may_hold_text: Callable[[str], bool] = lambda _: True,
) -> Iterator[Found | Notice]:
    """Every file to read below `paths`, each once, with a notice for each that cannot be had.

    `exclude` are patterns in the syntax of .gitignore, relative to each path. That a film is too
    large is no news: what by its name holds no text is found whatever its size.
    """
    notices: list[Notice] = []
    spec = compiled(exclude, "--exclude", notices)
    yield from notices
    seen: set[str] = set()
    for given in paths:
        path = os.path.abspath(os.path.expanduser(os.fspath(given)))
        for item in _one(_Wanted(path, spec, max_bytes, include_hidden, may_hold_text)):
            if isinstance(item, Notice):
                yield item
            elif item.path not in seen:
                seen.add(item.path)
                yield item


def _one(wanted: _Wanted) -> Iterator[Found | Notice]:
    path = wanted.root
    try:
        found = os.stat(path)
    except OSError as problem:
        yield _missing(path, problem)
        return
    if stat.S_ISDIR(found.st_mode):
        yield from _folder(wanted)
        return
    wanted = wanted._replace(root=os.path.dirname(path))
    if not stat.S_ISREG(found.st_mode):
        yield Notice("walk", f"{path} is not a file or a folder", "name a file with text in it")
    elif not wanted.excludes(path, False):
        yield _file(path, found, wanted)


def _folder(wanted: _Wanted) -> Iterator[Found | Notice]:
    notices: list[Notice] = []
    links_out: list[str] = []
    waiting: list[tuple[str, Rules | None]] = [(wanted.root, rules_above(wanted.root, notices))]
    while waiting:
        folder, rules = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as problem:
            yield _unreadable(folder, problem)
            continue
        names = {entry.name for entry in entries}
        if folder != wanted.root and names & JUNK_MARKS:
            continue
        rules = rules_of(folder, names, rules, notices)
        yield from notices
        notices.clear()
        below = []
        for entry in entries:
            item = _entry(entry, rules, wanted, links_out)
            if item is _GO_IN:
                below.append((entry.path, rules))
            elif item is not None:
                yield item
        waiting += reversed(below)
    if links_out:
        yield _not_followed(links_out, wanted.root)


_GO_IN = Notice("walk", "a folder to go into")


def _entry(
    entry: os.DirEntry[str], rules: Rules | None, wanted: _Wanted, links_out: list[str]
) -> Found | Notice | None:
    """A file, a notice, `_GO_IN` for a folder to go into, or None for what is passed over."""
    name, path = entry.name, entry.path
    if (name[0] == "." and not wanted.include_hidden) or name in JUNK_FOLDERS or name in JUNK_FILES:
        return None
    try:
        if entry.is_symlink() or _is_junction(entry):
            if not _is_inside(os.path.realpath(path), os.path.realpath(wanted.root)):
                links_out.append(path)
            return None
        is_folder = entry.is_dir(follow_symlinks=False)
        if (rules is not None and rules.ignores(path, is_folder)) or wanted.excludes(path, is_folder):
            return None
        if is_folder:
            return _GO_IN
        if not entry.is_file(follow_symlinks=False):
            return None  # a pipe, a socket, a device: reading it might never end
        return _file(path, entry.stat(follow_symlinks=False), wanted)
    except OSError as problem:
        return _unreadable(path, problem)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether it is one of Windows' links between folders, which only Python 3.12 and later can tell."""
    return bool(getattr(entry, "is_junction", lambda: False)())


def _file(path: str, found: os.stat_result, wanted: _Wanted) -> Found | Notice:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        shown = path.encode("utf-8", "backslashreplace").decode()
        return Notice("walk", f"the name of {shown} is not valid text", "rename the file")
    if found.st_size > wanted.max_bytes and wanted.may_hold_text(path):
        return Notice(
            "walk",
            f"{path} is {found.st_size / 1e6:.1f} MB, more than the {wanted.max_bytes / 1e6:g} MB allowed",
            "raise ingest.max_file_mb to read it",
        )
    return Found(path, wanted.root, found.st_size, found.st_mtime_ns)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


# --- saying it -------------------------------------------------------------------------------


def _not_followed(links: Sequence[str], root: str) -> Notice:
    count = "1 link leads" if len(links) == 1 else f"{len(links)} links lead"
    first = f"{'' if len(links) == 1 else 'the first is '}{links[0]}".encode("utf-8", "backslashreplace").decode()
    return Notice("walk", f"{count} out of {root}, not followed: {first}", "add the target by its own path")


def _unreadable(path: str, problem: OSError) -> Notice:
    shown = path.encode("utf-8", "backslashreplace").decode()
    return Notice("walk", f"{shown} could not be read: {problem.strerror or problem}", "check its permissions")


def _missing(path: str, problem: OSError) -> Notice:
    """Says that a path is not there, and which name beside it was probably meant."""
    if not isinstance(problem, FileNotFoundError | NotADirectoryError):
        return _unreadable(path, problem)
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder)
    except OSError:
        return Notice("walk", f"{path} does not exist", f"check the path: there is no folder {folder}")
    close = get_close_matches(name, names, n=1) or [one for one in names if one.lower() == name.lower()]
    meant = f"did you mean {os.path.join(folder, close[0])}?" if close else "check the path"
    return Notice("walk", f"{path} does not exist", meant)
