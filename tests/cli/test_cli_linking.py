"""Links on the command line, over a real base."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def two(run: Run) -> tuple[str, str]:
    """The ids of two notes in the base of `run`."""
    return run("note", "The disk was full", "--title", "Disk").out.strip(), run("note", "The backup failed").out.strip()


def test_a_link_is_told_as_a_sentence(run: Run, two: tuple[str, str]) -> None:
    a, b = two
    done = run("link", a, b, "--relation", "caused", "--strength", "0.9", "--evidence", "see the log")
    assert done.out == f"Disk ({a}) caused The backup failed ({b})  strength 0.9 · see the log\n"
    assert (done.code, done.err) == (0, "")


def test_a_link_as_json(run: Run, two: tuple[str, str]) -> None:
    a, b = two
    record = json.loads(run("link", a, b, "--relation", "supports", "--strength", "0", "--json").out)
    assert (record["source"], record["target"], record["relation"]) == (a, b, "supports")
    assert record["strength"] == 0, "zero is a strength, not an absent one"
    assert (record["origin"], record["evidence"]) == ("user", "")


def test_a_link_needs_its_relation(run: Run, two: tuple[str, str]) -> None:
    done = run("link", *two)
    assert done.code == 2
    assert f"kb link {two[0]} {two[1]} --relation caused" in done.err
    assert run("link", two[0]).code == 2
    assert run("link", "d_none", two[1], "--relation", "caused").code == 1


def test_links_read_from_either_end(run: Run, two: tuple[str, str]) -> None:
    a, b = two
    run("link", a, b, "--relation", "derived_from", "--evidence", "page 3")
    [there] = run("links", a).out.splitlines()
    [back] = run("links", b).out.splitlines()
    assert there.startswith("is derived from  The backup failed")
    assert b in there
    assert "said · page 3" in there
    assert back.startswith("led to  Disk")
    assert a in back
    record = json.loads(run("links", b, "--json").out)
    assert (record["id"], [edge["source"] for edge in record["links"]]) == (b, [a])


def test_links_that_lead_nowhere_yet_are_shown(run: Run, write: Callable[..., Path]) -> None:
    path = write("n/a.md", "# A\n\nSee [the plan](plan.md).\n")
    run("add", str(path.parent))
    [line] = run("links", str(path)).out.splitlines()
    assert line.startswith("links to")
    assert "plan.md" in line
    assert "not in the base" in line
    assert "in the text" in line


def test_nothing_linked_says_what_to_do(run: Run, two: tuple[str, str]) -> None:
    done = run("links", two[0])
    assert (done.code, done.out) == (0, "")
    assert "kb link" in done.err
    assert json.loads(run("links", two[0], "--json").out) == {"id": two[0], "links": []}
    assert run("links", "d_none").code == 1
    assert run("links", "missing/file.md").code == 1


def test_unlink_takes_back_one_or_all(run: Run, two: tuple[str, str]) -> None:
    for relation in ("caused", "enabled", "supports"):
        run("link", *two, "--relation", relation)
    assert run("unlink", *two, "--relation", "caused").out == "1 link taken back.\n"
    assert json.loads(run("unlink", *two, "--json").out) == {"removed": 2}
    nothing = run("unlink", *two)
    assert (nothing.code, nothing.out) == (0, "0 links taken back.\n")
    assert "kb links" in nothing.err


def test_related_follows_links_over_others(run: Run, two: tuple[str, str]) -> None:
    a, b = two
    c = run("note", "We moved to a larger disk").out.strip()
    run("link", a, b, "--relation", "caused")
    run("link", b, c, "--relation", "enabled")
    record = json.loads(run("related", a, "--json").out)
    assert [one["id"] for one in record["related"]] == [b, c]
    assert record["related"][0]["score"] == 1.0
    assert record["related"][0]["type"] == "note"
    assert json.loads(run("related", a, "--top", "1", "--json").out)["related"] == record["related"][:1]
    first, second = run("related", a).out.splitlines()
    assert b in first
    assert "caused" in first
    assert c in second


def test_related_to_nothing(run: Run, two: tuple[str, str]) -> None:
    done = run("related", two[0])
    assert (done.code, done.out) == (0, "")
    assert "Nothing is linked" in done.err


def test_what_is_opened_after_one_search_is_learned_and_forgotten(run: Run, two: tuple[str, str]) -> None:
    run("search", "disk backup", "--fts-only")
    run("get", *two)
    [edge] = json.loads(run("learned", "--json").out)["learned"]
    assert {edge["source"], edge["target"]} == set(two)
    assert edge["strength"] == pytest.approx(0.2, abs=1e-4)
    assert "Disk" in run("learned", "--limit", "1").out
    assert run("unlearn", two[0]).out == "1 learned link forgotten.\n"
    assert json.loads(run("unlearn", "--json").out) == {"removed": 0}
    empty = run("learned")
    assert (empty.code, empty.out) == (0, "")
    assert "Nothing yet" in empty.err


def test_a_path_stands_for_its_document(run: Run, write: Callable[..., Path]) -> None:
    one, other = write("n/a.md", "# A\n\none\n"), write("n/b.md", "# B\n\ntwo\n")
    run("add", str(one.parent))
    assert run("link", str(one), str(other), "--relation", "supersedes").code == 0
    assert "was superseded by" in run("links", str(other)).out


def test_the_overview_names_them_on_one_line(run: Run) -> None:
    assert "link, unlink, links, related, learned, unlearn\n" in run("help").out
