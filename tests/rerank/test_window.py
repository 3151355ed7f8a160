from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.rerank.local import shortened
from scrubjay.rerank.window import weights, window

FILLER = "lorem ipsum dolor sit amet consectetur " * 20


def test_a_short_text_stays_whole() -> None:
    assert window("install git", {"git": 1.0}, 40) == "install git"


def test_the_part_with_most_of_the_words() -> None:
    text = f"git {FILLER} install git with the installer {FILLER}"
    part = window(text, {"insta": 1.0, "git": 1.0}, 120)
    assert "install git with the installer" in part
    assert len(part) <= 120


def test_words_that_every_passage_has_say_little() -> None:
    found = weights("What is git?", ["what is a cake", "what is bread", "what git is"])
    assert found["git"] > found["what"] == found["is"]
    assert weights("", ["a"]) == {}


def test_the_beginning_where_nothing_matches_or_all_parts_are_equal() -> None:
    assert window(FILLER, {"git": 1.0}, 100) == window(FILLER, {}, 100) == FILLER[:99].rstrip()
    assert window(f"git {FILLER} git", {"git": 1.0}, 100).startswith("git")


def test_words_are_not_cut() -> None:
    part = window(f"{FILLER} needle {FILLER}", {"needl": 1.0}, 90)
    assert all(word in [*FILLER.split(), "needle"] for word in part.split())


def test_a_script_without_spaces_is_found_inside_a_run() -> None:
    text = "我们的" * 100 + "数据库设计" + "文档" * 100
    assert "数据库设计" in window(text, {"数据库设计": 1.0}, 100)


def test_the_heading_is_always_read() -> None:
    passage = f"Git › Setup\n{FILLER} install it {FILLER}"
    read = shortened(passage, {"insta": 1.0})
    assert read.startswith("Git › Setup\n")
    assert "install it" in read
    assert len(read) <= 441
    assert shortened("short\ntext", {}) == "short\ntext"


@given(st.text(max_size=800), st.dictionaries(st.text(max_size=5), st.floats(0, 3), max_size=4), st.integers(50, 300))
def test_any_text_is_cut_to_a_part_of_itself(text: str, words: dict[str, float], size: int) -> None:
    part = window(text, words, size)
    assert part in text
    assert len(part) <= max(size, len(text) if len(text) <= size else 0)
