"""How documents hang together: edges that are said, read in texts, and learned from use."""

from __future__ import annotations

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.types import Edge, Related


class Linking(Parts):
    """`link`, `unlink`, `links`, `related`, `learned` and `unlearn`."""

    def link(self, source: str, target: str, relation: str, *, strength: float = 1.0, evidence: str = "") -> Edge:
        """Says how one document leads to another. See `Edge`."""
        from scrubjay.knowledge_base.links import link

        return link(self.store, source, target, relation, strength, evidence)

    def unlink(self, source: str, target: str, relation: str | None = None) -> int:
        """Takes back what `link` said, in one relation or in all; how many edges went."""
        from scrubjay.knowledge_base.links import unlink

        return unlink(self.store, source, target, relation)

    def links(self, id: str) -> Sequence[Edge]:
        """Every edge from and to a document, or a passage; those that lead nowhere yet come last."""
        self._tied("full", None)
        return self.store.graph.edges_of(id)

    def related(self, id: str, top: int = 10) -> Sequence[Related]:
        """The documents that are linked with this one, directly or over others, nearest first."""
        from scrubjay.knowledge_base.links import related

        self._tied("full", None)
        return related(self.store, id, top, self.config)

    def learned(self) -> Sequence[Edge]:
        """What was learned from what is opened together, and how much of it is left."""
        return self.store.graph.learned()

    def unlearn(self, id: str | None = None) -> int:
        """Forgets what was learned, all of it or of one document; how many edges went."""
        self._habits.forget()
        return self.store.graph.unlearn(id)
