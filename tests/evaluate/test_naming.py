from __future__ import annotations

from typing import Any

from scrubjay.evaluate.naming import match_names
from scrubjay.types import Document


def document(id: str, path: str | None = None, **metadata: Any) -> Document:
    return Document(id, path, "", "note", (), "", "", "", 0, 1, metadata)


def test_a_document_is_known_by_any_of_its_names() -> None:
    documents = [
        document("d_1"),
        document("d_2", "/notes/ops/git.md"),
        document("d_3", "/notes/ops/cake.md"),
        document("d_4", "/notes/pie.md"),
        document("d_5", "/notes/jam.md"),
        document("d_6", doc_id=17),
    ]
    judged = {"d_1", "/notes/ops/git.md", "ops/cake.md", "pie.md", "jam", "17"}
    naming = match_names(documents, judged)
    assert naming.names == {
        "d_1": "d_1", "d_2": "/notes/ops/git.md", "d_3": "ops/cake.md", "d_4": "pie.md", "d_5": "jam", "d_6": "17",
    }  # fmt: skip
    assert (naming.absent, naming.ambiguous) == ((), ())


def test_a_name_that_two_documents_have_is_told_and_not_guessed() -> None:
    documents = [document("d_1", "/a/readme.md"), document("d_2", "/b/readme.md"), document("d_3", "/c/git.md")]
    naming = match_names(documents, {"readme", "git", "nobody"})
    assert naming.names == {"d_3": "git"}
    assert (naming.absent, naming.ambiguous) == (("nobody",), ("readme",))


def test_the_stronger_name_decides() -> None:
    documents = [document("git"), document("d_2", "/notes/git.md")]
    assert match_names(documents, {"git"}).names == {"git": "git"}


def test_a_document_keeps_one_name() -> None:
    naming = match_names([document("d_1", "/notes/git.md")], {"d_1", "git"})
    assert naming.names == {"d_1": "d_1"}
    assert naming.ambiguous == ("git",)
