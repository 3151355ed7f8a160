"""The verbs that find: search, get, timeline, list and tags."""

from __future__ import annotations

from scrubjay.cli.options import AS_OF, FILTERS, SINCE, TAGS, TYPE, UNTIL, Option, Verb, format_option, limit_option

FUSIONS = ("rrf", "weighted", "enhanced", "auto")

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
            AS_OF,
            Option("--threshold", "only results that score at least this", "real", "X"),
            Option("--fts-only", "by words only; nothing is embedded"),
            Option("--vec-only", "by meaning only"),
            Option("--profile", "a named set of settings: kb, memory, observations, full", "text", "P"),
            Option("--fusion", "how rankings become one (fusion.method)", "text", "F", FUSIONS),
            Option("--per-document", "at most so many passages of one document", "whole", "N", least=0),
            Option("--fold", "near-same passages are one result"),
            Option("--mmr", "results less like each other, from 1 (not at all) to 0", "real", "X", least=0),
            Option("--all", "also what is deprecated, merged into another, or expired"),
            Option("--rerank", "read the best results again, more closely"),
            Option("--deadline-ms", "end after so many milliseconds with what there is", "real", "MS"),
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
            AS_OF,
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
            AS_OF,
            limit_option("at most this many"),
            format_option("files"),
        ),
        examples=(("kb timeline --since 'last week'", ""), ("kb timeline --anchor d_77ab21 --before 3", "")),
        synonyms=("log", "recent"),
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
)
