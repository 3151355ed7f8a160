"""What makes a base a memory: keeping single notes, calling them up, correcting them."""

from __future__ import annotations

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.types import Facts, Matched, Record, Remembered


class Memories(Parts):
    """`note`, `remember`, `match`, `facts`, `correct`, `conflicts` and `undo`."""

    def note(
        self,
        text: str,
        *,
        title: str | None = None,
        tags: Sequence[str] | str = (),
        kind: str = "note",
        created_at: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> str:
        """Keeps a text as a new note and returns its id. `more` is what `remember` takes.

        `remember` is the one that looks whether it is known already.
        """
        asked = {"title": title, "tags": tags, "kind": kind, "created_at": created_at, "id": id, "metadata": metadata}
        return self.remember(text, **{"fresh": True, **asked, **more}).id

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        tags: Sequence[str] | str = (),
        kind: str = "note",
        created_at: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        memory_type: str | None = None,
        importance: str | None = None,
        triggers: Sequence[str] | str = (),
        project: str | None = None,
        session: str | None = None,
        source: str | None = None,
        links: Sequence[str] | str = (),
        supersedes: Sequence[str] | str = (),
        fresh: bool = False,
    ) -> Remembered:
        """Keeps a text, and says what that did to what was known. See `Remembered`.

        The same text again is the same memory, now firmer; one like another is kept, and the
        answer says which and how alike. `links` are ids, or id:relation. With `fresh` it is a
        new one in any case, and is compared with nothing.
        """
        from scrubjay.knowledge_base.remembering import remember

        item = {
            "text": text, "title": title, "tags": tags, "kind": kind, "created_at": created_at, "id": id,
            "metadata": metadata or {}, "memory_type": memory_type, "importance": importance, "triggers": triggers,
            "project": project, "session": session, "source": source,
        }  # fmt: skip
        self._uses.settle()
        return remember(
            self.store, self.config, self._meaning, item, _several(links), _several(supersedes), fresh=fresh
        )

    def match(self, text: str, top: int | None = None) -> Sequence[Matched]:
        """The documents whose trigger phrases a text says: most phrases first, then the more important."""
        from scrubjay.knowledge_base.matching import match

        return match(self.store, text, top)

    def facts(self, id: str) -> Facts:
        """What is known of a document as a memory, said or guessed."""
        document = self.store.graph.document_of(id)
        return self.store.memory.facts([document])[document][0]

    def correct(self, id: str, kind: str, *, by: str | None = None, reason: str = "") -> Record:
        """Says what has become of a memory: superseded, refined, merged (by another) or deprecated."""
        from scrubjay.knowledge_base.correcting import correct

        return correct(self.store, id, kind, by, reason)

    def conflicts(self, *, everything: bool = False) -> Sequence[Record]:
        """Memories that contradict or repeat each other and wait for somebody to say which; or all records."""
        from scrubjay.knowledge_base.correcting import conflicts

        return conflicts(self.store, everything=everything)

    def undo(self, record: str) -> Record:
        """Takes back what a record says was decided; the record stays, marked."""
        from scrubjay.knowledge_base.correcting import undo

        return undo(self.store, record)


def _several(given: Sequence[str] | str) -> list[str]:
    """One or many; a text may name several with commas."""
    parts = given.split(",") if isinstance(given, str) else given
    return [part.strip() for part in parts if part.strip()]
