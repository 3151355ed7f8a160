"""Which chunks mean something like the query: vectors in the base, compared by an engine.

In the order to read: `rows` (what is written), `blocks` (the tables), `merging` (keeping them
tidy), `engines` (who compares), `exact_numpy` over `matrix`, `following` and `cachefile` (the
fast way), `exact_python` and `vec0` (the other two), `index` (what the store calls).
"""

from __future__ import annotations

from scrubjay.store.sqlite.vectors.index import VectorIndex

__all__ = ["VectorIndex"]
