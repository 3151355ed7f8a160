"""Reads plain text: as it is, one stretch, to be cut at its blank lines."""

from __future__ import annotations

from scrubjay.ingest.readers._marks import Mark, spans_from, stem_of, with_date_of_name
from scrubjay.ingest.readers._texts import text_of
from scrubjay.types import Reading


class TextReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        text, notices = text_of(path, data)
        spans = spans_from([Mark(0)], len(text))
        return with_date_of_name(Reading(text, "note", stem_of(path), spans, notices=notices), path)
