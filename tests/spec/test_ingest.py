"""Requirements R89, R91 and R105 as far as they concern what comes in, and what accidents say on the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from fakes import Failing
from samples import pdf
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.ingest import pipeline
from scrubjay.store.sqlite.connect import SCHEMA_VERSION
from scrubjay.store.sqlite.migrate import migrate, steps

Write = Callable[..., Path]
Run = Callable[..., Any]

FIRST = """
INSERT INTO documents (id, path, title, kind, created_at, modified_at, indexed_at)
  VALUES ('d_git', '/n/git.md', 'Git', 'markdown', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z'),
         ('d_base', NULL, '数据库', 'note', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
INSERT INTO chunks (id, document, ordinal, title, trail, path, text, bigrams)
  VALUES ('c_git', 1, 0, 'Git', '', 'n/git.md', 'install git on every machine, see [[数据库]]', ''),
         ('c_base', 2, 0, '数据库', '', '', '我们的数据库设计文档', '我们 们的 的数 数据 据库 库设 设计 计文 文档');
INSERT INTO tags (tag, document, by_hand) VALUES ('ops', 1, 1), ('ops', 2, 0);
"""


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_r089_a_filled_base_of_every_step_is_taken_along(place: str, version: int) -> None:
    """Also of those steps that were never released, and so have no frozen base."""
    connection = apsw.Connection(place)
    migrate(connection, place, steps()[:version])
    connection.execute(FIRST)
    connection.close()
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        assert kb.status()["schema"] == SCHEMA_VERSION
        assert {document.id for document in kb.list()} == {"d_git", "d_base"}
        assert [hit.id for hit in kb.search("install machines", mode="keyword").hits] == ["c_git"]
        assert [hit.id for hit in kb.search("数据库设计", mode="keyword").hits][:1] == ["c_base"]
        assert kb.tags() == {"ops": 2}
        kb.update()  # what an older program did not know of, embedding and links, is made up for
        assert kb.status()["pending"] == 0
        assert [hit.sources for hit in kb.search("install git", mode="vector", top=1).hits] == [("vector",)]
        assert [check for check in kb.doctor() if check.ok is False] == []


def test_r091_unchanged_files_are_skipped_by_time_then_by_hash(
    place: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("notes/a.md", "# A\n")
    opened: list[str] = []
    chunked: list[str] = []
    real_load, real_chunk = pipeline.load, pipeline.chunk
    monkeypatch.setattr(pipeline, "load", lambda path, *rest: (opened.append(path), real_load(path, *rest))[1])
    monkeypatch.setattr(pipeline, "chunk", lambda reading, **more: (chunked.append(""), real_chunk(reading,
    **more))[1])
    with scrubjay.open(place) as kb:
        assert kb.add(path).added == 1
        assert kb.update().skipped == 1
        assert (len(opened), len(chunked)) == (1, 1), "the time is the same: the file is not even opened"
        os.utime(path, (1, 1))
        assert kb.update().skipped == 1
        assert (len(opened), len(chunked)) == (2, 1), "the hash is the same: it is not read as a document"
        write("notes/a.md", "# A\n\nmore\n")
        assert kb.update().changed == 1
        assert (len(opened), len(chunked)) == (3, 2)


def states(kb: scrubjay.KnowledgeBase) -> dict[str, int]:
    connection = kb.store._connection  # type: ignore[attr-defined]
    return dict(connection.execute("SELECT status, count(*) FROM embeddings GROUP BY status").fetchall())


def test_r091_every_chunk_has_a_state_of_embedding(place: str) -> None:
    away = Failing(lambda role, text: True)
    with scrubjay.open(place, embedder=away) as kb:
        kb.notes([{"text": "good"}, {"text": "poison"}])
        assert states(kb) == {"pending": 2}
        away.when = lambda role, text: text == "poison"
        kb.update()
        assert states(kb) == {"success": 1, "failed": 1}
        [model] = kb.store.models()
        kb.store.retry_failed(model.number)
        assert states(kb) == {"success": 1, "retry": 1}
        [(number, _)] = kb.store.pending(model.number, 10)
        away.when = lambda role, text: False
        kb.update()
        assert states(kb) == {"success": 2}
        kb.store.mark_embedding(model.number, [number], "partial", "longer than the model reads")
        assert states(kb) == {"success": 1, "partial": 1}
        with pytest.raises(scrubjay.ScrubjayError):
            kb.store.mark_embedding(model.number, [number], "done", "")


FRONT = """---
title: How we work
description: What everybody keeps to
tags: [rules, team]
date: 2026-01-31
trigger_phrases: [working together, house rules]
importance_tier: important
type: decision_record
---
# Something else

Doors are closed quietly.

<!-- ANCHOR:night -->
## At night

Quieter still.
<!-- /ANCHOR:night -->
"""


def test_r105_front_matter_is_believed(place: str, write: Write) -> None:
    path = write("notes/rules.md", FRONT)
    with scrubjay.open(place) as kb:
        kb.add(path)
        [document] = kb.list(tags="rules,team", since="2026-01-31", until="2026-01-31")
        assert (document.title, document.summary, document.created_at[:10]) == (
            "How we work", "What everybody keeps to", "2026-01-31",
        )  # fmt: skip
        assert document.metadata["trigger_phrases"] == ["working together", "house rules"]
        assert document.metadata["importance_tier"] == "important"
        assert document.metadata["anchors"] == {"night": [14, 18]}
        [hit] = kb.search("quieter").hits
        assert hit.title == "How we work"
        assert kb.get(document.id).documents[0].text == FRONT


# --- accidents on the command line -----------------------------------------------------------


def text_file(place: Path) -> None:
    place.write_text("a text, not a base\n" * 50)


def cut_base(place: Path) -> None:
    with scrubjay.open(place) as kb:
        kb.notes({"text": f"git {number} " * 40} for number in range(200))
    place.write_bytes(place.read_bytes()[:30_000])


def newer(place: Path) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git")
    connection = apsw.Connection(str(place))
    connection.pragma("user_version", SCHEMA_VERSION + 1)
    connection.close()


def folder(place: Path) -> None:
    place.mkdir()


def nothing(place: Path) -> None:
    pass


@pytest.mark.parametrize("words", [("search", "git"), ("list",), ("status",), ("update",),
("tags",)], ids=lambda words: words[0])
@pytest.mark.parametrize("accident", [text_file, cut_base, newer, folder, nothing], ids=lambda one: one.__name__)
def test_a_base_that_cannot_be_used_says_what_why_and_the_cure(
    run: Run, place: str, accident: Callable[[Path], None], words: tuple[str, ...]
) -> None:
    accident(Path(place))
    done = run(*words)
    assert (done.code, done.out) == (1, "")
    what, *rest = done.err.splitlines()
    assert what.startswith("kb: ")
    assert place in what
    assert len(rest) >= 2, "why, and the cure"
    assert all(line.startswith("    ") for line in rest)
    assert "Traceback" not in done.err
    debugged = run(*words, "--debug")
    assert debugged.code == 1
    assert "Traceback" in debugged.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add", "WHERE/nots"), "Did you mean"), (("add", ""), "empty"), (("add",), "PATH"),
        (("remove", " "), "empty"),
        (("search", "git", "--type", "markdwn"), "markdown"), (("search", "git", "--tpo", "3"), "--top"),
        (("serch", "git"), "search"), (("search", "git", "--since", "yesterdy"), "yesterday"),
        (("search", "git", "--top", "none"), "whole number"), (("note", ""), "empty"),
        (("search", "git", "--format", "xml"), "json"),
    ],
)  # fmt: skip
def test_wrong_use_is_told_with_what_was_probably_meant(
    run: Run, write: Write, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    write("notes/a.md", "# A\n")
    run("add", str(tmp_path / "notes"))
    done = run(*(word.replace("WHERE", str(tmp_path)) for word in words))
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_one_run_over_everything_that_can_be_wrong_with_files(run: Run, write: Write, tmp_path: Path) -> None:
    """One bad file is a notice with its cure, never the end; and the good one is found."""
    write("notes/good.md", "# Good\n\nmarmalade\n")
    write("notes/junk.md", bytes(range(256)) * 40)
    write("notes/nul.txt", b"words and words and more of them, enough to be text\0" * 3)
    write("notes/latin.txt", "Die Königin der Öfen bäckt früh; das Café öffnet um sieben. ".encode("latin-1") * 3)
    write("notes/wide.txt", "Die Königin der Öfen bäckt früh".encode("utf-16"))
    write("notes/cut.pdf", pdf("first page", "second page")[:400])
    write("notes/locked.pdf", pdf("secret", password="x"))
    write("notes/no.docx", b"PK\x03\x04 no archive")
    write("notes/no.ipynb", b"{")
    write("notes/empty.md", b"")
    os.mkfifo(tmp_path / "notes" / "pipe.md")
    (tmp_path / "notes" / "loop").symlink_to(".")
    (tmp_path / "notes" / "out.md").symlink_to("/etc/hostname")
    (tmp_path / "notes" / "broken.md").symlink_to("nothing")
    done = run("add", str(tmp_path / "notes"), "--json")
    assert done.code == 0
    report = json.loads(done.out)
    assert (report["added"], report["left_out"]) == (5, 1)
    told = {name: [one for one in report["notices"] if name in one["reason"]] for name in (
        "nul.txt", "latin.txt", "cut.pdf", "locked.pdf", "no.docx", "no.ipynb", "out.md",
    )}  # fmt: skip
    assert all(len(notices) == 1 for notices in told.values()), told
    assert all(notice["remedy"] for notice in report["notices"])
    assert len(report["notices"]) == len(told)
    assert json.loads(run("search", "marmalade", "--json").out)["returned"] == 1
    assert json.loads(run("search", "Königin", "--json").out)["returned"] == 2
    again = json.loads(run("update", "--json").out)
    assert (again["added"], again["changed"], again["removed"], again["skipped"]) == (0, 0, 0, 5)
