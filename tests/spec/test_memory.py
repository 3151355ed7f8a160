"""R91, R93, R94, R104 and R105 from the command line or the library to the answer of a search."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from fakes import Fixed
from scrubjay.errors import UsageError
from scrubjay.memory.retention import stability_of
from scrubjay.types.memory import Life

Run = Callable[..., Any]
Write = Callable[..., Path]


def ago(days: float) -> str:
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def note(run: Run, *words: str) -> Any:
    done = run("note", *words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def factors(result: scrubjay.SearchResult) -> dict[str, dict[str, float]]:
    return {hit.document_id: {one.name: one.value for one in hit.factors} for hit in result.hits}


def ids(result: scrubjay.SearchResult) -> list[str]:
    return [hit.document_id for hit in result.hits]


# --- R91


def test_r091_the_kind_is_kept_with_where_it_is_from(run: Run, place: str) -> None:
    given = note(run, "The port is 5432", "--memory-type", "episodic")["id"]
    guessed = note(run, "How to install git: step 1, run the command apt")["id"]
    plain = note(run, "The port of the mail server is 25")["id"]
    with scrubjay.open(place) as kb:
        assert kb.facts(given)[:3] == ("episodic", "given", "episodic")
        assert kb.facts(guessed)[:2] == ("procedural", "text")
        assert kb.facts(plain)[:3] == ("declarative", "default", "")


def test_r091_an_unknown_kind_is_an_error(run: Run, kb: scrubjay.KnowledgeBase) -> None:
    assert run("note", "x", "--memory-type", "eternal").code == 2
    with pytest.raises(UsageError, match="eternal"):
        kb.note("x", memory_type="eternal")
    assert kb.list() == []


@pytest.mark.parametrize(
    ("kind", "days"),
    [("working", 1), ("episodic", 7), ("prospective", 14), ("implicit", 30), ("declarative", 60), ("procedural", 90),
     ("semantic", 180), ("autobiographical", 365)],
)  # fmt: skip
def test_r091_half_is_left_after_the_half_life(place: str, kind: str, days: int) -> None:
    settings = {"memory.half_lives": True, "memory.retention_floor": 0}
    with scrubjay.open(place, config=settings) as kb:
        old = kb.note("git is installed", memory_type=kind, created_at=ago(days))
        assert factors(kb.search("git"))[old] == {"half-life": pytest.approx(0.5, abs=1e-3)}


def test_r091_meta_cognitive_does_not_fade(place: str) -> None:
    with scrubjay.open(place, config={"memory.half_lives": True, "memory.retention": True}) as kb:
        old = kb.note("git is installed", memory_type="meta-cognitive", created_at=ago(10_000))
        assert factors(kb.search("git"))[old] == {}


@pytest.mark.parametrize("profile", ["kb", "observations"])
def test_r091_other_profiles_let_nothing_fade(kb: scrubjay.KnowledgeBase, profile: str) -> None:
    old = kb.note("git is installed", memory_type="working", importance="critical", created_at=ago(10_000))
    assert factors(kb.search("git", profile=profile))[old] == {}


# --- R93: what a new memory does to an old one


def test_r093_the_same_text_again_is_the_same_memory(run: Run, place: str) -> None:
    first = note(run, "We chose SQLite because one file is enough", "--tags", "db")
    with scrubjay.open(place) as kb:
        before = kb.store.memory.facts([first["id"]])[first["id"]][1]
    again = note(run, "We chose SQLite because one file is enough", "--tags", "DB,store", "--importance", "critical")
    assert again["id"] == first["id"]
    assert again["again"] is True
    [record] = again["records"]
    with scrubjay.open(place) as kb:
        [document] = kb.list()
        facts, life = kb.store.memory.facts([first["id"]])[first["id"]]
        assert document.tags == ("db", "store")
        assert facts.tier == "critical"
        half = stability_of(60)
        assert before == Life()
        assert half is not None
        assert life.stability == pytest.approx(half * 1.2)
        assert life.uses == 1
    assert run("undo", record["id"]).code == 0
    with scrubjay.open(place) as kb:
        assert kb.store.memory.facts([first["id"]])[first["id"]] == (facts._replace(tier="normal"), Life())
        assert kb.list()[0].tags == ("db",)


def test_r093_the_same_on_another_day_or_elsewhere_is_another_memory(kb: scrubjay.KnowledgeBase) -> None:
    text = "The backup ran for three hours"
    first = kb.remember(text, created_at="2026-01-01").id
    assert kb.remember(text, created_at="2026-01-01").id == first
    assert kb.remember(text, created_at="2026-01-02").id != first
    assert kb.remember(text, project="other").id != first
    assert kb.note(text) != first, "note is a new one in any case"


def test_r093_what_is_too_short_to_mean_the_same_is_kept_apart(kb: scrubjay.KnowledgeBase) -> None:
    assert kb.remember("install git").id != kb.remember("install git").id


def at(cosine: float) -> list[float]:
    return [cosine, sqrt(1 - cosine * cosine)]


@pytest.mark.parametrize(
    ("cosine", "text", "kind"),
    [
        (0.97, "newer: the mail server listens there", "reinforced"),
        (0.951, "newer: the mail server listens there", "reinforced"),
        (0.94, "newer: the mail server listens there", "similar"),
        (0.851, "newer: the mail server listens there", "similar"),
        (0.84, "newer: the mail server listens there", "linked"),
        (0.701, "newer: the mail server listens there", "linked"),
        (0.69, "newer: the mail server listens there", None),
        (0.97, "newer: the mail server no longer listens there", "conflict"),
        (0.86, "newer: the mail server no longer listens there", "conflict"),
    ],
)
def test_r093_thresholds_end_to_end(place: str, cosine: float, text: str, kind: str | None) -> None:
    embedder = Fixed({"older": [1, 0], "newer": at(cosine)}, other=[0, 1])
    with scrubjay.open(place, embedder=embedder) as kb:
        old = kb.remember("older: the mail server listens there").id
        done = kb.remember(text)
        assert done.id != old
        assert [(one.kind, one.document, one.other) for one in done.records] == ([(kind, old, done.id)] if kind else [])
        if kind is None:
            return
        assert done.records[0].similarity == pytest.approx(cosine, abs=1e-4)
        assert done.records[0].measured_by == "fixed"
        assert len(kb.list()) == 2, "both are kept"
        assert bool(done.notices) == (kind != "linked")
        assert [one.id for one in kb.related(done.id)] == [old]
        undone = kb.undo(done.records[0].id)
        assert undone.undone_at is not None
        assert kb.related(done.id) == ()
        assert kb.conflicts() == []
        assert kb.store.memory.facts([old])[old][1].stability is None


def test_r093_without_an_embedder_it_is_by_words_and_says_so(run: Run) -> None:
    old = note(run, "The nightly backup of the mail server runs at two in the morning on the old disk")["id"]
    new = note(run, "The nightly backup of the mail server runs at two in the morning on the new disk")
    [notice] = new["notices"]
    assert old in notice["reason"]
    assert "by words" in notice["reason"]
    assert f"kb correct {old} --kind merged --by {new['id']}" in notice["remedy"]
    told = run("note", "The nightly backup of the mail server no longer runs at two in the morning on the old disk").err
    assert "contradict" in told
    assert "'no longer'" in told


def test_r093_conflicts_wait_until_somebody_settles_them(run: Run) -> None:
    old = note(run, "The nightly backup of the mail server runs at two in the morning")["id"]
    new = note(run, "The nightly backup of the mail server runs at two in the morning no longer")
    [record] = json.loads(run("conflicts", "--json").out)["records"]
    assert (record["kind"], record["document"], record["other"]) == ("conflict", old, new["id"])
    assert "may contradict" in run("conflicts").out
    assert f"in conflict with {new['id']}" in run("get", old).out
    assert run("correct", old, "--kind", "superseded", "--by", new["id"]).code == 0
    assert json.loads(run("conflicts", "--json").out)["returned"] == 0
    assert json.loads(run("conflicts", "--all", "--json").out)["returned"] == 2


def test_r093_superseded_ranks_behind_and_undo_puts_it_back(run: Run) -> None:
    old = note(run, "git git git: install git with apt", "--title", "Git")["id"]
    new = note(run, "Nobody needs apt: use the installer for git from now on, whatever you read elsewhere")["id"]

    def found() -> list[str]:
        return [hit["document_id"] for hit in json.loads(run("search", "install git", "--json").out)["results"]]

    assert found() == [old, new]
    record = json.loads(run("correct", old, "--kind", "superseded", "--by", new, "--reason", "tried it", "--json").out)
    assert (record["kind"], record["reason"]) == ("superseded", "tried it")
    assert found() == [new, old]
    assert f"superseded by {new}" in run("search", "install git").out
    assert f"superseded by {new}" in run("get", old).out
    assert "superseded" in run("search", "install git", "--explain").out
    assert [link["relation"] for link in json.loads(run("links", old, "--json").out)["links"]] == ["supersedes"]
    assert run("undo", record["id"]).code == 0
    assert found() == [old, new]
    assert json.loads(run("links", old, "--json").out)["links"] == []
    again = run("undo", record["id"])
    assert again.code == 2
    assert "already" in again.err


@pytest.mark.parametrize("profile", ["kb", "memory", "observations", "full"])
def test_r093_supersedes_holds_in_every_profile(kb: scrubjay.KnowledgeBase, profile: str) -> None:
    old = kb.note("git git git: install git with apt", title="Git")
    newer = kb.note("use the installer for git from now on, whatever you read elsewhere", supersedes=[old])
    newest = kb.note("we moved on: something for git that nobody has heard of", supersedes=newer)
    assert ids(kb.search("install git", profile=profile)) == [newest, newer, old]


def test_r093_a_link_is_enough_to_supersede(run: Run) -> None:
    old = note(run, "git git git: install git")["id"]
    new = note(run, "something else about git", "--supersedes", old)["id"]
    run("unlink", new, old)
    hits = json.loads(run("search", "git", "--json").out)["results"]
    assert hits[0]["document_id"] == old
    run("link", new, old, "--relation", "supersedes")
    assert json.loads(run("search", "git", "--json").out)["results"][0]["document_id"] == new


def test_r093_deprecated_and_merged_are_not_found_unless_asked_and_come_back(run: Run) -> None:
    a, b = note(run, "install git with apt", "--tags", "x")["id"], note(run, "apt installs git", "--tags", "y")["id"]

    def found(*more: str) -> set[str]:
        return {hit["document_id"] for hit in json.loads(run("search", "git", "--json", *more).out)["results"]}

    for words in (("--kind", "deprecated"), ("--kind", "merged", "--by", b)):
        record = json.loads(run("correct", a, *words, "--json").out)
        assert found() == {b}
        assert found("--all") == {a, b}
        assert run("get", a).code == 0
        assert run("undo", record["id"]).code == 0
        assert found() == {a, b}


def test_r093_merging_hands_over_tags_and_phrases(kb: scrubjay.KnowledgeBase) -> None:
    gone = kb.note("install git with apt", tags="a,b", triggers=["one"])
    stays = kb.note("apt installs git", tags="b", triggers=["two"])
    record = kb.correct(gone, "merged", by=stays)
    assert kb.get(stays).documents[0].tags == ("a", "b")
    assert [(found.id, found.phrases) for found in kb.match("one two")] == [(stays, ("two", "one"))]
    assert kb.get(gone).documents[0].marks == (f"merged into {stays}",)
    kb.undo(record.id)
    assert kb.get(stays).documents[0].tags == ("b",)
    assert {found.id for found in kb.match("one two")} == {gone, stays}


def test_r093_refined_holds_beside_the_other(kb: scrubjay.KnowledgeBase) -> None:
    old, new = kb.note("install git with apt"), kb.note("install git with apt, as root")
    record = kb.correct(old, "refined", by=new)
    assert kb.correct(old, "refined", by=new) == record
    assert set(ids(kb.search("git"))) == {old, new}
    assert kb.get(old).documents[0].marks == (f"refined by {new}",)
    assert [edge.relation for edge in kb.links(old)] == ["derived_from"]
    kb.undo(record.id)
    assert kb.links(old) == []


def test_r093_a_correction_ends_with_the_memory_that_made_it(kb: scrubjay.KnowledgeBase) -> None:
    old, new = kb.note("install git with apt"), kb.note("apt installs git")
    kb.correct(old, "merged", by=new)
    kb.remove(new)
    assert ids(kb.search("git")) == [old]


def test_r093_what_is_refused(run: Run, kb: scrubjay.KnowledgeBase) -> None:
    a = kb.note("one")
    for kind, by in (("wrong", None), ("superseded", None), ("merged", None), ("refined", a)):
        with pytest.raises(UsageError):
            kb.correct(a, kind, by=by)
    assert run("correct", "d_none", "--kind", "deprecated").code == 1
    assert run("correct", "d_none").code == 2
    assert run("undo", "r_1").code == 1


def test_r093_retention_by_use(place: str) -> None:
    settings = {"memory.retention": True, "memory.half_lives": True, "memory.retention_floor": 0}
    with scrubjay.open(place, config=settings) as kb:
        old = kb.note("git is installed", created_at=ago(30))
        kb.store.memory.live({old: Life(10.0, 1, ago(30))})
        assert factors(kb.search("git"))[old] == {"retention": pytest.approx(0.766032, abs=1e-4)}
        kb.store.memory.live({old: Life(10.0, 1, ago(10))})
        assert factors(kb.search("git"))[old] == {"retention": pytest.approx(0.9, abs=1e-4)}


def test_r093_opening_strengthens_and_never_blocks(place: str) -> None:
    with scrubjay.open(place) as kb:
        old = kb.note("git is installed on every machine", created_at=ago(60))
        kb.get(old)
        kb.get(old)
    with scrubjay.open(place) as kb:
        kb.remember("something new that has nothing to do with it")
        life = kb.store.memory.facts([old])[old][1]
        half = stability_of(60)
        assert half is not None
        assert life.uses == 1, "twice within the hour is once"
        assert life.stability is not None
        assert life.stability > half
    with scrubjay.open(place, config={"memory.uses": False}) as kb:
        kb.get(old)
        assert not Path(f"{place}-uses").exists()


# --- R94


def test_r094_kinds_of_documents_weigh_in_full(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    expected = {
        "x/specs/1/spec.md": 1.4, "x/specs/1/plan.md": 1.3, "x/specs/1/tasks.md": 1.1, "x/specs/1/checklist.md": 1.0,
        "x/specs/1/decision-record.md": 1.4, "x/specs/1/implementation-summary.md": 1.1, "x/specs/1/research.md": 1.0,
        "x/specs/1/handover.md": 1.0, "project/docs/spec.md": 1.0,
    }  # fmt: skip
    for name in expected:
        write(name, "# Sessions\n\nsessions end after an hour\n")
    kb.add([tmp_path / "x", tmp_path / "project"])
    found = {
        str(Path(hit.path or "").relative_to(tmp_path)): {f.name: f.value for f in hit.factors}.get("document", 1.0)
        for hit in kb.search("sessions hour", profile="full", top=20).hits
    }
    assert found == expected
    assert all("document" not in each for each in factors(kb.search("sessions hour", top=20)).values())


# --- R104


def test_r104_match_end_to_end(run: Run) -> None:
    many = [word for number in range(12) for word in ("--trigger", f"phrase {number}")]
    ten = note(run, "A note with too many phrases", *many)["id"]
    low = note(run, "The first of two notes", "--trigger", "git", "--importance", "temporary")["id"]
    high = note(run, "The second of two notes", "--trigger", "git", "--importance", "constitutional")["id"]
    two = note(run, "One with two phrases", "--trigger", "git", "--trigger", "login crash")["id"]
    found = json.loads(run("match", "Git after a LOGIN crash", "--json").out)
    assert [one["id"] for one in found["matches"]] == [two, high, low]
    assert found["matches"][0]["phrases"] == ["git", "login crash"]
    assert [one["importance"] for one in found["matches"]] == [1.0, 3.0, 0.5]
    assert json.loads(run("match", "digits and logins crashed", "--json").out)["returned"] == 0
    assert [one["id"] for one in json.loads(run("match", "phrase 9", "--json").out)["matches"]] == [ten]
    assert json.loads(run("match", "phrase 10", "--json").out)["returned"] == 0
    assert json.loads(run("match", "git", "--top", "1", "--json").out)["returned"] == 1
    assert two in run("match", "git").out
    assert "--trigger" in run("match", "nothing").err


def test_r104_chinese_needs_no_boundary(kb: scrubjay.KnowledgeBase) -> None:
    note = kb.note("x", triggers=["数据库"])
    assert [found.id for found in kb.match("我们的数据库设计")] == [note]


def test_r104_what_is_deprecated_is_not_called_up(kb: scrubjay.KnowledgeBase) -> None:
    note = kb.note("x", triggers="git")
    record = kb.correct(note, "deprecated")
    assert kb.match("git") == ()
    kb.undo(record.id)
    assert len(kb.match("git")) == 1


# --- R105


def test_r105_tiers_multiply_in_full(kb: scrubjay.KnowledgeBase) -> None:
    tiers = {"constitutional": 3.0, "critical": 2.0, "important": 1.5, "normal": 1.0, "temporary": 0.5}
    made = {kb.note(f"git is installed {tier}", importance=tier): value for tier, value in tiers.items()}
    result = kb.search("git installed", profile="full")
    assert {document: each.get("tier", 1.0) for document, each in factors(result).items()} == made
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)
    for hit in result.hits:
        product = sum(vote.contribution for vote in hit.votes)
        for factor in hit.factors:
            product *= factor.value
        assert hit.score == pytest.approx(product)


def test_r105_constitutional_comes_first_within_its_budget(place: str) -> None:
    with scrubjay.open(place, config={"memory.constitutional_tokens": 40}) as kb:
        for number in range(40):
            kb.note(f"install git {number}", title="install git", importance="critical")
        long = kb.note(
            "We never install anything, and git is not an exception to it. " * 12, importance="constitutional"
        )
        short = kb.note("Somewhere far down: git", importance="constitutional")
        result = kb.search("install git", profile="full", top=50)
    assert ids(result)[0] == short
    assert "first" in factors(result)[short]
    assert "first" not in factors(result)[long]


def test_r105_deprecated_is_not_searched_unless_asked(run: Run) -> None:
    normal = note(run, "install git with apt")["id"]
    gone = note(run, "install git with the installer", "--importance", "deprecated")["id"]
    for profile in ("kb", "memory", "observations", "full"):
        for mode in ((), ("--fts-only",)):
            found = json.loads(run("search", "install git", "--json", "--profile", profile, *mode).out)
            assert [hit["document_id"] for hit in found["results"]] == [normal]
    both = json.loads(run("search", "install git", "--json", "--all").out)["results"]
    assert {hit["document_id"]: hit["marks"] for hit in both} == {normal: [], gone: ["deprecated"]}
    assert "deprecated" in run("get", gone).out


def test_r105_hidden_chunks_cost_no_places(place: str) -> None:
    """What is hidden matches best and fills every pool; what is left is found all the same."""
    embedder = Fixed({"hidden": [1, 0], "shown": [0.1, 1]}, other=[1, 0])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.notes({"text": f"git git hidden {number}", "importance": "deprecated"} for number in range(300))
        shown = kb.note("one more word about git, shown after all")
        for mode in ("hybrid", "keyword", "vector"):
            assert ids(kb.search("git", mode=mode, top=3)) == [shown]
        assert ids(kb.search("git", tags=(), kind="note", top=3)) == [shown]
        assert len(kb.search("git", top=20, everything=True).hits) == 20


def test_r105_temporary_ends_after_seven_days(kb: scrubjay.KnowledgeBase) -> None:
    over = kb.note("git is down today", importance="temporary", created_at=ago(7.01))
    still = kb.note("git is slow today", importance="temporary", created_at=ago(6.99))
    assert ids(kb.search("git")) == [still]
    assert {hit.document_id: hit.marks[:1] for hit in kb.search("git", everything=True).hits} == {
        over: (f"expired {ago(0.01)[:10]}",), still: (),
    }  # fmt: skip


FRONT = """---
title: Sessions
description: How long a session lasts
tags: [auth, web]
date: 2026-01-02
trigger_phrases: [session timeout, "logged out"]
importance_tier: critical
type: procedural
project: shop
---
# Something else

Sessions end after an hour.
"""


def test_r105_front_matter_of_a_file(kb: scrubjay.KnowledgeBase, write: Write) -> None:
    kb.add(write("n/a.md", FRONT))
    [document] = kb.list()
    assert (document.title, document.summary, document.tags) == (
        "Sessions",
        "How long a session lasts",
        ("auth", "web"),
    )
    assert document.created_at == "2026-01-02T00:00:00Z"
    facts = kb.facts(document.id)
    assert (facts.tier, facts.kind, facts.kind_source) == ("critical", "procedural", "metadata")
    assert (facts.triggers, facts.project) == (("session timeout", "logged out"), "shop")
    assert [found.id for found in kb.match("why am I logged out?")] == [document.id]
    write("n/a.md", FRONT.replace("critical", "deprecated"))
    kb.update()
    assert kb.search("sessions").hits == ()
    write("n/a.md", "# Sessions\n\nno front matter any more\n")
    kb.update()
    assert kb.facts(document.id).triggers == ()
    assert len(kb.search("sessions").hits) == 1


def test_r105_a_note_keeps_what_is_said_of_it(run: Run, place: str) -> None:
    target = note(run, "The older decision about the store")["id"]
    made = note(
        run, "Sessions end after an hour", "--title", "Sessions", "--tags", "auth", "--date", "2026-01-02",
        "--importance", "important", "--trigger", "logged out", "--project", "shop/", "--session", "s-1", "--source",
        "https://example.org", "--link", f"{target}:derived_from", "--link", target, "--memory-type", "semantic",
    )["id"]  # fmt: skip
    with scrubjay.open(place) as kb:
        assert kb.facts(made) == (
            "semantic", "given", "semantic", "important", None, "shop", "s-1", "https://example.org", ("logged out",),
        )  # fmt: skip
        assert {(edge.relation, edge.target) for edge in kb.links(made)} == {
            ("derived_from", target),
            ("links", target),
        }
    assert run("note", "x", "--link", f"{target}:likes").code in (1, 2)
    assert run("note", "x", "--link", "d_none").code == 1
    with scrubjay.open(place) as kb:
        assert len(kb.list()) == 2, "a link that cannot be made keeps the note from being written"


def test_r105_anchored_sections_are_addressable(run: Run, place: str, write: Write) -> None:
    text = "# Plan\n\nbefore\n\n<!-- ANCHOR:goal -->\nOne file.\nNo server.\n<!-- /ANCHOR:goal -->\n\nafter\n"
    path = write("n/plan.md", text)
    run("add", str(path))
    noted = note(run, text)["id"]
    with scrubjay.open(place) as kb:
        [file] = [document.id for document in kb.list() if document.path]
    for identity in (file, noted, str(path)):
        done = json.loads(run("get", f"{identity}#goal", "--json").out)
        [section] = done["documents"]
        assert section["lines"] == [5, 8]
        assert section["text"] == "<!-- ANCHOR:goal -->\nOne file.\nNo server.\n<!-- /ANCHOR:goal -->\n"
        assert section["id"] == f"{section['document_id']}#goal"
    mixed = json.loads(run("get", noted, f"{noted}#none", f"{file}#goal", "d_none#goal", "#goal", "--json").out)
    assert [one["id"] for one in mixed["documents"]] == [noted, f"{file}#goal"]
    assert mixed["missing"] == [f"{noted}#none", "d_none#goal", "#goal"]


def test_r105_an_id_that_holds_the_sign_is_an_id(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("one", id="issue#7")
    assert [passage.text for passage in kb.get(["issue#7"]).documents] == ["one"]


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_project_is_a_scope_in_every_mode(kb: scrubjay.KnowledgeBase, mode: str) -> None:
    inside = kb.note("sessions end after an hour", project="specs/007-auth")
    below = kb.note("sessions are kept in memory", project="specs/007-auth/web")
    kb.note("sessions are none of ours", project="specs/007-authx")
    kb.note("sessions in general")
    for path in ("specs/007-auth", "specs/007-auth/", "007-auth"):
        assert set(ids(kb.search("sessions", path=path, mode=mode))) == {inside, below}
    assert {document.id for document in kb.list(path="specs/007-auth/web")} == {below}


def test_a_project_named_by_its_folder(
    kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("shop/a.md", "# Sessions\n\nsessions here\n")
    monkeypatch.chdir(tmp_path)
    kb.add("shop")
    by_name, by_path = kb.note("sessions one", project="shop"), kb.note("sessions two", project=str(tmp_path / "shop"))
    found = set(ids(kb.search("sessions", path="shop")))
    assert {by_name, by_path} < found
    assert len(found) == 3
    assert kb.remove(tmp_path / "shop") == 1, "removing a folder takes its files, not what was said of it"


def test_r105_an_empty_answer_says_what_was_not_searched(run: Run) -> None:
    note(run, "install git with apt", "--importance", "deprecated")
    done = json.loads(run("search", "git", "--json").out)
    assert done["returned"] == 0
    assert any("deprecated" in told and "--all" in told for told in done["empty"]["suggestions"])
    assert json.loads(run("search", "cake", "--all", "--json").out)["empty"]["suggestions"] != []
    note(run, "bread", "--project", "kitchen")
    emptied = json.loads(run("search", "marmalade", "--path", "kitchen", "--json").out)["empty"]
    assert [each[1] for each in emptied["filters"]] == [1]
