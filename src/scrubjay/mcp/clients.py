"""Where the usual clients keep their MCP servers: a new client is a row here.

The files differ in place, in the key that holds the servers and in how one is written; nothing
else does. `{…}` in a path is a folder that `install` knows.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEMS = {"darwin": "mac", "win32": "windows"}  # what sys.platform says; every other is "linux"


class Client(NamedTuple):
    """One program. `places` are its own file by system ("" is for all), `project` the one of a folder."""

    name: str
    title: str
    key: str
    places: Mapping[str, str]
    project: str = ""
    style: str = "plain"
    after: str = "Start it anew, and it has the tools."
    also: tuple[str, ...] = ()


CLIENTS: tuple[Client, ...] = (
    Client(
        "claude-code", "Claude Code", "mcpServers", {"": "{claude}/.claude.json"}, ".mcp.json", "typed",
        "Start a new session; /mcp shows it.", ("claude", "cc"),
    ),
    Client(
        "claude-desktop", "Claude Desktop", "mcpServers",
        {
            "mac": "{home}/Library/Application Support/Claude/claude_desktop_config.json",
            "windows": "{appdata}/Claude/claude_desktop_config.json",
            "linux": "{config}/Claude/claude_desktop_config.json",
        },
        after="Quit it completely and start it again.",
    ),
    Client(
        "cursor", "Cursor", "mcpServers", {"": "{home}/.cursor/mcp.json"}, ".cursor/mcp.json",
        after="Switch it on in Settings, MCP.",
    ),
    Client(
        "vscode", "VS Code", "servers",
        {
            "mac": "{home}/Library/Application Support/Code/User/mcp.json",
            "windows": "{appdata}/Code/User/mcp.json",
            "linux": "{config}/Code/User/mcp.json",
        },
        ".vscode/mcp.json", "typed", "Start it from the list of MCP servers (MCP: List Servers).",
        ("code", "vs-code", "visual-studio-code"),
    ),
    Client(
        "copilot", "GitHub Copilot CLI", "mcpServers", {"": "{copilot}/mcp-config.json"}, ".github/mcp.json", "copilot",
        also=("copilot-cli", "github-copilot"),
    ),
    Client(
        "codex", "Codex", "mcp_servers", {"": "{codex}/config.toml"}, ".codex/config.toml", "toml",
        "Start a new session; /mcp shows it.",
    ),
    Client(
        "gemini", "Gemini CLI", "mcpServers", {"": "{home}/.gemini/settings.json"}, ".gemini/settings.json",
        also=("gemini-cli",),
    ),
    Client(
        "antigravity", "Antigravity", "mcpServers", {"": "{home}/.gemini/config/mcp_config.json"},
        ".agents/mcp_config.json", also=("agy",),
    ),
    Client(
        "opencode", "opencode", "mcp", {"": "{config}/opencode/opencode.json"}, "opencode.json", "opencode",
        also=("open-code",),
    ),
    Client(
        "devin", "Devin Desktop (formerly Windsurf)", "mcpServers",
        {"windows": "{appdata}/devin/mcp_config.json", "": "{config}/devin/mcp_config.json"}, ".devin/mcp_config.json",
    ),
    Client("windsurf", "Windsurf, Cascade", "mcpServers", {"": "{home}/.codeium/windsurf/mcp_config.json"}),
    Client(
        "zed", "Zed", "context_servers",
        {"windows": "{appdata}/Zed/settings.json", "": "{config}/zed/settings.json"}, ".zed/settings.json",
    ),
    Client("kiro", "Kiro", "mcpServers", {"": "{home}/.kiro/settings/mcp.json"}, ".kiro/settings/mcp.json"),
    Client("lmstudio", "LM Studio", "mcpServers", {"": "{home}/.lmstudio/mcp.json"}, also=("lm-studio",)),
)  # fmt: skip


def find_client(name: str) -> Client | None:
    wanted = name.lower().replace("_", "-").replace(" ", "-")
    return next((client for client in CLIENTS if wanted in (client.name, *client.also)), None)
