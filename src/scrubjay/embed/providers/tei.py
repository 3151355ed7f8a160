"""The shape of Text Embeddings Inference: no model in the request, a bare list in the reply."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call


def body(call: Call) -> dict[str, Any]:
    return {"inputs": list(call.texts), "normalize": True, "truncate": True}


def vectors(value: Any) -> list[tuple[int, Any]]:
    return list(enumerate(value if isinstance(value, list) else value["embeddings"]))
