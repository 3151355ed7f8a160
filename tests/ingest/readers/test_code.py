"""Code: a span a definition, its name as the trail, in every language that has a grammar."""

from __future__ import annotations

import pytest

from scrubjay.ingest.readers.code import CodeReader, language_of, script_language
from scrubjay.types import Span

CASES = [
    ("a.py", "import os\n\n\ndef one():\n    pass\n\n\nclass A:\n    def b(self):\n        pass\n", ["one", "A",
    "b"]),
    ("a.js", "function one() {\n  return 1\n}\n\nclass A {\n  b() {\n    return 2\n  }\n}\n", ["one", "A", "b"]),
    ("a.ts", "interface One {\n  x: number\n}\n\nexport class A {\n  b(): void {\n  }\n}\n\nenum E { X }\n", ["One",
    "A", "b", "E"]),
    ("a.tsx", "export function One() {\n  return <p>hi</p>\n}\n", ["One"]),
    ("a.go", "package a\n\nfunc One() int {\n\treturn 1\n}\n\ntype A struct {\n\tx int\n}\n\nfunc (a A) B() {}\n",
    ["One", "A", "B"]),
    ("a.rs", "fn one() -> i32 {\n    1\n}\n\nstruct A;\n\nimpl A {\n    fn b(&self) {}\n}\n", ["one", "A", "b"]),
    ("a.c", "#include <stdio.h>\n\nint one(void) {\n  return 1;\n}\n\nstruct A {\n  int x;\n};\n", ["one", "A"]),
    ("a.cpp", "class A {\n public:\n  int b() { return 1; }\n};\n\nint one() {\n  return 1;\n}\n", ["A", "one"]),
    ("A.java", "class A {\n  int b() {\n    return 1;\n  }\n}\n\ninterface One {}\n", ["A", "b", "One"]),
    ("a.cs", "class A {\n  int B() {\n    return 1;\n  }\n}\n", ["A", "B"]),
    ("a.rb", "class A\n  def b\n    1\n  end\nend\n\ndef one\n  1\nend\n", ["A", "b", "one"]),
    ("a.php", "<?php\nfunction one() {\n  return 1;\n}\n\nclass A {\n  function b() {}\n}\n", ["one", "A", "b"]),
    ("a.sh", "#!/bin/sh\none() {\n  echo 1\n}\n\ntwo() {\n  echo 2\n}\n", ["one", "two"]),
    ("a.lua", "function one()\n  return 1\nend\n\nfunction two()\n  return 2\nend\n", ["one", "two"]),
    ("a.sql", "CREATE TABLE one (x);\n\nCREATE VIEW two AS SELECT 1;\n", ["one", "two"]),
    ("a.swift", "func one() {\n}\n\nclass A {\n}\n", ["one", "A"]),
    ("a.kt", "fun one() {\n}\n\nclass A {\n}\n", ["one", "A"]),
]  # fmt: skip


def spans(name: str, text: str) -> tuple[Span, ...]:
    return CodeReader().read(f"/src/{name}", text.encode()).spans


@pytest.mark.parametrize(("name", "text", "names"), CASES, ids=[case[0] for case in CASES])
def test_definitions_are_trails(name: str, text: str, names: list[str]) -> None:
    said = [span.trail[-1] for span in spans(name, text) if span.trail]
    for wanted in names:
        assert any(wanted in trail.split() or wanted in trail for trail in said), (wanted, said)


def test_a_method_stands_under_its_class() -> None:
    trails = [span.trail for span in spans("a.py", CASES[0][1])]
    assert any(len(trail) == 2 and "A" in trail[0] and "b" in trail[1] for trail in trails), trails


def test_comments_and_decorators_belong_to_what_they_stand_above() -> None:
    text = "import os\n\n\n# how many there are\n# in all\n@cache\ndef count():\n    return 1\n"
    [definition] = [span for span in spans("a.py", text) if span.trail]
    assert text[definition.start :].startswith("# how many")


def test_code_after_a_definition_is_not_its_part() -> None:
    text = "def one():\n    return 1\n\n\nNUMBERS = [1, 2]\n"
    last = spans("a.py", text)[-1]
    assert last.trail == ()
    assert text[last.start : last.end].strip() == "NUMBERS = [1, 2]"


def test_a_broken_file_still_gives_its_definitions() -> None:
    text = "def one(:\n    return 1\n\n\ndef two():\n    return ((\n\n\ndef three():\n    pass\n"
    said = " ".join(span.trail[-1] for span in spans("a.py", text) if span.trail)
    assert "two" in said or "three" in said


@pytest.mark.parametrize("accents", ["é", "数据库", "👩‍👩‍👧‍👦"])
def test_places_count_characters_not_bytes(accents: str) -> None:
    text = f'TEXT = "{accents * 20}"\n\n\ndef one():\n    return "{accents}"\n\n\ndef two():\n    pass\n'
    starts = [text[span.start :].lstrip()[:7] for span in spans("a.py", text) if span.trail]
    assert starts == ["def one", "def two"]


def test_generated_bulk_is_not_parsed_and_not_lost() -> None:
    text = "x = [" + ", ".join(map(str, range(30_000))) + "]\n"
    reading = CodeReader().read("/src/a.py", text.encode())
    assert reading.text == text
    assert reading.spans[-1].end == len(text)


def test_text_in_another_language_takes_no_quadratic_time() -> None:
    text = "Once upon a time (there was a { quince [ and more.\n" * 8_000
    reading = CodeReader().read("/src/a.cpp", text.encode())
    assert reading.spans[-1].end == len(text)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/a/x.py", "python"), ("/a/x.h", "c"), ("/a/x.hpp", "cpp"), ("/a/x.mjs", "javascript"),
        ("/a/Gemfile", "ruby"),
        ("/a/x.unknown", None), ("/a/py", None), ("/a/x.PY", "python"),
    ],
)  # fmt: skip
def test_languages_by_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/usr/bin/python3.11\n", "python"), (b"#!/usr/bin/env ruby\n", "ruby"), (b"#!/bin/bash -e\n", "bash"),
        (b"#! /usr/bin/env -S python3 -u\n", "python"), (b"# no shebang\n", None), (b"#!\n", None), (b"", None),
        (b"#!/usr/bin/env\n", None), (b"#!\xff\xfe\n", None),
    ],
)  # fmt: skip
def test_languages_by_first_line(head: bytes, language: str | None) -> None:
    assert script_language(head) == language


def test_the_title_is_the_files_name() -> None:
    assert CodeReader().read("/src/deep/quince.py", b"x = 1\n").title == "quince.py"
    assert CodeReader().read("/src/Makefile", b"all:\n").title == "Makefile"
