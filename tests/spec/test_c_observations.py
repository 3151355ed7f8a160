"""Requirements R46–R61: observations, and telling little first (entry → hit → passage)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

import scrubjay
from fakes import Fixed
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import DuplicateId, UsageError
from scrubjay.search.fuse import reciprocal_rank
from scrubjay.types import Candidate, Ranking

CLOSE = pytest.approx


def found(kb: scrubjay.KnowledgeBase, query: str) -> list[str]:
    return [hit.document_id for hit in kb.search(query, profile="observations").hits]


def test_r046_content_is_required(kb: scrubjay.KnowledgeBase) -> None:
    for nothing in ("", "  \n", None):
        with pytest.raises(UsageError):
            kb.notes([{"text": nothing}])
    assert kb.list() == []


def test_r046_the_table_refuses_null_and_a_second_id(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git", id="d_one")
    connection = apsw.Connection(place)
    for columns, values in (("id, document, ordinal, text", "'c', 1, 9, NULL"), ("id, document, ordinal", "'c', 1, 9")):
        with pytest.raises(apsw.ConstraintError):
            connection.execute(f"INSERT INTO chunks ({columns}) VALUES ({values})")
    with pytest.raises(apsw.ConstraintError):
        connection.execute("INSERT INTO chunks (id, document, ordinal, text) SELECT id, 1, 9, 'x' FROM chunks")
    connection.close()


def test_r046_the_same_id_is_rejected(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("first", id="d_one")
    with pytest.raises(DuplicateId):
        kb.note("second", id="d_one")
    with pytest.raises(DuplicateId):
        kb.notes([{"text": "a", "id": "d_two"}, {"text": "b", "id": "d_two"}])
    assert kb.get("d_one").documents[0].text == "first"
    assert kb.get("d_two").missing == ("d_two",)


def test_r047_ids_are_not_searchable_text(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("git", id="observation-4711")
    made = kb.note("cake")
    chunk = kb.search("cake").hits[0].id
    for identity in ("observation-4711", "observation", "4711", made, made[2:], chunk, chunk[2:]):
        assert found(kb, identity) == []


def test_r048_triggers(kb: scrubjay.KnowledgeBase) -> None:
    fox = kb.note("The quick brown fox", id="d_fox")
    assert found(kb, "fox") == [fox]
    assert found(kb, "dog") == []
    kb.notes([{"id": "d_fox", "text": "The lazy dog"}], replace=True)
    assert found(kb, "fox") == []
    assert found(kb, "dog") == [fox]
    assert kb.remove(fox) == 1
    assert found(kb, "dog") == []


def test_r049_no_ghost_rows(place: str) -> None:
    shuffled = random.Random(49)
    with scrubjay.open(place) as kb, kb.store.writing():
        for number in range(1000):
            identity = f"d_{shuffled.randrange(60)}"
            if shuffled.random() < 0.3:
                kb.store.remove([identity])
            else:
                text = " ".join(shuffled.choices(["fox", "dog", "库", "cake"], k=4)) + f" {number}"
                kb.notes([{"id": identity, "text": text}], replace=True)
    connection = apsw.Connection(place)
    rows = connection.execute("SELECT number FROM chunks ORDER BY 1").fetchall()
    assert rows == connection.execute("SELECT id FROM chunks_fts_docsize ORDER BY 1").fetchall()
    assert rows == connection.execute("SELECT rowid FROM chunks_fts ORDER BY 1").fetchall()
    for table in ("chunks_fts", "chunks_trigram"):
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
    assert 10 < len(rows) <= 60
    connection.close()


A, B = 1, 2


def ranked(source: str, *candidates: tuple[int, float]) -> Ranking:
    return Ranking(source, tuple(Candidate(*candidate) for candidate in candidates))


def test_r050_rrf() -> None:
    fused, _ = reciprocal_rank([ranked("keyword", (B, 9.0), (A, 1.0)), ranked("vector", (A, 0.9))])
    assert [(item.chunk, item.score) for item in fused] == [
        (A, CLOSE(0.032522, abs=1e-6)),
        (B, CLOSE(0.016393, abs=1e-6)),
    ]


def test_r051_fused_after_both_queries_then_cut(place: str) -> None:
    embedder = Fixed({"find find": [0, 1], "between": [1, 0.5]}, other=[1, 0])
    with scrubjay.open(place, embedder=embedder, config={"search.minimum_pool": 30}) as kb:
        kb.note("find find find", title="B")
        kb.note("between the two, by meaning")
        a = kb.note("alpha and much else that one may find", title="A")
        hits = kb.search("find", profile="observations", top=1).hits
        assert [hit.document_id for hit in hits] == [a]
        # second by words, first by meaning: cut before fusion, it would have lost its second vote
        assert dict(hits[0].ranks) == {"keyword": 2, "vector": 1, "graph": None}


def test_r052_ranks_never_raw_sums() -> None:
    small = [ranked("keyword", (B, 2.0), (A, 1.0)), ranked("vector", (A, 0.9), (3, 0.1))]
    large = [ranked("keyword", (B, 200.0), (A, 100.0)), small[1]]
    assert [(f.chunk, f.score) for f in reciprocal_rank(small)[0]] == [
        (f.chunk, f.score) for f in reciprocal_rank(large)[0]
    ]


def dated(kb: scrubjay.KnowledgeBase, *days: str) -> list[str]:
    return [kb.note(f"what happened on {day}", created_at=day, tags=["diary"]) for day in days]


def test_r053_timeline_by_dates(kb: scrubjay.KnowledgeBase) -> None:
    third, first, second = dated(kb, "2026-01-03", "2026-01-01", "2026-01-02")
    entries = kb.timeline(since="2026-01-01", until="2026-01-02")
    assert [entry.id for entry in entries] == [first, second]
    assert entries[0].created_at == "2026-01-01T00:00:00Z"
    assert (entries[0].kind, entries[0].tags) == ("note", ("diary",))
    assert entries[0].summary == "what happened on 2026-01-01"
    assert not hasattr(entries[0], "text")
    assert [entry.id for entry in kb.timeline()] == [first, second, third]


def test_r053_timeline_around_an_anchor(kb: scrubjay.KnowledgeBase) -> None:
    ids = dated(kb, *(f"2026-01-{day:02}" for day in range(1, 10)))
    assert [entry.id for entry in kb.timeline(anchor=ids[4], before=2, after=1)] == ids[2:6]
    assert [entry.id for entry in kb.timeline(anchor=ids[4], before=0, after=3)] == ids[4:8]
    assert [entry.id for entry in kb.timeline(anchor=ids[0], before=3, after=0)] == ids[:1]


def test_r053_equal_timestamps_are_kept(kb: scrubjay.KnowledgeBase) -> None:
    ids = dated(kb, *["2026-01-01"] * 7)
    around = [entry.id for entry in kb.timeline(anchor=ids[3], before=2, after=2)]
    assert around == ids[1:6]


@pytest.mark.parametrize(
    "text", ["---\ndate: 2026-03-02\n---\n# Dated\n", "---\ndate: 2026-03-02T23:30:00\n---\n# Dated\n"]
)
def test_r053_a_file_dated_by_itself_is_in_its_day(place: str, write: Callable[..., Path], text: str) -> None:
    with scrubjay.open(place) as kb:
        kb.add([write("a.md", text), write("diary/2026-03-02.md", "# Day\n")])
        assert len(kb.timeline(since="2026-03-02", until="2026-03-02")) == 2
        assert kb.timeline(since="2026-03-03") == kb.timeline(until="2026-03-01") == []
        assert len(kb.search("dated day", since="2026-03-02").hits) == 2


def test_r054_summary_is_its_own_or_the_first_100_characters(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes([{"text": "x" * 250}, {"text": "long " * 90, "summary": "a short one"}, {"text": "日本語" * 90}])
    plain, own, japanese = (entry.summary for entry in kb.timeline())
    assert plain.rstrip("…") == "x" * len(plain.rstrip("…"))
    assert len(plain) == 100
    assert own == "a short one"
    assert 90 <= len(japanese) <= 100
    assert japanese.rstrip("…") in "日本語" * 90


def test_r055_hits_say_how_similar(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(32)) as kb:
        kb.note("install git")
        kb.note("cake")
        hits = kb.search("install git", profile="observations").hits
    assert all(hit.id and hit.snippet and hit.score > 0 for hit in hits)
    assert all(hit.similarity is not None and 0 <= hit.similarity <= 1 for hit in hits)
    assert hits[0].similarity == CLOSE(1.0, abs=1e-4)


def test_r056_whole_objects_in_the_asked_order(kb: scrubjay.KnowledgeBase) -> None:
    ids = dated(kb, "2026-01-01", "2026-01-02", "2026-01-03")
    asked = [ids[2], "d_unknown", ids[0], "c_unknown"]
    answer = kb.get(asked)
    assert [passage.id for passage in answer.documents] == [ids[2], ids[0]]
    assert answer.documents[0].text == "what happened on 2026-01-03"
    assert answer.missing == ("d_unknown", "c_unknown")
    with pytest.raises(UsageError):
        kb.get([])


def test_r057_the_layers_save_context(kb: scrubjay.KnowledgeBase) -> None:
    sentence = "We looked at the store again and wrote down what we found. "
    kb.notes({"text": (f"Entry {n}. " + sentence * 40)[:2000], "created_at": "2026-01-01"} for n in range(50))
    hits = kb.search("store", top=10).hits
    around = kb.timeline(anchor=hits[0].document_id, before=3, after=3)
    detail = kb.get(hits[0].document_id).documents[0]
    told = sum(len(f"{hit.id} {hit.score:.4f} {hit.title} {hit.snippet}") for hit in hits)
    told += sum(len(f"{entry.id} {entry.created_at} {entry.kind} {entry.title} {entry.summary}") for entry in around)
    assert len(detail.text) == 2000
    assert told + len(detail.text) <= 50 * 2000 / 10


@contextmanager
def statements(kb: scrubjay.KnowledgeBase) -> Iterator[list[str]]:
    """Every SQL statement that the base runs meanwhile."""
    ran: list[str] = []
    connection: apsw.Connection = kb.store._connection  # type: ignore[attr-defined]
    connection.exec_trace = lambda cursor, sql, bindings: ran.append(sql) or True
    try:
        yield ran
    finally:
        connection.exec_trace = None


def test_r058_one_fetch_for_ten_hits(kb: scrubjay.KnowledgeBase) -> None:
    for number in range(12):
        kb.note(f"git {number}", tags=["a"])
    kb.search("git")
    with statements(kb) as for_one:
        assert len(kb.search("git", top=1).hits) == 1
    with statements(kb) as for_ten:
        assert len(kb.search("git", top=10).hits) == 10
    assert len(for_ten) == len(for_one)


def test_r058_getting_many_takes_as_many_statements_as_getting_one(kb: scrubjay.KnowledgeBase) -> None:
    ids = kb.notes({"text": f"git {number}"} for number in range(40))
    with statements(kb) as for_one:
        kb.get(ids[:1])
    with statements(kb) as for_forty:
        assert len(kb.get(ids).documents) == 40
    assert len(for_forty) == len(for_one)


def test_r058_2000_ids_work(kb: scrubjay.KnowledgeBase) -> None:
    ids = kb.notes({"text": f"git {number}"} for number in range(2000))
    answer = kb.get(ids)
    assert [passage.id for passage in answer.documents] == ids
    assert answer.missing == ()


def test_r060_the_snippet_is_the_stored_text_around_the_match(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("Nothing here. " * 40 + "Then we Installed the marmalade. " + "Nothing there. " * 40)
    hit = kb.search("install marmalade").hits[0]
    marked = [hit.snippet[start:end] for start, end in hit.highlights]
    assert marked == ["Installed", "marmalade"]
    middle = (hit.highlights[0][0] + hit.highlights[-1][1]) / 2
    assert abs(middle - len(hit.snippet) / 2) < len(hit.snippet) / 4
    assert (
        hit.snippet.strip("…").strip()
        in "Nothing here. " * 40 + "Then we Installed the marmalade. " + "Nothing there. " * 40
    )


def test_r061_doctor_reports_every_part(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        kb.note("git")
        checks = {check.name.lower(): check for check in kb.doctor()}
    for part in ("fts5", "trigram", "sqlite-vec", "numpy", "embedder", "schema", "integrity"):
        named = [check for name, check in checks.items() if part in name]
        assert named, f"{part} is not reported"
        assert all(check.ok is not False for check in named), named


def test_r061_doctor_finds_an_index_out_of_step(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git")
    connection = apsw.Connection(place)
    connection.execute("DROP TRIGGER chunks_updated; UPDATE chunks SET text = 'cake'")
    connection.close()
    with scrubjay.open(place) as kb:
        wrong = [check for check in kb.doctor() if check.ok is False]
        assert any("fts" in check.name for check in wrong)
        assert all(check.cure for check in wrong)
        assert [check for check in kb.doctor(repair=True) if check.ok is False] == []
        assert len(kb.search("cake").hits) == 1
