from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli import words

_NOW = 1_767_225_600.0  # 2026-01-01T00:00:00Z


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("2026-01-01T00:00:00Z", "just now"),
        ("2025-12-31T23:59:00Z", "1 minute ago"),
        ("2025-12-31T21:00:00Z", "3 hours ago"),
        ("2025-12-31T00:00:00Z", "yesterday"),
        ("2025-12-28", "4 days ago"),
        ("2025-12-11T00:00:00+00:00", "3 weeks ago"),
        ("2025-08-01T00:00:00Z", "5 months ago"),
        ("2023-01-01T00:00:00Z", "3 years ago"),
        ("2026-01-04T00:00:00Z", "in 3 days"),
        ("long ago", "long ago"),
        (None, "never"),
        ("", "never"),
    ],
)
def test_age_in_one_unit(moment: str | None, said: str) -> None:
    assert words.age(moment, _NOW) == said


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (3_400_000, "3.4 MB"), (2e12, "2000 GB")]
)
def test_sizes(number: float, said: str) -> None:
    assert words.size(number) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0032, "3 ms"), (4.25, "4.2 s"), (42, "42 s"), (75, "1 min 15 s"), (3700, "1 h 1 min")]
)
def test_durations(seconds: float, said: str) -> None:
    assert words.duration(seconds) == said


def test_counts() -> None:
    assert [words.counted(n, "entry") for n in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]
    assert words.counted(1204, "chunk") == "1,204 chunks"


def test_places(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.chdir(str(tmp_path))
    inside = os.path.join(os.getcwd(), "a", "git.md")
    assert words.place(inside, (12, 40)) == os.path.join("a", "git.md") + ":12-40"
    assert words.place(inside, (3, 3)).endswith("git.md:3")
    assert words.place(inside, (1, 9), page=3).endswith("git.md p. 3")
    assert words.place(None) == ""
    home = os.path.expanduser("~")
    assert words.shorten_path(os.path.join(home, "x.md")) == os.path.join("~", "x.md")
    assert words.shorten_path(home + "-other/x.md") == home + "-other/x.md"


def test_a_terminal_never_sees_control_characters() -> None:
    assert words.clean("a\x1b[31mb\x07\u202ec") == "a�[31mb��c"
    assert words.clean("a\n\tb", "\n\t") == "a\n\tb"
    assert words.one_line(" a\n\n b\t") == "a b"
    assert words.clean("👩‍💻") == "👩‍💻"


def test_widths_of_a_terminal() -> None:
    assert words.width("abc") == 3
    assert words.width("数据库") == 6
    assert words.width("e\u0301") == 1


@given(st.text(), st.integers(2, 40))
def test_cutting_keeps_to_the_width(text: str, columns: int) -> None:
    assert words.width(words.cut(text, columns)) <= columns or words.width(text) <= columns
    if words.width(text) <= columns:
        assert words.cut(text, columns) == text


def test_cutting_a_path_keeps_its_end() -> None:
    assert words.cut_start("/a/very/long/path/to/git.md:12", 12) == "…o/git.md:12"


@given(st.text(max_size=200), st.integers(20, 60), st.integers(1, 4))
def test_wrapping_keeps_to_width_and_lines(text: str, columns: int, most: int) -> None:
    lines = words.wrap(words.marked(text, ()), columns, most)
    assert len(lines) <= most
    assert all(words.width("".join(char for char, _ in line)) <= columns for line in lines)


@given(st.lists(st.text("abc数据", min_size=1, max_size=9), max_size=12))
def test_wrapping_loses_no_character(parts: list[str]) -> None:
    lines = words.wrap(words.marked(" ".join(parts), ()), 20, 1000)
    assert "".join(char for line in lines for char, _ in line).replace(" ", "") == "".join(parts)


def test_marks_follow_the_characters_over_line_ends() -> None:
    flowing = words.marked("To  install\ngit", ((4, 11), (12, 15)))
    assert words.pieces(flowing) == [("To ", False), ("install", True), (" ", False), ("git", True)]


@given(st.text(st.characters()))
def test_readable_text_can_always_be_stored(text: str) -> None:
    words.readable(text).encode("utf-8")


def test_readable_text_keeps_what_is_text() -> None:
    assert words.readable("数据库 é") == "数据库 é"
    assert words.readable("caf\udce9") == "caf�"
    assert words.readable("a\ud800b") == "a?b"


def test_readable_text_in_a_locale_without_it() -> None:
    assert words.readable("数据库".encode().decode("ascii", "surrogateescape")) == "数据库"
