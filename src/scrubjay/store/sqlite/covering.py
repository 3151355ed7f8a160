"""How much of a query some passages hold, weighed by how rare each word is in the base.

Words are compared as the index sees them: stems, and pairs of characters for scripts without
spaces. How rare they are is only looked up when no passage holds them all.
"""

from __future__ import annotations

from scrubjay.store.sqlite import cjk
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import apsw

    from scrubjay.types import Term, Words

    Tokenize = Callable[[str], list[str]]
    Units = dict[str, str]  # what the index holds → the word that was typed

_KEPT = 5000  # words
_LAST = "\U0010ffff"


class Covering:
    """How often words stand in one base is kept until the base changes, because counting reads all their places."""

    def __init__(self, connection: apsw.Connection, tokenize: Tokenize) -> None:
        self._connection = connection
        self._tokenize = tokenize
        self._version: tuple[int, int] | None = None
        self._known: dict[str, int] = {}

    def of(self, words: Words, texts: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """The share of the words that the best text holds, and the words that no text of the base has."""
        telling = [term for term in words.terms if not term.common] or list(words.terms)
        units: Units = {unit: term.text for term in telling for unit in _units(term, self._tokenize)}
        beginnings = [term.text.casefold() for term in telling if term.prefix]
        if not units and not beginnings:
            return 0.0, ()
        held = [_held(text, units, beginnings, self._tokenize) for text in texts]
        everything = len(units) + len(beginnings)
        if any(len(own) == everything for own in held):
            return 1.0, ()
        from scrubjay.store.sqlite.bm25 import idf, totals

        count = totals(self._connection)[0]
        found = self._counts(units)
        weights = {unit: idf(count, min(found[unit], count)) for unit in units}
        weights.update((beginning + "*", idf(count, 1)) for beginning in beginnings)
        total = sum(weights.values())
        share = max((sum(weights[unit] for unit in own) for own in held), default=0.0) / total if total else 0.0
        there = {word for unit, word in units.items() if found[unit]}
        return share, tuple(dict.fromkeys(_bare(word) for word in units.values() if word not in there))

    def _counts(self, units: Iterable[str]) -> dict[str, int]:
        """In how many chunks each unit stands; one character of a script without spaces is in all that have it."""
        from scrubjay.store.sqlite.clock import version

        now = version(self._connection)
        if now is None or now != self._version or len(self._known) > _KEPT:  # None: in the middle of a change
            self._version, self._known = now, {}
        asked = [unit for unit in units if unit not in self._known]
        if asked:
            self._connection.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, chunks_fts, row)"
            )
        for unit in asked:
            sql, values = "SELECT doc FROM temp.terms WHERE term = ?", [unit]
            if len(unit) == 1 and cjk.has_cjk(unit):
                sql, values = "SELECT sum(doc) FROM temp.terms WHERE term >= ? AND term < ?", [unit, unit + _LAST]
            self._known[unit] = int(self._connection.execute(sql, values).get or 0)
        return {unit: self._known[unit] for unit in units}


def _units(term: Term, tokenize: Tokenize) -> Iterable[str]:
    if term.prefix:
        return
    for piece, is_cjk in cjk.split(term.text):
        if is_cjk:
            yield from [piece[at : at + 2] for at in range(len(piece) - 1)] or [piece]
        else:
            yield from tokenize(piece)


def _held(text: str, units: Units, beginnings: Sequence[str], tokenize: Tokenize) -> set[str]:
    stems = set(tokenize(text))
    own = {unit for unit in units if unit in stems or (not unit.isascii() and cjk.has_cjk(unit) and unit in text)}
    if beginnings:
        starts = text.casefold().split()
        own |= {f"{beginning}*" for beginning in beginnings if any(word.startswith(beginning) for word in starts)}
    return own


def _bare(word: str) -> str:
    return word.strip(".,;:?!()[]{}'\"") or word
