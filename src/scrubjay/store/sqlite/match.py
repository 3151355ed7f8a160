"""Words become FTS5 expressions. Whatever a person types is text; nothing of it is syntax.

Every term is quoted, so `C++`, `a:b`, `NOT` and `(` are harmless. Plain words are joined by
OR: joined by AND, natural questions find nothing. Words that stand in every text are left out of
that when there are others: they find nothing by themselves, and in a small base they outvote it.
Terms in which FTS5 sees no word at all are left out before, because `"(" NOT "cake"` would mean "cake".
"""

from __future__ import annotations

from itertools import accumulate

from scrubjay.store.sqlite import cjk
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from scrubjay.types import Term, Words

    Tokenize = Callable[[str], list[str]]

MOST_TERMS = 120  # FTS5 refuses expressions much longer; more words than these add nothing


class Match(NamedTuple):
    """The expressions of one query; an empty one means that its table is not asked."""

    words: str  # for chunks_fts: any of the terms, bigrams for CJK runs
    phrase: str  # for chunks_fts: all terms, side by side, as typed
    trigram: str  # for chunks_trigram: every term of three and more characters, as typed
    unwanted: str  # joined with NOT to any of the first two
    cjk: bool


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def expressions(words: Words, tokenize: Tokenize) -> Match:
    """All that one query asks of the full-text tables."""
    terms = list(dict.fromkeys(words.terms))[:MOST_TERMS]
    telling = [term for term in terms if not term.common] or terms
    wanted = [part for term in telling for part in _term(term, tokenize)]
    plain = " ".join(term.text for term in terms)
    is_cjk = any(cjk.has_cjk(term.text) for term in terms)
    return Match(
        " OR ".join(dict.fromkeys(wanted)),
        _phrase(terms, plain, tokenize, is_cjk),
        _trigram(terms) if is_cjk else "",
        " OR ".join(dict.fromkeys(part for term in words.excluded for part in _whole(term, tokenize))),
        is_cjk,
    )


def without(expression: str, unwanted: str) -> str:
    return f"({expression}) NOT ({unwanted})" if unwanted else expression


def _term(term: Term, tokenize: Tokenize) -> Iterable[str]:
    """A term's alternatives, each an FTS5 expression."""
    if term.phrase:
        yield from _whole(term, tokenize)
        return
    pieces = cjk.split(term.text)
    for place, (piece, is_cjk) in enumerate(pieces):
        if is_cjk:
            yield from _pairs(piece)
        elif tokenize(piece):
            yield quoted(piece) + ("*" if term.prefix and place == len(pieces) - 1 else "")


def _pairs(run: str) -> list[str]:
    """Any pair of the run; one character alone finds every word that begins with it."""
    if len(run) == 1:
        return [f"bigrams : {quoted(run)} *"]
    return [f"bigrams : {quoted(run[i : i + 2])}" for i in range(len(run) - 1)]


def _whole(term: Term, tokenize: Tokenize) -> Iterable[str]:
    """A term as one thing: every part of it must be there, side by side."""
    parts = []
    for piece, is_cjk in cjk.split(term.text):
        if is_cjk:
            # neighbouring pairs are neighbouring tokens, so a phrase of pairs is the run itself
            pairs = [piece[i : i + 2] for i in range(len(piece) - 1)] or [piece]
            parts.append(f"bigrams : {quoted(' '.join(pairs))}" + (" *" if len(piece) == 1 else ""))
        elif tokenize(piece):
            parts.append(quoted(piece) + ("*" if term.prefix else ""))
    if parts:
        yield parts[0] if len(parts) == 1 else "(" + " AND ".join(parts) + ")"


def _phrase(terms: Sequence[Term], plain: str, tokenize: Tokenize, is_cjk: bool) -> str:
    """The words as typed, side by side; one plain word, or a long question, is no phrase."""
    if is_cjk or len(terms) < 2 or any(term.phrase or term.prefix for term in terms):
        return ""
    return quoted(plain) if 2 <= len(tokenize(plain)) <= 8 else ""


def _trigram(terms: Sequence[Term]) -> str:
    """Runs and words of three and more characters, all of them: trigrams cannot match less."""
    parts = [
        quoted(piece.strip())
        for term in terms
        for piece, is_cjk in cjk.split(term.text)
        if len(piece.strip()) >= 3 and (is_cjk or any(letter.isalnum() for letter in piece))
    ]
    return " AND ".join(dict.fromkeys(parts))


def plain_terms(words: Words, tokenize: Tokenize) -> list[str] | None:
    """The index words that `expressions` joins by OR, when they are nothing but that: no phrase,
    no beginning of a word, no CJK. Two spellings of one stem count twice, as in FTS5."""
    terms = list(dict.fromkeys(words.terms))[:MOST_TERMS]
    telling = [term for term in terms if not term.common] or terms
    found: list[str] = []
    for text in dict.fromkeys(term.text for term in telling):
        stems = tokenize(text)
        if len(stems) > 1 or cjk.has_cjk(text):
            return None
        found += stems
    return None if any(term.phrase or term.prefix for term in telling) else found


def bm25_terms(words: Words, tokenize: Tokenize) -> list[str]:
    """The index words of a query, for the BM25 channel: stems, and pairs of CJK runs."""
    found: list[str] = []
    for term in [term for term in words.terms if not term.common] or words.terms:
        for piece, is_cjk in cjk.split(term.text):
            if is_cjk:
                found += [piece[i : i + 2] for i in range(len(piece) - 1)] or [piece]
            else:
                found += tokenize(piece)
    return list(dict.fromkeys(found))[:MOST_TERMS]


def tokens(analyse: Any, text: str) -> list[tuple[int, int, str]]:
    """The words as a tokenizer of FTS5 sees them: where each begins and ends, in characters, and its stem."""
    from apsw import FTS5_TOKENIZE_DOCUMENT

    data = text.encode("utf-8", "replace")
    found = list(analyse(data, FTS5_TOKENIZE_DOCUMENT, None))
    if len(data) == len(text):
        return found
    # the index counts bytes; a reader counts characters
    place = list(accumulate((byte & 0xC0 != 0x80 for byte in data), initial=0))
    return [(place[start], place[end], token) for start, end, token in found]
