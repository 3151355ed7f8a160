"""Who can embed over HTTP, and what is known of their models: a table and nothing else.

`vendor` means that texts leave for somebody else's machine: such a provider is used only when
the user's own configuration names it. Limits stay below what a provider allows, because tokens
are estimated here; for servers at home they are small, so that a slow machine answers in time.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrubjay.types import Role


class Limits(NamedTuple):
    """How much one call may hold: texts, estimated tokens of one text, estimated tokens of all."""

    items: int
    tokens_each: int
    tokens_call: int


class Call(NamedTuple):
    """What one request asks. `dim` is None when the model's own dimension will do."""

    model: str
    texts: Sequence[str]
    role: Role
    dim: int | None = None


class Provider(NamedTuple):
    """A row: `shape` is the module that speaks its protocol, `key_names` where its key may be."""

    name: str
    shape: str
    url: str
    path: str
    model: str
    limits: Limits
    key_names: tuple[str, ...] = ()
    vendor: bool = False
    key_header: str = "Authorization"


class Model(NamedTuple):
    """What a model's card says: its dimension and what it wants in front of texts."""

    dim: int
    query_prefix: str = ""
    document_prefix: str = ""


AT_HOME = Limits(32, 8_000, 16_000)
_LLAMA_KEYS = ("LLAMA_API_KEY",)
PROVIDERS: Mapping[str, Provider] = {
    row.name: row
    for row in (
        Provider(
            "openai",
            "openai",
            "https://api.openai.com",
            "/v1/embeddings",
            "text-embedding-3-small",
            Limits(512, 8_000, 250_000),
            ("OPENAI_API_KEY",),
            vendor=True,
        ),
        Provider(
            "voyage",
            "voyage",
            "https://api.voyageai.com",
            "/v1/embeddings",
            "voyage-3.5",
            Limits(128, 30_000, 100_000),
            ("VOYAGE_API_KEY",),
            vendor=True,
        ),
        Provider(
            "cohere",
            "cohere",
            "https://api.cohere.com",
            "/v2/embed",
            "embed-v4.0",
            Limits(96, 30_000, 100_000),
            ("COHERE_API_KEY", "CO_API_KEY"),
            vendor=True,
        ),
        Provider(
            "jina",
            "jina",
            "https://api.jina.ai",
            "/v1/embeddings",
            "jina-embeddings-v3",
            Limits(128, 8_000, 100_000),
            ("JINA_API_KEY",),
            vendor=True,
        ),
        Provider(
            "gemini",
            "gemini",
            "https://generativelanguage.googleapis.com",
            "/v1beta/models/{model}:batchEmbedContents",
            "gemini-embedding-001",
            Limits(100, 2_000, 100_000),
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            vendor=True,
            key_header="x-goog-api-key",
        ),
        Provider(
            "ollama", "ollama", "http://127.0.0.1:11434", "/api/embed", "nomic-embed-text", AT_HOME, ("OLLAMA_API_KEY",)
        ),
        Provider("tei", "tei", "http://127.0.0.1:8080", "/embed", "tei", AT_HOME, ("TEI_API_KEY",)),
        Provider("lmstudio", "openai", "http://127.0.0.1:1234", "/v1/embeddings", "", AT_HOME, ("LMSTUDIO_API_KEY",)),
        Provider("llamacpp", "openai", "http://127.0.0.1:8080", "/v1/embeddings", "llamacpp", AT_HOME, _LLAMA_KEYS),
        Provider("vllm", "openai", "http://127.0.0.1:8000", "/v1/embeddings", "", AT_HOME, ("VLLM_API_KEY",)),
        Provider("compatible", "openai", "", "/v1/embeddings", "", AT_HOME, ("KB_EMBEDDER_KEY",)),
    )
}

_ASKED = "Represent this sentence for searching relevant passages: "
_E5 = ("query: ", "passage: ")
_NOMIC = Model(768, "search_query: ", "search_document: ")
MODELS: Mapping[str, Model] = {
    "text-embedding-3-small": Model(1536),
    "text-embedding-3-large": Model(3072),
    "text-embedding-ada-002": Model(1536),
    "voyage-3-large": Model(1024),
    "voyage-3.5": Model(1024),
    "voyage-3.5-lite": Model(1024),
    "voyage-4": Model(1024),
    "voyage-4-large": Model(1024),
    "voyage-4-lite": Model(1024),
    "voyage-code-3": Model(1024),
    "embed-v4.0": Model(1536),
    "embed-multilingual-v3.0": Model(1024),
    "embed-english-v3.0": Model(1024),
    "embed-english-light-v3.0": Model(384),
    "jina-embeddings-v3": Model(1024),
    "jina-embeddings-v4": Model(2048),
    "gemini-embedding-001": Model(3072),
    "nomic-embed-text": _NOMIC,
    "nomic-embed-text-v1.5": _NOMIC,
    "embeddinggemma": Model(768, "task: search result | query: ", "title: none | text: "),
    "mxbai-embed-large": Model(1024, _ASKED),
    "snowflake-arctic-embed": Model(1024, _ASKED),
    "bge-m3": Model(1024),
    "bge-small-en-v1.5": Model(384, _ASKED),
    "bge-base-en-v1.5": Model(768, _ASKED),
    "bge-large-en-v1.5": Model(1024, _ASKED),
    "multilingual-e5-small": Model(384, *_E5),
    "multilingual-e5-base": Model(768, *_E5),
    "multilingual-e5-large": Model(1024, *_E5),
    "all-minilm": Model(384),
    "all-minilm-l6-v2": Model(384),
}


def known(model: str) -> Model | None:
    """The row of a model, also under a tag (`nomic-embed-text:latest`), an owner (`nomic-ai/…`),
    in capitals, or as LM Studio names it (`text-embedding-nomic-embed-text-v1.5`)."""
    bare = model.lower().partition(":")[0].rpartition("/")[2]
    return MODELS.get(model) or MODELS.get(bare) or MODELS.get(bare.removeprefix("text-embedding-"))
