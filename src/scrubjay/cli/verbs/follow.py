"""The verbs that follow what changes: alert."""

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
)
