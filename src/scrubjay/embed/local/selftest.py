"""Refuse a model that gives wrong vectors on this processor, once, when it is first loaded here.

An int8 model on a processor without the right instructions can overflow without a word: everything
runs, and the results are noise. So a few texts are embedded and compared with the vectors that the
verified run gave. The answer is kept in a stamp beside the model and holds for this processor, this
onnxruntime and this very file; when any of them changes, the file is hashed and tested again.
"""

from __future__ import annotations

import os

from scrubjay.embed.local.verify import is_sound
from scrubjay.errors import EmbeddingError, ModelMissing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scrubjay.embed.local.catalogue import ModelCard
    from scrubjay.ports import Embedder

ENOUGH = 0.97  # the least cosine to the reference; honest differences between processors stay above .98
STAMP = ".checked"


def check(embedder: Embedder, card: ModelCard, home: Path) -> None:
    """Nothing when the model was already found good here; else test it, and raise if it is not."""
    now = _circumstances(card, home)
    stamp = home / STAMP
    try:
        if stamp.read_text(encoding="utf-8") == now:
            return
    except OSError:
        pass
    for file in card.files:
        if not is_sound(home / file.name, file):
            raise ModelMissing(
                f"{home / file.name} is not the published file",
                "its size or its SHA-256 differs",
                f"run: kb models pull {card.name}",
            )
    self_test(embedder, card)
    try:
        stamp.write_text(now, encoding="utf-8")
    except OSError:
        return  # a folder that cannot be written costs the test at every start, nothing else


def self_test(embedder: Embedder, card: ModelCard) -> float:
    """The worst cosine over the probes, or EmbeddingError."""
    import numpy as np

    texts, expected = probes_of(card)
    found = embedder.embed(texts, "document")
    reference = np.array(expected, np.float32)
    reference /= np.linalg.norm(reference, axis=1, keepdims=True)
    worst = float((found * reference).sum(axis=1).min())
    if not worst >= ENOUGH:
        raise EmbeddingError(
            f"the model {card.name} gives wrong vectors on this processor",
            f"the cosine to the reference is {worst:.3f}, at least {ENOUGH} is needed; int8 arithmetic overflows"
            " on some processors",
            "choose another model (kb models list; wordllama-256 runs everywhere), or another onnxruntime version",
        )
    return worst


def probes_of(card: ModelCard) -> tuple[list[str], list[Sequence[int]]]:
    """The probe texts and their reference vectors, rounded to bytes."""
    import base64
    import json
    from array import array
    from importlib.resources import files

    written = json.loads(files(__package__).joinpath("probes.json").read_text(encoding="utf-8"))
    found = written[card.name]
    return [probe["text"] for probe in found], [array("b", base64.b64decode(probe["vector"])) for probe in found]


def _circumstances(card: ModelCard, home: Path) -> str:
    """One line that changes when the test should be made again."""
    state = os.stat(home / card.weights.name)
    runtime = ""
    if card.runtime == "onnx":
        import onnxruntime

        runtime = onnxruntime.__version__
    return f"{card.revision} {state.st_size} {state.st_mtime_ns} onnxruntime={runtime} {_processor()}\n"


def _processor() -> str:
    """The processor's name and abilities. Virtual machines hide the name, the abilities tell."""
    import zlib

    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            first = file.read(8192).split("\n\n")[0]
        told = [line for line in first.splitlines() if line.startswith(("model name", "flags", "Features", "CPU part"))]
        description = "\n".join(told)
    except OSError:
        import platform

        description = f"{platform.processor()} {platform.machine()}"
    return f"cpu={zlib.crc32(description.encode()):08x}"
