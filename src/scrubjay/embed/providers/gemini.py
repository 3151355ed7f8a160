"""The shape of Gemini's embeddings: one request an item, the model in the path and in every item."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call


def body(call: Call) -> dict[str, Any]:
    common: dict[str, Any] = {
        "model": f"models/{call.model}",
        "taskType": "RETRIEVAL_QUERY" if call.role == "query" else "RETRIEVAL_DOCUMENT",
    }
    if call.dim is not None:
        common["outputDimensionality"] = call.dim
    return {"requests": [{**common, "content": {"parts": [{"text": text}]}} for text in call.texts]}


def vectors(value: Any) -> list[tuple[int, Any]]:
    return [(index, item["values"]) for index, item in enumerate(value["embeddings"])]
