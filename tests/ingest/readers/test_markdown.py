"""Markdown: what is a heading and what only looks like one, and what the head of a note says."""

from __future__ import annotations

import pytest

from samples import MARKDOWN
from scrubjay.ingest.readers.front_matter import front_matter
from scrubjay.ingest.readers.markdown import MarkdownReader, markdown_reading
from scrubjay.types import Reading


def read(text: str, path: str = "/notes/name.md") -> Reading:
    return MarkdownReader().read(path, text.encode())


def trails(text: str) -> list[tuple[str, ...]]:
    """The trail of each heading."""
    return [span.trail for span in read(text).spans if span.form == "heading"]


def forms(text: str) -> list[tuple[str, str]]:
    return [(span.form, text[span.start : span.end]) for span in read(text).spans]


def test_the_head_of_a_note() -> None:
    reading = read(MARKDOWN)
    assert reading.title == "The quince"
    assert reading.tags == ("fruit", "kitchen", "autumn")
    assert reading.created_at == "2026-01-31"
    assert reading.summary == "How to cook it"
    assert reading.text == MARKDOWN
    assert reading.notices == ()


def test_headings_have_trails() -> None:
    text = "# A\n\n## B\n\n### C\n\n## D\n\n# E\n"
    assert trails(text) == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_a_skipped_level_is_no_fault() -> None:
    assert trails("### C\n\n# A\n\n#### D\n") == [("C",), ("A",), ("A", "D")]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Plain", "Plain"), ("#  Spaces  ", "Spaces"), ("## Closed ##", "Closed"), ("   # Indented", "Indented"),
        ("# *Very* **bold** `code`", "Very bold code"), ("# [Link](http://x.y)", "Link"), ("# A {#anchor}", "A"),
        ("# C#", "C#"), ("#\tTab", "Tab"), ("# snake_case_name", "snake_case_name"),
    ],
)  # fmt: skip
def test_what_a_heading_says(line: str, heading: str) -> None:
    assert trails(f"{line}\n\ntext\n") == [(heading,)]


@pytest.mark.parametrize("line", ["#hashtag", "####### seven", "    # code", "\\# escaped", "x # y", "> # quoted"])
def test_what_is_no_heading(line: str) -> None:
    assert trails(f"before\n\n{line}\n\nafter\n") == []


def test_underlined_headings() -> None:
    assert trails("Title\n=====\n\ntext\n\nBelow\n---\n\ntext\n") == [("Title",), ("Title", "Below")]
    assert trails("text\n\n---\n\nmore\n") == [], "a rule"
    assert trails("- item\n---\n") == [], "a rule after a list"


@pytest.mark.parametrize(
    "fence",
    [
        "```\n# no\n```",
        "```python\n# no\n```",
        "~~~\n# no\n```\n# no\n~~~",
        "````\n```\n# no\n````",
        "  ```\n# no\n  ```",
        "- item\n\n  ```sh\n  # no\n  ```",
        "```\n# never closed",
        "<!--\n# no\n-->",
        "<!-- one\n\n# no\n\n-->",
    ],
)
def test_f17_a_hash_in_a_fence_is_no_heading(fence: str) -> None:
    assert trails(f"# Yes\n\n{fence}\n") == [("Yes",)]


def test_after_the_fence_headings_count_again() -> None:
    assert trails("```\n# no\n```\n# Yes\n") == [("Yes",)]
    assert trails("```\n# no\n``` not closed by this\n# no\n```\n# Yes\n") == [("Yes",)]


def test_forms() -> None:
    text = "# H\n\nprose\n\n- a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\nend\n"
    assert [form for form, _ in forms(text)] == ["heading", "prose", "list", "table", "fence", "prose"]
    table = next(part for form, part in forms(text) if form == "table")
    assert table.strip() == "| a | b |\n|---|---|\n| 1 | 2 |"
    assert next(part for form, part in forms(text) if form == "fence").strip() == "```\ncode\n```"


def test_a_table_without_outer_pipes() -> None:
    assert "table" in [form for form, _ in forms("before\n\na | b\n--|--\n1 | 2\n\nafter\n")]


def test_titles_in_their_order() -> None:
    assert read("---\ntitle: Front\n---\n# Head\n").title == "Front"
    assert read("text\n\n# Head\n").title == "Head"
    assert read("## Second only\n\ntext\n\n## Third\n").title == "Second only"
    assert read("## Second\n\n# First\n").title == "First"
    assert read("text\n\n## Second\n").title == "name"
    assert read('<h1 align="center">\n').title == "name"
    assert read('[![badge](x.svg)](y)\n\n<h1 align="center"><img src="x"> The <b>Name</b></h1>\n').title == "The Name"
    assert read("text\n").title == "name"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("a #tag here", ("tag",)), ("#one #two/three #four-five", ("one", "two/three", "four-five")),
        ("(#bracket) and #end.", ("bracket", "end")), ("issue #12 and C# and a#b", ()),
        ("colour #ffcc00 and #fff", ()),
        ("`#code` and [link](#anchor) and <a href='#x'>", ()), ("```\n#no\n```", ()), ("#Tag and #tag", ("Tag",)),
        ("#标签 here", ("标签",)), ("http://x.y/#part", ()), ("[ref]: #anchor", ()), ("[`x`]: #some-anchor", ()),
        ("完成。#运维", ("运维",)),
        ("    #include <stdio.h>", ()), ("text\n\n\t#define X\n", ()), ("- item\n    - deeper #yes", ("yes",)),
    ],
)  # fmt: skip
def test_tags_in_the_text(text: str, tags: tuple[str, ...]) -> None:
    assert read(f"{text}\n").tags == tags


@pytest.mark.parametrize(
    ("name", "date"),
    [("2026-01-05", "2026-01-05"), ("notes 2026-01-05", "2026-01-05"), ("2025-13-40", None), ("v12026-01-05", None)],
)
def test_a_date_in_the_name(name: str, date: str | None) -> None:
    assert read("text\n", f"/diary/{name}.md").created_at == date
    assert read("---\ndate: 2020-02-02\n---\n", f"/diary/{name}.md").created_at == "2020-02-02"


def test_anchors_name_sections() -> None:
    text = "# A\n\n<!-- ANCHOR:setup -->\n## Setup\n\ndo it\n<!-- /ANCHOR:setup -->\n\n## Else\n"
    reading = read(text)
    assert reading.metadata["anchors"] == {"setup": [3, 7]}
    assert any(text[span.start :].startswith("<!-- ANCHOR:setup") and span.opens for span in reading.spans)


# --- front matter ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "facts"),
    [
        ("title: Plain", {"title": "Plain"}),
        ('title: "Quoted: with # signs"', {"title": "Quoted: with # signs"}),
        ("title: 'It''s'", {"title": "It's"}),
        ('title: "a\\nb \\u00e9"', {"title": "a\nb é"}),
        ("title: with # comment", {"title": "with"}),
        ("title: C#", {"title": "C#"}),
        ("tags: [a, 'b c', \"d\"]", {"tags": ["a", "b c", "d"]}),
        ("tags:\n  - a\n  - b c", {"tags": ["a", "b c"]}),
        ("tags:\n- a\n- b", {"tags": ["a", "b"]}),
        ("tags: []", {"tags": []}),
        ("tags: [a,\n  b]", {"tags": ["a", "b"]}),
        ("n: 3\nx: 1.5\nyes: true\nno: null", {"n": 3, "x": 1.5, "yes": True, "no": None}),
        ("version: 1.10\nzip: 01234", {"version": "1.10", "zip": "01234"}),
        ("answer: no", {"answer": "no"}),
        ("date: 2026-01-31", {"date": "2026-01-31"}),
        ("text: |\n  one\n  two", {"text": "one\ntwo"}),
        ("text: >\n  one\n  two", {"text": "one two"}),
        ("map:\n  a: 1\n  b: two", {"map": {"a": 1, "b": "two"}}),
        ("list:\n  - a: 1\n    b: 2\n  - a: 3", {"list": [{"a": 1, "b": 2}, {"a": 3}]}),
        ("inline: {a: 1, b: [x, y]}", {"inline": {"a": 1, "b": ["x", "y"]}}),
        ("url: http://x.y/z?a=b", {"url": "http://x.y/z?a=b"}),
        ("# a comment\ntitle: A\n\n# more\nb: c", {"title": "A", "b": "c"}),
        ("标题: 数据库", {"标题": "数据库"}),
        ("long: one\n  two", {"long": "one two"}),
        ("empty:\nnext: a", {"empty": None, "next": "a"}),
    ],
)
def test_facts(block: str, facts: dict[str, object]) -> None:
    text = f"---\n{block}\n---\n# Body\n"
    found = front_matter(text)
    assert found.facts == facts
    assert text[found.end :] == "# Body\n"
    assert found.notices == ()


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("closing", ["---", "..."])
def test_the_block_ends(ends: str, closing: str) -> None:
    text = ends.join(["---", "title: A", closing, "body", ""])
    found = front_matter(text)
    assert (found.facts, text[found.end :]) == ({"title": "A"}, f"body{ends}")


@pytest.mark.parametrize(
    "text",
    ["", "---", "---\n", "title: A\n---\n", " ---\ntitle: A\n---\n", "---\nnever closed: yes\n", "----\na: b\n----\n",
     "---\n\nA rule, and prose after it.\n\nMore prose, and another.\n\n---\n\nend\n"],
)  # fmt: skip
def test_no_block(text: str) -> None:
    found = front_matter(text)
    assert (found.facts, found.end) == ({}, 0)


def test_a_line_that_is_no_fact_is_named_and_costs_no_other() -> None:
    found = front_matter("---\ntitle: A\n%%% what\ntags: [a]\n---\n")
    assert found.facts == {"title": "A", "tags": ["a"]}
    [notice] = found.notices
    assert "line 3" in notice.reason
    assert "key: value" in notice.remedy


def test_a_list_that_is_never_closed() -> None:
    found = front_matter("---\ntags: [a, b\ntitle: A\n---\n")
    assert found.facts["title"] == "A"
    assert found.notices


def test_toml() -> None:
    found = front_matter('+++\ntitle = "A"\ndate = 2026-01-31\ntags = ["a", "b"]\n+++\nbody\n')
    assert found.facts == {"title": "A", "date": "2026-01-31", "tags": ["a", "b"]}
    broken = front_matter("+++\ntitle = \n+++\nbody\n")
    assert broken.facts == {}
    assert "TOML" in broken.notices[0].reason


@pytest.mark.parametrize("depth", [5, 500])
def test_deep_nesting_ends(depth: int) -> None:
    front_matter("---\na: " + "[" * depth + "]" * depth + "\n---\n")
    front_matter("---\n" + "".join("  " * level + f"k{level}:\n" for level in range(depth)) + "---\n")


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: one", ("one",)), ("tags: one, two", ("one", "two")), ("tags: ['#one', two]", ("one", "two")),
        ("tag: single", ("single",)), ("tags: [a, A, a]", ("a",)), ("tags: [1, 2.5]", ("1", "2.5")),
        ("tags:\n  - {name: x}", ("name: x",)), ("tags:", ()), ("tags: [ , ]", ()),
    ],
)  # fmt: skip
def test_tags_however_they_are_written(written: str, tags: tuple[str, ...]) -> None:
    assert read(f"---\n{written}\n---\n").tags == tags


def test_r105_what_the_head_may_say() -> None:
    reading = read(
        "---\ntitle: Rules\ndescription: What holds\ntags: [a]\ndate: 2026-01-02\n"
        "trigger_phrases: [how we work, rules]\n"
        "importance_tier: critical\ntype: decision_record\n---\n"
    )
    assert (reading.title, reading.summary, reading.created_at) == ("Rules", "What holds", "2026-01-02")
    assert reading.metadata["trigger_phrases"] == ["how we work", "rules"]
    assert reading.metadata["importance_tier"] == "critical"
    assert reading.metadata["type"] == "decision_record"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2026-01-31", "2026-01-31"), ("2026-01-31 10:15", "2026-01-31T10:15:00"),
        ("2026-01-31T10:15:00Z", "2026-01-31T10:15:00+00:00"), ("2026/1/3", "2026-01-03"),
        ('"2026-01-31"', "2026-01-31"),
    ],
)  # fmt: skip
def test_dates(written: str, date: str) -> None:
    assert read(f"---\ndate: {written}\n---\n").created_at == date


def test_a_date_that_is_none_is_told() -> None:
    reading = read("---\ndate: last tuesday\n---\n")
    assert reading.created_at is None
    assert "last tuesday" in reading.notices[0].reason


def test_windows_line_ends() -> None:
    text = MARKDOWN.replace("\n", "\r\n")
    there, here = read(text), read(MARKDOWN)
    assert there.text == text
    assert (there.title, there.tags, there.summary) == (here.title, here.tags, here.summary)
    assert [(span.form, span.trail) for span in there.spans] == [(span.form, span.trail) for span in here.spans]


def test_a_note_typed_in_keeps_the_tags_it_is_given_first() -> None:
    assert markdown_reading("# A #b\n", "").title == "A #b"
