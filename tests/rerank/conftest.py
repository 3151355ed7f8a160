"""The local server that speaks every provider's protocol."""

from __future__ import annotations

from vendor_fixtures import _vendor as _vendor
from vendor_fixtures import clock as clock
from vendor_fixtures import transport as transport
from vendor_fixtures import vendor as vendor
