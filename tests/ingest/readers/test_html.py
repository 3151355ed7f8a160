"""Web pages: the words a person sees, under their headings, and nothing of the machinery."""

from __future__ import annotations

import pytest

from samples import HTML
from scrubjay.ingest.readers.html import HtmlReader
from scrubjay.types import Reading


def read(text: str | bytes) -> Reading:
    return HtmlReader().read("/pages/name.html", text if isinstance(text, bytes) else text.encode())


def test_the_sample() -> None:
    reading = read(HTML)
    assert reading.title == "Quinces"
    assert reading.summary == "About fruit"
    assert reading.tags == ("fruit", "kitchen")
    assert "Hard & sour fruit." in reading.text.replace("\u00a0", " ")
    assert "unseen" not in reading.text
    assert "color: red" not in reading.text
    assert "name | days\njam | 3" in reading.text
    assert "  kept\n    as it is" in reading.text
    assert "- wash\n- cook" in reading.text


def test_headings_are_trails() -> None:
    reading = read("<h1>A</h1><p>one</p><h2>B</h2><p>two</p><h2>C</h2><h1>D</h1>")
    assert [span.trail for span in reading.spans if span.form == "heading"] == [("A",), ("A", "B"), ("A", "C"),
    ("D",)]


def test_tables_and_preformatted_text_are_forms_of_their_own() -> None:
    reading = read("<p>a</p><table><tr><td>b</td></tr></table><p>c</p><pre>d</pre><p>e</p>")
    assert {reading.text[span.start : span.end].strip(): span.form for span in reading.spans} == {
        "a": "prose", "b": "table", "c": "prose", "d": "fence", "e": "prose",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"), ("a<br>b", "a\nb"), ("<div>a</div><div>b</div>", "a\nb"), ("<b>a</b>b", "ab"),
        ("a\n\n  b", "a b"), ("&lt;x&gt; &amp; &eacute;", "<x> & é"), ("&#0;&#xD800;", "\ufffd\ufffd"),
        ("a<!-- no -->b", "ab"),
        ("<p>never <b>closed", "never closed"), ("</p></div>stray", "stray"),
        ("<script>x</script>a<style>y</style>", "a"),
        ("<svg><text>no</text></svg>a", "a"), ("<p>one</p>\n\n\n\n<p>two</p>", "one\n\ntwo"), ("", ""),
        ("<td>a</td><td>b</td>", "a | b"), ("a < b and b > c", "a < b and b > c"),
        ("<noscript>kept</noscript>", "kept"),
    ],
)  # fmt: skip
def test_what_is_seen(source: str, text: str) -> None:
    assert read(source).text.strip() == text


def test_titles_in_their_order() -> None:
    assert read("<title>T</title><h1>H</h1>").title == "T"
    assert read("<h2>H</h2>").title == "H"
    assert read("<p>words</p>").title == "name"


@pytest.mark.parametrize("name", ["date", "article:published_time", "DC.date"])
def test_dates(name: str) -> None:
    assert read(f'<meta name="{name}" content="2026-01-31T10:00:00Z">').created_at == "2026-01-31T10:00:00+00:00"


def test_a_title_among_the_keywords_is_no_tag() -> None:
    page = '<meta name="keywords" content="The Basics (libffi: the portable foreign interface library), ffi">'
    assert read(page).tags == ("ffi",)


def test_the_encoding_that_the_page_names() -> None:
    page = '<meta charset="windows-1251"><p>Съешь ещё этих мягких французских булок</p>'
    assert "французских" in read(page.encode("cp1251")).text


@pytest.mark.parametrize("source", ["<" * 50_000, "<p " * 20_000, "<![CDATA[" * 2_000, "<!" * 20_000, "&" * 50_000])
def test_torn_markup_ends(source: str) -> None:
    reading = read(source)
    assert (reading.spans[-1].end if reading.spans else 0) == len(reading.text)


def test_tags_nested_without_end() -> None:
    assert read("<div>" * 30_000 + "deep" + "</div>" * 30_000).text.strip() == "deep"
