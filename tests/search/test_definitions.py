from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.definitions import Definition, definitions, table


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We use Reciprocal Rank Fusion (RRF) here.", "RRF", "Reciprocal Rank Fusion"),
        ("over HTTP (Hypertext Transfer Protocol)", "HTTP", "Hypertext Transfer Protocol"),
        ("natural language processing (NLP; see below)", "NLP", "natural language processing"),
        ("Directed Acyclic Graphs (DAGs)", "DAG", "Directed Acyclic Graphs"),
        ("architecture decision\n   records (ADR)", "ADR", "architecture decision records"),
        ("It failed. mean time to recovery (MTTR)", "MTTR", "mean time to recovery"),
        ("**Large Language Model** (LLM)", "LLM", "Large Language Model"),
        ("the portable document format (PDF)", "PDF", "portable document format"),
    ],
)
def test_what_a_text_explains(text: str, short: str, long: str) -> None:
    assert list(definitions(text)) == [Definition(short, long)]


@pytest.mark.parametrize(
    "text",
    ["", "no brackets RRF", "it was good (OK)", "see the figure (A1)", "call f(x)", "in the year (2026)", "(RRF)",
     "rank. Fusion of lists (RRF)", "git (a version control system)", "RRF (RRF again)"],
)  # fmt: skip
def test_what_it_does_not(text: str) -> None:
    assert list(definitions(text)) == []


def test_the_most_frequent_meaning_comes_first() -> None:
    found = [Definition("Pr", "pull request"), Definition("PR", "public relations"), Definition("PR", "Pull Request")]
    assert table(found) == {"PR": ("pull request", "public relations")}
    assert table(found, most=1) == {"PR": ("pull request",)}


@given(st.text(alphabet="RaF (),.\n", max_size=80))
def test_any_text(text: str) -> None:
    for found in definitions(text):
        assert found.short in text
        assert found.long.split()[0] in text
