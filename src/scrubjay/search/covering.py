"""Whether a passage is about a query: how many of its telling words stand in it.

A search ranks and always has a first; a saved search has to say yes or no. The share of the
query's words that one passage covers tells the two apart far better than any score.
"""

from __future__ import annotations

from math import ceil

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrubjay.types import Term, Words

    Tokens = Callable[[str], Sequence[tuple[int, int, str]]]

ALL_UP_TO = 3  # of so few words every one must be there
SHARE = 0.75  # of more, this part


def telling(words: Words) -> list[Term]:
    """The words that count: all but "how", "the" and their like, unless there are no others."""
    terms = list(dict.fromkeys(words.terms))
    return [term for term in terms if not term.common] or terms


def share(words: Words, text: str, tokens: Tokens) -> float:
    """Which part of the telling words stands in the text, in whatever form the index takes for the same."""
    terms = telling(words)
    if not terms:
        return 0.0
    stems = [stem for _, _, stem in tokens(text)]
    lower = text.lower()
    return sum(_stands(term, stems, lower, tokens) for term in terms) / len(terms)


def enough(words: Words, covered: float) -> bool:
    """Every word of a short query; three quarters of a long one."""
    count = len(telling(words))
    needed = count if count <= ALL_UP_TO else ceil(SHARE * count)
    return count > 0 and round(covered * count) >= needed


def _stands(term: Term, stems: Sequence[str], lower: str, tokens: Tokens) -> bool:
    wanted = [stem for _, _, stem in tokens(term.text)]
    if not wanted:
        return term.text.lower() in lower
    if term.prefix:
        return any(word.startswith(term.text.lower()) for word in lower.split()) or wanted[-1] in stems
    if len(wanted) > 1 or term.phrase:
        size = len(wanted)
        return any(list(stems[at : at + size]) == wanted for at in range(len(stems) - size + 1))
    # a run of Chinese or Japanese is one word to the index, and what is asked is a part of it
    return wanted[0] in stems or (not term.text.isascii() and term.text.lower() in lower)
