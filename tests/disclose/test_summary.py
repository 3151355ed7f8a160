from __future__ import annotations

import pytest

from scrubjay.disclose.summary import body, summary


def test_r054_the_own_summary_wins() -> None:
    assert summary("long text " * 50, own=" what it\n is about ") == "what it is about"


def test_r054_else_the_first_hundred_characters() -> None:
    assert summary("x" * 250) == "x" * 100
    assert summary("short") == "short"
    assert summary("") == ""
    assert summary("a\n\n  b\tc") == "a b c"


def test_r054_characters_of_several_bytes_and_code_points_stay_whole() -> None:
    assert summary("数" * 250) == "数" * 100
    assert summary("👨\u200d👩\u200d👧" * 250) == "👨\u200d👩\u200d👧" * 100
    assert summary("e\u0301" * 250) == "e\u0301" * 100


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("---\ntags: [a]\n---\nbody", "body"),
        ("--- \t\r\ntags: [a]\r\n---\r\nbody\n", "body\n"),
        ("---\ntitle: x\n...\n\nbody", "\nbody"),
        ("---\ntitle: x\n--- \nbody\n---\n", "body\n---\n"),
        ("---\ntitle: x\n----\n---\nbody", "body"),
        ("---\ntitle: x\n---", "---\ntitle: x\n---"),  # nothing else: it is shown
        ("---\ntitle: x\n", "---\ntitle: x\n"),
        ("--- a line\n---\nx", "--- a line\n---\nx"),
        ("---", "---"),
        ("---x", "---x"),
        ("", ""),
    ],
)
def test_the_body_is_what_stands_behind_the_front_matter(text: str, rest: str) -> None:
    assert body(text) == rest
