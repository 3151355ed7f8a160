"""The errors a person can meet, each with what happened, why, and the cure.

    ScrubjayError                     exit 1
    ├── UsageError                    exit 2: the request itself is wrong
    │   ├── UnknownSetting
    │   └── NoEmbedder                asked for vectors where none can be made
    ├── BaseError                     the file that holds everything
    │   ├── BaseMissing
    │   ├── NotABase                  the file is something else, or damaged
    │   ├── BaseTooNew                written by a newer scrubjay
    │   ├── BaseLocked
    │   ├── BaseReadOnly
    │   └── BaseFull                  no space left on the disk
    ├── ReadError                     one file that could not be read (a notice while adding)
    │   └── NotText                   bytes without text: left out while adding
    ├── UnknownId
    ├── DuplicateId
    ├── EmbeddingError                an embedder failed or answered nonsense
    │   └── ModelMismatch             the stored vectors are another model's
    ├── RerankError
    ├── DeadlinePassed                a part of a search did not end in time (a notice)
    ├── ModelMissing                  a local model is not installed
    └── MissingExtra                  an optional library is not installed

Every error prints as three short sentences, so nobody has to guess what to do next.
"""

from __future__ import annotations


class ScrubjayError(Exception):
    """The root: `what` happened, `why`, and the `cure`."""

    exit_code = 1

    def __init__(self, what: str, why: str = "", cure: str = "") -> None:
        super().__init__(what, why, cure)
        self.what = what
        self.why = why
        self.cure = cure

    def __str__(self) -> str:
        parts = [self.what]
        if self.why:
            parts.append(f"Why: {self.why}")
        if self.cure:
            parts.append(f"Cure: {self.cure}")
        return "\n".join(parts)


class UsageError(ScrubjayError):
    """The request is wrong in itself: an unknown type, two flags that exclude each other."""

    exit_code = 2


class UnknownSetting(UsageError):
    """A setting name that is not in the table, or a value it cannot take."""


class NoEmbedder(UsageError):
    """Vectors were asked for explicitly and nothing here can make them."""


class BaseError(ScrubjayError):
    """Something about the file that holds the base."""


class BaseMissing(BaseError):
    """There is no base at that place."""


class NotABase(BaseError):
    """The file is not a scrubjay base, or is damaged."""


class BaseTooNew(BaseError):
    """The base was written by a newer version of the program."""


class BaseLocked(BaseError):
    """Another process holds the write lock for longer than we wait."""


class BaseReadOnly(BaseError):
    """The base, or its folder, cannot be written."""


class BaseFull(BaseError):
    """The disk is full."""


class ReadError(ScrubjayError):
    """One file could not be read; `kb add` turns it into a notice and goes on."""


class NotText(ReadError):
    """The file holds no text: it is counted as left out, without a notice each."""


class UnknownId(ScrubjayError):
    """No document or chunk has that id."""


class DuplicateId(ScrubjayError):
    """An id that is already taken."""


class EmbeddingError(ScrubjayError):
    """The embedder failed, or its answer cannot be used."""


class ModelMismatch(EmbeddingError):
    """The stored vectors were made by another model, or have another dimension."""


class RerankError(ScrubjayError):
    """The reranker failed, or its answer cannot be used."""


class DeadlinePassed(ScrubjayError):
    """A part of a search did not end in the time that was left."""


class ModelMissing(ScrubjayError):
    """A local model's files are not installed, or are not the ones that were published."""


class MissingExtra(ScrubjayError):
    """An optional library is needed for this and is not installed."""
