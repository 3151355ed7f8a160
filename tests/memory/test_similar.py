from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.memory.similar import overlap, says_something, words

SETS = st.frozensets(st.text(min_size=1, max_size=3), max_size=8)


def test_words_that_count() -> None:
    assert words("The port is 5,432, and don't ask") == {"port", "5,432", "don't", "ask"}
    assert words("we are of the") == {"we", "are", "of", "the"}, "common words count where there are no others"
    assert words("not in the list") == {"not", "list"}, "without its not a text says the opposite"
    assert words("数据库") == {"数据", "据库"}
    assert words("… !") == frozenset()


@given(SETS, SETS)
def test_overlap_is_a_cosine(one: frozenset[str], other: frozenset[str]) -> None:
    found = overlap(one, other)
    assert 0 <= found <= 1
    assert found == overlap(other, one)
    assert (found > 0) == bool(one & other)
    if one:
        assert overlap(one, one) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "enough"),
    [("git", False), ("install git", False), ("install git now", True), ("数据库", False), ("", False)],
)
def test_a_word_or_two_is_no_memory(text: str, enough: bool) -> None:
    assert says_something(text) is enough
