"""What is to be said of a memory wherever it is shown: that it is not the last word."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrubjay.types.memory import Facts, Record

_SAID = {"superseded": "superseded by {}", "refined": "refined by {}", "merged": "merged into {}"}


def marks(
    identity: str, facts: Facts, records: Iterable[Record], successors: Sequence[str], now: str
) -> tuple[str, ...]:
    """Short sayings, the gravest first, each once. `now` is in the stored form."""
    found: list[str] = []
    if facts.tier == "deprecated" or any(each.kind == "deprecated" for each in records if each.document == identity):
        found.append("deprecated")
    if facts.expires_at is not None and facts.expires_at <= now:
        found.append(f"expired {facts.expires_at[:10]}")
    merged = [each.other for each in records if each.kind == "merged" and each.document == identity]
    found += [f"superseded by {newer}" for newer in successors if newer not in merged]
    found += [
        _SAID[each.kind].format(each.other)
        for each in records
        if each.kind in _SAID and each.document == identity and each.other is not None
    ]
    settled = {*successors, *(_partner(each, identity) for each in records if each.kind in _SAID)}
    against = [_partner(each, identity) for each in records if each.kind == "conflict"]
    found += [f"in conflict with {other}" for other in against if other not in settled]
    return tuple(dict.fromkeys(found))


def _partner(record: Record, identity: str) -> str | None:
    return record.other if record.document == identity else record.document
