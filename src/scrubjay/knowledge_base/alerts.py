"""Saved searches: kept, and what they found since."""

from __future__ import annotations

import os

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.types.alerts import Alert, Match

    Path = str | os.PathLike[str]


class Alerts(Parts):
    """`alert`, `alerts`, `remove_alert` and `alerts_due`."""

    def alert(
        self,
        query: str,
        *,
        name: str | None = None,
        tags: Sequence[str] | str = (),
        kind: str | Sequence[str] | None = None,
        path: Path | None = None,
        similar: float | None = None,
    ) -> Alert:
        """Saves a search: whatever is added from now on and matches is reported once."""
        from scrubjay.knowledge_base.alerting import add
        from scrubjay.search.plan import filter_of

        where = filter_of(tags, kind, path)
        filters = {"tags": list(where.tags), "kind": list(where.kinds), "path": where.path}
        return add(self.store, self._meaning, query, name, filters, similar)

    def alerts(self) -> Sequence[Alert]:
        """All saved searches, with how much they have found and how much of it waits."""
        return self.store.alerts.all()

    def remove_alert(self, name: str) -> None:
        """Forgets a saved search and what it found."""
        from scrubjay.knowledge_base.alerting import remove

        remove(self.store, name)

    def alerts_due(self) -> Sequence[Match]:
        """What saved searches found and nobody was told yet; each is handed out once."""
        from scrubjay.knowledge_base.alerting import due, evaluate

        if not self.store.alerts.any():
            return []
        evaluate(self.store, self.config, self._meaning)
        return due(self.store)
