"""The verbs that carry a base elsewhere and back: backup and restore."""

from __future__ import annotations

from scrubjay.cli.options import Option, Verb

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
)
