"""The folders and files that were added, so that `kb update` can go back to them."""

from __future__ import annotations

import json

from scrubjay.store.sqlite import clock
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw


def put(connection: apsw.Connection, path: str, tags: Sequence[str], exclude: Sequence[str], kind: str | None) -> int:
    """Remembers a source; adding it again with other tags or excludes changes them."""
    connection.execute(
        "INSERT INTO sources (path, tags, exclude, kind, added_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (path) DO UPDATE SET tags = excluded.tags, exclude = excluded.exclude, kind = excluded.kind",
        (path, json.dumps(list(tags), ensure_ascii=False), json.dumps(list(exclude)), kind, clock.now()),
    )
    return int(connection.execute("SELECT number FROM sources WHERE path = ?", (path,)).get)


def was_read(connection: apsw.Connection, number: int) -> None:
    connection.execute("UPDATE sources SET last_read_at = ? WHERE number = ?", (clock.now(), number))


def remove(connection: apsw.Connection, path: str) -> bool:
    """Forgets the source, so that an update does not bring its files back."""
    inside = path.rstrip("/") + "/"
    connection.execute(
        "DELETE FROM sources WHERE path = ? OR (path >= ? AND path < ?)", (path, inside, inside[:-1] + "0")
    )
    return connection.changes() > 0
