"""The verbs of remembering: match, correct, conflicts and undo."""

from __future__ import annotations

from scrubjay.cli.options import Option, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        "match",
        "Remember",
        "which documents a text calls up by their trigger phrases",
        "memory:match",
        words="TEXT…",
        least=1,
        most=None,
        dashed=True,
        options=(Option("--top", "how many; else all", "whole", "N", least=1, also=("--limit",)),),
        more="Phrases are set with kb note --trigger, or in a file's front matter as trigger_phrases. Whole words "
        "only. With - as the text, it is read from the standard input.",
        examples=(("kb match 'the login crash is back'", ""),),
        minor=True,
        synonyms=("trigger", "triggers", "recall"),
    ),
    Verb(
        "correct",
        "Remember",
        "say what has become of a memory",
        "memory:correct",
        words="ID",
        least=1,
        most=1,
        options=(
            Option(
                "--kind", "what became of it", "text", "K", ("superseded", "deprecated", "refined", "merged"),
                also=("--as",),
            ),
            Option("--by", "the memory that came after it", "text", "ID", also=("--into", "--with")),
            Option("--reason", "why", "text", "TEXT", also=("--because",)),
        ),
        more="superseded: it ranks behind the other from now on. deprecated: it is not searched any more. refined: "
        "the other says it better, both hold. merged: the other one stands for both. No text is changed or lost.",
        examples=(
            ("kb correct d_old --kind superseded --by d_new", ""),
            ("kb correct d_77ab21 --kind deprecated", ""),
        ),
        minor=True,
        synonyms=("supersede", "deprecate", "merge"),
    ),
    Verb(
        "conflicts",
        "Remember",
        "memories that contradict or repeat each other, and wait for you",
        "memory:conflicts",
        options=(Option("--all", "every decision that was ever recorded, also those that were undone"),),
        minor=True,
        synonyms=("records", "corrections", "duplicates"),
    ),
    Verb(
        "undo",
        "Remember",
        "take back a recorded decision",
        "memory:undo",
        words="RECORD…",
        least=1,
        most=None,
        examples=(("kb undo r_12", ""),),
        minor=True,
        synonyms=("revert",),
    ),
)  # fmt: skip
