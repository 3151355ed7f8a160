"""What `kb doctor` looks at: every part is asked, and what is wrong comes with its cure."""

from __future__ import annotations

from importlib.util import find_spec

from scrubjay.errors import ScrubjayError
from scrubjay.types import Check
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store

_LIBRARIES = (
    ("numpy", "vectors in numpy; without it they are compared in pure Python"),
    ("numkong", "the fast comparison of vectors"),
    ("sqlite_vec", "the sqlite-vec engine"),
    ("pypdfium2", "PDF files"),
    ("tree_sitter", "code cut by its definitions"),
    ("mcp", "the base for agents: kb mcp"),
)


def diagnose(store: Store, config: Config, meaning: Meaning) -> list[Check]:
    """One line a part, in the order in which they depend on each other."""
    return [*store.check(), *_libraries(), _embedder(store, meaning), *_cross_encoder(config), *_settings(config)]


def _libraries() -> list[Check]:
    found = []
    for name, purpose in _LIBRARIES:
        if find_spec(name) is None:
            found.append(Check(name.replace("_", "-"), None, f"not installed: {purpose}", f"pip install {name}"))
        else:
            found.append(Check(name.replace("_", "-"), True, purpose))
    return found


def _embedder(store: Store, meaning: Meaning) -> Check:
    """Really embeds a word: a key that expired or a broken model shows here."""
    try:
        names = meaning.wanted()
        if not names:
            return Check("embedder", None, "none: search is by words only", "kb models pull")
        embedder = meaning.embedder(names[0])
        row = embedder.embed(["test"], "query")
        waiting = store.pending_count()
        detail = f"{embedder.name}, {len(row[0])} dimensions, {waiting} chunks wait"
        return Check("embedder", True, detail, "kb update" if waiting else "")
    except ScrubjayError as error:
        return Check("embedder", False, f"{error.what} {error.why}".strip(), error.cure)
    except Exception as error:  # anybody's code
        return Check("embedder", False, f"{type(error).__name__}: {error}", "Check the embedder's settings.")


def _cross_encoder(config: Config) -> list[Check]:
    """Really scores a pair, where the settings name one: a wrong file shows here."""
    from scrubjay import registry
    from scrubjay.knowledge_base.rereading import reranker_named

    if reranker_named(config) != registry.CROSS:
        return []
    try:
        model = registry.cross_encoder(config)
        model.score("test", ["test"])
    except ScrubjayError as error:
        return [Check("reranker", False, f"{error.what} {error.why}".strip(), error.cure)]
    return [Check("reranker", True, model.name)]


def _settings(config: Config) -> list[Check]:
    return [Check("config", False, notice.reason, notice.remedy) for notice in config.notices] or [
        Check("config", True, "all settings are valid")
    ]
