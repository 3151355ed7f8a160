"""Bases and texts for measuring: as large as asked, like real ones where that decides the time, always the same.

Words follow Zipf's law (a few stand nearly everywhere, most are rare), every passage has a subject
whose words come again and again, and lengths scatter around 106 words as notes' do. Vectors have
subjects of very unequal size in a space with a common mean and a falling spectrum. Links run mostly
within a subject, and a few documents are linked from everywhere.
"""

from __future__ import annotations

import itertools
import os
import platform
import statistics
import time
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import Draft, ModelIdentity, Piece
from scrubjay.types.graph import FoundEdge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

VOCABULARY = 40_000
SUBJECTS = 2_000
WORDS = 106  # in a passage, on the average
PER_DOCUMENT = 5  # passages
# English as it is asked: the words that join the others stand at the head of Zipf's law.
COMMON = (  # noqa: SIM905 - a sentence is easier to look over than a list of words
    "the of and to a in is that for it as was with be by on not he this are or his from at which but have an had"
    " they you were their one all we can her has there been if more when will would who so no what how do does why"
    " where should about into than"
).split()
ASKED = (
    "how do i {} the {} of {} when {} is {}",
    "why does the {} {} not {} with {}",
    "what is the {} of {} {} for {}",
)


class Query(NamedTuple):
    """What is asked, in words and as a vector."""

    text: str
    vector: Sequence[float]


class Corpus:
    """Passages by their number: the same number is always the same text."""

    def __init__(self, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self._seed = seed
        self.words = [*COMMON, *_invented(rng, VOCABULARY - len(COMMON))]
        share = 1 / np.arange(1, VOCABULARY + 1)
        self._sum = np.cumsum(share / share.sum())
        self._subjects = rng.integers(len(COMMON), VOCABULARY, (SUBJECTS, 40))

    def passages(self, count: int, first: int = 0) -> Iterator[str]:
        for start in range(first, first + count, 1000):
            yield from self._thousand(start)[: first + count - start]

    def _thousand(self, start: int) -> list[str]:
        rng = np.random.default_rng((self._seed, start))
        lengths = np.clip(rng.normal(WORDS, 30, 1000), 20, 135).astype(np.int64)
        drawn = np.searchsorted(self._sum, rng.random(int(lengths.sum())))
        ends = np.cumsum(lengths)
        made = []
        for number, (end, length) in enumerate(zip(ends.tolist(), lengths.tolist(), strict=True)):
            own = drawn[end - length : end]
            about = rng.random(length) < 0.25
            subject = self._subjects[subject_of(start + number)]
            own[about] = subject[rng.integers(0, len(subject), int(about.sum()))]
            words = [self.words[place] for place in own.tolist()]
            for at in range(0, length, 14):
                words[at] = words[at].capitalize()
            made.append(" ".join(words) + ".")
        return made

    def short(self, count: int, seed: int = 5) -> list[str]:
        """Two or three telling words, as people type them."""
        rng = np.random.default_rng(seed)
        return [" ".join(self._telling(rng, int(rng.integers(2, 4)))) for _ in range(count)]

    def questions(self, count: int, seed: int = 6) -> list[str]:
        """Whole sentences, half of whose words stand nearly everywhere."""
        rng = np.random.default_rng(seed)
        asked = itertools.islice(itertools.cycle(ASKED), count)
        return [form.format(*self._telling(rng, form.count("{}"))) for form in asked]

    def _telling(self, rng: np.random.Generator, count: int) -> list[str]:
        """Words of one subject and words of every frequency, the frequent ones more often."""
        subject = self._subjects[int(rng.integers(SUBJECTS))]
        own = [self.words[int(place)] for place in rng.choice(subject, count)]
        ranks = np.exp(rng.uniform(np.log(len(COMMON)), np.log(8000), count)).astype(int)
        return [word if rng.random() < 0.4 else self.words[int(rank)] for word, rank in zip(own, ranks, strict=True)]


def subject_of(number: int) -> int:
    """Documents keep to a subject; some subjects have very many documents."""
    draw = (number // PER_DOCUMENT * 2654435761 % 2**32) / 2**32
    return int(SUBJECTS * draw**3)


def _invented(rng: np.random.Generator, count: int) -> list[str]:
    onsets = [*"bcdfghjklmnprstvwz", "br", "ch", "cl", "cr", "dr", "fl", "gr", "pl", "sh", "sl", "sp", "st", "th", "tr"]
    ends = ["", "", "", *"nrsl", "t", "nd", "rm", "ck"]
    made: dict[str, None] = {}
    while len(made) < count:
        syllables = int(rng.integers(1, 5))
        word = "".join(onsets[int(rng.integers(len(onsets)))] + "aeiou"[int(rng.integers(5))] for _ in range(syllables))
        made.setdefault(word + ends[int(rng.integers(len(ends)))])
    return sorted(made, key=lambda word: len(word) + rng.normal(0, 2))  # what is said often is short


def like_texts(rows: int, dim: int, seed: int) -> Floats:
    """Subjects of very unequal size in a space with a common mean and a falling spectrum."""
    rng = np.random.default_rng(7)
    strength = (np.arange(1, dim + 1) ** -0.5).astype(np.float32)
    topics = rng.standard_normal((3000, dim), dtype=np.float32) * strength
    mean = rng.standard_normal(dim, dtype=np.float32) * strength * 1.5
    rng = np.random.default_rng(seed)
    of = np.minimum(rng.zipf(1.3, rows) - 1, 2999)
    noise = rng.standard_normal((rows, dim), dtype=np.float32) * strength
    made: Floats = mean + topics[of] + 0.7 * noise
    return made


def unit(rows: Floats) -> Floats:
    made: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return made


def documents(corpus: Corpus, passages: int) -> Iterator[tuple[Draft, list[Piece]]]:
    """Files of five passages each, with a title, headings, a path, tags and a date."""
    texts = corpus.passages(passages)
    for number in range(passages // PER_DOCUMENT):
        words = [corpus.words[int(place)] for place in corpus._subjects[subject_of(number * PER_DOCUMENT)][:6]]
        folder, name = f"folder{number % 100:02d}", f"{words[number % 6]}-{number}.md"
        tags = tuple(t for t, every in (("one-in-hundred", 100), ("one-in-ten", 10)) if number * 7 % every == 0)
        draft = Draft(
            f"{words[number % 3]} {words[3 + number % 3]} {number}", "markdown", path=f"/notes/{folder}/{name}",
            path_words=f"{folder} {name}", created_at=f"{2010 + number % 16}-{1 + number % 12:02d}-01", tags=tags,
        )  # fmt: skip
        pieces = [
            Piece(text, (1 + 10 * place, 10 + 10 * place), trail=(draft.title, f"part {place}"))
            for place, text in enumerate(itertools.islice(texts, PER_DOCUMENT))
        ]
        yield draft, pieces


def fill(location: str, passages: int, *, dim: int = 384, edges: int = 0) -> None:
    """A base with vectors and links. Made through the store, as `kb add` makes one."""
    store = SqliteStore(location)
    corpus = Corpus()
    for batch in batches(documents(corpus, passages), 1000):
        store.put_many(batch)
    if dim:
        model = store.use_model(ModelIdentity("given", dim))
        rows = like_texts(passages, dim, 1)
        for start in range(0, passages, 4096):
            part = range(start, min(start + 4096, passages))
            known = [(number + 1, f"passage {number}") for number in part]
            store.put_vectors(model, known, cast("Sequence[Any]", rows[start : part.stop]))
        store.tidy_vectors(model)
    if edges:
        with store.writing():
            store.graph.linking.put_found(_links(passages, edges))
    with store.writing():  # as if everything had been looked through for links
        store.graph.linking.was_read(range(1, passages + 1))
    store.close()


def _links(passages: int, edges: int) -> Iterator[FoundEdge]:
    """From a passage to a document: near in half of the cases, else anywhere, the famous ones more often."""
    rng = np.random.default_rng(3)
    count = passages // PER_DOCUMENT
    seen: set[tuple[int, int]] = set()
    while len(seen) < edges:
        source = int(rng.integers(passages)) + 1
        own = (source - 1) // PER_DOCUMENT + 1
        near = own + int(rng.integers(-50, 51)) if rng.random() < 0.5 else 1 + int(count * float(rng.random()) ** 3)
        target = min(max(near, 1), count)
        if target != own and (source, target) not in seen:
            seen.add((source, target))
            yield FoundEdge(own, source, target, 0, "links", "link", 1.0, "", f"n:{target}", "")


def batches(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while part := list(itertools.islice(items, size)):
        yield part


def allowed(passages: int, share: float) -> array[int]:
    chosen = np.random.default_rng(4).choice(passages, int(passages * share), replace=False)
    return array("q", (np.sort(chosen) + 1).tolist())


def cpu(action: Callable[[], object]) -> float:
    """CPU milliseconds of one run, of all threads of this process."""
    began = time.process_time()
    action()
    return (time.process_time() - began) * 1000


def middle(values: Sequence[float]) -> float:
    return round(statistics.median(values), 3)


def machine() -> dict[str, Any]:
    return {"python": platform.python_version(), "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count()}  # fmt: skip
