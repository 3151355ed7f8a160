"""One JSON object a line, as `json.dumps` writes it, without paying for its reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli.output import line_of

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner)
)


@given(VALUES)
def test_a_line_is_what_json_writes(value: Any) -> None:
    assert line_of(value) == json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("value", [{1, 2}, {"x": object()}, b"bytes"])
def test_what_is_no_json_is_left_to_json_to_refuse(value: Any) -> None:
    assert line_of(value) == ""
