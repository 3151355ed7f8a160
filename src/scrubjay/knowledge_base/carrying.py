"""How a base goes elsewhere and comes back: as a copy of the file, or as lines of JSON."""

from __future__ import annotations

import os

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.types.carrying import Copied, Exported

    Path = str | os.PathLike[str]


class Carrying(Parts):
    """`backup` and `export`."""

    def backup(self, file: Path, *, force: bool = False) -> Copied:
        """Copies the base as it is now into one file, checked; others may write meanwhile."""
        return self.store.backup(os.fspath(file), force=force)

    def export(
        self, target: Path | Any, *, vectors: bool = False, history: bool = False, force: bool = False
    ) -> Exported:
        """Writes everything as JSON lines, into a file or to anything with a `write` for texts."""
        from scrubjay.knowledge_base.exporting import export

        return export(self.store, target, vectors=vectors, history=history, force=force)


def restore(file: Path, base: Path | None = None, *, force: bool = False) -> Copied:
    """Makes the base what the file holds; the present one is kept aside. It need not be readable."""
    from datetime import datetime

    from scrubjay.config import load
    from scrubjay.store.sqlite import copies

    asked = None if base is None else os.fspath(base)
    settings = load(base=asked)
    stamp = f"{datetime.now():%Y%m%d-%H%M%S}"
    busy = float(settings.get("store.busy_seconds"))
    return copies.restore(os.fspath(file), settings.base(asked), stamp, busy_seconds=busy, force=force)
