"""What a document in a `specs/` folder is, by its name, and what that is worth.

Specifications answer questions about what was meant better than notes do, but only where the
folder says that they are specifications: a `spec.md` elsewhere is a file like any other.
"""

from __future__ import annotations

from scrubjay.types.base import NamedTuple

FOLDER = "specs"
OTHER = "memory"  # every document that is none of these


class DocumentKind(NamedTuple):
    """One row: what a score is multiplied by, and the file names (without .md) that say so."""

    name: str
    multiplier: float
    stems: tuple[str, ...] = ()


DOCUMENT_KINDS: tuple[DocumentKind, ...] = (
    DocumentKind("spec", 1.4, ("spec", "specification", "requirements")),
    DocumentKind("plan", 1.3, ("plan",)),
    DocumentKind("tasks", 1.1, ("tasks", "task")),
    DocumentKind("checklist", 1.0, ("checklist",)),
    DocumentKind("decision_record", 1.4, ("decision-record", "decision", "decisions", "adr")),
    DocumentKind("implementation_summary", 1.1, ("implementation-summary",)),
    DocumentKind("research", 1.0, ("research",)),
    DocumentKind("handover", 1.0, ("handover", "handoff")),
)
_NOTHING = DocumentKind(OTHER, 1.0)
_BY_STEM = {stem: row for row in DOCUMENT_KINDS for stem in row.stems}
_ENDINGS = (".md", ".markdown")


def document_kind(path: str | None) -> DocumentKind:
    """The kind of the document at `path`."""
    if not path or FOLDER not in path.lower():  # most paths are dismissed by one look
        return _NOTHING
    *folders, name = path.replace("\\", "/").lower().split("/")
    ending = next((each for each in _ENDINGS if name.endswith(each)), None)
    if ending is None or FOLDER not in folders:
        return _NOTHING
    stem = name.removesuffix(ending).replace("_", "-").replace(" ", "-")
    if stem.startswith(("adr-", "decision-record-")):  # adr-0007-use-sqlite.md
        stem = "adr"
    return _BY_STEM.get(stem, _NOTHING)


def is_spec(path: str | None) -> bool:
    """Whether the file lies under a specs/ folder, and is left out when those are."""
    return FOLDER in (path or "").replace("\\", "/").lower().split("/")[:-1]
