"""A static table: a text's vector is the mean of its tokens' rows. No onnxruntime, microseconds a query.

Weaker than a transformer (it knows words, not sentences), for machines where onnxruntime is not to be
had or every millisecond counts. The table is mapped, not read: only the rows that a text needs are
ever loaded, so opening it costs nothing.
"""

from __future__ import annotations

from scrubjay.embed.local.tokenizers import bytepairs_of
from scrubjay.errors import ModelMissing
from scrubjay.types import ModelIdentity
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.embed.local.catalogue import ModelCard
    from scrubjay.types import Role

    Vectors = NDArray[np.float32]


class StaticEmbedder:
    """An Embedder over one installed table. Safe to use from several threads."""

    batch = 256  # a batch is a write to the disk, which takes longer than embedding thirty texts

    def __init__(self, card: ModelCard, home: Path) -> None:
        self.name = card.name
        self.dim = card.dim
        self.identity = ModelIdentity(card.name, card.dim, card.revision, pooling=card.pooling)
        self._limit = card.max_tokens
        self._tokens = bytepairs_of(home / "tokenizer.json")
        self._table = read_table(home / card.weights.name)

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:  # noqa: ARG002 - queries and documents alike
        """One row of length 1 a text, in order; a text without a token is the zero vector, near to nothing."""
        import numpy as np

        rows = np.zeros((len(texts), self.dim), np.float32)
        for at, text in enumerate(texts):
            ids = self._tokens.encode(text, self._limit)
            if ids:
                mean = self._table[ids].astype(np.float32).mean(axis=0)
                rows[at] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return rows


def read_table(path: Path) -> NDArray[np.float16]:
    """The only tensor of a safetensors file: eight bytes of length, a JSON header, then the numbers."""
    import json

    import numpy as np

    try:
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
        (tensor,) = (value for name, value in header.items() if name != "__metadata__")
        if tensor["dtype"] != "F16":
            raise ValueError(f"the numbers are {tensor['dtype']}, not F16")
        begin, _end = tensor["data_offsets"]
        return np.memmap(path, np.float16, "r", offset=8 + length + begin, shape=tuple(tensor["shape"]))
    except (OSError, ValueError, KeyError, OverflowError) as error:
        raise ModelMissing(
            f"the table {path} cannot be read", str(error), f"delete it and run: kb models pull {path.parent.name}"
        ) from error
