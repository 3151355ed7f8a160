"""The verbs that follow what changes: alert and watch."""

from __future__ import annotations

from scrubjay.cli.options import PATH, TAGS, TYPE, Option, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        "alert",
        "Look after",
        "saved searches: be told of what is added later and matches",
        "alerts:alert",
        words="[add QUERY… | list | remove NAME | check]",
        most=None,
        dashed=True,
        options=(
            Option("--name", "with add: what to call it; else the query", "text", "NAME"),
            TAGS,
            TYPE,
            PATH,
            Option("--similar", "with add: also what is at least this similar in meaning, such as 0.75", "real", "X"),
            Option("--format", "with check: how to print", "text", "F", ("text", "json", "jsonl")),
        ),
        more="A passage matches when every telling word of the query stands in it, of more than three words "
        "three quarters; word forms count as one. Each find is reported once: by `kb alert check`, or to the "
        "command that the setting alerts.command names, which gets it as JSON.",
        examples=(
            ("kb alert add sqlite release --tags news", ""),
            ("kb alert check --format jsonl", ""),
            ("kb alert remove 'sqlite release'", ""),
        ),
        minor=True,
        synonyms=("alerts", "notify", "subscribe", "saved"),
    ),
    Verb(
        "watch",
        "Look after",
        "follow what was added, and read it again when it changes",
        "watching:watch",
        options=(Option("--every", "seconds between two looks (2)", "real", "N"),),
        more="One line a change on the standard error; with --json, one JSON object a line. A folder that is away "
        "keeps what it held until it is back.",
        examples=(("kb watch", ""), ("kb watch --json", "for a program")),
        stopped="What was read is kept.",
        minor=True,
        synonyms=("follow", "monitor", "daemon"),
    ),
)
