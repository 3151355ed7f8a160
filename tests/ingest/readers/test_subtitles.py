"""The example that plug-ins start from does what its own text promises."""

from __future__ import annotations

import pytest

from samples import SUBTITLES
from scrubjay.errors import ReadError
from scrubjay.ingest.readers._example import SubtitleReader


def test_one_line_a_subtitle_and_a_span_a_minute() -> None:
    reading = SubtitleReader().read("/films/a.srt", SUBTITLES.encode())
    assert reading.text == "Good evening.\nTonight: the quince and its jelly.\n"
    assert [(span.trail, span.opens) for span in reading.spans] == [(("00:00",), True), (("00:01",), True)]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends(ends: str) -> None:
    assert SubtitleReader().read("/films/a.srt", SUBTITLES.replace("\n", ends).encode()).text.count("\n") == 2


@pytest.mark.parametrize("data", [b"no times at all", b"\x00" * 100, b"1\nnot a time\nwords\n"])
def test_what_holds_none(data: bytes) -> None:
    with pytest.raises(ReadError, match="no subtitles"):
        SubtitleReader().read("/films/a.srt", data)
