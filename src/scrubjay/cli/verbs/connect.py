"""The verbs that connect other programs: mcp."""

from __future__ import annotations

from scrubjay.cli.options import Option, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        "mcp",
        "Connect",
        "serve the base to an agent over MCP, or connect one",
        "serving:mcp",
        words="[install|uninstall CLIENT…]",
        most=None,
        options=(
            Option("--http", "serve over HTTP on 127.0.0.1, with a token, instead of the standard streams"),
            Option("--port", "with --http: the port (8765)", "whole", "N", least=0),
            Option("--project", "with install: for this folder, not for all of the client's"),
            Option("--print", "with install: only the lines to paste, for a client that is not listed"),
            Option("--dry-run", "with install: show what would be written, and write nothing"),
            Option("--yes", "with install: do not ask", also=("-y",)),
        ),
        more="Clients are claude-code, claude-desktop, cursor, vscode, copilot, codex, gemini, antigravity, opencode, "
        "devin, windsurf, zed, kiro and lmstudio. What is written into their configuration is shown first, the rest "
        "of it stays as it is, and a copy of the old file is kept.",
        examples=(
            ("kb mcp install claude-code", ""),
            ("kb mcp install cursor --base ~/notes.db", "with this base only"),
            ("kb mcp uninstall cursor", ""),
            ("kb mcp --http", "for several clients at once"),
        ),
        synonyms=("connect", "agent", "install"),
    ),
)
