"""The 44 English words that carry grammar and no topic, and others that do little more.

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

# They fill a question and point at nothing in it: looked for only when there is nothing else.
# Each was tried alone on judged questions; "there", "would", "some", "their" and "not" lost some
# and are not here (bench/results/expansion.json).
FILLER_WORDS = frozenset({
    "above", "again", "also", "am", "any", "because", "being", "below", "could", "doing", "each", "he", "her", "hers",
    "him", "his", "just", "me", "mine", "my", "no", "nor", "our", "ours", "own", "same", "she", "should", "so", "such",
    "than", "theirs", "them", "then", "those", "too", "up", "us", "very", "when", "where", "who", "whom", "whose",
    "why", "will", "your", "yours",
})  # fmt: skip
