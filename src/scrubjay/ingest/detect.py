"""Guesses the encoding of text that is not UTF-8 and does not say what it is.

The detector library is good at Chinese, Japanese and Korean and at long texts, and unreliable
for the commonest case of all: a page of Western or Russian prose with one byte a letter. There
the shape of words decides: read in the right encoding, capitals stand at the beginning of words
and signs stand outside of them; in a wrong one they do not.
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE_BYTES = 1 << 16
FALLBACK = "cp1252"
_HIGH_LINES = re.compile(rb"[^\n]{0,2048}[\x80-\xff][^\n]{0,2048}\n?")
_DECLARED = re.compile(rb"(?:charset|encoding|coding)\s*[:=]\s*[\"']?([A-Za-z][\w.:-]{1,30})")
_WIDER = {  # what is named, and the larger encoding that contains it and is what was meant
    **dict.fromkeys(("gb2312", "gbk", "hz", "cp936"), "gb18030"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin-1", "latin_1", "ascii", "us-ascii"), FALLBACK),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis"), "cp932"),
    **dict.fromkeys(("euc_kr", "euc-kr", "ks_c_5601-1987"), "cp949"),
}
_WESTERN_LETTERS = frozenset("àâäáãåæçéèêëíìîïñóòôöõøœúùûüÿßÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜ")
_WESTERN_SIGNS = frozenset("“”‘’–—…€£¥§©®™°«»·•¿¡ªº´²³½¼¾±×÷¢µ¶\u00a0\u00ad")
_SIGNS_TOGETHER = re.compile(f"[{''.join(sorted(_WESTERN_SIGNS - {'…', '—', chr(0xA0)}))}]{{3}}")
_WORD = re.compile(r"[^\W\d_]+")
_SURE = 0.95


def sample_of(data: bytes) -> bytes:
    """The lines of `data` that are not plain ASCII, as far as a guess needs them."""
    parts, size = [], 0
    for match in _HIGH_LINES.finditer(data):
        parts.append(match.group())
        size += len(parts[-1])
        if size >= SAMPLE_BYTES:
            break
    return b"".join(parts)


def declared(data: bytes) -> str | None:
    """The encoding that a page or a script names in its first lines, if it can be that."""
    match = _DECLARED.search(data[:2048])
    if match is None:
        return None
    name = match.group(1).decode("ascii").lower()
    name = _WIDER.get(name, name)
    try:
        read = data.decode(name)
    except (LookupError, UnicodeError):
        return None
    return name if isinstance(read, str) else None


def detect(data: bytes) -> str:
    """The most probable encoding of `data`; always one that Python knows."""
    sample = sample_of(data)
    for encoding, letters_are_right in (("cp1252", _is_western), ("cp1251", _is_cyrillic), ("koi8_r", _is_cyrillic)):
        if _fits(sample, encoding, letters_are_right):
            return encoding
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    if best is None or best.encoding in ("ascii", "utf_7", "utf_8", "utf_16", "utf_32"):
        return FALLBACK
    return _WIDER.get(best.encoding, best.encoding)


def _fits(sample: bytes, encoding: str, letters_are_right: Callable[[str], bool]) -> bool:
    """Whether nearly all that is not ASCII makes sense when read in `encoding`."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    signs = sum(char in _WESTERN_SIGNS for char in text)
    foreign = sum(char > "\x7f" for char in text)
    right = sum(
        sum(char > "\x7f" for char in word)
        for word in _WORD.findall(text)
        if not word.isascii() and _is_shaped(word) and letters_are_right(word)
    )
    return right + signs >= _SURE * foreign and not _SIGNS_TOGETHER.search(text)


def _is_shaped(word: str) -> bool:
    return word.islower() or word.istitle() or word.isupper() or word[1:].islower()


def _is_western(word: str) -> bool:
    return all(char < "\x80" or char in _WESTERN_LETTERS for char in word)


def _is_cyrillic(word: str) -> bool:
    """Small letters mostly: read in the other Cyrillic encoding, small and capital change places."""
    small = sum(char.islower() for char in word)
    return 2 * small >= len(word) - (len(word) == 1) and all("\u0400" <= char <= "\u04ff" for char in word)
