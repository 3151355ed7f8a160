"""What a verb is given: its words, its options, the streams, and the way to the base."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.cli.options import Verb
    from scrubjay.cli.progress import Bar
    from scrubjay.cli.terminal import Console
    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.types import Notice


class Call:
    """One verb being run."""

    def __init__(self, verb: Verb, words: Sequence[str], values: Mapping[str, Any], console: Console) -> None:
        self.verb = verb
        self.words = tuple(words)
        self.values = values
        self.console = console
        self.out = console.out

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def open(self, create: bool = False) -> KnowledgeBase:
        """The base that was asked for. Without `create` it must be there already."""
        import scrubjay

        return scrubjay.open(self["base"], create=create, actor=self.verb.name if self.verb.name == "watch" else "cli")

    @property
    def filters(self) -> dict[str, Any]:
        """The filter options as the arguments that search, list and timeline take."""
        asked: dict[str, Any] = {
            "tags": self["tags"],
            "kind": self["type"] or None,
            "since": self["since"],
            "until": self["until"],
        }
        if "path" in self.values:
            asked["path"] = self["path"]
        return asked

    @property
    def format(self) -> str:
        """How to print: --format, else json with --json, else text."""
        asked = self.values.get("format")
        if self["json"] and asked not in (None, "json"):
            from scrubjay.errors import UsageError

            raise UsageError(f"--json and --format {asked} exclude each other.", "", "Leave one of them out.")
        return asked or ("json" if self["json"] else "text")

    def notices(self, notices: Sequence[Notice], most: int = 10) -> None:
        """Tell what did not go as asked. Of many alike a few stand for all, so that none hides another."""
        alike: dict[tuple[str, str], list[Notice]] = {}
        for notice in notices:
            alike.setdefault((notice.stage, notice.remedy), []).append(notice)
        each = max(2, most // max(len(alike), 1))
        for group in alike.values():
            shown = group if len(group) <= each + 1 else group[:each]
            for notice in shown:
                self.console.notice(notice.stage, notice.reason, notice.remedy)
            if len(shown) < len(group):
                self.console.hint(f"     and {len(group) - len(shown):,} more like these; --json lists them all")

    def progress(self) -> Bar | None:
        """What draws a bar on a terminal; None off one."""
        if not self.console.err.can_redraw:
            return None
        from scrubjay.cli.progress import Bar

        return Bar(self.console.err)
