"""The verbs that change what is kept: init, add, update, note, tag and remove."""

from __future__ import annotations

from scrubjay.cli.options import KEPT, Option, Verb
from scrubjay.types import KINDS

VERBS: tuple[Verb, ...] = (
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
        stopped=KEPT,
        files=True,
        synonyms=("index", "ingest", "import-files"),
    ),
    Verb(
        "update",
        "Keep",
        "read again what has changed in everything that was added",
        "keep:update",
        stopped=KEPT,
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
)
