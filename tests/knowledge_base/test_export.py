"""Export and import: everything that was told goes along, twice adds nothing, a bad line costs itself."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from fakes import process
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import UsageError
from scrubjay.store.sqlite.archive import tables
from scrubjay.types.memory import Facts, Life, Record

Run = Callable[..., Any]
Write = Callable[..., Path]


@pytest.fixture
def full(place: str, write: Write, tmp_path: Path) -> Path:
    """A base with something of everything, and its export."""
    write(
        "notes/git.md",
        "---\ntags: [ops]\nrating: 5\n---\n# Git\n\nInstall git. See [[Bread]].\n\n## Undo\n\ngit reset\n",
    )
    write("notes/bread.md", "# Bread\n\nSourdough needs time.\n")
    write("notes/src/a.py", "def login(user):\n    return user\n")
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.add(tmp_path / "notes", tags=["mine"], exclude=["*.log"])
        kb.notes(
            [
                {
                    "id": "n1",
                    "text": "我们的数据库设计文档",
                    "created_at": "2026-01-01",
                    "metadata": {"by": "我", "n": [1, None]},
                },
                {"id": "n2", "text": "long " * 900, "title": "Long", "summary": "s", "kind": "markdown", "tags": ["x"]},
                {"id": "n3", "text": 'odd \u2028 "quotes" \\ \t\U0001f600 tail\n'},
            ]
        )
        kb.tag("n1", add=["by-hand"])
        kb.link("n1", "n2", "caused", strength=0.5, evidence="because")
        chunk = kb.search("undo", mode="keyword").hits[0].id
        kb.link(chunk, "n3", "supports")
        file = tmp_path / "all.jsonl"
        kb.export(file, vectors=True)
    return file


def picture(kb: scrubjay.KnowledgeBase) -> dict[str, Any]:
    """Everything a base was told and found, by ids, without the moments of reading."""
    ask = kb.store._connection.execute  # type: ignore[attr-defined]
    columns = (
        "id, path, title, kind, created_at, modified_at, indexed_at, summary, size, mtime_ns, content_hash, metadata"
    )
    return {
        "documents": ask(
            f"SELECT {columns}, (SELECT path FROM sources AS s WHERE s.number = source) FROM documents ORDER BY id"
        ).fetchall(),
        "chunks": ask(
            "SELECT c.id, d.id, ordinal, line_start, line_end, page, c.title, trail, c.path, text, bigrams"
            " FROM chunks AS c JOIN documents AS d ON d.number = c.document ORDER BY d.id, ordinal"
        ).fetchall(),
        "tags": ask(
            "SELECT d.id, tag, by_hand FROM tags JOIN documents AS d ON d.number = document ORDER BY 1, 2"
        ).fetchall(),
        "sources": ask("SELECT path, tags, exclude, kind, added_at, last_read_at FROM sources ORDER BY 1").fetchall(),
        "edges": ask(
            "SELECT a.id, (SELECT id FROM chunks WHERE number = source_chunk), b.id,"
            " (SELECT id FROM chunks WHERE number = target_chunk), relation, origin, strength, evidence"
            " FROM edges AS e JOIN documents AS a ON a.number = e.source"
            " LEFT JOIN documents AS b ON b.number = e.target"
            " ORDER BY 1, 2, 3, 4, 5"
        ).fetchall(),
        "vectors": {
            chunk.id: tuple(np.round(row, 5))
            for model in kb.store.models()
            for numbers, rows in kb.store.vectors(model.number)
            for chunk, row in zip(kb.store.fetch(numbers), rows, strict=True)
        },
    }


def test_a_round_trip_loses_nothing(full: Path, place: str, tmp_path: Path) -> None:
    with scrubjay.open(place) as kb:
        before = picture(kb)
    with scrubjay.open(tmp_path / "new.db", embedder=HashingEmbedder(16)) as kb:
        report = kb.import_(full)
        after = picture(kb)
        assert [check for check in kb.doctor() if check.ok is False] == []
    assert after == before
    assert (report.failed, report.differs, report.notices) == (0, 0, ())
    assert report.added == len(before["documents"]) == 6
    assert report.vectors == len(before["vectors"]) > 6
    assert report.embedded == 0


def test_an_export_of_an_import_is_the_same_file(full: Path, tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "new.db", embedder=HashingEmbedder(16)) as kb:
        kb.import_(full)
        kb.export(tmp_path / "again.jsonl", vectors=True)

    def lines(file: Path) -> list[Any]:
        told = [json.loads(line) for line in file.read_text("utf-8").split("\n") if line]
        told[0]["scrubjay"].pop("exported_at")
        return [line for line in told if "vectors" not in line]

    assert lines(tmp_path / "again.jsonl") == lines(full)


def test_f018_imported_rows_are_found_at_once(full: Path, tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "new.db") as kb:
        kb.import_(full)
        assert [hit.title for hit in kb.search("sourdough", mode="keyword").hits] == ["Bread"]
        assert kb.search("数据库设计", mode="keyword").hits[0].document_id == "n1"
        assert kb.search("git reset", mode="keyword", tags="mine").hits[0].title == "Git"


def test_without_vectors_they_are_made(place: str, tmp_path: Path) -> None:
    with scrubjay.open(place) as kb:
        kb.note("install git")
        kb.export(tmp_path / "x.jsonl")
    with scrubjay.open(tmp_path / "new.db", embedder=HashingEmbedder(16)) as kb:
        assert kb.import_(tmp_path / "x.jsonl").embedded == 1
        assert len(kb.search("install git", mode="vector").hits) == 1


def test_importing_twice_adds_nothing(full: Path, place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        before = picture(kb)
        report = kb.import_(full)
        assert picture(kb) == before
    assert (report.added, report.same, report.replaced, report.edges, report.sources, report.vectors) == (
        0,
        6,
        0,
        0,
        0,
        0,
    )


def test_what_differs_is_left_unless_it_is_to_be_replaced(full: Path, place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.notes([{"id": "n1", "text": "the present one"}], replace=True)
        report = kb.import_(full)
        assert (report.same, report.differs) == (5, 1)
        assert "--replace" in report.notices[0].remedy
        assert kb.get("n1").documents[0].text == "the present one"
        assert kb.import_(full, replace=True).replaced == 1
        assert kb.get("n1").documents[0].text == "我们的数据库设计文档"
        assert kb.search("present", mode="keyword").hits == ()


def test_bad_lines_are_told_with_their_number(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    good = {
        "document": {"id": "d_ok", "title": "Ok", "kind": "note", "chunks": [{"text": "fine words", "lines": [1, 1]}]}
    }
    lines = [
        json.dumps(good).encode(), b"", b"{no json", b'"text"', b'{"a": 1}', b"\xff\xfe", b'{"document": 3}',
        b'{"document": {"id": "d_x", "chunks": []}}',
        b'{"edge": {"source": "d_ok", "target": "nobody", "relation": "caused"}}',
        b'{"text": ""}', b'{"text": "half \\ud800"}', b'{"row": {"table": "sqlite_schema", "values": {}}}',
        b'{"text": "a plain note", "tags": ["one"]}',
    ]  # fmt: skip
    report = kb.import_(write("bad.jsonl", b"\n".join(lines)))
    assert (report.added, report.failed) == (3, 9)
    assert [notice.reason.split(":")[0] for notice in report.notices] == [
        f"line {n}" for n in (3, 4, 5, 6, 7, 8, 9, 10, 12)
    ]
    assert len(kb.search("fine words").hits) == 1
    assert kb.tags() == {"one": 1}


def test_plain_notes_get_the_same_id_again(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    file = write(
        "notes.jsonl", '{"text": "one note", "type": "decision"}\n{"text": "another", "created_at": "2026-01-02"}\n'
    )
    assert kb.import_(file).added == 2
    again = kb.import_(file)
    assert (again.added, again.same) == (0, 2)
    assert kb.tags() == {"decision": 1}


def test_a_file_that_ends_early_is_told(full: Path, tmp_path: Path) -> None:
    text = full.read_text("utf-8").split("\n")
    cut = tmp_path / "cut.jsonl"
    cut.write_text("\n".join(text[:4]), "utf-8")
    with scrubjay.open(tmp_path / "new.db") as kb:
        report = kb.import_(cut)
    assert any("ends early" in notice.reason for notice in report.notices)


def test_vectors_of_another_model_are_refused(full: Path, tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "new.db", embedder=HashingEmbedder(8)) as kb:
        kb.note("first")
        report = kb.import_(full)
        assert report.vectors == 0
        assert "its vectors are of" in next(notice.reason for notice in report.notices if "vectors" in notice.reason)
        assert report.embedded > 6


def test_rows_of_other_parts_travel_with_their_keys(place: str, tmp_path: Path) -> None:
    """Whatever another part keeps about documents, without a line of code here."""
    made = (
        "CREATE TABLE facts (number INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents (number),"
        " said TEXT, raw BLOB); CREATE TABLE doubts (fact INTEGER REFERENCES facts (number), weight REAL);"
    )
    for base, first in ((place, True), (str(tmp_path / "new.db"), False)):
        with scrubjay.open(base) as kb:
            ask = kb.store._connection.execute  # type: ignore[attr-defined]
            ask(made)
            if first:
                kb.notes([{"id": "a", "text": "a"}, {"id": "b", "text": "b"}])
                ask("INSERT INTO facts VALUES (70, 2, 'of b', x'00ff'), (71, 1, NULL, NULL)")
                ask("INSERT INTO doubts VALUES (70, 0.5)")
                kb.export(tmp_path / "x.jsonl")
            else:
                kb.note("takes the first number")
                report = kb.import_(tmp_path / "x.jsonl")
                assert (report.rows, report.notices) == (3, ())
                assert kb.import_(tmp_path / "x.jsonl").rows == 0
                assert ask(
                    "SELECT d.id, said, raw, weight FROM facts JOIN documents AS d ON d.number = document"
                    " LEFT JOIN doubts ON fact = facts.number ORDER BY 1"
                ).fetchall() == [("a", None, None, None), ("b", "of b", b"\x00\xff", 0.5)]


def test_what_is_known_of_memories_travels(place: str, tmp_path: Path) -> None:
    facts = Facts(
        "procedural", "said", tier="important", project="shop", session="s1", triggers=("deploy", "roll back")
    )
    with scrubjay.open(place) as kb:
        kb.notes([{"id": "a", "text": "first deploy then pray"}, {"id": "b", "text": "never deploy on Fridays"}])
        kb.store.memory.put("b", facts)
        kb.store.memory.live({"b": Life(3.5, 2, "2026-01-01T00:00:00Z")})
        record = kb.store.memory.records.add(
            Record("", "superseded", "a", "b", reason="it was wrong"), {"tier": "normal"}
        )
        known = kb.store.memory.facts(["a", "b"])
        kb.export(tmp_path / "x.jsonl")
    with scrubjay.open(tmp_path / "new.db") as kb:
        kb.note("takes a number")
        report = kb.import_(tmp_path / "x.jsonl")
        assert (report.failed, report.notices) == (0, ())
        assert kb.store.memory.facts(["a", "b"]) == known
        [again] = kb.store.memory.records.all()
        assert again._replace(id="", document_title="", other_title="") == record._replace(
            id="", document_title="", other_title=""
        )
        assert kb.import_(tmp_path / "x.jsonl").rows == 0


def test_every_table_travels_or_says_why_not(kb: scrubjay.KnowledgeBase) -> None:
    connection = kb.store._connection  # type: ignore[attr-defined]
    known = {*tables.BY_HAND, *tables.DERIVED, *tables.HISTORY, *tables.plain(connection)}
    every = {
        name
        for name, kind in connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
        if kind in ("table", "virtual") and not name.startswith("sqlite_")
    }
    assert every - known == set(), "name them in store/sqlite/archive/tables.py: do they travel with an export?"


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip))
def test_any_text_comes_back(text: str) -> None:
    out = io.StringIO()
    with scrubjay.open(":memory:") as kb:
        id = kb.note(text)
        was = kb.get(id).documents[0]
        kb.export(out)
    with scrubjay.open(":memory:") as kb:
        from scrubjay.ingest.importers.jsonl import told

        assert kb.import_(told(out.getvalue().encode().split(b"\n"))).failed == 0
        assert kb.get(id).documents[0] == was


def test_an_export_never_replaces_a_file_unasked(place: str, write: Write, tmp_path: Path) -> None:
    file = write("x.jsonl", "mine")
    with scrubjay.open(place) as kb:
        kb.note("git")
        with pytest.raises(UsageError):
            kb.export(file)
        with pytest.raises(UsageError):
            kb.export(tmp_path)
        kb.export(file, force=True)
    assert len(file.read_text().splitlines()) == 2
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")] == []


def test_kb_export_and_import(run: Run, tmp_path: Path, write: Write) -> None:
    run("note", "install git", "--tags", "ops")
    out = run("export")
    assert [next(iter(json.loads(line))) for line in out.out.splitlines()] == ["scrubjay", "document"]
    file = str(tmp_path / "x.jsonl")
    assert "1 document" in run("export", file).out
    assert run("export", file).code == 2
    assert json.loads(run("export", file, "--force", "--json").out)["documents"] == 1
    other = ("--base", str(tmp_path / "other.db"))
    assert "1 added" in run("import", file, *other).out
    told = json.loads(run("import", file, *other, "--json").out)
    assert (told["added"], told["same"], told["form"]) == (0, 1, "jsonl")
    assert run("import", str(tmp_path / "none.jsonl")).code == 2
    assert run("import", str(write("letter.txt", "dear aunt"))).code == 2


def test_an_export_is_of_one_moment(place: str) -> None:
    class Pen:
        """Another process writes while the export is being written."""

        def __init__(self) -> None:
            self.lines: list[str] = []

        def write(self, line: str) -> None:
            if not self.lines:
                with scrubjay.open(place) as other:
                    other.note("came later")
            self.lines.append(line)

    pen = Pen()
    with scrubjay.open(place) as kb:
        kb.notes({"text": f"note {n}"} for n in range(5))
        assert kb.export(pen).documents == 5
    assert json.loads(pen.lines[0])["scrubjay"]["documents"] == 5
    assert len(pen.lines) == 6


def test_one_base_is_poured_into_another(tmp_path: Path) -> None:
    one, two = (("--base", str(tmp_path / name)) for name in ("one.db", "two.db"))
    with scrubjay.open(tmp_path / "one.db") as kb:
        kb.note("install git ünd brot", id="n")
    lines = process(tmp_path, "export", *one, KB_EMBEDDER_NAME="none").stdout
    done = process(tmp_path, "import", "-", *two, stdin=lines, KB_EMBEDDER_NAME="none")
    assert (done.returncode, "1 added" in done.stdout) == (0, True), done.stderr
    with scrubjay.open(tmp_path / "two.db") as kb:
        assert kb.get("n").documents[0].text == "install git ünd brot"
    assert process(tmp_path, "import", "-", "--from", "obsidian", *two).returncode == 2
