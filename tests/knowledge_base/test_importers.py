"""What other programs keep comes in: their real tables, real vaults, found at once, twice adds nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from scrubjay.errors import UsageError

Run = Callable[..., Any]
Write = Callable[..., Path]

# The tables as claude-mem makes them (its later columns left out of some, as in older files).
CLAUDE_MEM = """
CREATE TABLE sdk_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL, memory_session_id TEXT UNIQUE,
  project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT NOT NULL,
  started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER,
  status TEXT NOT NULL DEFAULT 'active' CHECK(status IN ('active', 'completed', 'failed')), worker_port INTEGER,
  prompt_counter INTEGER DEFAULT 0, custom_title TEXT);
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
  type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
  files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, agent_type TEXT,
  agent_id TEXT, merged_into_project TEXT, generated_by_model TEXT, metadata TEXT, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL,
  FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE(memory_session_id, content_hash));
CREATE TABLE session_summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
  investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT,
  prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL,
  prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE VIRTUAL TABLE observations_fts USING fts5(title, narrative, content='observations', content_rowid='id');
"""
BASIC_MEMORY = """
CREATE TABLE project (
  id INTEGER PRIMARY KEY, external_id VARCHAR NOT NULL, name VARCHAR NOT NULL, description TEXT,
  permalink VARCHAR NOT NULL, path VARCHAR NOT NULL, is_active BOOLEAN NOT NULL, is_default BOOLEAN,
  created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, UNIQUE (name));
CREATE TABLE entity (
  id INTEGER PRIMARY KEY, external_id VARCHAR NOT NULL, title VARCHAR NOT NULL, note_type VARCHAR NOT NULL,
  entity_metadata JSON, content_type VARCHAR NOT NULL, project_id INTEGER NOT NULL REFERENCES project (id),
  permalink VARCHAR, file_path VARCHAR NOT NULL, checksum VARCHAR, mtime FLOAT, size INTEGER,
  created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL);
CREATE TABLE observation (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project (id),
  entity_id INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE, content TEXT NOT NULL,
  category VARCHAR NOT NULL, context TEXT, tags JSON DEFAULT '[]');
CREATE TABLE relation (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project (id),
  from_id INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
  to_id INTEGER REFERENCES entity (id) ON DELETE SET NULL, to_name VARCHAR NOT NULL, relation_type VARCHAR NOT NULL,
  context TEXT, UNIQUE (from_id, to_id, relation_type));
"""


def made(path: Path, schema: str, *rows: tuple[str, tuple[Any, ...]]) -> Path:
    connection = apsw.Connection(str(path))
    connection.execute(schema)
    for table, values in rows:
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
    connection.close()
    return path


@pytest.fixture
def claude_mem(tmp_path: Path) -> Path:
    at = ("2025-12-08T21:45:30.123Z", 1765230330123)
    return made(
        tmp_path / "claude-mem.db",
        CLAUDE_MEM,
        (
            "sdk_sessions",
            (1, "content-1", "memory-1", "shop", "claude", "fix it", *at, None, None, "active", None, 1, None),
        ),
        (
            "observations",
            (
                1,
                "memory-1",
                "shop",
                None,
                "bugfix",
                "Login loop",
                "The session cookie was never set",
                json.dumps(["SameSite was Strict", "The proxy strips cookies"]),
                "The login redirected forever.",
                json.dumps(["gotcha", "auth"]),
                json.dumps(["src/login.ts"]),
                "[]",
                2,
                10,
                "h1",
                None,
                None,
                None,
                None,
                None,
                *at,
            ),
        ),
        (
            "observations",
            (
                2,
                "memory-1",
                "shop",
                "an old plain observation",
                "discovery",
                None,
                None,
                "not json\n- at all",
                None,
                None,
                None,
                None,
                3,
                0,
                "h2",
                None,
                None,
                None,
                None,
                None,
                *at,
            ),
        ),
        (
            "session_summaries",
            (
                1,
                "memory-1",
                "shop",
                "Fix the login",
                "the proxy",
                "cookies are stripped",
                "set SameSite=Lax",
                None,
                "[]",
                None,
                None,
                4,
                0,
                None,
                *at,
            ),
        ),
        ("user_prompts", (1, "content-1", 1, "why does the login loop?", *at)),
    )


@pytest.fixture
def basic_memory(tmp_path: Path) -> Path:
    at = ("2025-03-01 10:00:00.000000", "2025-03-02 10:00:00.000000")
    folder = tmp_path / "main"
    folder.mkdir()
    (folder / "coffee.md").write_text("# Coffee\n\n- [method] bloom for thirty seconds\n- requires [[Grinder]]\n")
    entity = "text/markdown", 1
    return made(
        tmp_path / "memory.db",
        BASIC_MEMORY,
        ("project", (1, "p-1", "main", None, "main", str(folder), True, True, *at)),
        (
            "entity",
            (1, "e-1", "Coffee", "note", '{"tags": ["drink"]}', *entity, "coffee", "coffee.md", None, None, None, *at),
        ),
        ("entity", (2, "e-2", "Grinder", "device", "{}", *entity, "grinder", "gone/grinder.md", None, None, None, *at)),
        ("entity", (3, "e-3", "Picture", "file", None, "image/png", 1, None, "p.png", None, None, None, *at)),
        ("observation", (1, 1, 2, "burrs are better than blades", "fact", "from a book", '["taste"]')),
        ("relation", (1, 1, 1, 2, "Grinder", "requires", None)),
        ("relation", (2, 1, 2, 1, "Coffee", "enabled", "freshly")),
        ("relation", (3, 1, 2, None, "Unknown Thing", "relates_to", None)),
    )


def test_claude_mem_comes_in(kb: scrubjay.KnowledgeBase, claude_mem: Path) -> None:
    report = kb.import_(claude_mem)
    assert (report.form, report.added, report.failed, report.rows) == ("claude-mem", 4, 0, 4)
    hit = kb.search("proxy strips cookies", mode="keyword").hits[0]
    assert (hit.title, sorted(hit.tags)) == ("Login loop", ["auth", "bugfix", "gotcha"])
    assert hit.created_at == "2025-12-08T21:45:30Z"
    found = kb.get(hit.document_id).documents[0]
    assert found.text == (
        "The session cookie was never set\n\nThe login redirected forever.\n\n- SameSite was Strict\n"
        "- The proxy strips cookies"
    )
    assert found.metadata["files_read"] == ["src/login.ts"]
    facts, _ = kb.store.memory.facts([hit.document_id])[hit.document_id]
    assert (facts.project, facts.session, facts.source) == ("shop", "memory-1", "claude-mem")
    assert kb.search("old plain observation", mode="keyword").hits
    assert kb.search("SameSite Lax", tags="session-summary").hits[0].title == "Fix the login"
    assert kb.search("login loop", tags="prompt").hits


def test_basic_memory_comes_in(kb: scrubjay.KnowledgeBase, basic_memory: Path) -> None:
    report = kb.import_(basic_memory)
    assert (report.form, report.added, report.failed, report.edges) == ("basic-memory", 2, 1, 1)
    assert "entity 3: it has no text" in report.notices[0].reason
    coffee = kb.search("bloom thirty seconds", mode="keyword").hits[0]
    grinder = kb.search("burrs blades", mode="keyword").hits[0]
    assert (coffee.title, coffee.tags, coffee.created_at) == ("Coffee", ("drink",), "2025-03-01T10:00:00Z")
    assert (grinder.title, grinder.tags) == ("Grinder", ("device",))
    assert kb.get(grinder.document_id).documents[0].text == (
        "- [fact] burrs are better than blades #taste (from a book)\n\n- enabled [[Coffee]] (freshly)\n"
        "- relates_to [[Unknown Thing]]"
    )
    said = {(edge.source, edge.target, edge.relation) for edge in kb.links(grinder.document_id) if edge.target}
    assert (grinder.document_id, coffee.document_id, "enabled") in said
    assert (coffee.document_id, grinder.document_id, "links") in said


@pytest.mark.parametrize("which", ["claude_mem", "basic_memory"])
def test_the_same_file_twice_adds_nothing(
    kb: scrubjay.KnowledgeBase, which: str, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(which)
    first = kb.import_(path)
    again = kb.import_(path)
    assert (again.added, again.same, again.edges, again.rows) == (0, first.added, 0, 0)


def test_the_file_of_another_program_is_not_touched(kb: scrubjay.KnowledgeBase, claude_mem: Path) -> None:
    before = claude_mem.read_bytes()
    kb.import_(claude_mem)
    assert claude_mem.read_bytes() == before
    assert sorted(path.name for path in claude_mem.parent.iterdir() if "claude-mem" in path.name) == ["claude-mem.db"]


def test_an_obsidian_vault_comes_in(place: str, write: Write, tmp_path: Path) -> None:
    write("vault/.obsidian/app.json", "{}")
    write("vault/Coffee.md", "---\naliases: [Kaffee, The Black Drink]\ntags: [drink]\n---\nBloom first. #morning\n")
    write("vault/Grinder.md", "Needed for [[Kaffee]] and [[the black drink|it]], see ![[Coffee#Bloom]].\n")
    write("vault/.trash/old.md", "thrown away\n")
    with scrubjay.open(place) as kb:
        report = kb.import_(tmp_path / "vault")
        assert (report.form, report.added) == ("obsidian", 2)
        coffee = kb.search("bloom", mode="keyword").hits[0]
        assert sorted(coffee.tags) == ["drink", "morning"]
        links = [edge for edge in kb.links(coffee.document_id) if edge.relation == "links"]
        assert {edge.source_title for edge in links} == {"Grinder"}
        assert [edge for edge in kb.links(links[0].source) if edge.target is None] == []
        assert kb.import_(tmp_path / "vault").added == 0
        write("vault/Coffee.md", "---\naliases: Espresso\n---\nBloom first.\n")
        write("vault/Cup.md", "Holds [[Espresso]].\n")
        kb.update()
        assert "Cup" in {edge.source_title for edge in kb.links(coffee.document_id)}


def test_a_folder_of_dated_notes_comes_in(place: str, write: Write, tmp_path: Path) -> None:
    write("agent/MEMORY.md", "# Memory\n\nThe user prefers tabs.\n")
    write("agent/memory/2025-05-06.md", "Deployed the shop.\n")
    with scrubjay.open(place) as kb:
        report = kb.import_(tmp_path / "agent")
        assert (report.form, report.added) == ("memory-folder", 2)
        assert kb.search("deployed", mode="keyword").hits[0].created_at[:10] == "2025-05-06"
        assert kb.import_(tmp_path / "agent").same == 2


def test_what_cannot_be_imported_says_what_to_do(place: str, write: Write, tmp_path: Path) -> None:
    plain = write("plain/a.md", "# A\n")
    other = made(tmp_path / "other.db", "CREATE TABLE x (y)")
    with scrubjay.open(place) as kb:
        for path, cure in (
            (plain.parent, "kb add"),
            (plain, "kb add"),
            (other, "kb add"),
            (place, "kb restore"),
            (tmp_path / "no", "path"),
        ):
            with pytest.raises(UsageError) as raised:
                kb.import_(path)
            assert cure in raised.value.cure
        with pytest.raises(UsageError, match="no form"):
            kb.import_(plain, form="nonsense")
        with pytest.raises(UsageError, match="not a folder"):
            kb.import_(plain, form="obsidian")


def test_kb_import_says_whose_it_was(run: Run, claude_mem: Path) -> None:
    done = run("import", str(claude_mem))
    assert (done.code, "4 added" in done.out, "from claude-mem" in done.out) == (0, True, True)
    assert run("import", str(claude_mem), "--from", "obsidian").code == 2
    assert json.loads(run("import", str(claude_mem), "--from", "claude-mem", "--json").out)["same"] == 4
