"""Our WordPiece gives the ids that the reference library gives, over any text."""

from __future__ import annotations

import functools
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embed.local.tiny_models import VOCABULARY
from scrubjay.embed.local.wordpiece import CACHED_WORDS, RECLASSIFIED, WordPiece


@functools.cache
def reference(lowercase: bool) -> Any:
    import tokenizers
    from tokenizers import models, normalizers, pre_tokenizers, processors

    made = tokenizers.Tokenizer(models.WordPiece(VOCABULARY, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", VOCABULARY["[CLS]"]), ("[SEP]", VOCABULARY["[SEP]"])]
    )
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return made


@functools.cache
def ours(lowercase: bool) -> WordPiece:
    return WordPiece(VOCABULARY, lowercase=lowercase)


@functools.cache
def settled(char: str) -> bool:
    """Whether both sides' Unicode tables say the same of a character: they are of different years."""
    normal = reference(True).normalizer.normalize_str(f"a{char}a")
    words = [word for word, _ in reference(True).pre_tokenizer.pre_tokenize_str(normal)]
    return words == f"a{char}a".translate(ours(True)._normal).split()


characters = st.characters(exclude_categories=("Cs", "Cn")).filter(settled)
texts = st.text(st.one_of(characters, st.sampled_from("the install ing é É 库 数 [ ] , \t\n\u3000İΣß")), max_size=60)


@given(texts, st.booleans())
@example("a[SEP]b [MASK] x[CLS] [sep] [UNK", True)
@example("Installing the GIT, naïvely: ÉCOLE ΣΑΣ İstanbul 数据库git库", True)
@example("Installing the GIT, naïvely: ÉCOLE 数据库git库", False)
@example("x" * 100 + " " + "x" * 101, True)
@example("a\u0301\u0323e\u200d\u00ad\ufffd\x00\x0b\x85b", True)
@example("", True)
def test_any_text_gives_the_reference_ids(text: str, lowercase: bool) -> None:
    assert ours(lowercase).encode(text, 10_000) == reference(lowercase).encode(text).ids


def test_only_characters_of_later_unicode_differ() -> None:
    """All of Unicode 3.2 agrees; what differs was assigned, or reclassified, long after."""
    old = [chr(code) for code in range(0x110000) if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs", "Co")]
    old = [char for char in old if not "\u3401" < char < "\ud7a0" and char < "\U00020001"]  # all ideographs are alike
    assert [hex(ord(char)) for char in old if not settled(char)] == []


def test_reclassified_characters_follow_the_reference() -> None:
    assert all(settled(chr(code)) for code in RECLASSIFIED)


@given(texts, st.integers(2, 12))
def test_a_long_text_is_cut_and_still_ends_with_its_mark(text: str, limit: int) -> None:
    whole = ours(True).encode(text, 10_000)
    cut = ours(True).encode(text, limit)
    assert cut == (whole if len(whole) <= limit else [*whole[: limit - 1], VOCABULARY["[SEP]"]])


def test_the_cache_of_words_does_not_grow_for_ever() -> None:
    made = WordPiece(VOCABULARY)
    made.encode(" ".join(str(number) for number in range(CACHED_WORDS + 10)), 1_000_000)
    assert len(made._words) <= CACHED_WORDS


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_surrogate_pair_is_no_reason_to_fail(text: str) -> None:
    assert ours(True).encode(text, 10)[0] == VOCABULARY["[CLS]"]
