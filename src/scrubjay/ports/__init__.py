"""The plugs: what an embedder, a reranker, a reader and a store must be able to do.

Anything that has these methods fits; nothing needs to inherit. Each port has one contract
suite under tests/contract/ that every implementation passes. The house imports this module
for type checking only, so that a start of `kb` does not pay for `typing`.
"""

from __future__ import annotations

from scrubjay.ports.parts import Alerts as Alerts
from scrubjay.ports.parts import Archive as Archive
from scrubjay.ports.parts import Graph as Graph
from scrubjay.ports.parts import History as History
from scrubjay.ports.parts import Incoming as Incoming
from scrubjay.ports.parts import Linking as Linking
from scrubjay.ports.parts import Memory as Memory
from scrubjay.ports.parts import Records as Records
from scrubjay.ports.parts import Tuning as Tuning
from scrubjay.ports.parts import Vocabulary as Vocabulary
from scrubjay.ports.plugs import Embedder as Embedder
from scrubjay.ports.plugs import Reader as Reader
from scrubjay.ports.plugs import Reply as Reply
from scrubjay.ports.plugs import Reranker as Reranker
from scrubjay.ports.plugs import Transport as Transport
from scrubjay.ports.store import Store as Store
