"""One member of a JSON file is changed, and no other character of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.mcp.jsonfile import drop, loads, put

OURS = {"command": "/bin/kb", "args": ["mcp"]}

ZED = """\
// Zed settings
//
// see https://zed.dev/docs "and so on"
{
  "theme": "One Dark", // I like it
  /* fonts */
  "buffer_font_size": 15,
  "context_servers": {
    "other": {
      "command": "x // no comment",
    }, // the other one
  },
}
"""


def test_what_is_written_into_a_file_with_comments() -> None:
    assert put(ZED, ("context_servers", "scrubjay"), OURS) == ZED.replace(
        "    }, // the other one\n",
        """\
    }, // the other one
    "scrubjay": {
      "command": "/bin/kb",
      "args": [
        "mcp"
      ]
    },
""",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '{\n  "m": {\n    "s": 1\n  }\n}\n'),
        ("{}", '{\n  "m": {\n    "s": 1\n  }\n}'),
        ('{"a": 1}', '{"a": 1, "m": {"s": 1}}'),
        ('{"m": {"a": 1}}', '{"m": {"a": 1, "s": 1}}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"m": {\n\t\t"s": 1\n\t}\n}\n'),
        ('{\r\n    "m": {}\r\n}\r\n', '{\r\n    "m": {\r\n        "s": 1\r\n    }\r\n}\r\n'),
        ('{\n  "m": {\n    "s": 2, // old\n    "t": 3\n  }\n}', '{\n  "m": {\n    "s": 1, // old\n    "t": 3\n  }\n}'),
        ('{"m": {"s": 2}}', '{"m": {"s": 1}}'),
        ('\ufeff{\n  "a": 1\n}\n', '\ufeff{\n  "a": 1,\n  "m": {\n    "s": 1\n  }\n}\n'),
        ('{\n  // nothing yet\n}\n', '{\n  // nothing yet\n  "m": {\n    "s": 1\n  }\n}\n'),
    ],
)  # fmt: skip
def test_a_member_is_put_where_a_person_would(text: str, expected: str) -> None:
    assert put(text, ("m", "s"), 1) == expected
    assert put(expected, ("m", "s"), 1) == expected


@pytest.mark.parametrize("text", ["[]", "1", '{"m": 1}', '{"m": [1]}', "{", "{} {}", '{"a" 1}', "// only this", "null"])
def test_what_cannot_be_changed_is_refused(text: str) -> None:
    if text == "// only this":
        assert loads(text) == {}
        return
    with pytest.raises(ValueError):
        put(text, ("m", "s"), 1)


def test_a_member_is_taken_out_with_its_comma() -> None:
    text = '{\n  "m": {\n    "a": 1,\n    "s": {"x": [1, 2]} // last\n  }\n}\n'
    assert drop(text, ("m", "a")) == '{\n  "m": {\n    "s": {"x": [1, 2]} // last\n  }\n}\n'
    assert loads(drop(text, ("m", "s"))) == {"m": {"a": 1}}
    assert "// last" in drop(text, ("m", "s"))
    assert drop('{"a": 1, "s": 2}', ("s",)) == '{"a": 1 }'
    assert drop(text, ("m", "b")) == text
    assert drop(text, ("n", "b")) == text


def test_putting_and_taking_out_is_nothing() -> None:
    with_ours = put(ZED, ("context_servers", "scrubjay"), OURS)
    assert drop(with_ours, ("context_servers", "scrubjay")) == ZED


Json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
Trees = st.dictionaries(st.text(max_size=3) | st.sampled_from(["m", "s"]), Json, max_size=4)


@given(Trees, st.sampled_from([None, 2, "\t", 4]), Json)
def test_any_file_says_the_same_and_ours(tree: dict[str, Any], indent: int | str | None, value: Any) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=False)
    path = ("m", "s")
    if not isinstance(tree.get("m", {}), dict):
        with pytest.raises(ValueError):
            put(text, path, value)
        return
    new = put(text, path, value)
    assert json.loads(new) == {**tree, "m": {**tree.get("m", {}), "s": value}}
    gone = json.loads(drop(new, path))
    assert gone == {**tree, "m": {name: kept for name, kept in tree.get("m", {}).items() if name != "s"}}
