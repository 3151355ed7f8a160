"""The verbs that change the base: init, add, update, note, tag and remove."""

from __future__ import annotations

import os

from scrubjay.cli import words
from scrubjay.cli.parse import closest
from scrubjay.errors import UnknownId, UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from scrubjay.cli.call import Call
    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.types import AddReport

    T = TypeVar("T")


def init(call: Call) -> int:
    import scrubjay
    from scrubjay.config import load, places

    if call["base"] and call.words:
        raise UsageError("--base and a folder exclude each other.", "", "Leave one of them out.")
    folder = os.path.abspath(os.path.expanduser(call.words[0])) if call.words else os.getcwd()
    base = call["base"] or os.path.join(folder, places.PROJECT_FOLDER, places.BASE_NAME)
    existed = os.path.exists(base)
    above = places.project_folder(os.path.dirname(folder))
    if not call["base"]:
        os.makedirs(os.path.dirname(base), exist_ok=True)
    with scrubjay.open(base, create=True):
        pass
    fetched = "" if call["no_model"] else _first_model(call)
    if call["json"]:
        _json(call, {"base": base, "created": not existed, "model": fetched})
        return 0
    shown = words.shorten_path(base)
    call.out.line(f"There is already a base in {shown}." if existed else f"Made {shown}.")
    if call["base"]:
        return 0
    if stronger := load().get("base"):
        call.console.hint(f"{stronger} is used all the same, because KB_BASE or the setting `base` names it.")
    elif above and not existed:
        call.console.hint(f"Below this folder it is used instead of {words.shorten_path(above)}.")
    if not existed and call.console.err.is_terminal:
        call.console.hint("Next: `kb add .`, then `kb search …`.")
    return 0


def _first_model(call: Call) -> str:
    """Fetches the default model when there is none and none was decided against; a failure is told, not raised."""
    from scrubjay import registry
    from scrubjay.config import load
    from scrubjay.errors import ScrubjayError

    config = load(base=call["base"])
    if config.get("embedder.name") != registry.AUTO or registry.installed(config):
        return ""
    from scrubjay.cli.models import fetch
    from scrubjay.embed.local.catalogue import DEFAULT, find

    call.console.hint(f"Fetching the embedding model {DEFAULT}, once …")
    try:
        fetch(call, find(DEFAULT), config)
    except ScrubjayError as error:
        call.console.notice("model", f"{error.what} {error.why}".strip(), "Search is by words until: kb models pull")
        return ""
    return DEFAULT


def add(call: Call) -> int:
    paths = [existing(path) for path in call.words]
    asked = {"tags": call["tags"], "kind": call["type"], "exclude": call["exclude"]}
    with call.open(create=True) as kb:
        report = with_progress(call, lambda progress: kb.add(paths, progress=progress, **asked))
    return _tell(call, report, "No files to read were found there.")


def update(call: Call) -> int:
    with call.open() as kb:
        report = with_progress(call, lambda progress: kb.update(progress=progress))
    return _tell(call, report, "Nothing was added yet: `kb add PATH` does that.")


def existing(path: str) -> str:
    """The path made whole; a UsageError that names the nearest one when it is not there."""
    if not path.strip():
        raise UsageError("A path is empty.", "A variable that is not set may stand there.", "Name a file or a folder.")
    whole = os.path.abspath(os.path.expanduser(path))
    if os.path.lexists(whole):
        return whole
    meant = _nearest_path(whole)
    raise UsageError(
        f"There is no file or folder {path!r}.",
        f"Did you mean {words.shorten_path(meant)}?" if meant else f"It was looked for as {whole}.",
    )


def _nearest_path(path: str) -> str | None:
    folder, name = os.path.split(path)
    while not os.path.isdir(folder):  # the slip may be in a folder's name
        folder, name = os.path.split(folder)
    try:
        entries = {entry.lower(): entry for entry in os.listdir(folder)}
    except OSError:
        return None
    near = closest(name, entries)
    return os.path.join(folder, entries[near]) if near else None


def with_progress(call: Call, work: Callable[[Any], T]) -> T:
    """Does the work with a bar on a terminal, which is gone when it is done."""
    bar = call.progress()
    try:
        return work(bar)
    finally:
        if bar is not None:
            bar.clear()


def _tell(call: Call, report: AddReport, nothing: str) -> int:
    if call["json"]:
        from scrubjay.cli.records import plain

        _json(call, plain(report))
        return 0
    call.notices(report.notices)
    counts = (
        (report.added, "added"),
        (report.changed, "changed"),
        (report.moved, "moved"),
        (report.removed, "removed"),
        (report.skipped, "unchanged"),
        (report.left_out, "without text left out"),
    )
    faint = ("unchanged", "without text left out")
    shown = [call.out.paint("faint" if name in faint else "title", f"{n:,} {name}") for n, name in counts if n]
    if not shown:
        call.out.line(nothing)
        return 0
    extra = [words.counted(report.chunks, "chunk")] if report.chunks else []
    extra += [f"{report.embedded:,} embedded"] if report.embedded else []
    more = call.out.paint("faint", " · " + " · ".join([*extra, words.duration(report.seconds)]))
    call.out.line(", ".join(shown) + more)
    return 0


_MORE = (
    ("memory_type", "memory_type"), ("importance", "importance"), ("trigger", "triggers"), ("project", "project"),
    ("session", "session"), ("source", "source"), ("link", "links"), ("supersedes", "supersedes"), ("new", "fresh"),
)  # fmt: skip


def note(call: Call) -> int:
    text = given_text(call)
    if not text.strip():
        raise UsageError("The note is empty.", "", "Write kb note 'some text', or pipe it in: … | kb note -")
    more = {argument: call[option] for option, argument in _MORE if call[option]}
    with call.open(create=True) as kb:
        done = kb.remember(text, title=call["title"], tags=call["tags"], created_at=call["date"], **more)
    if call["json"]:
        from scrubjay.cli.memory import remembered_record

        _json(call, remembered_record(done))
        return 0
    call.out.line(done.id)
    if done.again:
        call.console.hint("This was known, word for word; it is firmer now.")
    call.notices(done.notices)
    return 0


def given_text(call: Call) -> str:
    """The words as one text; that of the standard input for a dash alone."""
    return _standard_input(call) if call.words == ("-",) else " ".join(call.words)


def _standard_input(call: Call) -> str:
    import sys

    if sys.stdin is None:
        return ""
    if sys.stdin.isatty():
        call.console.hint("Write the text; Ctrl-D on a line of its own ends it.")
    stream = getattr(sys.stdin, "buffer", None)
    return stream.read().decode("utf-8", "replace") if stream is not None else sys.stdin.read()


def tag(call: Call) -> int:
    id, *changes = call.words
    add: list[str] = []
    remove: list[str] = []
    for change in changes:
        names = remove if change.startswith("-") else add
        names += [name for name in change.lstrip("+-").split(",") if name.strip()]
    if not add and not remove:
        raise UsageError("No tag was named.", "It is written kb tag ID +new -old.")
    with call.open() as kb:
        now = kb.tag(id, add=add, remove=remove)
    if call["json"]:
        _json(call, {"id": id, "tags": list(now)})
    else:
        call.out.line(call.out.paint("tag", ", ".join(now)) if now else "no tags")
    return 0


def remove(call: Call) -> int:
    removed = 0
    with call.open() as kb:
        for target in call.words:
            try:
                removed += kb.remove(target)
            except UnknownId as error:
                raise _suggesting(kb, target, error) from None
    if call["json"]:
        _json(call, {"removed": removed})
    else:
        call.out.line(f"{words.counted(removed, 'document')} removed from the base.")
    return 0


def _suggesting(kb: KnowledgeBase, target: str, error: UnknownId) -> UnknownId:
    """The same error, with the path that was probably meant."""
    if os.sep not in target and "." not in target:
        return error
    paths = [document.path for document in kb.list() if document.path is not None]
    near = closest(os.path.abspath(target), paths)
    return UnknownId(error.what, error.why, f"Did you mean {words.shorten_path(near)}?" if near else error.cure)


def _json(call: Call, value: dict[str, Any]) -> None:
    from scrubjay.cli.output import print_json

    print_json(call.out, value)
