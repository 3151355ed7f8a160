from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.memory.triggers import MOST_PHRASES, Trigger, phrases, triggered


def test_phrases_come_as_a_list_or_a_text() -> None:
    assert phrases(["fix login", " fix  login ", "Fix Login", "x", "", 42]) == ("fix login", "42")
    assert phrases("release day, hotfix,") == ("release day", "hotfix")
    assert phrases(None) == ()
    assert phrases({"a": 1}) == ()


def test_case_and_white_space_do_not_matter() -> None:
    (found,) = triggered("How do I Fix\n the LOGIN?", [Trigger("d_1", ("fix the login",))])
    assert found.phrases == ("fix the login",)


def test_chinese_phrases_need_no_boundary() -> None:
    assert triggered("我们的数据库设计", [Trigger("d_1", ("数据库",))])


def test_signs_are_part_of_a_phrase() -> None:
    assert triggered("about c++ and go", [Trigger("d_1", ("c++",))])
    assert not triggered("about c and go", [Trigger("d_1", ("c++",))])


def test_equals_keep_a_stable_order_and_the_input_is_not_changed() -> None:
    triggers = [Trigger("d_2", ("git",)), Trigger("d_1", ("git",))]
    assert [found.document for found in triggered("git", triggers)] == ["d_1", "d_2"]
    assert [trigger.document for trigger in triggers] == ["d_2", "d_1"]


@given(st.lists(st.text(max_size=12), max_size=20))
def test_no_more_than_ten_and_none_twice(given_: list[str]) -> None:
    found = phrases(given_)
    assert len(found) <= MOST_PHRASES
    assert len({phrase.casefold() for phrase in found}) == len(found)
