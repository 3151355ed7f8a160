"""The file beside the base and the matrices in memory: always the truth, whatever happened to them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scrubjay.store.sqlite.vectors import blocks, building, cachefile, following, matrix
from store.vectors.vector_bases import Base, clustered, expected, ids

DIM = 24
ROWS = 300


@pytest.fixture(autouse=True)
def small_files(monkeypatch):
    """So that a few hundred rows are worth a file and are scanned in int8."""
    monkeypatch.setattr(following, "SMALL", 64)
    monkeypatch.setattr(following, "SHORT", 8)
    monkeypatch.setattr(matrix, "GATHER_FLOATS", 16)


@pytest.fixture
def filled(make):
    base = make(dim=DIM, chunks=ROWS + 100)
    base.vectors = dict(zip(range(1, ROWS + 1), clustered(ROWS, DIM), strict=True))
    base.put(list(base.vectors), list(base.vectors.values()))
    base.query = base.vectors[7] + 0.05
    base.cache = Path(cachefile.path_of(base.location, base.model))
    return base


def search(base: Base, limit: int = 10) -> list[int]:
    return ids(base.index.nearest(base.model, base.query, limit))


def truth(base: Base, limit: int = 10) -> list[int]:
    return expected(base.vectors, base.query, limit)


def anew(base: Base) -> None:
    """As another process would meet the base."""
    base.index.close()


def main_of(base: Base) -> matrix.Matrix:
    return base.index.engine._follower.view(base.model).parts[0].matrix


def is_mapped(held: np.ndarray) -> bool:
    while isinstance(held, np.ndarray) and held.base is not None:
        held = held.base
    return not isinstance(held, np.ndarray)


def test_the_file_is_made_at_the_first_search_and_used_by_the_next_process(filled):
    assert not filled.cache.exists()
    assert search(filled) == truth(filled)
    made = filled.cache.stat().st_mtime_ns, filled.cache.stat().st_ino
    anew(filled)
    assert search(filled) == truth(filled)
    assert (filled.cache.stat().st_mtime_ns, filled.cache.stat().st_ino) == made
    assert is_mapped(main_of(filled).rows)


def test_a_search_reads_only_the_best_float_rows(filled):
    search(filled)
    held = main_of(filled)
    touched: set[int] = set()

    class Watched(np.ndarray):
        def __getitem__(self, key):
            touched.update(np.atleast_1d(key).tolist())
            return np.asarray(self)[key]

    query = matrix.query_of(np.asarray(filled.query / np.linalg.norm(filled.query)).tolist())
    watched = held._replace(rows=held.rows.view(Watched))
    found, _ = matrix.nearest(watched, query, 5, None, filled.index.engine._kernel)
    assert found.tolist() == truth(filled, 5)
    assert len(touched) < ROWS / 3


@pytest.mark.parametrize(
    "damage",
    [
        lambda f: f.unlink(),
        lambda f: f.write_bytes(b""),
        lambda f: f.write_bytes(b"garbage"),
        lambda f: f.write_bytes(os.urandom(100_000)),
        lambda f: f.write_bytes(f.read_bytes()[:-1]),
        lambda f: f.write_bytes(f.read_bytes()[: cachefile.PAGE]),
        lambda f: f.write_bytes(f.read_bytes() + b"more"),
        lambda f: f.write_bytes(b"X" + f.read_bytes()[1:]),
        lambda f: f.write_bytes(f.read_bytes()[:20] + b"\xff" + f.read_bytes()[21:]),
        lambda f: f.write_bytes(f.read_bytes()[: cachefile.PAGE] + bytes(len(f.read_bytes()) - cachefile.PAGE)),
    ],
    ids=["missing", "empty", "garbage", "noise", "cut", "header only", "longer", "magic", "header", "zeros"],
)
def test_a_file_that_is_not_whole_is_made_again(filled, damage):
    search(filled)
    good = filled.cache.read_bytes()
    anew(filled)
    damage(filled.cache)
    assert search(filled) == truth(filled)
    assert filled.cache.read_bytes() == good


@pytest.mark.parametrize("section", ["index", "steps", "codes", "rows"])
@pytest.mark.parametrize("kernel", [True, False])
def test_damage_inside_is_noticed_wherever_a_search_reads(filled, section, kernel, monkeypatch):
    if not kernel:
        monkeypatch.setattr("scrubjay.store.sqlite.vectors.exact_numpy.simd_kernel", lambda: None)
    search(filled)
    layout = cachefile.Layout(ROWS, DIM, kernel)
    anew(filled)
    if section in ("steps", "codes") and not kernel:
        assert layout.codes == layout.rows
        return
    start = getattr(layout, section)
    end = {"index": layout.steps, "steps": layout.codes, "codes": layout.rows, "rows": layout.end}[section]
    data = bytearray(filled.cache.read_bytes())
    data[start:end] = np.random.default_rng(1).bytes(end - start)
    filled.cache.write_bytes(data)
    assert search(filled) == truth(filled)
    anew(filled)
    assert search(filled) == truth(filled)
    assert filled.cache.read_bytes() != bytes(data)


def test_new_changed_and_removed_vectors_are_seen_without_rewriting_the_file(filled):
    search(filled)
    before = filled.cache.read_bytes()
    other = Base(filled.location, dim=DIM)  # another connection writes
    rng = np.random.default_rng(5)
    for turn in range(20):
        number = ROWS + 1 + turn
        vector = filled.query + rng.standard_normal(DIM) * 0.1
        other.put([number, turn + 1], [vector, -vector])
        other.remove([50 + turn])
        filled.vectors |= {number: vector, turn + 1: -vector}
        del filled.vectors[50 + turn]
        assert search(filled, 30) == truth(filled, 30)
    other.close()
    assert filled.cache.read_bytes() == before
    anew(filled)
    assert search(filled, 400) == truth(filled, 400)
    assert filled.cache.read_bytes() == before


def test_the_file_is_made_again_when_the_news_are_many(filled):
    search(filled)
    before = filled.cache.read_bytes()
    numbers = range(ROWS + 1, ROWS + 81)
    more = dict(zip(numbers, clustered(80, DIM, seed=9), strict=True))
    filled.put(list(more), list(more.values()))
    filled.vectors |= more
    assert search(filled, 50) == truth(filled, 50)
    assert filled.cache.read_bytes() != before
    assert len(main_of(filled).numbers) == ROWS + 80


def test_the_file_is_made_again_when_much_of_it_is_gone(filled):
    search(filled)
    filled.remove(range(1, 120))
    for number in range(1, 120):
        del filled.vectors[number]
    assert search(filled, 50) == truth(filled, 50)
    assert len(main_of(filled).numbers) == ROWS - 119


def test_compacting_disturbs_no_reader(filled):
    for number in range(ROWS + 1, ROWS + 20):
        filled.vectors[number] = filled.query * number + clustered(1, DIM, number)[0]
        filled.put([number], [filled.vectors[number]])
    filled.remove(range(20, 30))
    filled.vectors = {n: v for n, v in filled.vectors.items() if n not in range(20, 30)}
    search(filled)
    before = filled.cache.read_bytes()
    with filled.connection:
        filled.index.compact(filled.model)
    assert filled.connection.execute("SELECT count(*) FROM vector_blocks").get == 1
    assert search(filled, 50) == truth(filled, 50)
    anew(filled)
    assert search(filled, 50) == truth(filled, 50)
    assert filled.cache.read_bytes() == before  # nothing was news to it


def test_a_reader_behind_a_shortened_log_starts_over(filled, monkeypatch):
    monkeypatch.setattr("scrubjay.store.sqlite.vectors.merging.KEPT_LINES", 1)
    search(filled)
    filled.remove(range(1, 12))
    filled.vectors = {n: v for n, v in filled.vectors.items() if n > 11}
    with filled.connection:
        filled.index.compact(filled.model)
    assert filled.connection.execute("SELECT count(*) FROM vector_log").get == 1
    assert search(filled, 50) == truth(filled, 50)
    anew(filled)
    assert search(filled, 50) == truth(filled, 50)


def test_a_base_restored_from_a_copy_is_never_served_the_later_file(filled, make, tmp_path):
    search(filled)
    filled.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(filled.location, tmp_path / "backup.db")
    filled.remove([7])
    filled.put([ROWS + 1], [filled.query])
    filled.cache.unlink()
    anew(filled)
    assert search(filled)[0] == ROWS + 1  # a file of the later state
    filled.close()
    for leftover in ("-wal", "-shm"):
        Path(filled.location + leftover).unlink(missing_ok=True)
    shutil.copy(tmp_path / "backup.db", filled.location)
    restored = make(dim=DIM)
    restored.vectors, restored.query = dict(filled.vectors), filled.query
    for number in (ROWS + 1, ROWS + 2):  # the log reaches the same numbers by another way
        restored.vectors[number] = -filled.query
        restored.put([number], [-filled.query])
    assert search(restored, 50) == truth(restored, 50)


def test_another_bases_file_is_not_taken(filled, make):
    search(filled)
    other = make("other.db", dim=DIM, chunks=ROWS + 100)
    other.vectors = dict(zip(range(1, ROWS + 1), clustered(ROWS, DIM, seed=3), strict=True))
    other.query = filled.query
    other.put(list(other.vectors), list(other.vectors.values()))
    shutil.copy(filled.cache, cachefile.path_of(other.location, other.model))
    assert search(other) == truth(other)


def test_another_model_has_its_own_file_and_a_gone_ones_is_removed(filled):
    search(filled)
    filled.connection.execute("DELETE FROM models")
    filled.model = filled.add_model("m2", DIM)
    filled.put(list(filled.vectors), [-v for v in filled.vectors.values()])
    assert search(filled) == expected({n: -v for n, v in filled.vectors.items()}, filled.query, 10)
    assert not filled.cache.exists()


def test_what_a_killed_process_left_is_removed_in_time(filled):
    old, young = (Path(f"{filled.cache}.1-{age}.tmp") for age in ("old", "young"))
    for file in (old, young):
        file.write_bytes(b"half")
    os.utime(old, (1, 1))
    search(filled)
    assert not old.exists()
    assert young.exists()


def test_a_folder_that_cannot_be_written_is_no_error(filled, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "read-only")

    monkeypatch.setattr("builtins.open", refuse)
    assert search(filled) == truth(filled)
    assert search(filled) == truth(filled)
    assert not filled.cache.exists()
    assert filled.index.notices == []


def test_a_full_disk_leaves_nothing_half_written(filled, monkeypatch):
    monkeypatch.setattr(cachefile.CacheWriter, "put", lambda *a: (_ for _ in ()).throw(OSError(28, "No space left")))
    assert search(filled) == truth(filled)
    assert list(filled.cache.parent.glob("*.cache*")) == []


def test_uncommitted_vectors_never_reach_the_file(filled):
    filled.connection.execute("BEGIN IMMEDIATE")
    filled.index.put(filled.model, [ROWS + 1], [filled.query])
    assert search(filled)[0] == ROWS + 1
    assert not filled.cache.exists()
    filled.connection.execute("ROLLBACK")
    assert search(filled) == truth(filled)


def test_an_open_file_stays_whole_while_another_takes_its_place(filled):
    search(filled)
    held = main_of(filled)
    rows = held.rows.copy()
    filled.cache.unlink()
    anew(filled)
    search(filled)
    assert (held.rows == rows).all()


def test_vectors_are_read_back_from_all_parts(filled):
    search(filled)
    filled.put([3, ROWS + 5], [filled.query, filled.query])
    numbers, rows = filled.index.vectors_of(filled.model, [3, 4, ROWS + 5, ROWS + 6])
    unit = filled.query / np.linalg.norm(filled.query)
    assert list(numbers) == [3, 4, ROWS + 5]
    assert np.abs(rows[[0, 2]] - unit).max() < 1e-6


def test_two_processes_may_make_the_file_at_once(filled):
    mark = blocks.latest(filled.connection)
    found = blocks.extents(filled.connection, filled.model, [])
    writers = [cachefile.CacheWriter(str(filled.cache), filled.model, mark) for _ in range(2)]
    for writer in writers:
        assert building._fill(filled.connection, found, DIM, writer, True) == set()
    made = [writer.finish() for writer in writers]
    assert (made[0].rows == made[1].rows).all()
    assert [file.name for file in filled.cache.parent.glob("*.cache*")] == [filled.cache.name]
    assert search(filled) == truth(filled)


WRITER = """
import sys
sys.path[:0] = sys.argv[1:3]
from store.vectors.vector_bases import Base
base = Base(sys.argv[3], dim=24)
for line in sys.stdin:
    base.put([int(line)], [[1.0] * 24])
    print("written", flush=True)
"""

KILLED = """
import os, signal, sys
sys.path[:0] = sys.argv[1:3]
from store.vectors.vector_bases import Base
from scrubjay.store.sqlite.vectors import cachefile, following
following.SMALL = 64
real = cachefile.CacheWriter._write
def write(self, position, values):
    if position == 0:  # all but the header is there
        self._file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    real(self, position, values)
cachefile.CacheWriter._write = write
base = Base(sys.argv[3], dim=24)
base.index.nearest(base.model, [1.0] * 24, 3)
"""


def paths(base: Base) -> list[str]:
    return [str(Path(__file__).parents[3] / "src"), str(Path(__file__).parents[2]), base.location]


def test_another_processes_write_is_in_the_next_answer(filled):
    search(filled)
    command = [sys.executable, "-c", WRITER, *paths(filled)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        for number in (ROWS + 1, ROWS + 2):
            print(number, file=writer.stdin, flush=True)
            assert writer.stdout.readline() == "written\n"
            filled.vectors[number] = np.ones(DIM)
            assert ids(filled.index.nearest(filled.model, [1.0] * DIM, 3)) == expected(filled.vectors, [1.0] * DIM, 3)
        writer.stdin.close()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_killed_while_the_file_was_written(filled):
    killed = subprocess.run([sys.executable, "-c", KILLED, *paths(filled)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not filled.cache.exists()
    assert search(filled) == truth(filled)
    assert filled.cache.exists()
