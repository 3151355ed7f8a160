"""Whatever happens to a folder between two updates, the base then holds what the folder holds."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import scrubjay

NAMES = ["a.md", "b.md", "c.txt", "d/a.md", "d/e.txt", "数据/b.md"]
TEXTS = ["# One\n\nquince\n", "# Two\n\nmarmalade\n", "", "words only\n", "# One\n\nquince\n\n" + "long " * 900]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
        st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("copy"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
        st.tuples(st.just("touch"), st.sampled_from(NAMES), st.just("")),
        st.tuples(st.just("ignore"), st.sampled_from(["a.md", "d/", "*.txt", "!c.txt", ""]), st.just("")),
        st.tuples(st.just("update"), st.just(""), st.just("")),
        st.tuples(st.just("add"), st.just(""), st.just("")),
    ),
    max_size=25,
)


def done(root: Path, step: tuple[str, str, str], clock: list[int]) -> None:
    """One thing that a person does to the folder. Every change has a time of its own, as on a real disk."""
    what, name, more = step
    path, other = root / name, root / more
    clock[0] += 1
    if what == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(more)
        os.utime(path, (clock[0], clock[0]))
    elif what in ("rename", "copy") and path.exists() and path != other:
        other.parent.mkdir(parents=True, exist_ok=True)
        (shutil.move if what == "rename" else shutil.copy2)(str(path), str(other))
    elif what == "delete":
        path.unlink(missing_ok=True)
    elif what == "touch" and path.exists():
        os.utime(path, (clock[0], clock[0]))
    elif what == "ignore":
        (root / ".gitignore").write_text(name + "\n")


def held(kb: scrubjay.KnowledgeBase) -> dict[str, str]:
    texts = {}
    for document in kb.list():
        texts[str(document.path)] = "".join(chunk.text for chunk in kb.store.chunks([document.id]))
    return texts


def described(kb: scrubjay.KnowledgeBase) -> dict[str, tuple[object, ...]]:
    """All that a search can see of each document."""
    seen = {}
    for document in kb.list():
        chunks = [(chunk.text, chunk.trail, chunk.lines) for chunk in kb.store.chunks([document.id])]
        seen[str(document.path)] = (document.title, document.kind, document.tags, chunks)
    return seen


@settings(max_examples=40)
@given(steps=STEPS)
def test_after_any_history_the_base_is_as_if_read_for_the_first_time(steps: list[tuple[str, str, str]]) -> None:
    clock = [1_700_000_000]
    with tempfile.TemporaryDirectory() as folder, scrubjay.open(":memory:") as kb:
        root = Path(folder).resolve()
        kb.add(root)
        for step in steps:
            if step[0] == "update":
                kb.update()
            elif step[0] == "add":
                kb.add(root)
            else:
                done(root, step, clock)
        report = kb.update()
        assert [notice for notice in report.notices if notice.stage != "walk"] == []
        with scrubjay.open(":memory:") as fresh:
            fresh.add(root)
            assert held(kb) == held(fresh)
            assert described(kb) == described(fresh)
            for word in ("quince", "marmalade", "words", "数据"):
                found = {hit.path for hit in kb.search(word, top=50).hits}
                assert found == {hit.path for hit in fresh.search(word, top=50).hits}, word
        assert [check for check in kb.doctor() if check.ok is False] == []
        again = kb.update()
        assert (again.added, again.changed, again.removed, again.moved) == (0, 0, 0, 0), "nothing is left to do"
