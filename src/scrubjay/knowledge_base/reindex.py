"""Changing over to another model without a gap: build beside the old vectors, then swap.

The new model's vectors are made while the old ones answer, in this process and in every other.
Stopped in the middle, the next run goes on; when all are there, one transaction swaps them.
"""

from __future__ import annotations

from scrubjay.errors import NoEmbedder
from scrubjay.ingest.embedding import Embedding, Speaker
from scrubjay.knowledge_base.meaning import identity_of
from scrubjay.types import ReindexReport
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store
    from scrubjay.types import Progress


def reindex(
    store: Store, config: Config, meaning: Meaning, name: str | None, tell: Callable[[Progress], None] | None
) -> ReindexReport:
    """To the named model, or the configured one. Companions for other scripts stay."""
    from scrubjay import registry

    asked = [name] if name else meaning.configured()
    if not asked:
        raise NoEmbedder("No model was named.", "None is configured or installed.", "kb models pull, or --model NAME")
    embedder = meaning.embedder(asked[0])
    identity = identity_of(embedder)
    active = [model for model in store.models() if model.state == "active"]
    new = store.use_model(identity, "active" if not active else "building")
    for model in store.models():
        if model.state == "building" and model.number != new:
            store.drop_model(model.number)  # a change-over that somebody thought better of
    store.retry_failed(new)
    run = Embedding(
        store, [Speaker(new, embedder, registry.coverage(embedder.name))], int(config.get("embedding.batch")), tell
    )
    done = run.run()
    left = store.pending_count(new)
    complete = left == 0
    replaced = [model.number for model in active[:1] if model.number != new]
    if complete and replaced:
        store.swap_model(new, replaced)
    return ReindexReport(embedder.name, done.chunks, left, complete, done.notices)
