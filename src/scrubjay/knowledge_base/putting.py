"""What comes into a base: files, notes, and another model's vectors for them."""

from __future__ import annotations

import os
from time import perf_counter

from scrubjay.errors import UsageError
from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from scrubjay.knowledge_base.watching import Watch
    from scrubjay.types import AddReport, Notice, Progress, ReindexReport
    from scrubjay.types.carrying import ImportReport, Told
    from scrubjay.types.watching import Noticed

    Tell = Callable[[Progress], None]
    Path = str | os.PathLike[str]


class Putting(Parts):
    """`add`, `update`, `watch`, `import_`, `reindex` and `notes`."""

    def add(
        self,
        paths: Path | Sequence[Path],
        *,
        tags: Sequence[str] | str = (),
        kind: str | None = None,
        exclude: Sequence[str] = (),
        progress: Tell | None = None,
    ) -> AddReport:
        """Reads files and folders into the base; what is unchanged is skipped."""
        from scrubjay.ingest.pipeline import Request
        from scrubjay.search.plan import one_of, split_tags
        from scrubjay.types import KINDS

        wanted = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        if not wanted:
            raise UsageError("No path was given.", "There is nothing to add.", "kb add FOLDER")
        if not all(os.fspath(path).strip() for path in wanted):
            raise UsageError("A path is empty.", "It would mean the current folder.", "Write . for the current folder.")
        checked = None if kind is None else one_of("type", kind, KINDS)
        labels = split_tags(tags)
        requests = [Request(os.fspath(path), labels, tuple(exclude), checked) for path in wanted]
        return self._ingest(requests, progress, remove_missing=False)

    def update(self, *, progress: Tell | None = None) -> AddReport:
        """Reads every source again: new, changed, renamed and deleted files are followed."""
        from scrubjay.ingest.pipeline import Request

        requests = [Request(source.path, source.tags, source.exclude, source.kind) for source in self.store.sources()]
        return self._ingest(requests, progress, remove_missing=True)

    def watch(
        self,
        *,
        every: float = 2.0,
        tell: Callable[[Noticed], None] | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Follows everything that was added, until `wait` says something true or raises."""
        from time import sleep

        self._watch(tell or (lambda _: None)).run(every, wait or sleep)

    def _watch(self, tell: Callable[[Noticed], None]) -> Watch:
        from scrubjay.ingest.lookout import Lookout
        from scrubjay.knowledge_base.watching import Watch

        get = self.config.get
        lookout = Lookout(
            self.store.location, hidden=get("ingest.hidden"), max_bytes=get("ingest.max_file_mb") * 1_000_000
        )
        return Watch(self.store, lookout, lambda requests: self._ingest(requests, None, remove_missing=True), tell)

    def _ingest(self, requests: Iterable[Any], progress: Tell | None, *, remove_missing: bool) -> AddReport:
        from scrubjay import registry
        from scrubjay.ingest.pipeline import Options, add
        from scrubjay.knowledge_base.alerting import evaluate
        from scrubjay.knowledge_base.background import Beside
        from scrubjay.knowledge_base.rereadable import keep_tokens
        from scrubjay.knowledge_base.tuning import tune_if_worth_it
        from scrubjay.search.wording import list_words

        start = perf_counter()
        get = self.config.get
        readers, notices = registry.readers()
        options = Options(
            get("ingest.target_tokens"), get("ingest.max_tokens"), get("ingest.max_file_mb") * 1_000_000,
            get("ingest.hidden"), get("ingest.specs"), get("graph.enabled"), readers,
        )  # fmt: skip
        with Beside(self._meaning, progress) as beside:
            report = add(requests, self.store, options, progress, remove_missing=remove_missing)
            list_words(self.store)
        kept = keep_tokens(self.store, self.config, self._meaning, progress)
        told = evaluate(self.store, self.config, self._meaning)
        tune_if_worth_it(self.store, self.config, self._meaning, perf_counter() - start)
        spent = round(perf_counter() - start, 3)  # all that was waited for, the embedding too
        told = [*notices, *report.notices, *beside.notices, *kept, *told]
        return report._replace(embedded=beside.embedded, notices=tuple(told), seconds=spent)

    def import_(
        self,
        source: Path | Iterable[Told | Notice],
        *,
        form: str | None = None,
        replace: bool = False,
        progress: Tell | None = None,
    ) -> ImportReport:
        """Takes in an export, or what another program keeps; what is there already is passed over."""
        from scrubjay.knowledge_base.bringing import FOLDERS, as_import, feed, recognised
        from scrubjay.knowledge_base.importing import take_in

        if isinstance(source, str | os.PathLike):
            path = os.path.abspath(os.path.expanduser(os.fspath(source)))
            form = recognised(path, form)
            if form in FOLDERS:
                return as_import(form, self.add(path, progress=progress))
            source = feed(path, form)
        return take_in(
            source, form or "records", self.store, self.config, self._meaning, replace=replace, tell=progress
        )

    def reindex(self, model: str | None = None, *, progress: Tell | None = None) -> ReindexReport:
        """Changes over to another model; the old vectors answer until the new are complete."""
        from scrubjay.knowledge_base.reindex import reindex

        return reindex(self.store, self.config, self._meaning, model, progress)

    def notes(self, items: Iterable[Mapping[str, Any]], *, replace: bool = False) -> list[str]:
        """Keeps many texts at once, at bulk speed, and returns their ids in order."""
        from scrubjay.knowledge_base.bulk import write_notes

        return write_notes(items, self.store, self.config, self._meaning, replace=replace)
