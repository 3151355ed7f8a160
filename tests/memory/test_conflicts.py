from __future__ import annotations

import pytest

from scrubjay.errors import UsageError
from scrubjay.memory.conflicts import contradiction, correction, decide, decide_among


def test_a_sign_against_makes_an_update_a_replacement() -> None:
    assert decide(0.9, "The port is 5432 now", "Our port is 5432").action == "update"
    assert decide(0.9, "The port is 5433", "The port is 5432").action == "supersede"
    assert decide(0.9, "We no longer use Redis", "We use Redis").action == "supersede"


def test_even_the_nearly_same_is_not_reinforced_by_its_opposite() -> None:
    found = decide(0.97, "Do not restart it", "Do restart it", "d_1")
    assert (found.action, found.other) == ("supersede", "d_1")
    assert "'not'" in found.reason


def test_both_denying_is_no_contradiction() -> None:
    assert contradiction("We do not use X", "X is not used") == ""
    assert contradiction("", "anything not") == ""


def test_the_most_alike_decides() -> None:
    found = decide_among("x", [("d_1", 0.5, ""), ("d_2", 0.96, ""), ("d_3", 0.8, "")])
    assert (found.action, found.other) == ("reinforce", "d_2")
    assert decide_among("x", []).action == "create"


def test_the_impossible_is_refused() -> None:
    with pytest.raises(UsageError, match="similarity"):
        decide(1.5)
    with pytest.raises(UsageError, match="superseded"):
        correction("forgotten")
    assert correction("merged") == "merged"
    assert decide(1.0000001).action == "reinforce"


def test_what_only_the_old_one_denies_is_a_contradiction_too() -> None:
    assert contradiction("We use Redis", "We no longer use Redis") == "only the old one says 'no longer'"
    assert decide(0.97, "We use Redis", "We no longer use Redis", "d_1").action == "supersede"
