"""The shape of Text Embeddings Inference: `texts` in the request, a bare list in the reply."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def body(model: str, query: str, passages: Sequence[str]) -> dict[str, Any]:  # noqa: ARG001 - TEI serves one model
    return {"query": query, "texts": list(passages), "truncate": True}


def scores(value: Any) -> list[tuple[int, Any]]:
    return [(item["index"], item["score"]) for item in value]
