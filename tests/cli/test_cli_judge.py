"""`kb eval` over a real base: a collection in, a table, an object or a picture out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from scrubjay.cli.dispatch import main
from scrubjay.cli.terminal import Console

NOTES = [
    {"id": "git", "title": "Git", "text": "install git with the package manager"},
    {"id": "cake", "title": "Cake", "text": "flour, sugar and four eggs"},
    {"id": "pie", "title": "Pie", "text": "apples in a crust"},
]


class Files:
    """A judged collection as files."""

    def __init__(self, folder: Path) -> None:
        self.queries, self.qrels, self.corpus = (
            folder / name for name in ("queries.jsonl", "qrels.tsv", "corpus.jsonl")
        )
        self.queries.write_text('{"_id": "q1", "text": "install"}\n{"_id": "q2", "text": "sugar eggs"}\n')
        self.qrels.write_text("query-id\tcorpus-id\tscore\nq1\tgit\t1\nq2\tcake\t1\n")
        rows = ({"_id": note["id"], "title": note["title"], "text": note["text"]} for note in NOTES)
        self.corpus.write_text("\n".join(map(json.dumps, rows)))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture
def run(new_stream: Callable[[bool, str], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    monkeypatch.setenv("KB_BASE", str(tmp_path / "own.db"))

    def go(*words: object) -> tuple[int, str, str]:
        out, err = new_stream(False, "utf-8"), new_stream(False, "utf-8")
        code = main([str(word) for word in words], Console(out, err, lambda name: ""))
        return code, out.text, err.text

    return go


def test_a_corpus_is_judged_without_touching_the_base(files: Files, run: Any, tmp_path: Path) -> None:
    code, out, err = run("eval", files.queries, files.qrels, "--corpus", files.corpus)
    assert code == 0, err
    assert out.splitlines()[0] == "2 queries"
    assert [line.split()[:2] for line in out.splitlines()[2:]] == [["keyword", "1.0000"], ["hybrid", "1.0000"]]
    assert "vector" in err  # nothing embeds here, and that is told
    assert not (tmp_path / "own.db").exists()


def test_the_own_base_is_judged(files: Files, run: Any, tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "own.db") as kb:
        kb.notes(NOTES)
    code, out, err = run("eval", files.queries, files.qrels, "--json")
    assert code == 0, err
    record = json.loads(out)
    assert record["queries"] == 2
    assert record["legs"]["hybrid"]["ndcg@10"] == 1.0
    assert record["per_query"]["q1"]["keyword"]["precision@10"] == 0.1


def test_one_file_may_hold_both(files: Files, run: Any, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_text('{"query": "install", "relevant": ["git"]}\n')
    code, out, _ = run("eval", both, "--corpus", files.corpus, "--top", 5, "--json")
    assert (code, json.loads(out)["measures"][0]) == (0, "ndcg@5")


def test_two_settings_are_compared(files: Files, run: Any) -> None:
    asked = ("eval", files.queries, files.qrels, "--corpus", files.corpus)
    _, out, _ = run(*asked, "--against", "full")
    assert "Compared with profile full" in out
    assert "may be luck; 0 better, 0 worse, 2 the same" in out
    _, out, _ = run(*asked, "--compare", "fusion.rrf_k=20,search.default_top=3", "--json")
    compared = json.loads(out)["comparison"]
    assert compared["with"] == "fusion.rrf_k=20, search.default_top=3"
    assert compared["measures"]["ndcg@10"]["p"] == 1.0
    assert compared["measures"]["ndcg@10"]["significant"] is False


def test_a_plot_is_drawn(files: Files, run: Any, tmp_path: Path) -> None:
    code, _, err = run("eval", files.queries, files.qrels, "--corpus", files.corpus, "--plot", tmp_path / "a.svg")
    assert code == 0, err
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    code, _, err = run("eval", files.queries, files.qrels, "--corpus", files.corpus, "--plot", tmp_path / "a.png")
    assert (code, ".svg" in err) == (2, True)


@pytest.mark.parametrize("words", [("--compare", "fusion.rrf_k"), ("--compare", "no.such=1"), ("--profile", "nope")])
def test_what_cannot_be_meant_is_told(files: Files, run: Any, words: tuple[str, ...]) -> None:
    code, out, err = run("eval", files.queries, files.qrels, "--corpus", files.corpus, *words)
    assert (code, out) == (2, "")
    assert err


def test_judgements_of_another_collection_are_told(files: Files, run: Any, tmp_path: Path) -> None:
    files.qrels.write_text("q1\tnobody\t1\n")
    code, _, err = run("eval", files.queries, files.qrels, "--corpus", files.corpus)
    assert code == 2
    assert "nobody" in err
    files.qrels.write_text("q9\tgit\t1\n")
    code, _, err = run("eval", files.queries, files.qrels, "--corpus", files.corpus)
    assert (code, "No query has a judgement" in err) == (2, True)


def test_a_base_is_tuned_shown_and_forgotten(run: Any, tmp_path: Path) -> None:
    from scrubjay.embed.hashing import HashingEmbedder

    with scrubjay.open(tmp_path / "own.db", embedder=HashingEmbedder(32)) as kb:
        kb.notes(
            {"text": f"Note {n} is about subject {n % 7} and says so at some length, twice.", "title": "Same"}
            for n in range(40)
        )
        kb.tune(sample=40)
    code, out, err = run("tune", "--show")
    assert code == 0
    assert "meaning +" in out
    assert "kb config set fusion.method auto" in err
    record = json.loads(run("tune", "--show", "--json")[1])
    assert record["used"] is False
    assert len(record["learned"]["mixes"]["itself"]) == 11
    code, out, _ = run("tune", "--forget")
    assert (code, "evenly" in out) == (0, True)
    assert run("tune", "--show", "--forget")[0] == 2


def test_nothing_can_be_learned_without_meaning(run: Any, tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "own.db") as kb:
        kb.notes(NOTES)
    code, out, _ = run("tune")
    assert (code, "Nothing could be learned" in out) == (0, True)
