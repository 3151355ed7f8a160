from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.disclose.cut import folded, may_cut
from scrubjay.disclose.snippet import snippet

FILLER = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor "


def stem(text: str) -> list[tuple[int, int, str]]:
    return [(m.start(), m.end(), re.sub(r"(ing|ation|er|s)$", "", m[0].lower())) for m in re.finditer(r"\w+", text)]


def marked(shown: str, marks: tuple[tuple[int, int], ...]) -> list[str]:
    return [shown[start:end] for start, end in marks]


def test_a_short_text_is_shown_whole() -> None:
    assert snippet("Install git\n  now.", ["git"]) == ("Install git now.", ((8, 11),))


def test_the_match_stands_in_the_middle_between_whole_words() -> None:
    shown, marks = snippet(FILLER * 20 + "install git here " + FILLER * 20, ["git", "install"], width=120)
    assert marked(shown, marks) == ["install", "git"]
    assert len(shown) <= 120
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert 35 <= marks[0][0] <= 75
    assert set(shown.strip("…").split()) <= set((FILLER + "install git here").split())


def test_the_most_different_words_win_over_many_of_one() -> None:
    text = "git git git git git " + FILLER * 10 + "install git" + FILLER * 10
    shown, marks = snippet(text, ["install", "git"], width=100)
    assert marked(shown, marks) == ["install", "git"] or "install" in marked(shown, marks)


def test_the_rarer_word_wins() -> None:
    text = "common " * 5 + FILLER * 10 + "rare " + FILLER * 10 + "common"
    shown, marks = snippet(text, ["common", "rare"], width=80)
    assert marked(shown, marks) == ["rare"]


def test_the_tightest_of_equal_stretches_wins() -> None:
    text = "alpha " + "x " * 20 + "beta " + FILLER * 10 + "alpha beta " + FILLER * 10
    shown, marks = snippet(text, ["alpha", "beta"], width=100)
    assert marked(shown, marks) == ["alpha", "beta"]
    assert shown[marks[0][0] : marks[1][1]] == "alpha beta"


def test_without_a_match_or_terms_the_beginning() -> None:
    text = FILLER * 20
    for terms in ([], ["zebra"], [""], ["  "], ["?"]):
        shown, marks = snippet(text, terms, width=50)
        assert text.startswith(shown[:-1])
        assert shown.endswith("…")
        assert marks == ()
    assert snippet("", ["x"]) == ("", ())


def test_words_match_by_their_beginning_and_short_ones_whole() -> None:
    text = "Installing installs reinstall GO goes go C++ cup node.js"
    assert marked(*snippet(text, ["install"])) == ["Installing", "installs"]
    assert marked(*snippet(text, ["go"])) == ["GO", "go"]
    assert marked(*snippet(text, ["c++"])) == ["C++"]
    assert marked(*snippet(text, ["node.js"])) == ["node.js"]
    assert marked(*snippet("user_id and userId", ["id"])) == ["id"]


def test_with_the_tokenizer_of_the_index_stems_match() -> None:
    text = "The installation and the installer were installed; uninstalling too"
    assert marked(*snippet(text, ["installing"], stem=stem)) == ["installation", "installer"]


def test_stop_words_are_marked_only_when_nothing_else_was_asked() -> None:
    text = "how to install the git"
    assert marked(*snippet(text, ["how", "to", "install", "the"])) == ["install"]
    assert marked(*snippet(text, ["how", "to"])) == ["how", "to"]


def test_a_phrase_is_one_match() -> None:
    assert marked(*snippet("rank fusion and reciprocal rank\nfusion", ["reciprocal rank fusion"])) == [
        "reciprocal rank fusion"
    ]


def test_chinese_and_japanese_without_spaces() -> None:
    text = "数" * 300 + "我们选择数据库设计方案" + "库" * 300
    shown, marks = snippet(text, ["数据库设计"], width=40)
    assert marked(shown, marks) == ["数据库设计"]
    assert len(shown) <= 40
    assert 10 <= marks[0][0] <= 25
    shown, marks = snippet("今日は東京タワーへ行く", ["東京タワ"], width=40)
    assert marked(shown, marks) == ["東京タワ"]
    assert marked(*snippet("学Python数据库", ["Python数据库"], stem=stem)) == ["数据库"]
    assert marked(*snippet("库房", ["库"])) == ["库"]


def test_pairs_match_where_the_whole_run_does_not() -> None:
    assert marked(*snippet("设计数据", ["数据库设计"])) == ["设计数据"]


def test_a_mark_never_ends_inside_a_character() -> None:
    assert marked(*snippet("cafe\u0301 au lait", ["cafe"])) == ["cafe\u0301"]


def test_letters_that_grow_when_lowered_do_not_shift_the_marks() -> None:
    assert marked(*snippet("İİİİ İstanbul git", ["git"])) == ["git"]


def test_one_endless_word() -> None:
    shown, marks = snippet("x" * 5000, ["x" * 3000], width=60)
    assert len(shown) <= 60
    assert marks == ()


def test_the_input_is_not_changed() -> None:
    terms = ["the", "git"]
    snippet("git", terms)
    assert terms == ["the", "git"]


ALPHABET = st.sampled_from(
    ["a", "b", "git", " ", "  ", "\n", "数", "据", "库", "e\u0301", "👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "각"]
)


@given(
    st.lists(ALPHABET, max_size=120).map("".join),
    st.lists(st.sampled_from(["a", "git", "数据", "库", "b", "🇩"]), max_size=3),
    st.integers(20, 80),
)
def test_f13_whatever_is_cut(text: str, terms: list[str], width: int) -> None:
    shown, marks = snippet(text, terms, width=width)
    line = folded(text)
    assert len(shown) <= width
    inner = shown.removeprefix("…").removesuffix("…")
    assert inner in line
    places = [m.start() for m in re.finditer(f"(?={re.escape(inner)})", line)]
    assert any(may_cut(line, at) and may_cut(line, at + len(inner)) for at in places)
    previous = 0
    for start, end in marks:
        assert previous <= start < end <= len(shown)
        assert "…" not in shown[start:end]
        previous = end
    if any(term in line for term in terms if term in ("数据", "库")):
        assert marks
