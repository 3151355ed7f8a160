"""What a person typed becomes words to look for and words to leave out.

Three things have a meaning: "quotes" make a phrase, a trailing `*` a beginning, a leading `-`
an exclusion. Everything else is text, whatever characters it holds: no input is an error.
"""

from __future__ import annotations

import re

from scrubjay.types import Term, Words

# an exclusion or phrase opens only at the start of a word; an unclosed quote is just a quote
_PART = re.compile(r'(?P<minus>-?)"(?P<phrase>[^"]*)"|(?P<word>\S+)')
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f]")


def clean(text: str) -> str:
    """Text that every part below can hold: no NUL, no lone surrogates."""
    return _UNPRINTABLE.sub(" ", text.encode("utf-8", "replace").decode("utf-8")).strip()


def parse(query: str) -> Words:
    """The words of a query, taken apart."""
    text = clean(query)
    terms: list[Term] = []
    excluded: list[Term] = []
    kept: list[str] = []
    for part in _PART.finditer(text):
        phrase, word = part["phrase"], part["word"]
        if phrase is not None:
            target = excluded if part["minus"] else terms
            if phrase.strip():
                target.append(Term(phrase.strip(), phrase=True))
                if target is terms:
                    kept.append(phrase.strip())
            continue
        if len(word) > 1 and word[0] == "-" and word[1].isalnum():
            excluded.append(_word(word[1:]))
            continue
        terms.append(_word(word))
        kept.append(word)
    return Words(" ".join(kept), tuple(terms), tuple(excluded))


def _word(word: str) -> Term:
    if len(word) > 1 and word.endswith("*") and word[-2].isalnum():
        return Term(word[:-1], prefix=True)
    return Term(word)
