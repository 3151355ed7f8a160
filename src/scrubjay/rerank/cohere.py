"""The shape of Cohere's reranking, version 2: `top_n`, and the results under `results`."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def body(model: str, query: str, passages: Sequence[str]) -> dict[str, Any]:
    return {"model": model, "query": query, "documents": list(passages), "top_n": len(passages)}


def scores(value: Any) -> list[tuple[int, Any]]:
    return [(item["index"], item["relevance_score"]) for item in value["results"]]
