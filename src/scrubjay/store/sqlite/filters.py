"""A filter becomes one ascending array of allowed chunk numbers, made once a query.

Every retriever gets the same array, so filters always act before ranking and a filtered
search never returns less than there is. (Joining after a cut loses hits; `rowid IN (query)`
without the `+` makes FTS5 look its index up once a row and is fifty times slower.)
"""

from __future__ import annotations

import sys
from array import array

from scrubjay.store.sqlite.clock import version
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

    from scrubjay.types import Filter


_FILTERS = 8  # whose arrays are kept


def conditions(where: Filter) -> tuple[str, list[object]]:
    """The SQL condition on `documents AS d`, with its values; "1" for no filter at all."""
    parts: list[str] = []
    values: list[object] = []
    for tag in where.tags:
        parts.append("d.number IN (SELECT document FROM tags WHERE tag = ?)")
        values.append(tag)
    if where.kinds:
        parts.append(f"d.kind IN ({', '.join('?' * len(where.kinds))})")
        values += where.kinds
    if where.path:
        condition, paths = _under(where.path, "d.path")
        for scope in dict.fromkeys((where.path, where.scope) if where.scope else ()):
            project, more = _under(str(scope), "project")
            condition = (
                f"({condition} OR d.number IN (SELECT document FROM memories WHERE project <> '' AND {project}))"
            )
            paths += more
        parts.append(condition)
        values += paths
    if where.since:
        parts.append("d.created_at >= ?")
        values.append(where.since)
    if where.until:
        parts.append("d.created_at <= ?")
        values.append(where.until)
    return " AND ".join(parts) or "1", values


def _under(path: str, column: str) -> tuple[str, list[object]]:
    """Inside a folder, never inside another one whose name merely begins the same."""
    path = path.rstrip("/") or "/"
    if path.startswith("/") or path[1:3] in (":/", ":\\"):
        inside = path if path.endswith("/") else path + "/"
        return f"({column} = ? OR ({column} >= ? AND {column} < ?))", [path, inside, inside[:-1] + "0"]
    return f"instr('/' || {column} || '/', ?) > 0", [f"/{path}/"]


def allowed(connection: apsw.Connection, where: Filter, unwanted: str = "") -> array[int] | None:
    """The chunk numbers that pass, ascending; None when everything does.

    `unwanted` is a full-text expression: what it matches is left out, for vectors too.
    """
    if where.is_empty and not unwanted:
        return None
    condition, values = conditions(where)
    if unwanted:
        condition += " AND c.number NOT IN (SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?)"
        values.append(unwanted)
    told = connection.execute(
        "SELECT group_concat(c.number, ' ') FROM documents AS d JOIN chunks AS c ON c.document = d.number"
        f" WHERE {condition}",
        values,
    ).get  # one text is handed over five times as fast as a row a chunk
    return _ascending(told) if told else array("q")


def _ascending(told: str) -> array[int]:
    if "numpy" not in sys.modules:
        return array("q", sorted(map(int, told.split())))
    import numpy as np

    numbers = np.fromstring(told, np.int64, sep=" ")
    numbers.sort()
    return array("q", numbers.tobytes())


class Kept:
    """The arrays of the last few filters, as long as the file is unchanged: whoever works on one
    project asks with the same filter again and again."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._version: tuple[int, int] | None = None
        self._known: dict[tuple[Filter, str], array[int] | None] = {}

    def allowed(self, where: Filter, unwanted: str = "") -> array[int] | None:
        """See `allowed`. Nobody may change the array."""
        if where.is_empty and not unwanted:
            return None
        now = version(self._connection)
        if now is None or now != self._version or len(self._known) > _FILTERS:
            self._version = now
            self._known.clear()
        key = where, unwanted
        if key not in self._known:
            self._known[key] = allowed(self._connection, where, unwanted)
        return self._known[key]
