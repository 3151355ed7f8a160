"""What finding links needs of the file: what is unread, who answers to a name, what still waits.

Called inside the caller's transaction, in batches: a thousand links cost a handful of
statements, because looking every one up by itself would cost more than writing its chunk.
"""

from __future__ import annotations

from array import array

from scrubjay.store.sqlite import clock
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import FoundEdge, Named, Unread, Waiting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

_FOUND = "('link', 'import', 'citation', 'mention')"


class Linking:
    """See `scrubjay.ports.Linking`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    # what is unread

    def unread_documents(self, limit: int) -> list[Named]:
        rows = self._connection.execute(
            "SELECT d.number, d.path, CASE WHEN d.kind = 'code' OR NOT EXISTS (SELECT 1 FROM chunks WHERE"
            " document = d.number AND title <> '') THEN '' ELSE d.title END,"
            " coalesce(json_extract(d.metadata, '$.aliases'), '')"
            " FROM unread_documents AS u JOIN documents AS d ON d.number = u.document ORDER BY u.document LIMIT ?",
            (limit,),
        )
        return [Named(*row) for row in rows]

    def unread_chunks(self, limit: int) -> list[Unread]:
        rows = self._connection.execute(
            "SELECT c.number, c.document, d.path, d.kind, c.text FROM unread_chunks AS u"
            " JOIN chunks AS c ON c.number = u.chunk JOIN documents AS d ON d.number = c.document"
            " ORDER BY u.chunk LIMIT ?",
            (limit,),
        )
        return [Unread(*row) for row in rows]

    def counts(self) -> tuple[int, int, int]:
        """How many documents there are, and how many chunks are read and unread."""
        rows: list[tuple[int, int, int]] = self._connection.execute(  # type: ignore[assignment]
            "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks),"
            " (SELECT count(*) FROM unread_chunks)"
        ).fetchall()
        documents, chunks, unread = rows[0]
        return documents, chunks - unread, unread

    def was_read(self, chunks: Sequence[int]) -> None:
        import apsw

        self._connection.execute(
            "DELETE FROM unread_chunks WHERE chunk IN (SELECT value FROM carray(?))", (apsw.carray(array("q", chunks)),)
        )

    # names

    def put_names(self, named: Iterable[tuple[int, Sequence[str]]]) -> None:
        """What these documents are called from now on; what mentions an old title does so no more."""
        for document, names in named:
            old = {
                name for (name,) in self._connection.execute("SELECT name FROM names WHERE document = ?", (document,))
            }
            if old:
                self._connection.execute("DELETE FROM names WHERE document = ?", (document,))
                if any(name.startswith("m:") for name in old - set(names)):
                    self._connection.execute("DELETE FROM edges WHERE target = ? AND origin = 'mention'", (document,))
            self._connection.executemany("INSERT INTO names VALUES (?, ?)", ((name, document) for name in names))
            self._connection.execute("DELETE FROM unread_documents WHERE document = ?", (document,))

    def named(self, names: Iterable[str]) -> dict[str, list[Named]]:
        """The documents that answer to each of these names."""
        import apsw

        asked = tuple(dict.fromkeys(names))
        found: dict[str, list[Named]] = {}
        if asked:
            rows = self._connection.execute(
                "SELECT n.name, d.number, d.path, d.title FROM carray(?) AS q CROSS JOIN names AS n ON n.name = q.value"
                " JOIN documents AS d ON d.number = n.document ORDER BY d.number",
                (apsw.carray(asked),),
            )
            for name, *row in rows:
                found.setdefault(name, []).append(Named(*row))
        return found

    def titles(self, asked: Iterable[str] | None) -> dict[str, list[int]]:
        """The documents whose titles texts may mention; all of them, or those with these titles."""
        import apsw

        found: dict[str, list[int]] = {}
        if asked is None:
            rows = self._connection.execute(
                "SELECT substr(name, 3), document FROM names WHERE name >= 'm:' AND name < 'm;'"
            )
        else:
            wanted = tuple(f"m:{title}" for title in asked)
            if not wanted:
                return found
            rows = self._connection.execute(
                "SELECT substr(n.name, 3), n.document FROM carray(?) AS q CROSS JOIN names AS n ON n.name = q.value",
                (apsw.carray(wanted),),
            )
        for title, document in rows:
            found.setdefault(title, []).append(document)
        return found

    def documents_by_id(self, identities: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Documents' and chunks' ids as numbers of document and chunk; unknown ones are left out."""
        import apsw

        asked = tuple(dict.fromkeys(identities))
        if not asked:
            return {}
        given = apsw.carray(asked)
        rows = self._connection.execute(
            "SELECT id, number, 0 FROM documents WHERE id IN (SELECT value FROM carray(?1))"
            " UNION ALL SELECT id, document, number FROM chunks WHERE id IN (SELECT value FROM carray(?1))",
            (given,),
        )
        return {identity: (document, chunk) for identity, document, chunk in rows}

    def sections(self, document: int) -> list[tuple[int, str]]:
        """The chunks of a document with the last heading of their trails."""
        rows = self._connection.execute(
            "SELECT number, trail FROM chunks WHERE document = ? ORDER BY ordinal", (document,)
        )
        return [(number, trail.rsplit("\x1f", 1)[-1]) for number, trail in rows]

    # edges

    def forget_found(self, chunks: Sequence[int]) -> None:
        """Takes out what was read in these chunks before."""
        import apsw

        self._connection.execute(
            "DELETE FROM edges WHERE number IN (SELECT e.number FROM carray(?) AS q CROSS JOIN chunks AS c"
            " ON c.number = q.value CROSS JOIN edges AS e ON e.source = c.document AND e.source_chunk = c.number"
            f" WHERE e.origin IN {_FOUND})",
            (apsw.carray(array("q", chunks)),),
        )

    def put_found(self, edges: Iterable[FoundEdge]) -> None:
        """Keeps what was found; a mention in a passage that links to the same document says nothing more."""
        now = clock.now()
        self._connection.executemany(
            "INSERT INTO edges (source, source_chunk, target, target_chunk, relation, origin, strength, evidence,"
            " wanted, name, created_at, updated_at) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"
            " WHERE ?6 <> 'mention' OR NOT EXISTS (SELECT 1 FROM edges WHERE source = ?1 AND source_chunk = ?2"
            " AND target = ?3 AND origin IN ('link', 'import', 'citation')) ON CONFLICT DO NOTHING",
            ((*edge, now, now) for edge in edges),
        )

    def waiting(self, names: Iterable[str]) -> list[Waiting]:
        """The links that lead nowhere yet and might lead to a document of one of these names."""
        import apsw

        asked = tuple(dict.fromkeys(names))
        if not asked:
            return []
        rows = self._connection.execute(
            "SELECT e.number, e.source, d.path, e.wanted FROM carray(?) AS q CROSS JOIN edges AS e ON e.name = q.value"
            " JOIN documents AS d ON d.number = e.source WHERE e.name <> '' AND e.target IS NULL",
            (apsw.carray(asked),),
        )
        return [Waiting(*row) for row in rows]

    def settle(self, edge: int, target: int, target_chunk: int) -> None:
        """A waiting link has found what it leads to; if another says the same already, it is not needed."""
        self._connection.execute(
            "UPDATE OR REPLACE edges SET target = ?, target_chunk = ? WHERE number = ?", (target, target_chunk, edge)
        )

    # titles in older texts

    def texts_with(self, phrase: Sequence[str], limit: int) -> list[Unread]:
        """Chunks that were read already and hold these words in this order."""
        quoted = 'text : "' + " ".join(phrase) + '"'
        rows = self._connection.execute(
            "SELECT c.number, c.document, d.path, d.kind, c.text FROM chunks_fts AS f JOIN chunks AS c"
            " ON c.number = f.rowid JOIN documents AS d ON d.number = c.document WHERE chunks_fts MATCH ?"
            " AND c.number NOT IN (SELECT chunk FROM unread_chunks) LIMIT ?",
            (quoted, limit),
        )
        return [Unread(*row) for row in rows]

    def too_common(self, documents: Sequence[int], most: int) -> None:
        """A title that more texts mention than that says nothing: its mentions go, and no more are looked for."""
        import apsw

        rows = self._connection.execute(
            "SELECT e.target FROM edges AS e WHERE e.target IN (SELECT value FROM carray(?)) AND e.origin = 'mention'"
            " GROUP BY e.target HAVING count(*) > ?",
            (apsw.carray(array("q", documents)), most),
        ).fetchall()
        for (document,) in rows:
            self._connection.execute("DELETE FROM edges WHERE target = ? AND origin = 'mention'", (document,))
            self._connection.execute(
                "DELETE FROM names WHERE document = ? AND name >= 'm:' AND name < 'm;'", (document,)
            )
