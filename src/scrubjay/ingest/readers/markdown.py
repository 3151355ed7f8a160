"""Reads Markdown: front matter, headings with their trail, fences, tables, lists and tags.

The text is the file's, untouched, so that line numbers are those an editor shows. What the
front matter says of title, tags and date is believed; the rest of it is kept as metadata.
"""

from __future__ import annotations

import re

from scrubjay.ingest.readers._marks import Mark, date_in, spans_from, stem_of, with_date_of_name
from scrubjay.ingest.readers._texts import text_of
from scrubjay.ingest.readers.front_matter import front_matter
from scrubjay.ingest.readers.markdown_blocks import blocks_of
from scrubjay.types import Notice, Reading, Span
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_TAG = re.compile(r"(?<![^\s(（。，、；：！？])#([^\W\d_][\w/-]*)(?![\w#(])")
_CODE = re.compile(r"`[^`\n]+`|<[^>\n]{0,300}>|\]\([^)\n]{0,300}\)|^ {0,3}\[[^\]\n]{1,300}\]:.*$", re.M)
_INDENTED = re.compile(r"^(?: {4}|\t).*$", re.M)  # code, but in a list, where it is a step further in
_COLOUR = re.compile(r"[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3}){0,1}(?:[0-9a-fA-F]{2})?")
_DATES = ("created_at", "created", "date", "published", "pubdate")
_SUMMARIES = ("description", "summary", "abstract", "excerpt")
_MOST_TAGS = 50


class MarkdownReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        text, notices = text_of(path, data)
        reading = markdown_reading(text, stem_of(path))
        return with_date_of_name(reading._replace(notices=notices + reading.notices), path)


def markdown_reading(text: str, stem: str) -> Reading:
    """The reading of Markdown text; `stem` is its title if it has none of its own."""
    facts, end, notices = front_matter(text)
    blocks = blocks_of(text, end)
    head = [Mark(0, (), "data")] if end else []
    body = [Mark(end, (), "prose", True)] if end and not (blocks.marks and blocks.marks[0].start == end) else []
    spans = spans_from([*head, *body, *blocks.marks], len(text))
    taken, created_at, late = _created(facts)
    title = _line(facts.get("title")) or blocks.title or stem
    summary = next((_line(facts[key]) for key in _SUMMARIES if _line(facts.get(key))), "")
    tags = _unique([*_list(facts.get("tags")), *_list(facts.get("tag")), *_inline_tags(text, spans)])
    metadata = {key: value for key, value in facts.items() if key not in ("title", "tags", "tag", taken)}
    for key in ("trigger_phrases", "aliases"):
        if key in metadata:
            metadata[key] = _list(metadata[key])
    if blocks.anchors:
        metadata["anchors"] = {name: list(lines) for name, lines in blocks.anchors.items()}
    return Reading(text, "markdown", title, spans, tags, created_at, summary, metadata, notices + late)


def _created(facts: dict[str, Any]) -> tuple[str, str | None, tuple[Notice, ...]]:
    """Which fact is the date, the date, and a notice when it is none."""
    for key in _DATES:
        if facts.get(key) not in (None, ""):
            found = date_in(str(facts[key]))
            if found:
                return key, found, ()
            return "", None, (Notice("read", f"{key}: {facts[key]} is not a date", "write it as 2026-01-31"),)
    return "", None, ()


def _line(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _list(value: Any) -> list[str]:
    """A list however it was written: as a list, with commas, as one word."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{key}: {one}" for key, one in value.items()]
    if isinstance(value, list):
        return [text for one in value for text in (_list(one) if isinstance(one, dict) else [_line(one)]) if text]
    return [part.strip() for part in str(value).split(",") if part.strip()]


def _unique(tags: Iterable[str]) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for tag in tags:
        bare = tag.lstrip("#").strip()
        if bare:
            kept.setdefault(bare.casefold(), bare)
    return tuple(kept.values())


def _inline_tags(text: str, spans: Sequence[Span]) -> list[str]:
    """#tags in the prose: not in code, not in links, not colours like #ffcc00."""
    found: dict[str, None] = {}
    if "#" not in text:
        return []
    for span in spans:
        if span.form not in ("prose", "list", "table", "heading"):
            continue
        part = text[span.start : span.end]
        if "#" not in part:
            continue
        if span.form != "list":
            part = _INDENTED.sub("", part)
        for match in _TAG.finditer(_CODE.sub(" ` ", part)):
            if not _COLOUR.fullmatch(match.group(1)):
                found[match.group(1).rstrip("/-")] = None
            if len(found) >= _MOST_TAGS:
                return list(found)
    return list(found)
