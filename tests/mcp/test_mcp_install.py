"""Each client's file in a home of the test's own: place, shape, what is kept, what is taken out."""

from __future__ import annotations

import json
import os
import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.mcp import install, jsonfile
from scrubjay.mcp.clients import CLIENTS, find_client

START = ["/opt/kb", "mcp", "--base", "/notes/kb.db"]
PLAIN = {"command": "/opt/kb", "args": ["mcp", "--base", "/notes/kb.db"]}
TYPED = {"type": "stdio", **PLAIN}
OPENCODE = {"type": "local", "command": START, "enabled": True}
COPILOT = {**TYPED, "tools": ["*"]}

LINUX = {
    "claude-code": (".claude.json", "mcpServers", TYPED),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers", PLAIN),
    "cursor": (".cursor/mcp.json", "mcpServers", PLAIN),
    "vscode": (".config/Code/User/mcp.json", "servers", TYPED),
    "copilot": (".copilot/mcp-config.json", "mcpServers", COPILOT),
    "codex": (".codex/config.toml", "mcp_servers", PLAIN),
    "gemini": (".gemini/settings.json", "mcpServers", PLAIN),
    "antigravity": (".gemini/config/mcp_config.json", "mcpServers", PLAIN),
    "opencode": (".config/opencode/opencode.json", "mcp", OPENCODE),
    "devin": (".config/devin/mcp_config.json", "mcpServers", PLAIN),
    "windsurf": (".codeium/windsurf/mcp_config.json", "mcpServers", PLAIN),
    "zed": (".config/zed/settings.json", "context_servers", PLAIN),
    "kiro": (".kiro/settings/mcp.json", "mcpServers", PLAIN),
    "lmstudio": (".lmstudio/mcp.json", "mcpServers", PLAIN),
}
PROJECT = {
    "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "copilot": ".github/mcp.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "antigravity": ".agents/mcp_config.json",
    "opencode": "opencode.json",
    "devin": ".devin/mcp_config.json",
    "zed": ".zed/settings.json",
    "kiro": ".kiro/settings/mcp.json",
}
Home = Callable[..., Callable[[str], str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The environment of a person whose home is the test's folder, on a system of choice."""

    def make(system: str = "linux", **more: str) -> Callable[[str], str]:
        monkeypatch.setattr(sys, "platform", system)
        values = {"HOME": str(tmp_path), **more}
        return lambda name: values.get(name, "")

    return make


def read(path: Path) -> Any:
    text = path.read_text()
    return tomllib.loads(text) if path.suffix == ".toml" else jsonfile.loads(text)


def test_every_client_is_in_this_test() -> None:
    assert list(LINUX) == [client.name for client in CLIENTS]
    assert {client.name: client.project for client in CLIENTS if client.project} == PROJECT


@pytest.mark.parametrize("name", LINUX)
def test_the_file_its_place_and_its_shape(name: str, home: Home, tmp_path: Path) -> None:
    place, key, record = LINUX[name]
    made = install.change(name, START, home(), project=None)
    assert made.path == str(tmp_path / place)
    assert made.is_needed
    assert not (tmp_path / place).exists()  # nothing is written before it is shown
    assert install.write(made) is None
    assert read(tmp_path / place) == {key: {"scrubjay": record}}
    assert (tmp_path / place).read_text() == made.entry  # what was shown is what is written
    again = install.change(name, START, home(), project=None)
    assert not again.is_needed


@pytest.mark.parametrize("name", LINUX)
def test_what_else_is_in_the_file_stays(name: str, home: Home, tmp_path: Path) -> None:
    place, key, record = LINUX[name]
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".toml":
        before = f'# mine\nmodel = "x"\n\n[{key}.other]\ncommand = "y" # keep\n'
    else:
        before = f'{{\n\t"first": [1, 2, 3],\n\t"{key}": {{\n\t\t"other": {{"command": "y"}}\n\t}}\n}}\n'
    path.write_text(before)
    path.chmod(0o600)
    made = install.change(name, START, home(), project=None)
    assert install.write(made) == f"{path}.bak"
    assert Path(f"{path}.bak").read_text() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    tree = read(path)
    assert tree[key] == {"other": {"command": "y"}, "scrubjay": record}
    lines = path.read_text().splitlines()
    assert [line for line in before.splitlines() if line.rstrip(",") not in {now.rstrip(",") for now in lines}] == []
    gone = install.removal(name, home(), project=None)
    assert gone.is_needed
    install.write(gone)
    assert path.read_text() == before
    assert not install.removal(name, home(), project=None).is_needed


@pytest.mark.parametrize("name", [name for name in LINUX if name != "codex"])
def test_what_else_our_entry_has_stays(name: str, home: Home, tmp_path: Path) -> None:
    place, key, record = LINUX[name]
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({key: {"scrubjay": {"command": "old", "env": {"KB_BASE": "x"}}}}, indent=2))
    install.write(install.change(name, START, home(), project=None))
    assert read(path)[key]["scrubjay"] == {**record, "env": {"KB_BASE": "x"}}


@pytest.mark.parametrize("name", PROJECT)
def test_the_file_of_a_project(name: str, home: Home, tmp_path: Path) -> None:
    made = install.change(name, START, home(), project=str(tmp_path / "work"))
    assert made.path == str(tmp_path / "work" / PROJECT[name])


def test_clients_without_a_file_for_a_project_say_so(home: Home, tmp_path: Path) -> None:
    for name in set(LINUX) - set(PROJECT):
        with pytest.raises(UsageError, match="has no configuration for a folder"):
            install.change(name, START, home(), project=str(tmp_path))


def test_places_on_other_systems(home: Home, tmp_path: Path) -> None:
    def place(name: str, environment: Callable[[str], str]) -> str:
        path = install.change(name, START, environment, project=None).path
        return os.path.relpath(path, tmp_path).replace(os.sep, "/")

    mac = home("darwin")
    assert place("claude-desktop", mac) == "Library/Application Support/Claude/claude_desktop_config.json"
    assert place("vscode", mac) == "Library/Application Support/Code/User/mcp.json"
    assert place("zed", mac) == ".config/zed/settings.json"
    windows = home("win32", APPDATA=str(tmp_path / "AppData/Roaming"))
    assert place("claude-desktop", windows) == "AppData/Roaming/Claude/claude_desktop_config.json"
    assert place("zed", windows) == "AppData/Roaming/Zed/settings.json"
    assert place("devin", windows) == "AppData/Roaming/devin/mcp_config.json"
    moved = home(
        XDG_CONFIG_HOME=str(tmp_path / "xdg"), CODEX_HOME=str(tmp_path / "cx"), CLAUDE_CONFIG_DIR=str(tmp_path / "cl"),
        COPILOT_HOME=str(tmp_path / "cp"),
    )  # fmt: skip
    assert place("opencode", moved) == "xdg/opencode/opencode.json"
    assert place("codex", moved) == "cx/config.toml"
    assert place("claude-code", moved) == "cl/.claude.json"
    assert place("copilot", moved) == "cp/mcp-config.json"


def test_opencode_in_its_second_version_and_with_comments(home: Home, tmp_path: Path) -> None:
    path = tmp_path / ".config/opencode/opencode.jsonc"
    path.parent.mkdir(parents=True)
    path.write_text('{\n  // mine\n  "mcp": {\n    "servers": {},\n  },\n}\n')
    made = install.change("opencode", START, home(), project=None)
    assert made.path == str(path)
    install.write(made)
    assert read(path) == {"mcp": {"servers": {"scrubjay": {"type": "local", "command": START}}}}
    assert "// mine" in path.read_text()
    install.write(install.removal("opencode", home(), project=None))
    assert read(path) == {"mcp": {"servers": {}}}


@pytest.mark.parametrize("text", ["[1, 2]", '{"mcpServers": []}', "{", "not JSON"])
def test_a_file_that_cannot_be_changed_is_left_alone(text: str, home: Home, tmp_path: Path) -> None:
    path = tmp_path / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ScrubjayError, match="was not changed") as caught:
        install.change("cursor", START, home(), project=None)
    assert '"scrubjay"' in caught.value.cure  # the lines to paste
    assert path.read_text() == text


def test_a_link_into_a_folder_of_dotfiles_stays_one(home: Home, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles/mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    link = tmp_path / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to(real)
    install.write(install.change("cursor", START, home(), project=None))
    assert link.is_symlink()
    assert read(real) == {"mcpServers": {"scrubjay": PLAIN}}


def test_a_folder_that_cannot_be_made(home: Home, tmp_path: Path) -> None:
    (tmp_path / ".cursor").write_text("a file in the way")
    with pytest.raises(ScrubjayError, match=r"could not be (read|written)"):
        install.write(install.change("cursor", START, home(), project=None))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Claude Code", "claude-code"),
        ("cc", "claude-code"),
        ("VS-Code", "vscode"),
        ("gemini_cli", "gemini"),
        ("x", None),
    ],
)
def test_clients_by_other_names(name: str, found: str | None) -> None:
    client = find_client(name)
    assert (client and client.name) == found


def test_a_client_that_nobody_knows(home: Home) -> None:
    with pytest.raises(UsageError, match="There is no client 'cursr'") as caught:
        install.change("cursr", START, home(), project=None)
    assert caught.value.why == "Did you mean cursor?"
    with pytest.raises(UsageError) as caught:
        install.change("zzz", START, home(), project=None)
    assert "claude-code, claude-desktop, cursor" in caught.value.why


def test_what_is_installed_here(home: Home, tmp_path: Path) -> None:
    assert install.here(home()) == []
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".claude.json").write_text("{}")
    assert install.here(home()) == ["claude-code", "cursor"]


def test_the_command_is_written_in_full() -> None:
    start = install.command(None)
    assert os.path.isabs(start[0])
    assert start[-1] == "mcp"
    assert install.command("notes.db")[-2:] == ["--base", os.path.abspath("notes.db")]
    assert install.command("~/notes.db")[-1] == os.path.expanduser("~/notes.db")
