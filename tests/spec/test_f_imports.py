"""Failure F18: rows that were imported and are missing from the full-text index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import scrubjay


def test_f018_imported_rows_are_in_the_index_at_once(place: str, tmp_path: Path, write: Callable[..., Path]) -> None:
    with scrubjay.open(place) as kb:
        texts = {f"n{n}": f"note {n} about sourdough and 数据库设计" for n in range(50)}
        kb.notes({"id": id, "text": text, "title": id.upper()} for id, text in texts.items())
        kb.export(tmp_path / "x.jsonl")
    with scrubjay.open(tmp_path / "new.db") as kb:
        assert kb.import_(tmp_path / "x.jsonl").added == 50
        for query in ("sourdough", "数据库"):
            assert len(kb.search(query, mode="keyword", top=100).hits) == 50
        ask = kb.store._connection.execute  # type: ignore[attr-defined]
        assert ask("SELECT count(*) FROM chunks_fts_docsize").get == ask("SELECT count(*) FROM chunks").get == 50
        for table in ("chunks_fts", "chunks_trigram"):
            ask(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
        assert kb.import_(write("one.jsonl", '{"text": "zymurgy"}\n')).added == 1
        assert len(kb.search("zymurgy", mode="keyword").hits) == 1
