"""What a base knew before: the history of a document, an older version, a search in the past."""

from __future__ import annotations

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.types.history import Change, Vacuumed


class Recalling(Parts):
    """`history`, `version`, `revert` and `vacuum`."""

    def history(self, id: str) -> Sequence[Change]:
        """Every change of a document, oldest first, with the difference it made; deleted ones too."""
        from scrubjay.knowledge_base.past import history

        return history(self.store, id)

    def version(self, id: str, number: int) -> str:
        """The text of a document as it was after a change of its history."""
        from scrubjay.knowledge_base.past import version

        return version(self.store, id, number)

    def revert(self, id: str, number: int) -> str:
        """Makes a note what it was after a change of its history; returns its id."""
        from scrubjay.knowledge_base.past import revert

        return revert(self.store, id, number)

    def vacuum(self, *, history: bool = False, keep: str = "90d") -> Vacuumed:
        """Gives back room that is not used; with `history`, lets go of what is older than `keep`."""
        from scrubjay.knowledge_base.past import vacuum

        return vacuum(self.store, keep if history else None)
