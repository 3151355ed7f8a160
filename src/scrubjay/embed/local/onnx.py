"""Run a transformer model with onnxruntime: texts to vectors, or to one vector a token.

Of many texts each runs alone, one thread a text. An int8 model rounds its activations to the range of
the whole batch, so in a batch the same text gets another vector beside other neighbours (cosine .991
to .995, measured); alone it always gets the same one. Nothing is padded, and threads that never wait for each
other use all cores better than one batch cut up between them: this is also the fastest way on chunks
of usual length (bench/results/embed_local.json), and memory stays flat: a text is the largest batch.
A single text, which is what a search brings, gets all the threads to itself instead. These are two
sessions of the runtime, opened when first needed; most processes only ever need one of them.
"""

from __future__ import annotations

from threading import Lock

from scrubjay.embed.local.tokenizers import wordpiece_of
from scrubjay.errors import EmbeddingError, MissingExtra, ModelMissing
from scrubjay.types import ModelIdentity
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.embed.local.catalogue import ModelCard
    from scrubjay.types import Role

    Vectors = NDArray[np.float32]


class OnnxEmbedder:
    """An Embedder over one installed model. Safe to use from several threads."""

    def __init__(self, card: ModelCard, home: Path, threads: int | None = None) -> None:
        self.name = card.name
        self.dim = card.dim
        self.identity = ModelIdentity(
            card.name, card.dim, card.revision, card.query_prefix, card.document_prefix, card.pooling
        )
        self._card = card
        self._threads = threads or usable_cores()
        self._tokens = wordpiece_of(home / "tokenizer.json", card.lowercase)
        self._weights = home / card.weights.name
        self._sessions: dict[int, Any] = {}
        self._opening = Lock()

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """One row of length 1 a text, in order. An empty text has a vector too."""
        import numpy as np

        rows = np.empty((len(texts), self.dim), np.float32)
        mean = self._card.pooling == "mean"
        session = self._session(len(texts)) if texts else None

        def one(at: int) -> None:
            states = self._states(session, self._ids(texts[at], role))
            rows[at] = states.mean(axis=0) if mean else states[0]

        spread(one, _longest_first(texts), self._threads)
        return _of_length_one(rows)

    def token_vectors(self, texts: Sequence[str], role: Role) -> list[Vectors]:
        """One matrix a text, a row of length 1 for each of its own tokens: neither marks nor prefix."""
        skipped = 1 + len(self._tokens.encode(self._prefix(role), self._card.max_tokens)) - 2
        found: list[Vectors | None] = [None] * len(texts)
        session = self._session(len(texts)) if texts else None

        def one(at: int) -> None:
            found[at] = _of_length_one(self._states(session, self._ids(texts[at], role))[skipped:-1])

        spread(one, _longest_first(texts), self._threads)
        return [matrix for matrix in found if matrix is not None]

    def count_tokens(self, text: str) -> int:
        """How many tokens of the model's limit the text takes, marks included, as a document."""
        return len(self._tokens.encode(self._card.document_prefix + text, 1 << 30))

    def cut(self, texts: Sequence[str]) -> list[int]:
        """Which of these the model reads only the beginning of, as documents."""
        limit = self._card.max_tokens
        prefix = self._prefix("document")
        long = [at for at, text in enumerate(texts) if len(prefix) + len(text) > limit - 2]  # a token takes one or more
        return [at for at in long if len(self._tokens.encode(prefix + texts[at], limit + 1)) > limit]

    def _prefix(self, role: Role) -> str:
        return self._card.query_prefix if role == "query" else self._card.document_prefix

    def _ids(self, text: str, role: Role) -> list[int]:
        return self._tokens.encode(self._prefix(role) + text, self._card.max_tokens)

    def _session(self, texts: int) -> Any:
        """For one text all threads work on it; for more, each text has one."""
        threads = 1 if texts > 1 else self._threads
        with self._opening:
            if threads not in self._sessions:
                self._sessions[threads] = open_session(self._weights, threads)
            return self._sessions[threads]

    def _states(self, session: Any, ids: list[int]) -> Vectors:
        """The last hidden state of every token of one text."""
        import numpy as np

        tokens = np.array([ids], np.int64)
        given = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        try:
            states: Vectors = session.run(None, {one.name: given[one.name] for one in session.get_inputs()})[0][0]
        except Exception as error:  # onnxruntime raises its own kinds, none of them documented
            raise EmbeddingError(
                f"the model {self.name} failed on a text of {len(ids)} tokens",
                str(error).splitlines()[0][:300] if str(error) else type(error).__name__,
                f"run: kb models pull {self.name}",
            ) from error
        return states


def spread(work: Callable[[int], None], numbers: Sequence[int], threads: int) -> None:
    """Do `work` for every number on `threads` threads. The first error, or Ctrl-C, stops all of them."""
    threads = min(threads, len(numbers))
    if threads <= 1:
        for number in numbers:
            work(number)
        return
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    waiting = deque(numbers)

    def worker() -> None:
        try:
            while waiting:
                work(waiting.popleft())
        except IndexError:  # another thread took the last one
            if waiting:
                raise

    with ThreadPoolExecutor(threads, thread_name_prefix="embed") as pool:
        jobs = [pool.submit(worker) for _ in range(threads)]
        try:
            for job in jobs:
                job.result()
        finally:
            waiting.clear()


def usable_cores() -> int:
    """The cores this process may use, which in a container is fewer than the machine has."""
    import os

    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def open_session(weights: Path, threads: int) -> Any:  # onnxruntime ships no types
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra(
            "onnxruntime is not installed", "the model runs on it", "run: pip install onnxruntime"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # a plan for every length met would be kept for ever
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelMissing(
            f"the model file {weights} cannot be opened",
            str(error).splitlines()[0][:300],
            f"delete it and run: kb models pull {weights.parent.name}",
        ) from error


def _longest_first(texts: Sequence[str]) -> list[int]:
    """So that no thread is left alone with a long text at the end."""
    return sorted(range(len(texts)), key=lambda at: -len(texts[at]))


def _of_length_one(rows: Vectors) -> Vectors:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise EmbeddingError(
            "the model answered with something that is no number",
            "its arithmetic does not work on this processor",
            "choose another model: kb models list",
        )
    unit: Vectors = (rows / np.maximum(lengths, 1e-12)).astype(np.float32, copy=False)
    return unit
