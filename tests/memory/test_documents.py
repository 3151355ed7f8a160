from __future__ import annotations

import pytest

from scrubjay.memory.documents import document_kind, is_spec


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("specs/007-auth/spec.md", "spec"),
        ("specs/007-auth/Plan.MD", "plan"),
        ("C:\\x\\specs\\1\\tasks.md", "tasks"),
        ("specs/1/adr-0007-use-sqlite.md", "decision_record"),
        ("specs/1/implementation_summary.md", "implementation_summary"),
        ("specs/1/notes.md", "memory"),
        ("specs/1/spec.py", "memory"),
        ("specs.md", "memory"),
        ("myspecs/spec.md", "memory"),
        ("", "memory"),
        (None, "memory"),
    ],
)
def test_the_kind_is_in_the_folder_and_the_name(path: str | None, name: str) -> None:
    assert document_kind(path).name == name


def test_every_file_under_specs_is_a_spec_document() -> None:
    assert is_spec("/a/specs/1/notes.md")
    assert not is_spec("/a/specs")
    assert not is_spec(None)
