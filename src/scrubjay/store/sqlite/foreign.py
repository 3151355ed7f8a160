"""Reads the SQLite files of other memory programs, as records for the import.

Only read, never written, and asked by column for what is there: these programs change their
tables from version to version. What a row says goes into a note as text; how it was filed goes
into tags, metadata and the facts of a memory.
"""

from __future__ import annotations

import json
import os
from contextlib import closing

from scrubjay.store.sqlite import clock, connect
from scrubjay.store.sqlite.write import digest
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.carrying import Told

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    import apsw

    Row = Mapping[str, Any]

_CAUSAL = ("caused", "enabled", "supersedes", "contradicts", "derived_from", "supports")


def form_of(path: str) -> str | None:
    """Whose file it is, by the tables in it; "base" for one of ours."""
    with connect.translating(path), closing(connect._opened_read_only(path)) as connection:
        if connection.pragma("application_id") == connect.APPLICATION_ID:
            return "base"
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if {"sdk_sessions", "observations"} <= tables:
        return "claude-mem"
    return "basic-memory" if {"entity", "observation", "relation"} <= tables else None


def records(path: str, form: str) -> Iterator[Told | Notice]:
    """Everything that the file of another program tells."""
    read = {"claude-mem": _claude_mem, "basic-memory": _basic_memory}[form]
    with connect.translating(path), closing(connect._opened_read_only(path)) as connection:
        yield from read(connection)


def _rows(connection: apsw.Connection, table: str) -> Iterator[dict[str, Any]]:
    """All rows of a table, if it is there, by the names of its columns."""
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if names:
        order = "id" if "id" in names else names[0]
        for row in connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}"):
            yield dict(zip(names, row, strict=True))


def _note(place: str, source: str, seed: Sequence[Any], parts: Sequence[str], **given: Any) -> Iterator[Told | Notice]:
    """A note with what is known of it as a memory; a notice where there is no text at all."""
    text = "\n\n".join(part.strip() for part in parts if part and part.strip())
    if not text:
        yield Notice("import", f"{place}: it has no text", "There is nothing to keep.")
        return
    identity = "d_" + digest(source, *(str(each) for each in seed), size=6)
    facts = {key: given.pop(key) for key in ("project", "session") if given.get(key)}
    given.pop("project", None)
    given.pop("session", None)
    metadata = {key: value for key, value in given.pop("metadata").items() if value not in (None, "", [], {})}
    filed = {"text": text, "id": identity, "metadata": {"imported_from": source, **metadata, **facts}}
    yield Told(place, "document", {**filed, **given})
    yield Told(place, "row", {"table": "memories", "values": {"document": identity, "source": source, **facts}})


def _moment(row: Row, name: str = "created_at") -> str | None:
    """The time of a row: as a text, or as milliseconds beside it."""
    text, epoch = row.get(name), row.get(f"{name}_epoch")
    if isinstance(text, str) and text[:4].isdigit():
        return clock.utc(text.replace(" ", "T"))
    return clock.stamp(epoch / 1000 if epoch > 10**11 else epoch) if isinstance(epoch, int | float) else None


def _listed(value: Any) -> list[str]:
    """A list that is kept as JSON, as lines or as one text."""
    if not isinstance(value, str) or not value.strip():
        return []
    try:
        found = json.loads(value)
    except ValueError:
        return [line.strip("-* ") for line in value.splitlines() if line.strip()]
    return [str(each) for each in found if each] if isinstance(found, list) else [str(found)]


# --- claude-mem: observations of an agent's sessions, their summaries, what was asked -------------


def _claude_mem(connection: apsw.Connection) -> Iterator[Told | Notice]:
    projects = {
        row.get("content_session_id") or row.get("claude_session_id"): row.get("project")
        for row in _rows(connection, "sdk_sessions")
    }
    for row in _rows(connection, "observations"):
        yield from _observation(row)
    for row in _rows(connection, "session_summaries"):
        yield from _session_summary(row)
    for row in _rows(connection, "user_prompts"):
        session = row.get("content_session_id") or row.get("claude_session_id")
        yield from _note(
            f"user_prompts {row['id']}",
            "claude-mem",
            ("prompt", session, row.get("prompt_number"), row["prompt_text"]),
            [row["prompt_text"]],
            tags=["prompt"],
            created_at=_moment(row),
            project=projects.get(session),
            session=session,
            metadata={"prompt_number": row.get("prompt_number")},
        )
    for row in _rows(connection, "directives"):
        yield from _note(
            f"directives {row['id']}",
            "claude-mem",
            ("directive", row.get("scope"), row["content"]),
            [row["content"]],
            tags=["directive"],
            created_at=_moment(row),
            project=row.get("project"),
            metadata={"scope": row.get("scope"), "status": row.get("status")},
        )


def _observation(row: Row) -> Iterator[Told | Notice]:
    session = row.get("memory_session_id") or row.get("sdk_session_id")
    facts = _listed(row.get("facts"))
    parts = [
        row.get("subtitle") or "",
        row.get("narrative") or row.get("text") or "",
        "\n".join(f"- {fact}" for fact in facts),
    ]
    return _note(
        f"observations {row['id']}",
        "claude-mem",
        ("observation", session, row.get("created_at_epoch"), row.get("title"), *parts),
        parts if any(parts) else [row.get("title") or ""],
        title=row.get("title"),
        tags=[tag for tag in (row.get("type"), *_listed(row.get("concepts"))) if tag],
        created_at=_moment(row),
        project=row.get("project"),
        session=session,
        metadata={
            "files_read": _listed(row.get("files_read")),
            "files_modified": _listed(row.get("files_modified")),
            "prompt_number": row.get("prompt_number"),
        },
    )


def _session_summary(row: Row) -> Iterator[Told | Notice]:
    session = row.get("memory_session_id") or row.get("sdk_session_id")
    named = ("request", "investigated", "learned", "completed", "next_steps", "notes")
    parts = [f"## {name.replace('_', ' ').capitalize()}\n\n{row[name]}" for name in named if row.get(name)]
    return _note(
        f"session_summaries {row['id']}",
        "claude-mem",
        ("summary", session, row.get("created_at_epoch"), *parts),
        parts,
        title=str(row.get("request") or "Session").splitlines()[0][:120],
        tags=["session-summary"],
        created_at=_moment(row),
        project=row.get("project"),
        session=session,
        metadata={
            "files_read": _listed(row.get("files_read")),
            "files_edited": _listed(row.get("files_edited")),
            "prompt_number": row.get("prompt_number"),
        },
    )


# --- basic-memory: notes in files, with observations and relations read out of them --------------


def _basic_memory(connection: apsw.Connection) -> Iterator[Told | Notice]:
    projects = {row["id"]: row for row in _rows(connection, "project")}
    whole = {row["entity_id"]: row["markdown_content"] for row in _rows(connection, "note_content")}
    observations, relations = (
        _grouped(connection, "observation", "entity_id"),
        _grouped(connection, "relation", "from_id"),
    )
    ids = {}
    for row in _rows(connection, "entity"):
        project = projects.get(row.get("project_id"), {})
        told = list(
            _entity(row, project, whole.get(row["id"]), observations.get(row["id"], []), relations.get(row["id"], []))
        )
        if isinstance(told[0], Told):
            ids[row["id"]] = told[0].record["id"]
        yield from told
    for outgoing in relations.values():
        for row in outgoing:
            relation = str(row["relation_type"]).strip().lower().replace(" ", "_").replace("-", "_")
            if relation in _CAUSAL and row["from_id"] in ids and row.get("to_id") in ids:
                ends = {"source": ids[row["from_id"]], "target": ids[row["to_id"]]}
                yield Told(
                    f"relation {row['id']}",
                    "edge",
                    {**ends, "relation": relation, "evidence": row.get("context") or ""},
                )


def _grouped(connection: apsw.Connection, table: str, by: str) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for row in _rows(connection, table):
        found.setdefault(row[by], []).append(row)
    return found


def _entity(
    row: Row, project: Row, whole: str | None, observations: Sequence[Row], relations: Sequence[Row]
) -> Iterator[Told | Notice]:
    facts = _object(row.get("entity_metadata"))
    kind = row.get("note_type") or row.get("entity_type")
    tags = facts.pop("tags", None) or []
    file = os.path.join(str(project.get("path") or ""), str(row.get("file_path") or ""))
    text = whole or _file(file) or _put_together(observations, relations)
    named = row.get("external_id") or (project.get("name"), row.get("permalink") or row.get("file_path"))
    return _note(
        f"entity {row['id']}",
        "basic-memory",
        (named,),
        [text],
        title=row["title"],
        tags=[*([tags] if isinstance(tags, str) else map(str, tags)), *([kind] if kind and kind != "note" else [])],
        created_at=_moment(row),
        project=project.get("name"),
        metadata={**facts, "permalink": row.get("permalink"), "file": row.get("file_path")},
    )


def _object(value: Any) -> dict[str, Any]:
    try:
        found = json.loads(value) if isinstance(value, str) else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _file(path: str) -> str:
    """The note's own file, which says more than what was read out of it."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(10_000_000)
    except (OSError, UnicodeDecodeError):
        return ""


def _put_together(observations: Sequence[Row], relations: Sequence[Row]) -> str:
    """Where the file is gone: what was read out of it, in the form in which it stood there."""
    lines = []
    for row in observations:
        tags = "".join(f" #{tag}" for tag in _listed(row.get("tags")) if f"#{tag}" not in row["content"])
        context = f" ({row['context']})" if row.get("context") else ""
        lines.append(f"- [{row.get('category') or 'note'}] {row['content']}{tags}{context}")
    linked = [
        f"- {row['relation_type']} [[{row['to_name']}]]" + (f" ({row['context']})" if row.get("context") else "")
        for row in relations
    ]
    return "\n".join([*lines, *([""] if lines and linked else []), *linked])
