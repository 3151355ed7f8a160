"""The verbs for how documents hang together: link, unlink, links, related, learned and unlearn."""

from __future__ import annotations

from scrubjay.cli.options import Option, Verb, limit_option

# as in memory.relations; written out because every `kb --help` reads this table and few need that module
_RELATIONS = ("caused", "enabled", "supersedes", "contradicts", "derived_from", "supports")

VERBS: tuple[Verb, ...] = (
    Verb(
        "link",
        "Remember",
        "say how one document or passage leads to another",
        "linking:link",
        words="A B",
        least=2,
        most=2,
        options=(
            Option("--relation", "how they belong together", "text", "R", _RELATIONS, also=("--as",)),
            Option("--strength", "how sure it is, from 0 to 1 (1)", "real", "X"),
            Option("--evidence", "why it is so", "text", "TEXT", also=("--because",)),
        ),
        more="Read it as a sentence: A caused B. The same two with the same relation again bring strength and "
        "evidence up to date.",
        examples=(
            ("kb link d_77ab21 d_1f0c9a --relation caused --evidence 'see the log'", ""),
            ("kb link d_new d_old --relation supersedes", ""),
        ),
        minor=True,
        synonyms=("connect-to", "edge", "relate"),
    ),
    Verb(
        "unlink",
        "Remember",
        "take back what `kb link` said",
        "linking:unlink",
        words="A B",
        least=2,
        most=2,
        options=(Option("--relation", "only this one; else all between the two", "text", "R", _RELATIONS),),
        more="Links that stand in a text go when the text changes.",
        minor=True,
    ),
    Verb(
        "links",
        "Remember",
        "every link from and to a document or a passage",
        "linking:links",
        words="ID|PATH",
        least=1,
        most=1,
        minor=True,
        synonyms=("edges", "backlinks"),
    ),
    Verb(
        "related",
        "Remember",
        "documents that are linked with this one, directly or over others",
        "linking:related",
        words="ID|PATH",
        least=1,
        most=1,
        options=(Option("--top", "how many (10)", "whole", "N", least=1, also=("--limit",)),),
        minor=True,
        synonyms=("neighbours", "neighbors", "similar", "like"),
    ),
    Verb(
        "learned",
        "Remember",
        "what was learned from what is opened together",
        "linking:learned",
        options=(limit_option("at most this many, the strongest ones"),),
        more="It is kept in the base only; graph.learn switches it off.",
        minor=True,
        synonyms=("habits",),
    ),
    Verb(
        "unlearn",
        "Remember",
        "forget what was learned, all of it or of one document",
        "linking:unlearn",
        words="[ID]",
        most=1,
        minor=True,
    ),
)
