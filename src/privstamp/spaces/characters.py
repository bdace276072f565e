"""The sketch of a text: every character replaced by a typical one of its sort.

A sketch is as long as its text, so offsets agree, and knows some twenty sorts, so one plain
regular expression can cut text of any script. ASCII stands for itself.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from privstamp.errors import InputError
from privstamp.types import PASSING

UPPER: Final = "À"  # Latin capital
LOWER: Final = "à"  # any other Latin letter
MARK: Final = "\u0301"  # combining mark: belongs to what stands before it
SPACED: Final = "я"  # letter of another script that puts blanks between words
UNSPACED: Final = "一"  # letter of a script that does not
SYMBOL: Final = "§"
CURRENCY: Final = "$"
SPACE: Final = "\xa0"
CONTROL: Final = "\x01"
PICTURE: Final = "😀"
REGION: Final = "🇦"  # half a flag
TONE: Final = "🏽"
PRESENTATION: Final = "\ufe0f"  # asks for a symbol to be drawn as text or as a picture
KEYCAP: Final = "\u20e3"
TAG: Final = "\U000e0061"
JOINER: Final = "\u200d"
NON_JOINER: Final = "\u200c"  # also the soft hyphen: both stand inside words
SURROGATE: Final = "\ud800"

_PICTURES: Final = (
    range(0x1F000, 0x1FB00),
    range(0x2600, 0x27C0),
    range(0x231A, 0x231C),
    range(0x23E9, 0x23FB),
    range(0x2B1B, 0x2B1D),
    range(0x2B50, 0x2B56),
)
_UNSPACED_NAMES: Final = (
    *("CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "IDEOGRAPHIC", "YI "),
    *("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE", "TAI ", "NEW TAI"),
)
_PASSING: Final = {"‘": "'", "’": "'", "“": '"', "”": '"'}
_SINGLE: Final = {
    "\u200d": JOINER,
    "\u200c": NON_JOINER,
    "\xad": NON_JOINER,
    "\ufe0e": PRESENTATION,
    "\ufe0f": PRESENTATION,
    "\u20e3": KEYCAP,
    "\x85": SPACE,
    "׳": MARK,  # Hebrew geresh and gershayim stand inside abbreviations
    "״": MARK,
}


def sort_of(character: str) -> str:
    """The typical character of this one's sort. Only passing characters become passing ones."""
    if character.isascii():
        return character
    if character in PASSING:
        return _PASSING.get(character, " ")
    if character in _SINGLE:
        return _SINGLE[character]
    point, category = ord(character), unicodedata.category(character)
    if 0x1F1E6 <= point <= 0x1F1FF:
        return REGION
    if 0x1F3FB <= point <= 0x1F3FF:
        return TONE
    if any(point in pictures for pictures in _PICTURES) and category != "Sc":
        return PICTURE
    if 0xE0020 <= point <= 0xE007F:
        return TAG
    if category[0] == "L" or category == "Nl":
        return _letter(character, category)
    if category == "Nd":
        return "0"
    if category[0] == "M":
        return MARK
    if category[0] == "Z":
        return SPACE
    if category == "Sc":
        return CURRENCY
    if category == "Cs":
        return SURROGATE
    return CONTROL if category[0] == "C" else SYMBOL


def _letter(character: str, category: str) -> str:
    plain = unicodedata.normalize("NFKC", character)[0]  # styled and wide letters are letters
    name = unicodedata.name(plain, "")
    if plain in "aAoO" or "LATIN" in name:
        return UPPER if category in ("Lu", "Lt") else LOWER
    if name.startswith("MODIFIER LETTER"):
        return MARK
    return UNSPACED if name.startswith(_UNSPACED_NAMES) else SPACED


class _Sorts(dict[int, str]):
    """Filled as characters are met; the Unicode database is asked once per character."""

    def __missing__(self, point: int) -> str:
        sort = self[point] = sort_of(chr(point))
        return sort


_SORTS: Final = _Sorts()


def sketch(text: object) -> str:
    """The sketch of a text, or a refusal of what is not text."""
    if not isinstance(text, str):
        raise InputError(f"text must be str, not {type(text).__name__}")
    if text.isascii():
        return text
    drawn = text.translate(_SORTS)
    position = drawn.find(SURROGATE)
    if position >= 0:
        raise InputError(
            f"character {position} is a lone surrogate, which is not text. Decode the input "
            'as UTF-8 with errors="strict" or "replace" first'
        )
    return drawn
