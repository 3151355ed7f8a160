"""Names become objects: which embedder is meant, where its code is, and what it needs.

Imports happen only when a name is used, so naming a provider costs nothing until it speaks.
Other packages add embedders through the entry point group `scrubjay.embedders`: a callable that
takes the Config and returns an Embedder. `scrubjay.readers` adds readers, each under the ending
of the files it reads: a class that can be made without arguments.
"""

from __future__ import annotations

from importlib import import_module

from scrubjay.errors import MissingExtra, ModelMissing, RerankError, UnknownSetting
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.ports import Embedder, Reader, Reranker

GROUP, READERS = "scrubjay.embedders", "scrubjay.readers"
AUTO, NONE = "auto", "none"


class Plug(NamedTuple):
    """Where an adapter lives and what brings along the libraries it imports."""

    target: str
    extra: str = ""

    def load(self) -> Any:
        """The object; MissingExtra, with the command to run, when a library is absent."""
        module, _, name = self.target.partition(":")
        try:
            return getattr(import_module(module), name)
        except ModuleNotFoundError as error:
            cure = f"pip install 'scrubjay[{self.extra}]'" if self.extra else f"pip install {error.name}"
            raise MissingExtra(f"{name} cannot be used.", f"{error.name} is not installed.", cure) from error


HASHING = Plug("scrubjay.embed.hashing:HashingEmbedder")
CATALOGUE = Plug("scrubjay.embed.local.catalogue:CATALOGUE")
DEFAULT = Plug("scrubjay.embed.local.catalogue:DEFAULT")
LOCAL = Plug("scrubjay.embed.local:load", "models")
COVERS = Plug("scrubjay.embed.local:covers")
INSTALLED = Plug("scrubjay.embed.local.install:installed")
PROVIDERS = Plug("scrubjay.embed.providers:PROVIDERS")
HTTP = Plug("scrubjay.embed.providers:http_embedder")
TRANSPORT = Plug("scrubjay.transport:HttpTransport")
RERANKERS = Plug("scrubjay.rerank.client:PROVIDERS")
HTTP_RERANKER = Plug("scrubjay.rerank.client:http_reranker")
CROSS = "cross-encoder"
PAIRS = Plug("scrubjay.embed.local.pairs:PairModel", "models")
CROSS_ENCODER = Plug("scrubjay.rerank.cross:CrossEncoder")
KEY_SOURCE = Plug("scrubjay.transport:key_source")


def embedder(name: str, config: Config) -> Embedder:
    """The embedder of that name, ready to use."""
    if name == "hashing":
        hashing: Embedder = HASHING.load()()
        return hashing
    if _card(name) is not None:
        local: Embedder = LOCAL.load()(name, config.models_folder)
        return local
    if name.partition("/")[0] in PROVIDERS.load():
        return _provider(name, config)
    for entry in _entry_points(GROUP):
        if entry.name == name:
            plugged: Embedder = entry.load()(config)
            return plugged
    raise _unknown(name)


def wanted(config: Config) -> list[str]:
    """The names of the embedders that the settings ask for, the main one first.

    `auto` is the best local model that is installed, joined by installed models for scripts that
    it does not know. Nothing is fetched, and nothing is sent anywhere, unless it is named.
    """
    name = str(config.get("embedder.name"))
    if name == NONE:
        return []
    ready = installed(config)
    if name == AUTO:
        name = next(iter(ready), "")
    if not name:
        return []
    return [name, *companions(name, config, ready)]


def installed(config: Config) -> list[str]:
    """The local models on this machine, the default first, then as the catalogue has them."""
    folder = config.models_folder
    if not folder.is_dir():
        return []
    check, default = INSTALLED.load(), DEFAULT.load()
    found = [card.name for card in CATALOGUE.load() if check(card, folder)]
    return sorted(found, key=lambda name: name != default)


def companions(main: str, config: Config, ready: list[str] | None = None) -> list[str]:
    """Installed models for scripts that a local main model does not know."""
    card = _card(main)
    if card is None or not config.get("embedder.companions"):
        return []
    known = set(card.scripts)
    joined: list[str] = []
    for name in installed(config) if ready is None else ready:
        other = _card(name)
        if other is not None and other.runtime == "onnx" and not set(other.scripts) <= known:
            joined.append(name)
            known |= set(other.scripts)
    return joined


def may_send(name: str, config: Config) -> bool:
    """Whether an embedder may be given text: a provider only when the user's own settings name it.

    A base that somebody else made may hold a vendor's vectors; opening it must send nothing.
    """
    provider = name.partition("/")[0]
    return provider not in PROVIDERS.load() or str(config.get("embedder.name")).partition("/")[0] == provider


def models_for(text: str) -> list[str]:
    """The models of the catalogue that know the text's script and could be fetched for it."""
    covers = COVERS.load()
    return [card.name for card in CATALOGUE.load() if card.runtime == "onnx" and covers(card, text)]


def coverage(name: str) -> Callable[[str], bool] | None:
    """Which texts a model is for; None when it is for all, or nobody knows better."""
    card = _card(name)
    if card is None or not card.scripts:
        return None
    covers = COVERS.load()
    return lambda text: bool(covers(card, text))


def _card(name: str) -> Any:
    return next((card for card in CATALOGUE.load() if card.name == name), None)


def _provider(name: str, config: Config) -> Embedder:
    """A server: only ever because the user's own settings name it."""
    provider = PROVIDERS.load()[name.partition("/")[0]]
    dim = int(config.get("embedder.dimension"))
    made: Embedder = HTTP.load()(
        name,
        TRANSPORT.load()(proxies=config.proxies()),
        key=KEY_SOURCE.load()(provider.key_names, config.secret),
        url=str(config.get("embedder.url")),
        dim=dim or None,
        default_dim=int(config.get("embedding.dimension")),
    )
    return made


def reranker(name: str, config: Config) -> Reranker:
    """A server, or a cross-encoder here. Nothing is sent before it is used; only the user's settings lead here."""
    if name == CROSS:
        return cross_encoder(config)
    made: Reranker = HTTP_RERANKER.load()(
        name,
        TRANSPORT.load()(proxies=config.proxies()),
        key=reranker_key(name, config),
        url=str(config.get("rerank.url")),
        model=str(config.get("rerank.model")),
        seconds=float(config.get("rerank.seconds")),
    )
    return made


def cross_encoder(config: Config) -> Reranker:
    """The model of pairs in the folder that `rerank.model` names."""
    folder = str(config.get("rerank.model"))
    if not folder:
        cure = "kb config set rerank.model FOLDER, the one with its model.onnx and tokenizer.json"
        raise RerankError("No cross-encoder is named.", "rerank.model is empty.", cure)
    made: Reranker = CROSS_ENCODER.load()(PAIRS.load()(folder))
    return made


def reranker_key(name: str, config: Config) -> Callable[[], str | None]:
    """What looks up the provider's key, in the environment and then in the keyring."""
    source: Callable[[], str | None] = KEY_SOURCE.load()(RERANKERS.load()[name].key_names, config.secret)
    return source


def _unknown(name: str) -> Exception:
    from difflib import get_close_matches

    cards = [card.name for card in CATALOGUE.load()]
    names = [*cards, *PROVIDERS.load(), *(entry.name for entry in _entry_points(GROUP))]
    near = get_close_matches(name, names, n=1)
    why = f"Did you mean {near[0]}?" if near else f"Known are: {', '.join(names)}."
    kind = ModelMissing if not near else UnknownSetting
    return kind(f"There is no embedder {name!r}.", why, "kb models lists them; kb config set embedder.name …")


def readers() -> tuple[dict[str, Reader], list[Notice]]:
    """The readers of other packages by the ending they are for; one that cannot be loaded is named."""
    found: dict[str, Reader] = {}
    notices: list[Notice] = []
    for entry in _entry_points(READERS):
        try:
            found[entry.name.lower().lstrip(".")] = entry.load()()
        except Exception as error:  # it is anybody's code
            reason = f"the reader for .{entry.name} files ({entry.value}) cannot be used: {error}"
            notices.append(Notice("read", reason, "mend or uninstall its package; our own reader is used"))
    return found, notices


def _entry_points(group: str) -> list[Any]:
    from importlib.metadata import entry_points

    return list(entry_points(group=group))
