"""The shape of Jina's embeddings: OpenAI's, with a task that says query or passage."""

from __future__ import annotations

from scrubjay.embed.providers.openai import vectors
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call

__all__ = ["body", "vectors"]


def body(call: Call) -> dict[str, Any]:
    task = "retrieval.query" if call.role == "query" else "retrieval.passage"
    asked: dict[str, Any] = {"model": call.model, "input": list(call.texts), "task": task, "truncate": True}
    if call.dim is not None:
        asked["dimensions"] = call.dim
    return asked
