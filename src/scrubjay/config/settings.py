"""Every setting once: name, default, help, environment name; and the four profiles.

A table and nothing else, so that `kb config list`, the documentation, the environment and the
TOML files can never disagree. `guarded` settings decide what runs on this machine or where
text is sent: a project's own file may not set them (a cloned repository is not trusted).
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Setting(NamedTuple):
    """One row: `least` is the smallest allowed value, `choices` the only allowed ones.

    A table has entries of one's own, as `acronyms.RRF`; `entry` is what they are of: a text, a number.
    """

    name: str
    default: Any
    help: str
    env: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    guarded: bool = False
    entry: Any = None

    @property
    def environment_name(self) -> str:
        return self.env or "KB_" + self.name.upper().replace(".", "_")


SETTINGS: tuple[Setting, ...] = (
    Setting("base", "", "the base to use when --base is not given", env="KB_BASE", guarded=True),
    Setting("search.profile", "kb", "the profile of `kb search`", choices=("kb", "memory", "observations", "full")),
    Setting("search.default_top", 10, "how many results are shown", least=1),
    Setting("search.min_score", 0.0, "results scoring less are dropped (the profile's floor)", least=0),
    Setting("search.minimum_pool", 100, "every retriever returns at least this many", least=30),
    Setting("search.pool_factor", 3, "and at least this many times the asked count", least=3),
    Setting("search.deadline_ms", 0.0, "a search ends after so many milliseconds with what it has; 0: never", least=0),
    Setting("search.per_document", 3, "at most so many passages of one document, on a terminal; 0: any", least=0),
    Setting("search.fold", True, "near-same passages are one result, on a terminal"),
    Setting("search.mmr", 1.0, "below 1: results less like each other (MMR's share of likeness to the query)", least=0),
    Setting("search.decay", False, "dated files lose weight with age (YYYY-MM-DD.md)"),
    Setting("decay.half_life_days", 30.0, "days after which a dated file counts half", least=0.001),
    Setting("fusion.method", "rrf", "how rankings become one", choices=("rrf", "weighted", "enhanced", "auto")),
    Setting("fusion.rrf_k", 60.0, "the k of 1/(k+rank)", least=0),
    Setting("fusion.vector_weight", 0.7, "weighted fusion: the vector score's weight", least=0),
    Setting("fusion.keyword_weight", 0.3, "weighted fusion: the keyword score's weight", least=0),
    Setting("fusion.graph_weight", 1.5, "enhanced fusion: the graph list's weight", least=0),
    Setting("fusion.convergence_bonus", 0.10, "enhanced fusion: bonus when sources agree", least=0),
    Setting("expand.enabled", True, "mend typos and write out acronyms", env="ENABLE_FUZZY_MATCH"),
    Setting(
        "expand.typos",
        "last",
        "words that the base lacks are mended: never, last (only if parts of words find nothing), always",
        choices=("never", "last", "always"),
    ),
    Setting("expand.acronyms", False, "what acronyms stand for is searched too"),
    Setting("acronyms", {}, "your own acronyms: acronyms.RRF = reciprocal rank fusion (several with ;)", entry=""),
    Setting("intent.enabled", True, "profile full: what a question is for decides what counts more"),
    Setting("intents", {}, "own weights of an intent: intents.fix_bug.code = 1.3", entry=1.0, least=0),
    Setting("graph.enabled", True, "find links between documents, and follow them in profile full"),
    Setting("graph.learn", True, "learn which documents are opened after the same search; kept in the base only"),
    Setting("graph.half_life_days", 30.0, "days after which what was learned counts half", least=0.001),
    Setting("graph.seeds", 3, "how many of each source's best hits links are followed from", least=1),
    Setting("graph.hops", 2, "how many links one after the other", least=0),
    Setting("graph.decay", 0.5, "what is left of a hit's weight after each link", least=0),
    Setting("graph.fan", 32, "how many links of one passage are followed in each direction", least=1),
    Setting("graph.max_ms", 20.0, "no further link is followed after so many milliseconds", least=0),
    Setting("fusion.enabled", True, "fuse the sources; off: vectors alone", env="ENABLE_RRF_FUSION"),
    Setting("bm25.enabled", True, "profile full: the BM25 channel; off: FTS5's own", env="ENABLE_BM25"),
    Setting("bm25.k1", 1.2, "BM25 term saturation", least=0),
    Setting("bm25.b", 0.75, "BM25 length normalisation, 0 to 1", least=0),
    Setting("keyword.title_weight", 2.0, "how much a word in the title counts", least=0),
    Setting("keyword.trail_weight", 1.0, "how much a word in the heading trail counts", least=0),
    Setting("keyword.path_weight", 0.5, "how much a word in the path counts", least=0),
    Setting("rerank.enabled", False, "read the best results again", env="ENABLE_CROSS_ENCODER", guarded=True),
    Setting(
        "rerank.provider",
        "auto",
        "who reranks; auto: Voyage or Cohere if there is a key and this is set by you, else the local model",
        env="CROSS_ENCODER_PROVIDER",
        choices=("auto", "voyage", "cohere", "jina", "tei", "compatible", "local", "cross-encoder", "none"),
        guarded=True,
    ),
    Setting("rerank.model", "", "the provider's model if not the usual; a cross-encoder's folder", guarded=True),
    Setting("rerank.url", "", "the reranker's server, when it is not the vendor's own", guarded=True),
    Setting("rerank.candidates", 20, "how many of the best are reranked", env="MAX_RERANK_CANDIDATES", least=0),
    Setting("rerank.seconds", 5.0, "how long to wait for a reranker", least=0),
    Setting("rerank.p95_ms", 500.0, "reranking slower than this is switched off", env="RERANK_P95_THRESHOLD", least=0),
    Setting("rerank.token_vectors", False, "keep token vectors in the base: faster to rerank, larger"),
    Setting("rerank.cache_ms", 300_000, "how long scores are remembered", env="RERANK_CACHE_TTL", least=0),
    Setting("rerank.cache_size", 1000, "how many rerankings are remembered", env="RERANK_CACHE_SIZE", least=0),
    Setting("embedder.name", "auto", "auto (an installed local model), none, a model or provider/model", guarded=True),
    Setting("embedder.companions", True, "with a local model: also use installed ones for other scripts"),
    Setting("embedder.url", "", "the server of a provider, when it is not the vendor's own", guarded=True),
    Setting("embedder.dimension", 0, "ask a provider for vectors of this size; 0: the model's own", least=0),
    Setting("models.folder", "", "where local models are kept; empty: the user's cache", guarded=True),
    Setting(
        "vector.engine",
        "auto",
        "what compares vectors; auto: the fastest one installed",
        choices=("auto", "numpy", "sqlite-vec", "python"),
    ),
    Setting("embedding.dimension", 768, "only when a provider does not say its own", env="EMBEDDING_DIM", least=1),
    Setting("embedding.batch", 32, "how many chunks are embedded at once", least=1),
    Setting("memory.compare", True, "a new note is compared with those that are there"),
    Setting("memory.uses", True, "remember when a note was last opened; kept in the base only"),
    Setting("memory.hidden", False, "also search what is deprecated, merged into another, or expired"),
    Setting("memory.tiers", False, "the tier of importance weighs"),
    Setting("memory.documents", False, "specifications and decision records under a specs/ folder weigh more"),
    Setting("memory.retention", False, "notes that were not used for long rank lower"),
    Setting("memory.half_lives", False, "and how soon depends on the kind of memory"),
    Setting("memory.retention_floor", 0.5, "what is left of the score of a note that is all forgotten", least=0),
    Setting("memory.superseded", 0.5, "what is left of the score of what something supersedes; 1: all", least=0),
    Setting("memory.constitutional_tokens", 2000, "so many tokens of constitutional memories come first", least=0),
    Setting("ingest.target_tokens", 300, "the size a chunk aims at", least=20),
    Setting("ingest.max_tokens", 400, "the size a chunk never exceeds", least=20),
    Setting("ingest.max_file_mb", 200, "larger files are left out, with a notice", least=1),
    Setting("ingest.hidden", False, "also read hidden files and folders"),
    Setting("ingest.specs", True, "also read documents under a specs/ folder"),
    Setting("alerts.command", "", "run for each find of a saved search; it gets the find as JSON", guarded=True),
    Setting("history.enabled", True, "keep what is replaced and deleted, for `kb history` and --as-of"),
    Setting("history.actor", "", "who changes are noted to be by; empty: cli, mcp, watch or library", guarded=True),
    Setting("store.busy_seconds", 10.0, "how long to wait for another process's write", least=0),
)

# A profile is a named set of settings, nothing more: whatever a person sets wins over it.
PROFILES: Mapping[str, Mapping[str, Any]] = {
    "kb": {},
    "memory": {
        "fusion.method": "weighted",
        "expand.typos": "never",
        "search.decay": True,
        "search.min_score": 0.1,
    },
    "observations": {},
    "full": {
        "fusion.method": "enhanced",
        "expand.typos": "always",
        "expand.acronyms": True,
        "memory.tiers": True,
        "memory.documents": True,
        "memory.retention": True,
        "memory.half_lives": True,
    },
}
