"""R96: the dimension comes from the model, and an index of one dimension never meets another."""

from __future__ import annotations

import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.embed.providers import http_embedder
from scrubjay.errors import ModelMismatch
from scrubjay.transport import HttpTransport


@pytest.mark.parametrize(
    ("name", "dim"),
    [("voyage/voyage-3.5", 1024), ("openai/text-embedding-3-small", 1536), ("compatible/nobody-knows", 768)],
)
def test_r096_the_dimension_is_the_models(name: str, dim: int) -> None:
    embedder = http_embedder(name, HttpTransport(), key=lambda: "key", url="http://127.0.0.1:9")
    assert embedder.dim == dim


def test_r096_a_1024_index_opened_with_1536_names_the_rebuild_command(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(1024, "voyage/voyage-3.5")) as kb:
        kb.note("install git")
    with pytest.raises(ModelMismatch) as caught:
        scrubjay.open(place, embedder=HashingEmbedder(1536, "openai/text-embedding-3-small"))
    assert "1024" in str(caught.value)
    assert "1536" in str(caught.value)
    assert "kb reindex --model openai/text-embedding-3-small" in caught.value.cure
    with scrubjay.open(place) as kb:  # nothing was lost, and words answer
        assert kb.search("git", mode="keyword").hits
