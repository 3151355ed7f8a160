"""Changing over to another model without a gap: build beside the old vectors, then swap.

The new model's vectors are made while the old ones answer, in this process and in every other.
Stopped in the middle, the next run goes on; when all are there, one transaction swaps them.
"""

from __future__ import annotations

from scrubjay.errors import NoEmbedder
from scrubjay.ingest.embedding import Embedding, Speaker
from scrubjay.knowledge_base.meaning import identity_of
from scrubjay.knowledge_base.rereadable import keep_tokens
from scrubjay.types import ReindexReport
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store
    from scrubjay.types import Progress, StoredModel


def reindex(
    store: Store, config: Config, meaning: Meaning, name: str | None, tell: Callable[[Progress], None] | None
) -> ReindexReport:
    """To the named model, or the configured one. Companions for scripts that it does not know stay."""
    from scrubjay import registry

    asked = [name] if name else meaning.configured()
    if not asked:
        raise NoEmbedder("No model was named.", "None is configured or installed.", "kb models pull, or --model NAME")
    embedder = meaning.embedder(asked[0])
    identity = identity_of(embedder)
    active = [model for model in store.models() if model.state == "active"]
    new = store.use_model(identity, "active" if not active else "building")
    store.want_all_vectors(new)  # it may have been a companion, with a part of the chunks
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
    notices = done.notices
    if complete and active:
        staying = {new, *_companions(active, registry.companions(embedder.name, config))}
        store.swap_model(new, [model.number for model in active if model.number not in staying])
        notices += meaning.embed_pending(tell)[1]  # what only a companion reads
        notices += keep_tokens(store, config, meaning, tell)
    return ReindexReport(embedder.name, done.chunks, left, complete, notices)


def _companions(active: Sequence[StoredModel], names: Sequence[str]) -> list[int]:
    return [model.number for model in active if model.identity.name in names]
