"""Adding files, in the order it happens: walk → read → chunk → write. One screen.

Unchanged files are recognised by time and size, then by hash, and not read again. What was
done before an interruption stays done. One bad file is a notice, never the end.
"""

from __future__ import annotations

import os
from time import monotonic

from scrubjay.errors import NotText, ReadError, ScrubjayError
from scrubjay.ingest.chunk import chunk
from scrubjay.ingest.decode import HEAD_BYTES
from scrubjay.ingest.files import content_hash, load
from scrubjay.ingest.readers import kind_for, reader_for
from scrubjay.ingest.walk import Found, walk
from scrubjay.ingest.weave import weave
from scrubjay.memory.facts import facts_of
from scrubjay.types import AddReport, Draft, Notice, Progress
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scrubjay.ports import Reader, Store
    from scrubjay.types import FileState, Piece, Reading

    Tell = Callable[[Progress], None]

_BATCH_SECONDS = 1.0  # a transaction is closed this often, so that other writers get their turn
_BATCH_CHUNKS = 4000
_ANY = ""  # the hash of a file that is to be read again whatever is known of it: as another kind


class Options(NamedTuple):
    """How files are read; every field is a setting, filled in by the caller."""

    target_tokens: int = 300
    max_tokens: int = 400
    max_bytes: int = 200_000_000
    hidden: bool = False
    specs: bool = True
    links: bool = True
    readers: Mapping[str, Reader] = {}  # of other packages, by the ending of the files they read


class Request(NamedTuple):
    """One folder or file to bring in, with what is said of everything in it."""

    path: str
    tags: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    kind: str | None = None


class Item(NamedTuple):
    """A document that is ready to be written."""

    draft: Draft
    pieces: Sequence[Piece]
    known: FileState | None
    moved_from: FileState | None = None


class Ingest:
    """One run over one source; collects the counts and the notices."""

    def __init__(self, store: Store, options: Options, tell: Tell | None = None) -> None:
        self._store = store
        self._options = options
        self._tell = tell
        self._batch: list[Item] = []
        self._batch_chunks = 0
        self._batch_since = monotonic()
        self._counts = dict.fromkeys(("added", "changed", "removed", "skipped", "moved", "chunks", "left_out"), 0)
        self._notices: list[Notice] = []

    def report(self, seconds: float) -> AddReport:
        return AddReport(**self._counts, notices=tuple(self._notices), seconds=round(seconds, 3))

    def run(self, request: Request, *, remove_missing: bool) -> None:
        """Brings one source up to date."""
        root = os.path.abspath(os.path.expanduser(request.path)).replace(os.sep, "/")
        request = request._replace(path=root)
        found = self._walk(root, request)
        if not os.path.lexists(root):
            if remove_missing:
                self._forget(root)
            return
        if not found and not os.path.isdir(root):
            return  # a pipe, a device, a file that is too large: said by the walk, and nothing to come back to
        source = self._store.put_source(root, request.tags, request.exclude, request.kind)
        states = self._store.file_states(root)
        present = {file.path for file in found}
        missing = {path: state for path, state in states.items() if path not in present}
        try:
            self._read_all(found, states, missing, request, source)
        finally:
            self._flush()
        if remove_missing:
            self._remove(missing, root)
        self._store.source_read(source)

    def _forget(self, root: str) -> None:
        """A source that is gone. A file goes when its folder is there; of a folder, a disk may not be mounted."""
        states = self._store.file_states(root)
        if not states or (set(states) == {root} and os.path.isdir(os.path.dirname(root))):
            self._notices.pop()
            with self._store.writing():
                self._counts["removed"] += self._store.remove([state.id for state in states.values()])
                self._store.remove_source(root)
            return
        reason = f"{root} does not exist; what was read of it stays"
        self._notices[-1] = Notice("walk", reason, f"if it is gone for good: kb remove {root}")

    def _walk(self, root: str, request: Request) -> list[Found]:
        found: list[Found] = []
        own = os.path.abspath(self._store.location)  # the base may lie in the folder that is read
        for item in walk(
            [root],
            exclude=request.exclude,
            max_bytes=self._options.max_bytes,
            include_hidden=self._options.hidden,
            may_hold_text=lambda path: kind_for(path) is not None,
        ):
            if isinstance(item, Notice):
                self._notices.append(item)
            elif (self._options.specs or "specs" not in item.path.split("/")) and not _is_of(own, item.path):
                found.append(item)
                if self._tell is not None:
                    self._tell(Progress("walk", len(found), None, item.path))
        return found

    def _read_all(
        self,
        found: Sequence[Found],
        states: dict[str, FileState],
        missing: dict[str, FileState],
        request: Request,
        source: int,
    ) -> None:
        by_hash = {state.content_hash: state for state in missing.values() if not os.path.lexists(state.path)}
        size = 0
        for done, file in enumerate(found, 1):
            try:
                item = self._item(file, states.get(file.path), by_hash, request, source)
            except NotText:
                self._leave_out(file, states, missing, request)
            except (OSError, ScrubjayError) as error:
                self._notices.append(_unread(file.path, error))
            else:
                if item is not None:
                    if item.moved_from is not None:
                        missing.pop(item.moved_from.path, None)
                    self._put(item)
            size += file.size
            if self._tell is not None:
                self._tell(Progress("read", done, len(found), file.path, size))

    def _item(
        self, file: Found, known: FileState | None, gone: dict[str, FileState], request: Request, source: int
    ) -> Item | None:
        """What is to be written of a file; None when nothing is."""
        if known is not None and self._is_of_another_kind(known, request):
            known = known._replace(mtime_ns=None, content_hash=_ANY)
        if known is not None and (known.mtime_ns, known.size) == (file.mtime_ns, file.size):
            self._unchanged(known, request)
            return None
        reader: Reader | None = None

        def readable(head: bytes) -> bool:
            nonlocal reader
            reader = reader_for(file.path, head, self._options.readers)
            return reader is not None

        data = load(file.path, HEAD_BYTES, readable, self._options.max_bytes)
        if data is None or reader is None:
            raise NotText(f"{file.path} holds no text", "neither its name nor its first bytes are a text's")
        digest = content_hash(data)
        if known is not None and known.content_hash == digest:
            self._store.touch(known.id, file.mtime_ns, file.size)
            self._unchanged(known, request)
            return None
        reading = _read(reader, file.path, data)
        self._notices += reading.notices
        draft = _draft(file, reading, digest, request, source)
        pieces = chunk(reading, target=self._options.target_tokens, maximum=self._options.max_tokens)
        return Item(draft, pieces, known, gone.pop(digest, None) if known is None else None)

    def _is_of_another_kind(self, known: FileState, request: Request) -> bool:
        document = self._store.document(known.id) if request.kind is not None else None
        return document is not None and document.kind != request.kind

    def _leave_out(
        self, file: Found, states: dict[str, FileState], missing: dict[str, FileState], request: Request
    ) -> None:
        self._counts["left_out"] += 1
        if file.path in states:  # it was text when it was read last
            missing[file.path] = states[file.path]
        elif file.path == request.path:
            self._notices.append(Notice("read", f"{file.path} holds no text", "there is nothing in it to be found"))

    def _unchanged(self, known: FileState, request: Request) -> None:
        self._counts["skipped"] += 1
        if request.tags:
            document = self._store.document(known.id)
            missing = [tag for tag in request.tags if document is not None and tag not in document.tags]
            if missing:
                self._store.retag(known.id, missing, ())

    def _put(self, item: Item) -> None:
        self._batch.append(item)
        self._batch_chunks += len(item.pieces)
        if self._batch_chunks >= _BATCH_CHUNKS or monotonic() - self._batch_since > _BATCH_SECONDS:
            self._flush()

    def _flush(self) -> None:
        """Writes what waits in one transaction. Another process may have been here: look again."""
        batch, self._batch = self._batch, []
        if batch:
            with self._store.writing():
                fresh = [item for item in batch if not self._met_before(item)]
                written = self._store.put_many([(item.draft, item.pieces) for item in fresh])
                self._counts["added"] += len(written)
                self._counts["chunks"] += sum(done.added for done in written)
        self._batch_chunks, self._batch_since = 0, monotonic()

    def _met_before(self, item: Item) -> bool:
        """Whether the file is in the base under this or another path, and was seen to here."""
        now_known = self._store.file_state(item.draft.path or "")
        if now_known is None and item.moved_from is not None:  # it keeps its id; its title may be its name
            self._store.move(item.moved_from.id, item.draft.path or "", item.draft.path_words)
            self._store.put(item.draft, item.pieces)
            self._counts["moved"] += 1
        elif now_known is not None and now_known.content_hash == item.draft.content_hash and not _asked_for(item):
            self._counts["skipped"] += 1
        elif now_known is not None:
            self._counts["chunks"] += self._store.put(item.draft, item.pieces).added
            self._counts["changed"] += 1
        return now_known is not None or item.moved_from is not None

    def _remove(self, missing: dict[str, FileState], root: str) -> None:
        """Files that are gone, or left out now; those that merely cannot be looked at stay.

        What was added by a path of its own further in stays, too: it may be ignored only out here.
        """
        below = root.rstrip("/") + "/"
        inner = [source.path for source in self._store.sources() if source.path.startswith(below)]
        gone = []
        for path, state in missing.items():
            is_inner = any(path == other or path.startswith(other + "/") for other in inner)
            if _is_gone(path, root) and not (is_inner and os.path.lexists(path)):
                gone.append(state.id)
        with self._store.writing():
            self._counts["removed"] += self._store.remove(gone)


def _asked_for(item: Item) -> bool:
    return item.known is not None and item.known.content_hash == _ANY


def _read(reader: Reader, path: str, data: bytes) -> Reading:
    """The reading; a fault in a reader, which may be anybody's, costs its file and no other."""
    try:
        return reader.read(path, data)
    except (OSError, ScrubjayError):
        raise
    except Exception as fault:
        why = f"its reader failed with {type(fault).__name__}: {fault}"
        raise ReadError(f"{path} could not be read", why, "exclude it; everything else was read") from fault


def _draft(file: Found, reading: Reading, digest: str, request: Request, source: int) -> Draft:
    parent = os.path.dirname(file.root.rstrip("/"))
    modified = _stamp(file.mtime_ns)
    kind = request.kind or reading.kind
    tags = tuple(dict.fromkeys((*request.tags, *reading.tags)))
    created_at = reading.created_at or modified
    path_words = os.path.relpath(file.path, parent or "/").replace(os.sep, "/")
    return Draft(
        title=reading.title or os.path.splitext(os.path.basename(file.path))[0],
        kind=kind,
        path=file.path,
        tags=tags,
        created_at=created_at,
        modified_at=modified,
        summary=reading.summary,
        size=file.size,
        mtime_ns=file.mtime_ns,
        content_hash=digest,
        source_id=source,
        path_words=path_words,
        metadata=reading.metadata,
        # code and PDFs are not what somebody remembered; what lies above the folder says nothing of its notes
        memory=facts_of(reading.text, created_at=created_at, path=path_words, tags=tags, metadata=reading.metadata)
        if kind in ("markdown", "note")
        else None,
    )


def _is_of(base: str, path: str) -> bool:
    """Whether a file is the base, its journal, its lock or one of its caches."""
    return path.startswith(base) and path[len(base) : len(base) + 1] in ("", "-")


def _stamp(mtime_ns: int) -> str:
    from time import gmtime, strftime

    try:
        return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(mtime_ns / 1e9))
    except (OverflowError, ValueError, OSError):  # a clock gone wild
        return "1970-01-01T00:00:00Z"


def _is_gone(path: str, root: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    folder = path
    while len(folder) > len(root):
        folder = os.path.dirname(folder)
        if not os.access(folder, os.R_OK):  # it was not seen because its folder could not be listed
            return False
    return os.access(path, os.R_OK)  # it is there and readable, so it was left out on purpose


def _unread(path: str, error: Exception) -> Notice:
    if isinstance(error, ReadError):
        between = " " if error.what.endswith(".") else ": "
        return Notice("read", f"{error.what}{between}{error.why}".rstrip(": "), error.cure)
    if isinstance(error, ScrubjayError):
        raise error
    reason = getattr(error, "strerror", None) or str(error)
    return Notice("read", f"{path} could not be read: {reason}", "check its permissions; everything else was read")


def add(
    requests: Iterable[Request], store: Store, options: Options, tell: Tell | None = None, *, remove_missing: bool
) -> AddReport:
    """Reads every source; `remove_missing` also drops documents whose files are gone."""
    started = monotonic()
    ingest = Ingest(store, options, tell)
    for request in requests:
        ingest.run(request, remove_missing=remove_missing)
    if options.links:
        weave(store)
    return ingest.report(monotonic() - started)
