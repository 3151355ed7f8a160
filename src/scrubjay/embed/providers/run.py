"""Brings a set of texts through a provider: what comes back, what does not, and why.

A refused text must not cost the others their vectors, and a provider that refuses everything
must not be asked a thousand times. So a batch that is too long is halved, down to one text
that is then shortened; a batch that is refused for another reason is halved until three texts
were refused alone and none was taken; a provider that is gone, or that answers nonsense,
is asked no more. Nothing that a server says is believed before it is checked.
"""

from __future__ import annotations

from scrubjay.embed.providers.batch import Batch
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.ports import Reply

SHORTENED_AT_MOST = 4  # to a sixteenth: what is still refused then is not refused for its length
REFUSALS_AT_MOST = 3
REFUSED = (400, 422, 500)  # 500 because some servers break on one text (a NaN they cannot encode)


class Run:
    """The vectors by place, the reasons by place, and the cure of the last failure."""

    def __init__(
        self,
        ask: Callable[[Sequence[str]], Reply],
        read: Callable[[Any], list[tuple[int, Any]]],
        dim: int | None,
    ) -> None:
        self._ask = ask
        self._read = read
        self.dim = dim
        self.vectors: dict[int, NDArray[np.float32]] = {}
        self.failures: dict[int, str] = {}
        self.cure = ""
        self._hopeless = ""
        self._refused = 0

    def through(self, batches: Iterable[Batch]) -> None:
        left = list(batches)[::-1]
        while left:
            batch = left.pop()
            if self._hopeless:
                self._fail(batch.places, self._hopeless)
                continue
            reply = self._ask(batch.texts)
            left.extend(reversed(self._taken(batch, reply.value) if reply.ok else self._refusal(batch, reply)))

    def _refusal(self, batch: Batch, reply: Reply) -> list[Batch]:
        """What to ask instead; nothing when the texts of this batch failed for good."""
        self.cure = reply.cure
        alone = len(batch.places) == 1
        if reply.too_long:
            if not alone:
                return list(batch.halves())
            if batch.tried < SHORTENED_AT_MOST and len(batch.texts[0]) > 1:
                return [batch.shortened()]
        elif reply.status not in REFUSED:
            self._hopeless = reply.reason
        elif not alone:
            return list(batch.halves())
        else:
            self._refused += 1
            if self._refused == REFUSALS_AT_MOST and not self.vectors:
                self._hopeless = reply.reason
        self._fail(batch.places, reply.reason)
        return []

    def _taken(self, batch: Batch, value: Any) -> list[Batch]:
        """Keep what is sound; what was left out is asked for once more."""
        try:
            answers = self._read(value)
            found = dict(answers)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            return self._nonsense(batch, "the server answered something that holds no vectors")
        if len(found) < len(answers) or not all(
            type(index) is int and 0 <= index < len(batch.places) for index in found
        ):
            return self._nonsense(batch, "the server answered with indexes that were not asked for, or twice")
        reason = ""
        for index, numbers in found.items():
            reason = self._keep(batch.places[index], numbers) or reason
        missing = tuple(place for index, place in enumerate(batch.places) if index not in found)
        if reason and not self.vectors and len(found) > 1:
            return self._nonsense(batch, reason)
        if missing and batch.tried == 0:
            return [batch.only(missing)]
        self._fail(missing, "the server left it out of its answer")
        return []

    def _keep(self, place: int, numbers: Any) -> str:
        vector, reason = unit_vector(numbers)
        if vector is not None and self.dim is not None and len(vector) != self.dim:
            reason = f"the vector has {len(vector)} dimensions, not {self.dim}"
        if vector is None or reason:
            self.cure = "Check that the server runs the model that is named."
            self._fail((place,), reason)
            return reason
        self.dim = len(vector)
        self.vectors[place] = vector
        return ""

    def _nonsense(self, batch: Batch, reason: str) -> list[Batch]:
        self.cure = "Check that the URL, the provider and the model belong together."
        self._hopeless = reason
        self._fail(batch.places, reason)
        return []

    def _fail(self, places: Iterable[int], reason: str) -> None:
        self.failures.update(dict.fromkeys(places, reason))


def unit_vector(numbers: Any) -> tuple[NDArray[np.float32] | None, str]:
    """Numbers, or base64 of little-endian float32, as a float32 vector of length one; or why not."""
    import numpy as np

    try:
        if isinstance(numbers, str):
            from base64 import b64decode

            row = np.frombuffer(b64decode(numbers, validate=True), dtype="<f4").astype(np.float64)
        else:
            row = np.asarray(numbers, dtype=np.float64)
    except (ValueError, TypeError):
        return None, "the server answered something that is no vector"
    if row.ndim != 1 or row.size == 0:
        return None, "the server answered something that is no vector"
    if not np.isfinite(row).all():
        return None, "the vector holds something that is no number"
    largest = float(np.abs(row).max())
    if largest == 0.0:
        return None, "the vector is all zeros"
    row = row / largest  # squares of what a float32 may hold must not overflow
    return (row / np.linalg.norm(row)).astype(np.float32), ""
