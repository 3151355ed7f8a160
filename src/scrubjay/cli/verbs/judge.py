"""The verbs that judge the search itself: explain, eval and tune."""

from __future__ import annotations

from scrubjay.cli.options import FILTERS, Option, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        "explain",
        "Judge",
        "say why a document was not found, and what cures it",
        "why:explain",
        words="QUERY…",
        least=1,
        most=None,
        dashed=True,
        options=(
            Option("--target", "the document or passage that should have been found", "text", "ID|PATH"),
            Option("--top", "how many results (search.default_top)", "whole", "N", least=1, also=("--limit",)),
            *FILTERS,
            Option("--threshold", "only results that score at least this", "real", "X"),
            Option("--fts-only", "by words only; nothing is embedded"),
            Option("--vec-only", "by meaning only"),
            Option("--profile", "a named set of settings: kb, memory, observations, full", "text", "P"),
        ),
        more="Every stage of the search is asked what became of it: the filters, the words, the meaning, the links, "
        "fusion, the floor and the cut. The first that it did not pass is named.",
        examples=(("kb explain undo a commit --target ~/notes/git.md", ""),),
        minor=True,
        synonyms=("why", "trace", "debug"),
    ),
    Verb(
        "eval",
        "Judge",
        "measure the search on queries whose answers are known",
        "judge:evaluate",
        words="QUERIES [QRELS]",
        least=1,
        most=2,
        options=(
            Option("--corpus", "judge a base built from this file only for this run, not your own", "text", "FILE"),
            Option("--top", "how many documents of each answer are judged (10)", "whole", "N", least=1),
            Option("--profile", "a named set of settings: kb, memory, observations, full", "text", "P"),
            Option("--against", "compare with this profile", "text", "P"),
            Option("--compare", "compare with these settings: NAME=VALUE,…", "list", "SETTING"),
            Option("--rerank", "also measure the search with reranking"),
            Option("--plot", "draw the measures of each leg into this file", "text", "FILE.svg"),
        ),
        more="QUERIES are lines of JSON or two columns, QRELS are TREC's or columns of query, document and score; one "
        'file of JSON lines may hold both: {"query", "relevant": [ids]}. Documents are known by their id, path, '
        "file name or an id in their metadata. Each leg is measured alone: words, meaning, links, and all together.",
        examples=(
            ("kb eval questions.jsonl", ""),
            ("kb eval queries.jsonl qrels.tsv --corpus corpus.jsonl", "a published collection"),
            ("kb eval queries.jsonl qrels.tsv --profile kb --against full", "is one better?"),
            ("kb eval queries.jsonl qrels.tsv --compare fusion.rrf_k=20,fusion.method=enhanced", ""),
        ),
        files=True,
        minor=True,
        synonyms=("evaluate", "measure", "benchmark", "bench", "score"),
    ),
    Verb(
        "tune",
        "Judge",
        "learn from the base how much words and meaning should count",
        "tune:tune",
        options=(
            Option("--sample", "how many passages queries are made from (250)", "whole", "N", least=20),
            Option("--show", "show what was learned last, and learn nothing"),
            Option("--forget", "go back to an even mix"),
        ),
        more="Queries are made from headings, first sentences and links, and each mix of words and meaning is measured "
        "on them; nobody has to judge anything. Fusion `auto` uses the result: kb config set fusion.method auto",
        examples=(("kb tune", ""), ("kb tune --show --json", "")),
        stopped="What was learned before is kept.",
        minor=True,
        synonyms=("calibrate", "learn"),
    ),
)
