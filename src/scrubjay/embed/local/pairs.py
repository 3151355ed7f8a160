"""Run a cross-encoder: a model that reads a question and a passage together and says how well they fit.

None is in the catalogue, because none could be fetched, hashed and run when that was made; so it is a
folder of the user's own, and all that is known of it is what its two files say. Everything that can be
wrong with them is told as what, why and cure: a search goes on without it.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from scrubjay.embed.local.onnx import open_session, spread, usable_cores
from scrubjay.embed.local.tokenizers import wordpiece_of
from scrubjay.errors import MissingExtra, RerankError, ScrubjayError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scrubjay.embed.local.wordpiece import WordPiece

WEIGHTS, VOCABULARY = "model.onnx", "tokenizer.json"
MOST_TOKENS = 512  # what models of the BERT family were trained to read
MOST_ASKED = 128  # of these for the question; the rest, at least, is the passage's
CURE = "Put model.onnx and tokenizer.json of a cross-encoder with a WordPiece vocabulary there (docs/models.md)."


class PairModel:
    """A cross-encoder in a folder. Nothing but the presence of its files is looked at before it is used."""

    def __init__(self, folder: str, threads: int | None = None) -> None:
        self._home = Path(folder).expanduser()
        self.name = self._home.name
        self._threads = threads or usable_cores()
        self._opening = Lock()
        self._opened: tuple[WordPiece, Any] | None = None
        for what in ("", WEIGHTS, VOCABULARY):
            if not (self._home / what).exists():
                why = f"There is no {what} in {self._home}." if what else f"There is no folder {self._home}."
                raise RerankError("The cross-encoder is not there.", why, CURE)

    def logits(self, query: str, passages: Sequence[str]) -> list[float]:
        """What the model says of each passage, in order: higher is better, of no certain scale."""
        tokens, session = self._ready()
        asked = tokens.encode(query, MOST_ASKED)
        found = [0.0] * len(passages)

        def one(at: int) -> None:
            told = tokens.encode(passages[at], MOST_TOKENS - len(asked) + 1)[1:]
            found[at] = self._logit(session, asked, told)

        spread(one, sorted(range(len(passages)), key=lambda at: -len(passages[at])), self._threads)
        return found

    def _ready(self) -> tuple[WordPiece, Any]:
        with self._opening:
            if self._opened is None:
                self._opened = (self._vocabulary(), self._session())
            return self._opened

    def _vocabulary(self) -> WordPiece:
        path = self._home / VOCABULARY
        try:
            return wordpiece_of(path)
        except ScrubjayError as error:
            raise RerankError(f"The file {path} cannot be read.", error.why, CURE) from error
        except (KeyError, TypeError, AttributeError) as error:
            raise RerankError(f"The vocabulary {path} cannot be used.", "It is not WordPiece.", CURE) from error

    def _session(self) -> Any:
        """One thread a pair, as embedding many texts does: none of them waits for another."""
        try:
            return open_session(self._home / WEIGHTS, 1)
        except MissingExtra as error:
            raise RerankError(f"The cross-encoder cannot run: {error.what}.", error.why, error.cure) from error
        except ScrubjayError as error:
            raise RerankError(f"The file {self._home / WEIGHTS} cannot be opened.", error.why, CURE) from error

    def _logit(self, session: Any, asked: list[int], told: list[int]) -> float:
        import numpy as np

        ids = np.array([asked + told], np.int64)
        kinds = np.array([[0] * len(asked) + [1] * len(told)], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        try:
            answer = np.asarray(session.run(None, {one.name: given[one.name] for one in session.get_inputs()})[0])
        except Exception as error:  # onnxruntime raises its own kinds, none of them documented
            why = str(error).splitlines()[0][:300] if str(error) else type(error).__name__
            raise RerankError(f"The cross-encoder {self.name} failed on a pair.", why, CURE) from error
        if answer.size != 1:
            why = f"It answers a pair with {answer.size} numbers of shape {answer.shape}, not with one."
            raise RerankError(f"The model {self.name} is no cross-encoder.", why, CURE)
        return float(answer.reshape(-1)[0])
