"""The shape that Jina began and servers at home speak: vLLM, llama.cpp, LocalAI, Infinity.

Cohere's, but the documents must not be sent back, and some servers say `score`.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def body(model: str, query: str, passages: Sequence[str]) -> dict[str, Any]:
    return {
        "model": model,
        "query": query,
        "documents": list(passages),
        "top_n": len(passages),
        "return_documents": False,
    }


def scores(value: Any) -> list[tuple[int, Any]]:
    results = value["results"] if "results" in value else value["data"]
    return [
        (item["index"], item["relevance_score"] if "relevance_score" in item else item["score"]) for item in results
    ]
