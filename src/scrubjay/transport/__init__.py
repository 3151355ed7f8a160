"""The way to a server: JSON over HTTP, and where the keys for it come from.

The composition root makes one transport and hands it to every provider that needs one, so
that embedding and reranking share connections, retries and manners without knowing each other.
"""

from scrubjay.transport.client import HttpTransport, Reply
from scrubjay.transport.keys import KeySource, key_source

__all__ = ["HttpTransport", "KeySource", "Reply", "key_source"]
