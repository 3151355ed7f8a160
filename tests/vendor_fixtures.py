"""Fixtures for whoever talks to a provider: the local server that speaks every one's protocol."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from http_vendor import Clock, Vendor
from scrubjay.transport import HttpTransport


@pytest.fixture(scope="module")
def _vendor() -> Iterator[Vendor]:
    vendor = Vendor()
    yield vendor
    vendor.close()


@pytest.fixture
def vendor(_vendor: Vendor) -> Vendor:
    _vendor.requests.clear()
    _vendor.plan.clear()
    _vendor.always = None
    return _vendor


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def transport(clock: Clock) -> Iterator[HttpTransport]:
    """Never sleeps: its pauses are written down by the clock."""
    transport = HttpTransport(sleep=clock.sleep, jitter=lambda: 1.0, now=lambda: 1_000_000_000.0)
    yield transport
    transport.close()
