"""Makes text out of bytes without losing any, and says so when it had to guess.

Most files are UTF-8 and pass straight through. For the others the order is: a mark at the
beginning, UTF-16 or UTF-32 without one, UTF-8 with a few bad bytes, what the file says of
itself, and only then a guess. Bytes that are no text in any encoding give None. What comes out
can always be stored: no NUL, no half of a surrogate pair; everything else, line ends included,
is as it was.
"""

from __future__ import annotations

import codecs
import re

from scrubjay.types import Notice
from scrubjay.types.base import NamedTuple

HEAD_BYTES = 8192  # enough to tell text from binary
REPLACEMENT = "\ufffd"
_MARKS = (  # the 32-bit marks first: one of them begins with a 16-bit mark
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\b\x1b")) + b"\x7f"
_NOT_CONTROLS = bytes(set(range(256)) - set(_CONTROLS))
_NOT_ASCII = bytes(range(128, 256))
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Decoded(NamedTuple):
    """A text, the encoding it was read as, and notices on what was guessed or replaced."""

    text: str
    encoding: str
    notices: tuple[Notice, ...] = ()


def decode(data: bytes) -> Decoded | None:
    """The text of `data`, or None when it is not text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    head = data[:HEAD_BYTES]
    if b"\x00" in head:
        wide = _without_mark(head, len(data))
        if wide:
            return _decoded(data, wide, guessed=True)
    if looks_binary(head):
        return None
    try:
        return _stored(data.decode("utf-8"), "utf-8", ())
    except UnicodeDecodeError:
        pass
    if b"\x00" in head or looks_binary(data):  # a script with an archive behind it begins like a text
        return None
    from scrubjay.ingest.detect import declared, detect

    if _mostly_utf8(data):
        return _decoded(data, "utf-8")
    return _decoded(data, declared(data) or detect(data), guessed=True)


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes of a file are no text in any encoding."""
    if any(head.startswith(mark) for mark, _ in _MARKS):
        return False
    controls = len(head.translate(None, _NOT_CONTROLS))
    return controls > max(1, len(head) // 20) and _without_mark(head, len(head)) is None


def storable(text: str) -> str:
    """`text` with what no database can keep (NUL, half a surrogate pair) replaced by U+FFFD."""
    if "\x00" not in text:
        if text.isascii():
            return text
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            pass
        else:
            return text
    return _UNSTORABLE.sub(REPLACEMENT, text)


def _decoded(data: bytes, encoding: str, guessed: bool = False) -> Decoded:
    text = data.decode(encoding, "replace")
    if guessed:
        remedy = "save it as UTF-8 if letters look wrong"
        return _stored(text, encoding, (Notice("decode", f"not UTF-8; read as {encoding}", remedy),))
    bad = text.count(REPLACEMENT) - (data.count(REPLACEMENT.encode(encoding)) if encoding == "utf-8" else 0)
    if bad > 0 and not _is_valid(data, encoding):
        reason = f"not valid {encoding.upper()}; {bad} unreadable places were replaced"
        return _stored(text, encoding, (Notice("decode", reason, "save it again as UTF-8"),))
    return _stored(text, encoding, ())


def _stored(text: str, encoding: str, notices: tuple[Notice, ...]) -> Decoded:
    if "\x00" in text:
        reason = f"{text.count(chr(0))} NUL characters were replaced"
        notices += (Notice("decode", reason, "nothing to do unless the file should have none"),)
    return Decoded(storable(text), encoding, notices)


def _is_valid(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _without_mark(head: bytes, size: int) -> str | None:
    """UTF-16 or UTF-32 that does not say so, known by its head being sound text throughout."""
    for encoding, width in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        whole = head[: len(head) - len(head) % width]
        if whole and (size % width == 0 or size > len(head) or len(head) == HEAD_BYTES) and _is_sound(whole, encoding):
            return encoding
    return None


def _is_sound(data: bytes, encoding: str) -> bool:
    try:  # an incremental decoder, because the head may end inside a surrogate pair
        text = codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return False
    readable = sum(char.isprintable() or char in "\t\r\n\f" for char in text)
    everyday = sum(char in " \t\r\n.,;:" or char.isalnum() for char in text)
    return readable >= 0.99 * len(text) and everyday >= 0.5 * len(text) and any(char < "\x80" for char in text)


def _mostly_utf8(data: bytes) -> bool:
    """Whether it is UTF-8 with a few bad bytes in it: another encoding is not so by accident."""
    from scrubjay.ingest.detect import sample_of

    sample = sample_of(data)
    text = sample.decode("utf-8", "replace")
    bad = text.count(REPLACEMENT)
    good = len(text) - bad - len(sample.translate(None, _NOT_ASCII))
    return good > 2 * bad
