"""Moves a cut so that it never falls inside what a reader sees as one character.

An accent, an emoji with its skin tone, a family joined by invisible joiners, a flag, a Korean
syllable: each is several code points and one character. The rules are those of Unicode's
extended grapheme clusters as far as the standard library's tables carry them.
"""

from __future__ import annotations

from unicodedata import category

_JOINER = "\u200d"
_JOINED_ON = (_JOINER, "\u200c", "\uff9e", "\uff9f", "\u0e33", "\u0eb3")  # the last: Thai and Lao am
_EXTENDING = ("Mn", "Me", "Mc")
_LONGEST_CLUSTER = 256  # beyond this it is noise piled on a letter, and has to be cut somewhere


def extends(char: str) -> bool:
    """Whether `char` belongs to the character before it."""
    if char < "\u0300":
        return False
    return (
        category(char) in _EXTENDING
        or char in _JOINED_ON
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= char <= "\U000e007f"  # the letters of regional flags
    )


def is_boundary(text: str, at: int) -> bool:
    """Whether `text` may be cut before position `at`."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return False
    if before in "\r\n" or (before < "\u0300" and after < "\u0300"):
        return True
    if extends(after) or _joins(before, after):
        return False
    return not (_is_flag_letter(after) and _is_flag_letter(before) and _flag_letters_before(text, at) % 2)


def cut_at(text: str, at: int, low: int) -> int:
    """The nearest boundary at or before `at` and after `low`; `at` itself when there is none."""
    floor = max(low, at - _LONGEST_CLUSTER)
    place = at
    while place > floor and not is_boundary(text, place):
        place -= 1
    return place if place > floor else at


def end_of_character(text: str, at: int) -> int:
    """The next boundary at or after `at`; `at` itself in what is noise."""
    place = at
    while place - at < _LONGEST_CLUSTER and not is_boundary(text, place):
        place += 1
    return place if is_boundary(text, place) else at


def _joins(before: str, after: str) -> bool:
    if before == _JOINER:
        return ord(after) >= 0x2000  # pictures are joined; a letter after a joiner stands alone
    if _is_jamo(before) and _is_jamo(after):
        return _syllable_goes_on(ord(before), ord(after))
    return category(before) == "Lo" and before in "\u0e40\u0e41\u0e42\u0e43\u0e44\u0ec0\u0ec1\u0ec2\u0ec3\u0ec4"


def _is_jamo(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff" or "\uac00" <= char <= "\ud7a3"


def _syllable_goes_on(before: int, after: int) -> bool:
    """Leading consonant + vowel, vowel + final, and so on; a whole syllable may take a final."""
    leading, vowel, final = range(0x1100, 0x1160), range(0x1160, 0x11A8), range(0x11A8, 0x1200)
    whole = before >= 0xAC00
    if before in leading:
        return after in leading or after in vowel or after >= 0xAC00
    if before in vowel or (whole and (before - 0xAC00) % 28 == 0):
        return after in vowel or after in final
    return after in final


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_letters_before(text: str, at: int) -> int:
    count = 0
    while count < _LONGEST_CLUSTER and at - count > 0 and _is_flag_letter(text[at - count - 1]):
        count += 1
    return count
