"""The shape of Voyage's embeddings: OpenAI's reply, but the request says query or document."""

from __future__ import annotations

from scrubjay.embed.providers.openai import vectors
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call

__all__ = ["body", "vectors"]


def body(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "model": call.model,
        "input": list(call.texts),
        "input_type": call.role,
        "truncation": True,
    }
    if call.dim is not None:
        asked["output_dimension"] = call.dim
    return asked
