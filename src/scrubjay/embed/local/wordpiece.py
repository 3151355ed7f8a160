"""WordPiece: text to the token ids of a BERT model, exactly as the model was trained.

The usual library for this needs longer to import than our tokenizer needs to load its vocabulary,
and what it is famous for, speed in bulk, is not what limits us: a chunk costs the model fifty times
as much as this file does, because each character is normalised once (a table that fills itself, used
through `str.translate`) and each word is cut into pieces once (docs/adr: local models).

The rules are those of `BertNormalizer` and `BertPreTokenizer`, and the tests compare the ids over
arbitrary text. One difference is left: characters that Unicode added after those tables were made
may be punctuation or marks here and letters there. Every vocabulary calls them unknown either way.
"""

from __future__ import annotations

import re
import unicodedata

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_WORD = 100  # characters; a longer "word" is one unknown token
CACHED_WORDS = 60_000  # about 10 MB; emptied when full, so that memory stays flat

# Reclassified since the reference tables were made: a sign, a vowel mark, two letters, a punctuation mark.
RECLASSIFIED = {0x166D: " \u166d ", 0x1734: "", 0x1885: "\u1885", 0x1886: "\u1886", 0x111C9: " \U000111c9 "}
IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")


class WordPiece:
    """One vocabulary. Safe to use from several threads: its caches only ever gain true entries."""

    def __init__(self, vocabulary: Mapping[str, int], *, lowercase: bool = True) -> None:
        self._ids = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self._first, self._last = vocabulary["[CLS]"], vocabulary["[SEP]"]
        self._longest = max(map(len, vocabulary))
        self._normal = _Characters(lowercase)
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str, limit: int) -> list[int]:
        """At most `limit` ids, the marks for beginning and end included."""
        ids = [self._first]
        # A text that spells out "[SEP]" means the mark itself, to the reference as to us.
        parts = SPECIAL.split(text) if "[" in text else [text]
        for number, part in enumerate(parts):
            if number % 2:
                ids.append(self._ids[part])
            else:
                self._append(ids, part, limit)
        del ids[limit - 1 :]
        ids.append(self._last)
        return ids

    def _append(self, ids: list[int], text: str, limit: int) -> None:
        known = self._words
        for word in text.translate(self._normal).split():
            pieces = known.get(word)
            if pieces is None:
                if len(known) >= CACHED_WORDS:
                    known.clear()
                pieces = known[word] = self._pieces(word)
            ids.extend(pieces)
            if len(ids) >= limit:
                return

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest known beginning, then the longest known continuation, and so on."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._ids.get(mark + word[start:end])
                if piece is not None:
                    found.append(piece)
                    break
            else:
                return (self._unknown,)
            start, mark = end, "##"
        return tuple(found)


class _Characters(dict[int, str]):
    """What each character becomes, worked out when it is first met. For `str.translate`."""

    def __init__(self, lowercase: bool) -> None:
        super().__init__(RECLASSIFIED)
        self._lowercase = lowercase

    def __missing__(self, code: int) -> str:
        self[code] = normal = self._normalised(code)
        return normal

    def _normalised(self, code: int) -> str:
        char = chr(code)
        if char in "\t\n\r":
            return " "
        if code in (0, 0xFFFD) or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
            return ""
        if char.isspace():
            return " "
        if any(low <= code <= high for low, high in IDEOGRAPHS):
            spaced = f" {char} "
            return unicodedata.normalize("NFD", spaced) if self._lowercase else spaced
        if not self._lowercase:
            return _spaced(char)
        bare = (part for part in unicodedata.normalize("NFD", char) if unicodedata.category(part) != "Mn")
        return "".join(_spaced(small) for part in bare for small in part.lower())


def _spaced(char: str) -> str:
    """Punctuation stands alone; ASCII signs such as + and $ count as punctuation."""
    is_ascii_sign = char.isascii() and char.isprintable() and not char.isalnum() and char != " "
    return f" {char} " if is_ascii_sign or unicodedata.category(char)[0] == "P" else char
