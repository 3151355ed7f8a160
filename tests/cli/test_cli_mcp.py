"""`kb mcp` on the command line: what is shown, asked and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_shown_then_written_then_known(kb: Any, home: Path) -> None:
    shown = kb("mcp", "install", "cursor", "--dry-run")
    assert shown.code == 0
    assert f"Cursor: {home}/.cursor/mcp.json" in shown.out
    assert '"scrubjay"' in shown.out
    assert "Nothing was written." in shown.err
    assert not (home / ".cursor").exists()
    done = kb("mcp", "install", "cursor", "--yes")
    assert done.code == 0
    assert f"Written to {home}/.cursor/mcp.json." in done.out
    entry = json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["scrubjay"]
    assert entry["args"][-1] == "mcp"
    again = kb("mcp", "install", "cursor")
    assert (again.code, again.out) == (0, f"Cursor has it already, in {home}/.cursor/mcp.json\n")
    assert not (home / ".cursor/mcp.json.bak").exists()


def test_nothing_is_written_when_nobody_can_be_asked(kb: Any, home: Path) -> None:
    done = kb("mcp", "install", "cursor")
    assert done.code == 2
    assert '"scrubjay"' in done.out
    assert "Add --yes to write it." in done.err
    assert not (home / ".cursor").exists()


def test_several_clients_and_a_base_of_their_own(kb: Any, home: Path) -> None:
    assert kb("mcp", "install", "cursor", "codex", "--base", "notes.db", "--yes").code == 0
    entry = json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["scrubjay"]
    assert entry["args"][-3:] == ["mcp", "--base", str(home / "notes.db")]
    assert str(home / "notes.db") in (home / ".codex/config.toml").read_text()


def test_the_base_of_the_environment_is_written_with_it(kb: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_BASE", str(home / "mine.db"))  # the client would not know it
    assert kb("mcp", "install", "cursor", "--yes").code == 0
    entry = json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["scrubjay"]
    assert entry["args"][-2:] == ["--base", str(home / "mine.db")]


def test_printing_is_what_can_be_pasted(kb: Any, home: Path) -> None:
    done = kb("mcp", "install", "claude-desktop", "--print")
    assert done.code == 0
    assert set(json.loads(done.out)["mcpServers"]) == {"scrubjay"}
    assert list(home.iterdir()) == []


def test_for_a_project_only(kb: Any, home: Path) -> None:
    assert kb("mcp", "install", "claude-code", "--project", "--yes").code == 0
    assert (home / ".mcp.json").exists()
    assert not (home / ".claude.json").exists()
    assert kb("mcp", "install", "lmstudio", "--project", "--yes").code == 2


def test_uninstalling(kb: Any, home: Path) -> None:
    kb("mcp", "install", "cursor", "--yes")
    done = kb("mcp", "uninstall", "cursor", "--yes")
    assert done.code == 0
    assert "mcpServers.scrubjay is taken out" in done.out
    assert json.loads((home / ".cursor/mcp.json").read_text()) == {"mcpServers": {}}
    assert "does not have it" in kb("mcp", "uninstall", "cursor").out


def test_without_a_client_it_says_which_are_here(kb: Any, home: Path) -> None:
    (home / ".cursor").mkdir()
    for action in ("install", "uninstall"):
        done = kb("mcp", action)
        assert done.code == 2
        assert "claude-code, claude-desktop" in done.err
        assert f"Found on this machine: cursor. Type: kb mcp {action} cursor" in done.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mcp", "instal", "cursor"), "kb mcp cannot 'instal cursor'"),
        (("mcp", "serve", "cursor"), "kb mcp cannot"),
        (("mcp", "--port", "1"), "--port goes with --http"),
        (("mcp", "--port", "x", "--http"), "--port"),
        (("mcp", "install", "cursr", "--yes"), "Did you mean cursor?"),
    ],
)
def test_wrong_use(kb: Any, words: tuple[str, ...], told: str) -> None:
    done = kb(*words)
    assert done.code == 2
    assert told in done.err
    assert done.out == ""
