"""Chooses the reranker: the one that was named, or for `auto` the best one that is allowed and there.

Choosing sends nothing. A key that happens to lie in the environment is not leave to send
anybody's notes to its vendor: `auto` takes a vendor only when the user wrote so, either by
writing the setting or by switching reranking on in their own configuration.
"""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.rerank.client import PROVIDERS
from scrubjay.rerank.cross import NAME as CROSS
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrubjay.ports import Reranker

AUTO = ("voyage", "cohere")  # in this order, then the local one
CHOICES = ("auto", *PROVIDERS, "local", CROSS, "none")


class Choice(NamedTuple):
    """The provider's name, what reranks (None for nobody), and what there is to say about it."""

    name: str
    reranker: Reranker | None = None
    notices: tuple[Notice, ...] = ()


def choose(
    asked: str,
    *,
    has_key: Callable[[str], bool],
    http: Callable[[str], Reranker],
    local: Callable[[], Reranker | None],
    vendors_allowed: bool,
) -> Choice:
    """Voyage if it has a key, Cohere if it has one, the local one, nobody; or just what was asked."""
    if asked not in CHOICES:
        raise UsageError(f"There is no reranker {asked!r}.", "", f"Choose one of {', '.join(CHOICES)}.")
    if asked in PROVIDERS or asked == CROSS:
        return Choice(asked, http(asked))
    if asked == "none":
        return Choice("none")
    passed_over = []
    if asked == "auto":
        keyed = [name for name in AUTO if has_key(name)]
        if keyed and vendors_allowed:
            return Choice(keyed[0], http(keyed[0]))
        passed_over = [_passed_over(keyed[0])] if keyed else []
    here = local()
    if here is not None:
        return Choice("local", here, tuple(passed_over))
    missing = Notice(
        "rerank",
        "there is nothing to rerank with",
        "Install a local embedding model, or allow a provider with CROSS_ENCODER_PROVIDER.",
    )
    return Choice("none", None, (*passed_over, missing))


def _passed_over(name: str) -> Notice:
    return Notice(
        "rerank",
        f"there is a key for {name}, but nobody allowed to send text there",
        f"Set CROSS_ENCODER_PROVIDER={name} (or auto) to allow it.",
    )
