from __future__ import annotations

from typing import Any

import pytest

from scrubjay.cli.progress import Bar
from scrubjay.cli.terminal import Screen
from scrubjay.types import Progress


@pytest.fixture
def new_bar(new_stream: Any) -> Any:
    def make(columns: int = 80) -> tuple[Bar, Any, list[float]]:
        stream, now = new_stream(True, "utf-8"), [0.0]
        environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
        return Bar(Screen(stream, lambda name: environment.get(name, "")), lambda: now[0]), stream, now

    return make


def test_rate_and_time_left(new_bar: Any) -> None:
    bar, stream, now = new_bar(100)
    bar(Progress("read", 0, 100))
    now[0] = 2.0
    bar(Progress("read", 20, 100, "/notes/git.md", 2_000_000))
    last = stream.text.split("\r")[-1]
    for text in ("Reading", "20/100", "2.0 MB", "10/s", "8 s left", "/notes/git.md"):
        assert text in last, text


def test_drawn_at_most_ten_times_a_second(new_bar: Any) -> None:
    bar, stream, now = new_bar()
    for done in range(1000):
        now[0] = done / 1000
        bar(Progress("read", done, 1000))
    assert stream.text.count("\r") <= 11


def test_work_without_a_total_is_counted(new_bar: Any) -> None:
    bar, stream, _ = new_bar()
    bar(Progress("embed", 1204))
    assert "Embedding 1,204 chunks" in stream.text


def test_looking_through_a_folder_is_counted_before_reading_begins(new_bar: Any) -> None:
    bar, stream, _ = new_bar()
    bar(Progress("walk", 1204, None, "/notes/a.md"))
    assert "Looking through 1,204 files" in stream.text


def test_more_done_than_expected_does_not_break_the_bar(new_bar: Any) -> None:
    bar, stream, now = new_bar()
    bar(Progress("read", 0, 10))
    now[0] = 1.0
    bar(Progress("read", 12, 10))
    assert "12/10" in stream.text


def test_a_narrow_terminal_is_not_overflowed(new_bar: Any) -> None:
    bar, stream, now = new_bar(30)
    bar(Progress("read", 0, 1000))
    now[0] = 2.0
    bar(Progress("read", 999, 1000, "/a/very/long/path/git.md", 10**9))
    assert all(len(line.replace("\x1b[K", "")) < 30 for line in stream.text.split("\r"))


def test_cleared_once_and_only_when_shown(new_bar: Any) -> None:
    bar, stream, _ = new_bar()
    bar.clear()
    assert stream.text == ""
    bar(Progress("read", 1))
    bar.clear()
    bar.clear()
    assert stream.text.count("\x1b[K") == 2
