"""Local models: vectors without an account and, once a model is installed, without a network.

`catalogue` says which models there are, `install` fetches and checks them, and `load` opens one.
Loading never fetches: a model that is not there is an error that names the command which gets it.
"""

from __future__ import annotations

from scrubjay.embed.local.catalogue import CATALOGUE, DEFAULT, ModelCard, find
from scrubjay.embed.local.scripts import covers, script_share
from scrubjay.errors import ModelMissing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from scrubjay.embed.local.onnx import OnnxEmbedder
    from scrubjay.embed.local.static import StaticEmbedder


def load(name: str, folder: Path, threads: int | None = None) -> OnnxEmbedder | StaticEmbedder:
    """Open an installed model from `folder`, tested on this processor when it is first opened here."""
    from scrubjay.embed.local.install import home_of, installed
    from scrubjay.embed.local.selftest import check

    card = find(name)
    if not installed(card, folder):
        raise ModelMissing(
            f"the model {card.name} is not installed",
            f"its files are not in {home_of(card, folder)}",
            f"run: kb models pull {card.name}",
        )
    home = home_of(card, folder)
    embedder: OnnxEmbedder | StaticEmbedder
    if card.runtime == "static":
        from scrubjay.embed.local.static import StaticEmbedder

        embedder = StaticEmbedder(card, home)
    else:
        from scrubjay.embed.local.onnx import OnnxEmbedder

        embedder = OnnxEmbedder(card, home, threads)
    check(embedder, card, home)
    return embedder


__all__ = ["CATALOGUE", "DEFAULT", "ModelCard", "covers", "find", "load", "script_share"]
