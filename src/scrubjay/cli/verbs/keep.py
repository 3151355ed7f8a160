"""The verbs that change what is kept: init, add, update, note, tag and remove."""

from __future__ import annotations

from scrubjay.cli.options import KEPT, Option, Verb
from scrubjay.types import KINDS

# as in memory.kinds and memory.tiers; written out because every `kb --help` reads this table
_MEMORY_TYPES = (
    "working", "episodic", "prospective", "implicit", "declarative", "procedural", "semantic", "autobiographical",
    "meta-cognitive",
)  # fmt: skip
_TIERS = ("constitutional", "critical", "important", "normal", "temporary", "deprecated")

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
            Option("--memory-type", "what kind of memory; else guessed from the text", "text", "T", _MEMORY_TYPES),
            Option("--importance", "how much it counts; temporary ends after 7 days", "text", "I", _TIERS),
            Option("--trigger", "a phrase that calls it up (kb match); repeat it, 10 at most", "repeat", "PHRASE"),
            Option("--project", "the project or folder it belongs to; --path finds by it", "text", "P"),
            Option("--session", "the session it is from", "text", "S"),
            Option("--source", "where it is from: a person, a book, a URL", "text", "S"),
            Option("--link", "a document it hangs together with; repeat it", "repeat", "ID[:relation]"),
            Option("--supersedes", "the note that this one replaces; repeat it", "repeat", "ID", also=("--replaces",)),
            Option("--new", "a new note in any case, compared with nothing"),
        ),
        more="With - as the text, the note is read from the standard input. The same text again makes the note that "
        "is there firmer and prints its id. Of one that is nearly the same, or may contradict, both are kept, and "
        "you are told which.",
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
