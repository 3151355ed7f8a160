from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.memory.retention import LONGEST, after_use, days_until, factor, retention, stability_of

DAYS = st.floats(0, 10_000)
STABILITY = st.floats(0.01, LONGEST)


def test_what_does_not_fade() -> None:
    assert retention(10_000, None) == 1.0
    assert after_use(None, 3) is None
    assert stability_of(None) is None


def test_the_future_is_not_forgotten() -> None:
    assert retention(-5, 10) == 1.0


@given(DAYS, DAYS, STABILITY)
def test_more_time_leaves_less(one: float, other: float, stability: float) -> None:
    assert 0 < retention(max(one, other), stability) <= retention(min(one, other), stability) <= 1


@given(DAYS, STABILITY)
def test_use_never_weakens_and_stays_finite(days: float, stability: float) -> None:
    stronger = after_use(stability, days)
    assert stronger is not None
    assert stability * 0.999999 <= stronger <= LONGEST


def test_use_strengthens_most_when_nearly_forgotten() -> None:
    soon, late = after_use(10, 0.001), after_use(10, 30)
    assert soon is not None
    assert late is not None
    assert soon == pytest.approx(10, rel=1e-3)
    assert late > 15


@given(st.floats(0.05, 1), STABILITY)
def test_days_until_is_the_way_back(wanted: float, stability: float) -> None:
    assert retention(days_until(wanted, stability), stability) == pytest.approx(wanted)


def test_the_impossible_is_refused() -> None:
    with pytest.raises(UsageError, match="stability"):
        retention(1, 0)
    with pytest.raises(UsageError, match="share"):
        days_until(0, 10)


def test_a_factor_never_loses_what_is_old() -> None:
    assert factor(1.0) == 1.0
    assert factor(0.0) == 0.5
    assert factor(0.5, floor=0.0) == 0.5
