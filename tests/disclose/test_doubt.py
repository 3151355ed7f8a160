from __future__ import annotations

import pytest

from scrubjay.disclose.doubt import doubt
from scrubjay.types.confidence import Confidence


@pytest.mark.parametrize(
    ("sure", "line"),
    [
        (Confidence("strong", 1.0), ""),
        (Confidence("none", 0.0, ("a",)), "Nothing here seems to be about this: the base has no “a”."),
        (
            Confidence("none", 0.0, ("a", "b", "c")),
            "Nothing here seems to be about this: the base has no “a”, “b” and no “c”.",
        ),
        (Confidence("none", 0.1), "Nothing here seems to be about this."),
        (Confidence("weak", 0.42), "Perhaps not about this: the best passage holds 42% of what is telling in it."),
    ],
)
def test_doubt_in_one_line(sure: Confidence, line: str) -> None:
    assert doubt(sure) == line
