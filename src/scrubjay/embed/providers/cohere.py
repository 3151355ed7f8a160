"""The shape of Cohere's embeddings, version 2: the reply has no indexes, its order is the request's."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call


def body(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "model": call.model,
        "texts": list(call.texts),
        "input_type": "search_query" if call.role == "query" else "search_document",
        "embedding_types": ["float"],
        "truncate": "END",
    }
    if call.dim is not None:
        asked["output_dimension"] = call.dim
    return asked


def vectors(value: Any) -> list[tuple[int, Any]]:
    return list(enumerate(value["embeddings"]["float"]))
