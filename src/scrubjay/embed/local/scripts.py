"""Which scripts a text is written in, and whether a model can read it.

A model answers every query, also one in a script it never learnt, and then answers nonsense that
drags good keyword hits down (Chinese questions fell from .964 to .615 with an English model). Whether
the script is covered can be told from the letters alone, in microseconds, before the model is asked.
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.embed.local.catalogue import ModelCard

# One ideograph or syllable says about as much as three letters of an alphabet.
WEIGHTS = {"han": 3, "kana": 2, "hangul": 3}
# All of 2,431 Japanese questions and documents have more kana than this, and one of 1,848 Chinese ones has;
# without the rule a model for Chinese would be asked 456 of 1,000 Japanese questions.
JAPANESE = 0.06
RANGES = {
    "latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua7ff"
    "\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a",
    "han": "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "kana": "\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "hangul": "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc",
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    "greek": "\u0370-\u037d\u037f-\u03ff\u1f00-\u1fff",
    "arabic": "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
    "hebrew": "\u05d0-\u05f2\ufb1d-\ufb4f",
    "indic": "\u0900-\u0dff",
    "thai": "\u0e01-\u0e4e",
}
LETTERS = "|".join(f"(?P<{script}>[{letters}]+)" for script, letters in RANGES.items()) + r"|(?P<other>[^\W\d_])"


def script_share(text: str) -> dict[str, float]:
    """The share of each script in what the text says; empty where there is no letter at all."""
    if text.isascii():
        return {"latin": 1.0} if re.search("[A-Za-z]", text) else {}
    counts: dict[str, int] = {}
    for run in re.finditer(LETTERS, text):  # compiled when first needed, then kept by `re`
        script = run.lastgroup or "other"
        counts[script] = counts.get(script, 0) + (run.end() - run.start()) * WEIGHTS.get(script, 1)
    total = sum(counts.values())
    return {script: count / total for script, count in counts.items()}


def covers(card: ModelCard, text: str) -> bool:
    """False for a text that is mostly in scripts the model did not learn. Numbers and signs are covered."""
    shares = script_share(text)
    read = card.scripts
    if shares.get("kana", 0.0) >= JAPANESE and "kana" not in read:
        read = read - {"han"}  # the ideographs of a Japanese text are Japanese words
    return not shares or sum(share for script, share in shares.items() if script in read) >= 0.5
