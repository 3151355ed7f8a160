"""Searching while another process adds: nothing locked, nothing stale, in every mode and profile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fakes
import scrubjay
from scrubjay.embed.hashing import HashingEmbedder

ROUNDS = 25
WRITER = f"""
import sys, scrubjay
from scrubjay.embed.hashing import HashingEmbedder
with scrubjay.open(sys.argv[1], embedder=HashingEmbedder(16)) as kb:
    for round in range({ROUNDS}):
        kb.notes([{{"text": f"git log entry {{round}} {{n}}", "tags": ["ops"]}} for n in range(4)])
        print(round + 1, flush=True)  # said only when it is committed
"""


def test_what_another_process_has_said_it_wrote_is_found_at_once(place: str, tmp_path: Path) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("git begin", tags="ops")
        writer = fakes.script(tmp_path, WRITER, place)
        assert writer.stdout is not None
        seen = 0
        for line in writer.stdout:
            written = 1 + 4 * int(line)
            for mode in ("keyword", "vector", "hybrid"):
                for profile in ("kb", "full"):
                    page = kb.search("git log", mode=mode, profile=profile, top=200, tags="ops")
                    assert len(page.hits) >= written, (mode, profile)
                    assert [notice.stage for notice in page.notices] == []
            seen += 1
        assert writer.wait(60) == 0, writer.stderr.read() if writer.stderr else ""
        assert seen == ROUNDS
        assert len(kb.search("git log", top=200).hits) == 1 + 4 * ROUNDS


def test_many_threads_share_an_open_base(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb, ThreadPoolExecutor(6) as pool:
        kb.notes({"text": f"git log {n}"} for n in range(20))

        def ask(turn: int) -> int:
            if turn % 5 == 0:
                kb.note(f"git push {turn}")
            mode = ("keyword", "vector", "hybrid")[turn % 3]
            return len(kb.search("git", mode=mode, profile=("kb", "full")[turn % 2], top=100).hits)

        found = list(pool.map(ask, range(60)))
        assert min(found) >= 20
        assert len(kb.search("git", top=100).hits) == 32
