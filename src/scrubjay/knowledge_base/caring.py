"""What keeps a base in order: tags, removal, and how it is."""

from __future__ import annotations

import os

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scrubjay.types import Check, StoredModel

    Path = str | os.PathLike[str]


class Caring(Parts):
    """`tag`, `tags`, `remove`, `status`, `doctor` and `models`."""

    def tag(self, id: str, add: Sequence[str] | str = (), remove: Sequence[str] | str = ()) -> tuple[str, ...]:
        """Changes a document's tags and returns them."""
        from scrubjay.search.plan import split_tags

        return self.store.retag(id, split_tags(add), split_tags(remove))

    def tags(self) -> dict[str, int]:
        """Every tag and how many documents have it, most used first."""
        return self.store.tags()

    def remove(self, target: Path) -> int:
        """Takes a document, or everything under a path, out of the base; files are not touched."""
        from scrubjay.knowledge_base.removal import remove

        return remove(self.store, os.fspath(target))

    def status(self) -> dict[str, Any]:
        """Counts, sizes, pending work, and when each source was last read."""
        own = dict(self.store.status())
        return {
            "base": self.store.location,
            **own,
            "embedder": self._meaning.described(),
            "sources": [source._asdict() for source in self.store.sources()],
        }

    def doctor(self, *, repair: bool = False) -> Sequence[Check]:
        """Checks every part, and says what cures what is wrong."""
        from scrubjay.knowledge_base.diagnosis import diagnose

        if repair:
            self.store.repair()
        return diagnose(self.store, self.config, self._meaning)

    @property
    def models(self) -> Sequence[StoredModel]:
        """The models whose vectors the base holds."""
        return self.store.models()
