"""Embedders behind a URL: the vendors, and every server at home that speaks one of their protocols.

Nothing here chooses a provider: the user's configuration names one, and only then is text sent.
"""

from __future__ import annotations

from importlib import import_module

from scrubjay.embed.providers.client import HttpEmbedder
from scrubjay.embed.providers.table import MODELS, PROVIDERS, Limits, Model, Provider
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrubjay.ports import Transport

__all__ = ["MODELS", "PROVIDERS", "HttpEmbedder", "Limits", "Model", "Provider", "http_embedder"]


def http_embedder(
    name: str,
    transport: Transport,
    *,
    key: Callable[[], str | None],
    url: str = "",
    model: str = "",
    dim: int | None = None,
    default_dim: int = 768,
    prefixes: tuple[str, str] | None = None,
) -> HttpEmbedder:
    """The embedder of a provider, or of `provider/model`; nothing is sent before it is used."""
    name, _, named_model = name.partition("/")
    model = model or named_model
    provider = PROVIDERS.get(name)
    if provider is None:
        raise UsageError(f"There is no embedding provider {name!r}.", "", f"Choose one of {', '.join(PROVIDERS)}.")
    if not (url or provider.url):
        raise UsageError(f"The provider {name!r} needs a URL.", "It can be any server.", "Give its URL in the config.")
    if not (model or provider.model):
        raise UsageError(f"The provider {name!r} needs a model.", "A server may hold several.", "Name the model.")
    shape = import_module(f"scrubjay.embed.providers.{provider.shape}")
    return HttpEmbedder(
        provider, shape, transport, key=key, model=model, url=url, dim=dim, default_dim=default_dim, prefixes=prefixes
    )
