"""The 44 English words that carry grammar and no topic.

Used where words are shown or weighed one by one (what to highlight, what a query is about).
Retrieval does not drop them: BM25 gives them next to nothing already, measured the same with
and without, and a query of nothing else must still find "to be or not to be".
"""

from __future__ import annotations

STOP_WORDS = frozenset({
    "a", "about", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do",
    "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "of", "on", "or", "that", "the", "these", "they", "this", "to", "was", "we", "were",
    "what", "which", "with", "you",
})  # fmt: skip
