"""The shape of Voyage's reranking: `top_k`, and the results under `data`."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def body(model: str, query: str, passages: Sequence[str]) -> dict[str, Any]:
    return {"model": model, "query": query, "documents": list(passages), "top_k": len(passages), "truncation": True}


def scores(value: Any) -> list[tuple[int, Any]]:
    return [(item["index"], item["relevance_score"]) for item in value["data"]]
