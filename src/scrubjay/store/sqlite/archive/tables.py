"""Which tables travel and how: each one is written out by hand, derived, history, or plain rows.

Plain rows need no code of their own: whatever another part of the program keeps in a table with
a key to documents or chunks travels with those keys turned into ids. A test holds that every
table of the schema is named here, so that none is forgotten.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import apsw

# Written out in a form of their own.
BY_HAND = ("sources", "documents", "tags", "chunks", "edges", "models", "vector_blocks")
# Made again from the others, or of this file only.
DERIVED = (
    "meta", "chunks_fts", "chunks_trigram", "embeddings", "vector_log", "vector_cache", "names", "unread_chunks",
    "unread_documents", "alert_progress", "words", "words_read", "acronyms",
)  # fmt: skip
# Only when asked for.
HISTORY = ("changes", "old_chunks")
# Rows as they are, with keys as ids; every other table that belongs to documents goes with them.
ROWS = ("alerts", "alert_matches")


class Column(NamedTuple):
    """A column of a table of rows: `refers` names the table its number belongs to, "" for a value."""

    name: str
    refers: str
    key: bool


def plain(connection: apsw.Connection) -> list[str]:
    """The tables that travel as rows, those that others refer to first."""
    known = (*BY_HAND, *DERIVED, *HISTORY)
    names = [
        str(name)
        for (name,) in connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
            " ORDER BY name"
        )
    ]
    chosen = [
        name
        for name in names
        if name in ROWS or (name not in known and any(column.refers for column in columns(connection, name)))
    ]
    return sorted(chosen, key=lambda name: sum(each.refers in chosen for each in columns(connection, name)))


def columns(connection: apsw.Connection, table: str) -> list[Column]:
    refers = {row[3]: row[2] for row in connection.execute(f"PRAGMA foreign_key_list({table})")}
    found = []
    for _, name, kind, _, _, key, *_ in connection.execute(f"PRAGMA table_info({table})"):
        alone = bool(key) and str(kind).upper() == "INTEGER"
        found.append(Column(name, refers.get(name, ""), alone))
    keys = [column for column in found if column.key]
    return [column._replace(key=column.key and len(keys) == 1 and not column.refers) for column in found]


def own(connection: apsw.Connection, table: str, written: tuple[str, ...]) -> list[str]:
    """The columns of a table written by hand that the hand does not know: a later format's."""
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] not in written]
