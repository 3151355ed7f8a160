"""The local server that speaks every provider's protocol."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(next(folder for folder in Path(__file__).parents if folder.name == "tests")))

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
