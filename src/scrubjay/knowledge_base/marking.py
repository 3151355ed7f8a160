"""Says of every passage that is shown when it is not the last word on its subject."""

from __future__ import annotations

from time import gmtime, strftime

from scrubjay.memory.marks import marks
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.ports import Store
    from scrubjay.types import Found


def marked(store: Store, found: Found) -> Found:
    """The same passages with their marks."""
    asked = {passage.document_id for passage in found.documents}
    facts = store.memory.facts(asked)
    records = store.memory.records.of_documents(asked)
    newer = store.memory.superseded_by(asked)
    now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
    return found._replace(
        documents=tuple(
            passage._replace(
                marks=marks(
                    passage.document_id,
                    facts[passage.document_id][0],
                    records.get(passage.document_id, ()),
                    newer.get(passage.document_id, ()),
                    now,
                )
            )
            if passage.document_id in facts
            else passage
            for passage in found.documents
        )
    )
