from __future__ import annotations

import pytest

from scrubjay.errors import UsageError
from scrubjay.memory.relations import RELATIONS, link, relation


def test_names_are_read_as_people_write_them() -> None:
    assert relation("Derived-From").name == "derived_from"
    assert relation("derived from").forward == "is derived from"


def test_a_link_is_cleaned() -> None:
    assert link(" d_1 ", "d_2", "caused", 0, " because \n it did ") == ("d_1", "d_2", "caused", 0.0, "because it did")


@pytest.mark.parametrize("strength", [float("nan"), float("inf"), -0.1, 1.0001])
def test_a_strength_is_from_0_to_1(strength: float) -> None:
    with pytest.raises(UsageError, match="strength"):
        link("d_1", "d_2", "caused", strength)


def test_an_end_cannot_be_empty() -> None:
    with pytest.raises(UsageError, match="two ends"):
        link("d_1", " ", "caused")


def test_every_relation_reads_from_both_ends() -> None:
    for row in RELATIONS:
        assert row.forward != row.backward
        assert 0 < row.pull <= 1
