"""The shape of OpenAI's embeddings, which most servers also speak: Ollama, LM Studio, llama.cpp, vLLM, TEI.

OpenAI's own models are asked for base64: a third of the bytes, and no million numbers to parse.
Other servers may not know that field, so they are asked in the plainest way; either is read.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.embed.providers.table import Call

OPENAIS_OWN = ("text-embedding-3-", "text-embedding-ada-")


def body(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = {"model": call.model, "input": list(call.texts)}
    if call.dim is not None:
        asked["dimensions"] = call.dim
    if call.model.startswith(OPENAIS_OWN):
        asked["encoding_format"] = "base64"
    return asked


def vectors(value: Any) -> list[tuple[int, Any]]:
    return [(item["index"], item["embedding"]) for item in value["data"]]
