from __future__ import annotations

import pytest

from scrubjay.errors import UsageError
from scrubjay.memory.tiers import multiplier, tier


def test_without_a_tier_normal() -> None:
    assert tier(None) == tier("") == tier(" Normal ")


def test_an_unknown_tier_names_all() -> None:
    with pytest.raises(UsageError) as caught:
        tier("vital")
    assert "constitutional" in caught.value.cure


def test_only_the_temporary_expires() -> None:
    assert multiplier("temporary", 7.0) == 0.5
    assert multiplier("temporary", 7.01) == 0.0
    assert multiplier("critical", 10_000) == 2.0
