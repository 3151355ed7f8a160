"""The shape of Ollama's own embeddings: it cuts what is too long itself, and can keep the model loaded."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call

KEEP = "30m"  # loading a model takes seconds; its usual five minutes are over between two searches


def body(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = {"model": call.model, "input": list(call.texts), "truncate": True, "keep_alive": KEEP}
    if call.dim is not None:
        asked["dimensions"] = call.dim
    return asked


def vectors(value: Any) -> list[tuple[int, Any]]:
    return list(enumerate(value["embeddings"]))
