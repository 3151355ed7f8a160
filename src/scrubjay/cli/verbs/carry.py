"""The verbs that carry a base elsewhere and back, and through time."""

from __future__ import annotations

from scrubjay.cli.options import KEPT, Option, Verb

FORMS = ("jsonl", "obsidian", "memory-folder", "claude-mem", "basic-memory")

VERBS: tuple[Verb, ...] = (
    Verb(
        "backup",
        "Look after",
        "copy the base into one file, while it is in use",
        "carry:backup",
        words="FILE",
        least=1,
        most=1,
        options=(Option("--force", "replace the file if it is there"),),
        more="The copy is of one moment, whoever writes meanwhile, and is checked before it gets its name.",
        examples=(("kb backup ~/kb-2026-11-19.db", ""),),
        files=True,
        minor=True,
        synonyms=("copy", "snapshot", "dump"),
    ),
    Verb(
        "restore",
        "Look after",
        "put a backup in the base's place; the present one is kept",
        "carry:restore",
        words="FILE",
        least=1,
        most=1,
        options=(Option("--force", "also when what is there is no base: it is put aside"),),
        more="Programs that have the base open go on with the restored one. Folders and files on disk are not "
        "touched: `kb update` reads again what differs from them.",
        examples=(("kb restore ~/kb-2026-11-19.db", ""), ("kb restore old.db --base ~/notes.db", "")),
        files=True,
        minor=True,
        synonyms=("recover", "rollback"),
    ),
    Verb(
        "export",
        "Look after",
        "write the whole base as JSON lines",
        "exchange:export",
        words="[FILE|-]",
        most=1,
        options=(
            Option("--vectors", "the vectors too, so that nothing has to be embedded again"),
            Option("--history", "also what was replaced and deleted"),
            Option("--force", "replace the file if it is there"),
        ),
        more="Nothing that was told is left out; docs/export.md describes the form. Without a file, or with -, the "
        "lines go to the standard output.",
        examples=(("kb export ~/kb.jsonl", ""), ("kb export | gzip > kb.jsonl.gz", "")),
        files=True,
        minor=True,
        synonyms=("save",),
    ),
    Verb(
        "import",
        "Look after",
        "read an export, or what another program keeps",
        "exchange:take_in",
        words="PATH|-",
        least=1,
        most=1,
        options=(
            Option("--from", "what it is, if it is not recognised", "text", "FORM", FORMS),
            Option("--replace", "take the file's where the base has the same id with other content"),
        ),
        more="An Obsidian vault and a folder of MEMORY.md and YYYY-MM-DD.md files are read as files, so that "
        "`kb update` follows them. What is there already is passed over, so a file may be imported twice. A line "
        "that cannot be read is told with its number, and the rest is taken.",
        examples=(("kb import ~/kb.jsonl", ""), ("kb import ~/.claude-mem/claude-mem.db", ""),
            ("kb import ~/Vault --from obsidian", "")),
        stopped=KEPT,
        files=True,
        minor=True,
        synonyms=("load", "migrate"),
    ),
    Verb(
        "history",
        "Look after",
        "what was changed in a document, by whom and when",
        "history:history",
        words="ID",
        least=1,
        most=1,
        options=(
            Option("--show", "print the text as it was after change N", "whole", "N"),
            Option("--restore", "make a note what it was after change N", "whole", "N"),
        ),
        more="Deleted documents keep their history, too. `kb search --as-of` searches what was known at a date; "
        "`kb vacuum --history` lets go of what is old.",
        examples=(("kb history d_77ab21", ""), ("kb history d_77ab21 --show 12", "")),
        minor=True,
        synonyms=("versions", "changes", "blame", "diff"),
    ),
    Verb(
        "vacuum",
        "Look after",
        "give back unused room, and let go of old history",
        "history:vacuum",
        options=(
            Option("--history", "also let go of changes and replaced texts that are older than --keep"),
            Option("--keep", "how much history stays: 90d, 1y, 2026-01-01 (90d)", "text", "D"),
        ),
        examples=(("kb vacuum", ""), ("kb vacuum --history --keep 30d", "")),
        minor=True,
        synonyms=("compact", "optimize", "gc", "clean"),
    ),
)
