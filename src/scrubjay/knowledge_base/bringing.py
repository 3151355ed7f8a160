"""Which way an import takes: records from a file, or a folder that is read and followed."""

from __future__ import annotations

import os

from scrubjay.errors import UsageError
from scrubjay.ingest.importers import forms
from scrubjay.ingest.importers.forms import FOLDERS as FOLDERS
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.carrying import ImportReport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.types import AddReport, Notice
    from scrubjay.types.carrying import Told


def recognised(path: str, asked: str | None) -> str:
    """The form of what lies at a path; a UsageError that says what could be meant otherwise."""
    if not os.path.lexists(path):
        raise UsageError(f"There is no file or folder {path}.", "", "Check the path.")
    if asked is not None and asked not in forms.FORMS:
        raise UsageError(f"There is no form {asked!r}.", f"The forms are {', '.join(forms.FORMS)}.")
    if asked is not None and (asked in forms.FOLDERS) != os.path.isdir(path):
        kind = "a folder" if asked in forms.FOLDERS else "a file"
        raise UsageError(f"{path} is not {kind}.", f"{asked} is one.", "Leave --from out to have it recognised.")
    form = asked or forms.detect(path)
    if form == forms.SQLITE:
        from scrubjay.store.sqlite.foreign import form_of

        form = form_of(path)
        if form == "base":
            raise UsageError(
                f"{path} is a base.", "A base is put back or exported, not imported.",
                f"kb restore {path}, or kb export --base {path} | kb import -",
            )  # fmt: skip
    if form is None:
        raise UsageError(
            f"{path} is no export that is known.", f"The forms are {', '.join(forms.FORMS)}.",
            f"Files and folders are added with: kb add {path}",
        )  # fmt: skip
    return form


def feed(path: str, form: str) -> Iterator[Told | Notice]:
    """The records of a file in that form."""
    if form == "jsonl":
        return forms.lines(path)
    from scrubjay.store.sqlite.foreign import records

    return records(path, form)


def as_import(form: str, report: AddReport) -> ImportReport:
    """What reading a folder did, in the words of an import."""
    return ImportReport(
        form, added=report.added, same=report.skipped + report.moved, replaced=report.changed,
        embedded=report.embedded, notices=report.notices,
    )  # fmt: skip
