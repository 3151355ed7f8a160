"""Adds what a query's words stand for and mends what was mistyped, and says so.

Only words that the index does not have are touched, so nothing that would have been found is
lost: whoever types `+word` or "quotes" is taken at their word altogether. Acronyms that the
index does have are named too (`Added.absent` is false), for whoever ranks them below.
"""

from __future__ import annotations

import re

from scrubjay.search.acronyms import ACRONYMS, WORDS_TOO
from scrubjay.search.parse import is_common
from scrubjay.search.spelling import Correction, correct
from scrubjay.types import Change, Notice, Term, Words
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay import ports
    from scrubjay.search.spelling import Vocabulary
    from scrubjay.types import QueryPlan

    Acronyms = Mapping[str, Sequence[str]]

_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]+(?![a-z])")
_LONGEST_SHORT = 10
_MOST_WORDS = 32  # longer queries are texts; what one word of them means hardly matters


class Added(NamedTuple):
    """What an acronym stands for, who says so ("own", "corpus", "shipped"), and whether the index lacks it."""

    typed: str
    added: str
    origin: str
    absent: bool


class Expansion(NamedTuple):
    """The words to search for, and everything that differs from what was typed."""

    words: Words
    corrections: tuple[Correction, ...] = ()
    added: tuple[Added, ...] = ()
    has_known: bool = True  # whether the index has any word of the query that says something

    def notices(self) -> tuple[Notice, ...]:
        """What a person is told: the corrections, since they changed the search."""
        return tuple(
            Notice("expand", f"S{each.told()[1:]}.", f"Write +{each.typed} to search for it as it is.")
            for each in self.corrections
        )


def expanded(plan: QueryPlan, vocabulary: ports.Vocabulary, parts_are_found: Callable[[], bool]) -> QueryPlan:
    """The plan with its words as they will be searched, and what of them was changed.

    Where typos are mended only at last, and the base has no word of the query at all, parts of
    its words ("ocker" in docker) are taken to be meant if there are any.
    """
    corpus = vocabulary.meanings(_shorts(plan.words)) if plan.acronyms else {}
    typos = plan.typos != "never"
    done = expand(plan.words, vocabulary, own=plan.own_acronyms, corpus=corpus, acronyms=plan.acronyms, typos=typos)
    if plan.typos == "last" and done.corrections and not done.has_known and parts_are_found():
        return plan
    changes = [Change(each.typed, each.searched, "typo") for each in done.corrections]
    changes += [Change(each.typed, each.added, "acronym", each.origin) for each in done.added]
    below = tuple(Term(each.added, phrase=" " in each.added) for each in done.added if not each.absent)
    also = Words(" ".join(term.text for term in below), below, plan.words.excluded) if below else None
    return plan._replace(words=done.words, changes=tuple(changes), also=also)


def _shorts(words: Words) -> list[str]:
    """What of a query may be an acronym, as the store has them."""
    bare = [_bare(term.text) for term in words.terms[:_MOST_WORDS] if not _fixed(term)]
    return [text.upper() for text in bare if 2 <= len(text) <= _LONGEST_SHORT and text.isalnum()]


def expand(
    words: Words,
    vocabulary: Vocabulary,
    *,
    own: Acronyms | None = None,
    corpus: Acronyms | None = None,
    acronyms: bool = True,
    typos: bool = True,
) -> Expansion:
    """The words with typos mended and, for acronyms the index lacks, what they stand for.

    `own` and `corpus` are acronyms in capitals with their meanings; the person's own come first.
    """
    free = [term for term in words.terms[:_MOST_WORDS] if not _fixed(term)]
    parts = [part.lower() for term in free for part in _parts(term.text)]
    known = vocabulary.known(dict.fromkeys(parts))
    added: list[Added] = []
    corrections: list[Correction] = []
    terms: list[Term] = []
    tables = (("own", own or {}), ("corpus", corpus or {}), ("shipped", ACRONYMS)) if acronyms else ()
    for term in words.terms:
        mended = term
        if term in free:
            meanings = _meanings(term.text, known, tables)
            added += meanings
            if typos and not meanings:
                mended, found = _mended(term, known, vocabulary)
                corrections += found
        terms.append(_plain(mended))
    if corrections or any(each.absent for each in added) or terms != list(words.terms):
        text = " ".join([*(term.text for term in terms), *(each.added for each in added if each.absent)])
    else:
        text = words.text
    terms += [Term(each.added, phrase=" " in each.added) for each in added if each.absent]
    mended_words = Words(text, tuple(dict.fromkeys(terms)), words.excluded)
    told = {part.lower() for term in free if not term.common for part in _parts(term.text)}
    return Expansion(mended_words, tuple(corrections), tuple(added), bool(told & known) or len(free) < len(words.terms))


def _fixed(term: Term) -> bool:
    """Whether the person insists on it."""
    return term.phrase or term.prefix or (len(term.text) > 1 and term.text[0] == "+" and term.text[1].isalnum())


def _plain(term: Term) -> Term:
    """`+word` is an instruction to us; the index need not see the sign."""
    insisted = not term.phrase and _fixed(term) and term.text[0] == "+"
    return Term(term.text[1:], phrase=False, prefix=term.prefix) if insisted else term


def _parts(text: str) -> list[str]:
    """The words in which the index sees a term: "user_id.py" → user, id, py."""
    return _PART.findall(text)


def _bare(text: str) -> str:
    return text.strip(".,;:!?()[]'\"").replace(".", "")


def _meanings(text: str, known: set[str], tables: Sequence[tuple[str, Acronyms]]) -> list[Added]:
    bare = _bare(text)
    key = bare.upper()
    if not bare.isalnum() or (key in WORDS_TOO and bare != key):
        return []
    for origin, meanings in tables:
        if key in meanings:
            absent = bare.lower() not in known
            return [Added(bare, meaning, origin, absent) for meaning in meanings[key]]
    return []


def _mended(term: Term, known: set[str], vocabulary: Vocabulary) -> tuple[Term, list[Correction]]:
    """The term with every part that the index lacks corrected, where that can be done."""
    text, found = term.text, []
    for part in dict.fromkeys(_parts(term.text)):
        if part.lower() in known or (part.isupper() and len(part) <= 5):  # an acronym nobody explains
            continue
        for correction in _corrections(part, vocabulary):
            text = text.replace(correction.typed, correction.searched)
            found.append(correction)
    return (term._replace(text=text, common=is_common(text)), found) if found else (term, [])


def _corrections(part: str, vocabulary: Vocabulary) -> list[Correction]:
    """The part as a whole, or else the humps of a camelCase name."""
    whole = correct(part, vocabulary)
    if whole is not None:
        return [whole]
    humps = _CAMEL.findall(part)
    if len(humps) < 2 or "".join(humps) != part:
        return []
    known = vocabulary.known([hump.lower() for hump in humps])
    found = [correct(hump, vocabulary) for hump in humps if hump.lower() not in known]
    return [each._replace(searched=_cased(each)) for each in found if each is not None]


def _cased(correction: Correction) -> str:
    capital = correction.typed[:1].isupper()
    return correction.searched.capitalize() if capital else correction.searched
