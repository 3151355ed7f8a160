"""What a person typed becomes words to look for and words to leave out.

Three things have a meaning: "quotes" make a phrase, a trailing `*` a beginning, a leading `-`
an exclusion. Everything else is text, whatever characters it holds: no input is an error.
"""

from __future__ import annotations

from scrubjay.search.stopwords import FILLER_WORDS, STOP_WORDS
from scrubjay.types import Term, Words
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# an exclusion or phrase opens only at the start of a word; an unclosed quote is just a quote
_PART = r'(?P<minus>-?)"(?P<phrase>[^"]*)"|(?P<word>\S+)'


def clean(text: str) -> str:
    """Text that every part below can hold: no NUL, no lone surrogates."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not text.isprintable():
        text = "".join(" " if letter < " " or letter == "\x7f" else letter for letter in text)
    return text.strip()


def parse(query: str) -> Words:
    """The words of a query, taken apart."""
    terms: list[Term] = []
    excluded: list[Term] = []
    kept: list[str] = []
    for minus, phrase, word in _parts(clean(query)):
        if phrase is None and len(word) > 1 and word[0] == "-" and word[1].isalnum():
            excluded.append(_word(word[1:]))
        elif phrase is None:
            terms.append(_word(word))
            kept.append(word)
        elif phrase.strip() and minus:
            excluded.append(Term(phrase.strip(), phrase=True))
        elif phrase.strip():
            terms.append(Term(phrase.strip(), phrase=True))
            kept.append(phrase.strip())
    return Words(" ".join(kept), tuple(terms), tuple(excluded))


def _parts(text: str) -> Iterator[tuple[str, str | None, str]]:
    """(minus, phrase or None, word), in order. `re` is imported only for who uses quotes."""
    if '"' not in text:
        for word in text.split():
            yield "", None, word
        return
    import re

    for part in re.finditer(_PART, text):
        yield part["minus"] or "", part["phrase"], part["word"] or ""


def _word(word: str) -> Term:
    if len(word) > 1 and word.endswith("*") and word[-2].isalnum():
        return Term(word[:-1], prefix=True)
    return Term(word, common=is_common(word))


def is_common(word: str) -> bool:
    """Whether the word carries grammar and no topic."""
    bare = word.strip("?!.,:;").lower()
    return bare in STOP_WORDS or (bare in FILLER_WORDS and not (word.isupper() and len(bare) > 1))  # US is no "us"
