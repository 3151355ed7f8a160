"""The local server that speaks every provider's protocol."""

from __future__ import annotations

from vendor_fixtures import _vendor as _vendor
from vendor_fixtures import vendor as server  # noqa: F401 - a fixture
