"""The words of the base as they are written, and the acronyms that its texts explain.

The full-text index keeps stems, which are no words to show to a person, and knows a word's
spelling only by its stem; so the spellings are listed beside it after every writing. Whether a
word can be found is asked of the index itself, which is always right.
"""

from __future__ import annotations

from scrubjay.store.sqlite.match import quoted
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    import apsw


class Vocabulary:
    """See `scrubjay.ports.Vocabulary`. Each call takes the store's lock for itself."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[apsw.Connection]],
        writing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing

    # asked by a search

    def known(self, words: Iterable[str]) -> set[str]:
        with self._reading() as connection:
            return {
                word
                for word in words
                if connection.execute(
                    "SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? LIMIT 1", (quoted(word),)
                ).get
            }

    def counts(self, words: Sequence[str]) -> dict[str, int]:
        if not words:
            return {}
        import apsw

        with self._reading() as connection:
            rows = connection.execute(
                "SELECT w.word, w.uses FROM carray(?) AS q CROSS JOIN words AS w ON w.word = q.value",
                (apsw.carray(tuple(words)),),
            )
            return dict(rows)

    def between(self, first: str, after: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        with self._reading() as connection:
            return list(
                connection.execute(
                    "SELECT word, uses FROM words WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?",
                    (first, after, shortest, longest),
                )
            )

    def meanings(self, shorts: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """What the texts say these acronyms stand for, the most usual meaning first."""
        found: dict[str, tuple[str, ...]] = {}
        with self._reading() as connection:
            for short in shorts:
                rows = connection.execute(
                    "SELECT meaning FROM acronyms WHERE short = ? GROUP BY meaning"
                    " ORDER BY count(*) DESC, meaning LIMIT 3",
                    (short,),
                )
                meanings = tuple(meaning for (meaning,) in rows)
                if meanings:
                    found[short] = meanings
        return found

    # filled after writing

    def is_behind(self) -> bool:
        """Whether something was written whose words are not listed yet."""
        with self._reading() as connection:
            return bool(
                connection.execute("SELECT max(number) > (SELECT until FROM words_read) FROM chunks").get
            )

    def unread(self, limit: int) -> list[tuple[int, str]]:
        with self._reading() as connection:
            return list(
                connection.execute(
                    "SELECT number, title || ' ' || trail || ' ' || path || ' ' || text FROM chunks"
                    " WHERE number > (SELECT until FROM words_read) ORDER BY number LIMIT ?",
                    (limit,),
                )
            )

    def add(self, until: int, words: Mapping[str, int], acronyms: Iterable[tuple[str, str, int]]) -> None:
        with self._writing():
            self._connection.executemany(
                "INSERT INTO words VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET uses = uses + excluded.uses",
                sorted(words.items()),
            )
            self._connection.executemany(
                "INSERT INTO acronyms SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM chunks WHERE number = ?3)"
                " ON CONFLICT DO NOTHING",
                acronyms,
            )
            self._connection.execute("UPDATE words_read SET until = max(until, ?)", (until,))
