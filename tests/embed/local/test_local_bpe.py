"""Our byte-pair encoding gives the ids that the reference library gives, over any text."""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.embed.local.bpe import CACHED_WORDS, LONGEST_WORD, SPACE, BytePairs

MERGES = [
    "▁ t",
    "e r",
    "▁ a",
    "h e",
    "i n",
    "▁t he",
    "in g",
    "▁ ▁",
    "▁▁ ▁▁",
    "a a",
    "aa a",
    "aa aa",
    "l l",
    "▁a ll",
    "é r",
]
SYMBOLS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), SPACE, *"abcdefghilnrstué库"]
VOCABULARY = {word: at for at, word in enumerate([*SYMBOLS, *(merge.replace(" ", "") for merge in MERGES)])}


@functools.cache
def reference() -> Any:
    import tokenizers
    from tokenizers import models, normalizers

    pairs = [tuple(merge.split(" ")) for merge in MERGES]
    made = tokenizers.Tokenizer(models.BPE(VOCABULARY, pairs, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend(SPACE), normalizers.Replace(" ", SPACE)])
    made.add_special_tokens(["<unk>", "<s>", "</s>"])
    return made


@functools.cache
def ours() -> BytePairs:
    return BytePairs(VOCABULARY, MERGES)


texts = st.text(
    st.one_of(st.sampled_from("the all aaaa inger  é库x▁<s>"), st.characters(exclude_categories=["Cs"])), max_size=50
)


@given(texts)
@example("the  all    aaaaaaa therein <s>the</s> é 库 ☃ \n")
@example("")
@example(" ")
@example("▁▁the▁")
def test_any_text_gives_the_reference_ids(text: str) -> None:
    assert ours().encode(text, 10_000) == reference().encode(text, add_special_tokens=False).ids


@given(texts, st.integers(0, 20))
def test_the_limit_cuts(text: str, limit: int) -> None:
    assert ours().encode(text, limit) == ours().encode(text, 10_000)[:limit]


def test_a_word_without_end_is_merged_in_parts() -> None:
    ids = ours().encode("a" * (3 * LONGEST_WORD), 10_000)
    back = {number: word for word, number in VOCABULARY.items()}
    assert "".join(back[number] for number in ids) == SPACE + "a" * (3 * LONGEST_WORD)


def test_half_a_surrogate_pair_is_no_reason_to_fail() -> None:
    assert ours().encode("a\ud800", 10)


def test_the_cache_of_words_does_not_grow_for_ever() -> None:
    made = BytePairs(VOCABULARY, MERGES)
    made.encode(" ".join(map(chr, range(0x20000, 0x20000 + CACHED_WORDS + 10))), 1_000_000)
    assert len(made._words) <= CACHED_WORDS
