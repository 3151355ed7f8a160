"""An example to start your own reader from: subtitles (.srt) to plain, searchable speech.

A reader is any class with one method, `read(path, data) -> Reading`; nothing has to be
inherited. Give it to the program by an entry point in your own package's pyproject.toml:

    [project.entry-points."scrubjay.readers"]
    srt = "my_package.subtitles:SubtitleReader"

Three rules, which the contract suite (tests/contract/test_readers.py) checks: the spans cover
the text exactly and in order; bytes that are not what the name promises raise `ReadError` and
nothing else; everything that was guessed or left out is said in `notices`.
"""

from __future__ import annotations

import re

from scrubjay.errors import ReadError
from scrubjay.ingest.decode import decode
from scrubjay.types import Reading, Span

# A block is a number, a line of times, and the words; the clock of its beginning is kept.
_BLOCK = re.compile(r"\d+\r?\n(\d\d:\d\d:\d\d)[,.]\d+ --> [^\r\n]*\r?\n(.*?)(?:\r?\n\s*\r?\n|\s*\Z)", re.S)


class SubtitleReader:
    """One line a subtitle, and a span that opens with each minute."""

    def read(self, path: str, data: bytes) -> Reading:
        decoded = decode(data)  # handles every encoding; None means that it is not text
        blocks = _BLOCK.findall(decoded.text) if decoded else []
        if decoded is None or (not blocks and decoded.text.strip()):
            raise ReadError(f"{path} holds no subtitles", "no line of times was found", "check the file")
        lines, spans, at, minute = [], [], 0, ""
        for clock, words in blocks:
            line = " ".join(words.split()) + "\n"
            # `opens` asks for a new piece here; the trail is shown with each hit.
            spans.append(Span(at, at + len(line), (clock[:5],), opens=clock[:5] != minute))
            lines.append(line)
            at, minute = at + len(line), clock[:5]
        # kind is one of pdf, markdown, code, note; a title, tags and a date are welcome.
        return Reading("".join(lines), "note", title=path, spans=tuple(spans), notices=decoded.notices)
