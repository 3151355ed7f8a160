"""Late interaction against a plain loop, mixed with the fused score, token vectors kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.rerank import Item, rerank
from scrubjay.rerank.local import LocalReranker, MemoryTokenCache, maxsim, stretched


class WordVectors:
    """Every word is a token with a fixed random direction."""

    name = "words"

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def token_vectors(self, texts: Sequence[str], role: str) -> list[np.ndarray]:
        self.asked.append((role, list(texts)))
        return [
            np.array([self._vector(word) for word in text.split()], dtype=np.float32).reshape(-1, 16) for text in texts
        ]

    def _vector(self, word: str) -> np.ndarray:
        row = np.random.default_rng(sum(map(ord, word))).normal(size=16)
        return row / np.linalg.norm(row)


def plain(query: np.ndarray, passage: np.ndarray) -> float:
    return sum(max(float(a @ b) for b in passage) for a in query) / len(query)


def test_maxsim_is_the_plain_loop() -> None:
    vectors = WordVectors()
    query, *passages = vectors.token_vectors(["install git now", "git it", "a b c d e", "install"], "query")
    assert maxsim(query, passages) == pytest.approx([plain(query, passage) for passage in passages], abs=1e-6)


def test_a_passage_without_tokens_is_the_worst_and_disturbs_nobody() -> None:
    query, first, empty, last = WordVectors().token_vectors(["git", "git", "", "cake"], "query")
    scores = maxsim(query, [empty, first, empty, last, empty])
    assert scores[1] == pytest.approx(1.0)
    assert scores[0] == scores[2] == scores[4] == min(scores)
    assert scores[3] == pytest.approx(plain(query, last), abs=1e-6)


def test_nothing_to_compare() -> None:
    query, empty = WordVectors().token_vectors(["git", ""], "query")
    assert maxsim(query, []) == []
    assert maxsim(empty, [query]) == [0.0]
    assert maxsim(query, [empty]) == [0.0]
    assert LocalReranker(WordVectors()).score("git", []) == []


def test_the_blend_is_six_parts_maxsim_and_four_parts_fused() -> None:
    blended = LocalReranker(WordVectors()).blend([0.2, 0.6, 0.4], [3.0, 1.0, 2.5])
    assert blended == pytest.approx([0.4, 0.6, 0.6 * 0.5 + 0.4 * 0.75])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_stretched_keeps_the_order_within_zero_and_one(values: list[float]) -> None:
    made = stretched(values)
    assert all(0 <= value <= 1 for value in made)
    order = sorted(range(len(values)), key=values.__getitem__)
    assert all(made[a] <= made[b] for a, b in pairwise(order))


def test_fusion_still_counts_when_maxsim_sees_no_difference() -> None:
    text = "the same words " * 10
    items = [Item("a", text, 0.1), Item("b", text, 0.9)]
    assert rerank("words", items, LocalReranker(WordVectors())).order == ("b", "a")


def test_it_lifts_the_passage_with_the_querys_words() -> None:
    filler = " filler" * 20
    items = [
        Item("a", "cake recipe" + filler, 0.031),
        Item("b", "install git" + filler, 0.030),
        Item("c", "log" + filler, 0.02),
    ]
    answer = rerank("install git", items, LocalReranker(WordVectors()))
    assert answer.order[0] == "b"
    assert answer.provider == "local/words"


def test_token_vectors_are_computed_once_a_text() -> None:
    vectors = WordVectors()
    reranker = LocalReranker(vectors, MemoryTokenCache())
    first = reranker.score("git", ["git it", "cake", "git it"])
    again = reranker.score("git", ["cake", "git it", "new"])
    assert [texts for role, texts in vectors.asked if role == "document"] == [["git it", "cake"], ["new"]]
    assert [again[1], again[0]] == pytest.approx(first[:2])
    assert first[0] == first[2]


def test_the_cache_forgets_the_least_used_first() -> None:
    cache = MemoryTokenCache(most_bytes=2 * 16 * 4)
    row = np.ones((1, 16), dtype=np.float32)
    cache.put("a", row)
    cache.put("b", row)
    assert cache.get("a") is not None
    cache.put("c", row)
    assert cache.get("b") is None
    assert cache.get("a") is not None
    cache.put("a", row)  # again: counted once
    assert cache.get("c") is not None
    cache.put("huge", np.ones((9, 16), dtype=np.float32))
    assert cache.get("huge") is None
