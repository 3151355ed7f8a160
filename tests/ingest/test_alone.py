"""One process embeds a base at a time, and the lock ends with whoever held it."""

from __future__ import annotations

from pathlib import Path

from fakes import script
from scrubjay.ingest.alone import alone

HOLDS = """
import sys
from scrubjay.ingest.alone import alone
with alone(sys.argv[1]) as free:
    print(free, flush=True)
    sys.stdin.readline()
"""


def test_the_second_is_told(place: str, tmp_path: Path) -> None:
    Path(place).touch()
    with alone(place) as first, alone(place) as second:
        assert (first, second) == (True, False)
    with alone(place) as third:
        assert third
    assert list(tmp_path.glob("*.lock")) == []


def test_two_processes(place: str, tmp_path: Path) -> None:
    Path(place).touch()
    other = script(tmp_path, HOLDS, place)
    assert other.stdout is not None
    assert other.stdout.readline() == "True\n"
    with alone(place) as free:
        assert not free
    other.communicate("\n", timeout=60)
    with alone(place) as free:
        assert free


def test_a_killed_process_holds_nothing(place: str, tmp_path: Path) -> None:
    Path(place).touch()
    other = script(tmp_path, HOLDS, place)
    assert other.stdout is not None
    assert other.stdout.readline() == "True\n"
    other.kill()
    other.communicate(timeout=60)
    with alone(place) as free:
        assert free


def test_a_base_in_memory_is_always_alone() -> None:
    with alone(":memory:") as one, alone(":memory:") as two:
        assert (one, two) == (True, True)


def test_a_fault_inside_frees_it(place: str) -> None:
    Path(place).touch()
    try:
        with alone(place):
            raise KeyError
    except KeyError:
        pass
    with alone(place) as free:
        assert free
