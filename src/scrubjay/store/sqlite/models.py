"""Which models made the vectors of this file, and which of them answer.

A model's whole identity is stored with its vectors, so that vectors of two models are never
compared: not after a change of settings, not by another program that opens the same file.
Several models may be active, each for the scripts it knows, and the first of them is the main one,
which is asked first; another may be building to take its place when it is complete.
"""

from __future__ import annotations

from scrubjay.store.sqlite import clock
from scrubjay.types import ModelIdentity, StoredModel
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw


def stored(connection: apsw.Connection) -> list[StoredModel]:
    """All models of this file; the first active one is the main one."""
    rows: list[Any] = connection.execute(
        "SELECT number, identity, state FROM models"
        " ORDER BY state, number IS NOT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?), number",
        (_MAIN,),
    ).fetchall()
    if not rows:
        return []
    import json

    return [StoredModel(number, ModelIdentity(**json.loads(identity)), state) for number, identity, state in rows]


_MAIN = "main_model"  # the number of the model that took another's place; else the oldest is the main one


def use(connection: apsw.Connection, identity: ModelIdentity, state: str) -> int:
    """The number of this model, taken in if it is new; every chunk then waits for its vector."""
    import json

    text = json.dumps(identity._asdict(), ensure_ascii=False)
    known = connection.execute("SELECT number FROM models WHERE identity = ?", (text,)).fetchone()
    if known is not None:
        return int(known[0])
    connection.execute(
        "INSERT INTO models (identity, name, dim, state, created_at) VALUES (?, ?, ?, ?, ?)",
        (text, identity.name, identity.dim, state, clock.now()),
    )
    number = connection.last_insert_rowid()
    connection.execute("INSERT INTO embeddings (chunk, model) SELECT number, ? FROM chunks", (number,))
    return number


def want_all(connection: apsw.Connection, number: int) -> None:
    """Chunks that were left to other models wait for this one too."""
    connection.execute(
        "INSERT INTO embeddings (chunk, model) SELECT number, ?1 FROM chunks"
        " WHERE number NOT IN (SELECT chunk FROM embeddings WHERE model = ?1)",
        (number,),
    )


def swap(connection: apsw.Connection, new: int, old: Sequence[int]) -> None:
    """The new model is the main one from now on; the vectors of the old ones go."""
    connection.execute("UPDATE models SET state = 'active' WHERE number = ?", (new,))
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_MAIN, str(new)),
    )
    connection.executemany("DELETE FROM models WHERE number = ?", [(number,) for number in old])


def drop(connection: apsw.Connection, number: int) -> None:
    """Forgets a model with all its vectors."""
    connection.execute("DELETE FROM models WHERE number = ?", (number,))
