"""The verbs that connect other programs: mcp."""

from __future__ import annotations

from scrubjay.cli.options import Option, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        "mcp",
        "Connect",
        "serve the base to an agent over MCP, or connect one",
        "serving:mcp",
        words="[install CLIENT…]",
        most=None,
        options=(
            Option("--http", "serve over HTTP on 127.0.0.1, with a token, instead of the standard streams"),
            Option("--port", "with --http: the port (8765)", "whole", "N", least=0),
            Option("--project", "with install: for this folder, not for all of the client's"),
            Option("--dry-run", "with install: show what would be written, and write nothing"),
            Option("--yes", "with install: do not ask", also=("-y",)),
        ),
        more="Clients are claude-code, claude-desktop, cursor, vscode, codex, gemini, opencode, windsurf, zed, kiro "
        "and lmstudio. What is written into their configuration is shown first.",
        examples=(
            ("kb mcp install claude-code", ""),
            ("kb mcp install cursor --base ~/notes.db", "with this base only"),
            ("kb mcp --http", "for several clients at once"),
        ),
        synonyms=("connect", "agent", "install"),
    ),
)
