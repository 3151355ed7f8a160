"""Search by words: FTS5 first, for Chinese, Japanese and Korean the trigrams, LIKE at last.

The tier that answered is told. Inside the answer an exact title, an exact phrase and an exact
identifier come first, because whoever types one wants just that.

`ORDER BY bm25(…)` in the column list is a third faster than `ORDER BY rank` for many matches.
"""

from __future__ import annotations

from scrubjay.store.sqlite import cjk
from scrubjay.store.sqlite.match import expressions, plain_terms, without
from scrubjay.types import Candidate, Ranking
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Sequence

    import apsw

    from scrubjay.store.sqlite.match import Match, Tokenize
    from scrubjay.types import Words

    Weights = tuple[float, float, float]
    Scores = dict[int, float]
    AsFts5 = Callable[[Sequence[str], int, array[int] | None], list[tuple[int, float]]]

_IDENTIFIER = r"[^\W_][_.:/\\@#$+]+[^\W_]|\w[+#]+$|^[.@$#]\w|^_|_$"
_TELLING = {"title": 4, "trigram": 3, "phrase": 2, "identifier": 1}  # how much it says to be exactly as typed
_FEW = 3  # in a longer query an identifier is one word among others and does not decide alone
_CHECKED = 300  # how many of the best are looked through for an identifier's exact spelling


class Keyword:
    """One search by words over one connection."""

    def __init__(
        self,
        connection: apsw.Connection,
        tokenize: Tokenize,
        weights: Weights,
        allowed: array[int] | None,
        as_fts5: AsFts5 | None = None,
    ) -> None:
        self._connection = connection
        self._tokenize = tokenize
        title, trail, path = weights
        self._bm25 = f"bm25(chunks_fts, {title:g}, {trail:g}, {path:g}, 1.0, 1.0)"
        self._allowed = allowed
        self._as_fts5 = as_fts5

    def search(self, words: Words, limit: int) -> Ranking:
        """The best chunks, best first, with scores above zero and the tier that found them."""
        if limit < 1 or not words.terms or (self._allowed is not None and not self._allowed):
            return Ranking("keyword")
        match = expressions(words, self._tokenize)
        scores = self._ranked(words, match, limit) if match.words else {}
        tier = "bigram" if match.cjk else "fts5"
        exact = self._exact(words, match, limit)
        if match.trigram and any(note == "trigram" for note in exact.values()):
            tier = "trigram"
        if not scores and not exact:
            return self._like(words, limit)
        return Ranking("keyword", _promoted(scores, exact, limit), tier)

    def exact(self, words: Words, limit: int) -> Ranking:
        """Only what is exactly as typed; the score is how much that says."""
        if limit < 1 or not words.terms or (self._allowed is not None and not self._allowed):
            return Ranking("keyword")
        match = expressions(words, self._tokenize)
        found = self._exact(words, match, limit)
        tier = "trigram" if "trigram" in found.values() else ""
        candidates = (Candidate(number, _TELLING[note], f"exact {note}") for number, note in found.items())
        return Ranking("keyword", tuple(candidates), tier)

    def _ranked(self, words: Words, match: Match, limit: int) -> Scores:
        """What holds any of the words. Plain ones are looked up in the same postings by a faster way."""
        plain = plain_terms(words, self._tokenize) if self._as_fts5 is not None and not match.unwanted else None
        if plain is None or self._as_fts5 is None:
            return self._fts(without(match.words, match.unwanted), limit)
        return dict(self._as_fts5(plain, limit, self._allowed))

    def _fts(self, expression: str, limit: int) -> Scores:
        rows = self._connection.execute(
            f"SELECT rowid, {self._bm25} AS score FROM chunks_fts WHERE chunks_fts MATCH ?{self._among('rowid')}"
            " ORDER BY score LIMIT ?",
            (expression, *self._binding(), limit),
        )
        return {number: -score for number, score in rows}  # bm25() is negative, better is lower

    def _among(self, column: str) -> str:
        return "" if self._allowed is None else f" AND +{column} IN (SELECT value FROM carray(?))"

    def _binding(self) -> tuple[object, ...]:
        if self._allowed is None:
            return ()
        import apsw

        return (apsw.carray(self._allowed),)

    def _exact(self, words: Words, match: Match, limit: int) -> dict[int, str]:
        """What is exactly as typed, in order of how much that says: title, phrase, identifier."""
        found: dict[int, str] = {}
        for number in self._titles(words, match):
            found.setdefault(number, "title")
        if match.trigram:
            for number in self._trigrams(match, limit):
                found.setdefault(number, "trigram")
        if match.phrase:
            for number in self._fts(without(match.phrase, match.unwanted), limit):
                found.setdefault(number, "phrase")
        telling = [term for term in words.terms if not term.common]
        for term in telling if len(telling) <= _FEW else ():
            if not term.phrase and _is_identifier(term.text):
                for number in self._spelled(term.text, match):
                    found.setdefault(number, "identifier")
        return found

    def _titles(self, words: Words, match: Match) -> Iterable[int]:
        unwanted = " AND c.number NOT IN (SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?)"
        rows = self._connection.execute(
            "SELECT c.number FROM documents AS d JOIN chunks AS c ON c.document = d.number AND c.ordinal = 0"
            f" WHERE d.title = ? COLLATE NOCASE AND c.title <> ''{self._among('c.number')}"
            f"{unwanted if match.unwanted else ''} ORDER BY c.number LIMIT 20",
            (words.text.strip(), *self._binding(), *([match.unwanted] if match.unwanted else [])),
        )
        return [number for (number,) in rows]

    def _trigrams(self, match: Match, limit: int) -> Iterable[int]:
        unwanted = " AND rowid NOT IN (SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?)"
        rows = self._connection.execute(
            "SELECT rowid, bm25(chunks_trigram, 2.0, 1.0, 1.0) AS score FROM chunks_trigram WHERE chunks_trigram"
            f" MATCH ?{self._among('rowid')}{unwanted if match.unwanted else ''} ORDER BY score LIMIT ?",
            (match.trigram, *self._binding(), *([match.unwanted] if match.unwanted else []), limit),
        )
        return [number for number, _ in rows]

    def _spelled(self, identifier: str, match: Match) -> Iterable[int]:
        """Chunks with just these characters: C++ is more than a chunk with the word C."""
        if not self._tokenize(identifier):
            return []
        expression = without('"' + identifier.replace('"', '""') + '"', match.unwanted)
        best = self._fts(expression, _CHECKED)
        lower = identifier.lower()
        import re

        spelled = re.compile(
            ("(?<![^\\W_])" if lower[0].isalnum() else "") + re.escape(lower) + ("(?!\\w)" if lower[-1] != "_" else "")
        )
        found = []
        for number, text in self._texts(best):
            if spelled.search(text.lower()):
                found.append(number)
        return found

    def _texts(self, numbers: Iterable[int]) -> Iterable[tuple[int, str]]:
        from array import array

        import apsw

        asked = array("q", numbers)
        if not asked:
            return []
        return self._connection.execute(
            "SELECT number, title || char(10) || trail || char(10) || path || char(10) || text FROM chunks"
            " WHERE number IN (SELECT value FROM carray(?))",
            (apsw.carray(asked),),
        )

    def _like(self, words: Words, limit: int) -> Ranking:
        """The last resort, a scan: parts of words, and characters that no index knows."""
        parts = _like_parts(words)
        if not parts:
            return Ranking("keyword")
        pattern = "(title LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\')"
        wanted = [value for part in parts for value in (_pattern(part),) * 2]
        refused = [value for term in words.excluded for value in (_pattern(term.text),) * 2]
        exclude = f" AND NOT {pattern}" * len(words.excluded)
        rows = self._connection.execute(
            f"SELECT number, {' + '.join([pattern] * len(parts))} AS score FROM chunks"
            f" WHERE score > 0{exclude}{self._among('number')} ORDER BY score DESC, number LIMIT ?",
            (*wanted, *refused, *self._binding(), limit),
        )
        return Ranking("keyword", tuple(Candidate(number, score / len(parts)) for number, score in rows), "like")


def _promoted(scores: Scores, exact: dict[int, str], limit: int) -> tuple[Candidate, ...]:
    """The exact ones on top, in the order of their kinds and inside a kind by score."""
    best = max(scores.values(), default=0.0)
    candidates = [Candidate(number, score) for number, score in scores.items() if number not in exact]
    for number, note in exact.items():
        lift = best * _TELLING[note] + best * 0.01
        candidates.append(Candidate(number, scores.get(number, 0.0) + lift + 1e-9, f"exact {note}"))
    candidates.sort(key=lambda candidate: (-candidate.score, candidate.chunk))
    return tuple(candidates[:limit])


def _is_identifier(text: str) -> bool:
    """`node.js`, `C++`, `user_name`, `@app`; `re` is imported only for words with signs in them."""
    if text.isalnum():
        return False
    import re

    return re.search(_IDENTIFIER, text) is not None


def _like_parts(words: Words) -> Sequence[str]:
    import re

    parts: list[str] = []
    for term in [term for term in words.terms if not term.common] or words.terms:  # "the" stands in every text
        for piece, is_cjk in cjk.split(term.text):
            parts += [piece] if is_cjk else re.findall(r"\w{3,}", piece)
    return list(dict.fromkeys(parts))[:30]


def _pattern(text: str) -> str:
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
