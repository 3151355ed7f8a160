"""What bulk writing leaves for later: looking its texts through for links, and listing their words.

Both cost as much as the writing, and nothing needs them before a search mends a word or follows
a link. What is unread the base itself remembers, so nothing is lost when a program is stopped.
Words are caught up with by the search (`scrubjay.search.wording`), links here.
"""

from __future__ import annotations

from scrubjay.errors import BaseLocked, BaseReadOnly
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.config import Config
    from scrubjay.ports import Store

FEW = 200  # notes that are looked through as soon as they are written: some milliseconds
_PATIENCE = 2.0  # seconds that a search gives to it: about 80,000 notes


def look_through(store: Store, config: Config) -> None:
    """Everything that is owed, now."""
    from scrubjay.search.wording import list_words

    if config.get("graph.enabled"):
        from scrubjay.ingest.weave import weave

        weave(store)
    list_words(store)


def tie(store: Store, config: Config, *, hurried: bool = False) -> tuple[Notice, ...]:
    """Before links are followed. What could not be done in time is told; while somebody writes it is not tried."""
    if not config.get("graph.enabled") or not store.graph.is_behind():
        return ()
    if not hurried:
        from scrubjay.ingest.weave import weave

        try:
            with store.graph.at_once():
                weave(store, _PATIENCE)
                hurried = store.graph.is_behind()
        except BaseLocked:  # who writes just now may be looking for links, too
            return ()
        except BaseReadOnly:
            hurried = True
    if not hurried:
        return ()
    reason = "Some texts that came in bulk are not looked through for links yet, so links from them are not followed."
    return (Notice("graph", reason, "kb update does it now."),)
