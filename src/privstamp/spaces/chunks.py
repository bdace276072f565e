"""Takes a chunk apart: letters and digits with what joins them, by the rules of English spelling.

What the word list knows as a whole stays whole (mother-in-law, o'brien, u.s., at&t); the rest
falls into words, contractions, numbers and codes. Every character that may not pass ends up in
some piece.

A chunk is read by its sketch: every character of the text is replaced by a typical one of its sort.
A sketch is as long as its text, so offsets agree, and knows some twenty sorts, so one plain regular
expression can cut text of any script. ASCII stands for itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from privstamp.errors import InputError
from privstamp.spaces.wordlists import ABBREVIATIONS
from privstamp.text.vocabulary import WordRows
from privstamp.types import PASSING, UNKNOWN, Kind, Label

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


Piece: TypeAlias = tuple[int, int, int, int, int]
"""Start and end inside the chunk, row, kind, label."""

LATIN: Final = f"A-Za-z{UPPER}{LOWER}"
ALNUM: Final = f"0-9{LATIN}"
JOINERS: Final = f"{JOINER}{NON_JOINER}"
PASS: Final = re.escape("".join(sorted(character for character in PASSING if character.isascii())))
OWNED: Final = f"'[sS](?![{ALNUM}{MARK}{JOINERS}])"
LINKED: Final = "[-./]|(?<=[0-9])[,:](?=[0-9])"
"""What may stand between two parts of one number or code."""

ENDINGS: Final = {"re": "are", "ve": "have", "ll": "will", "d": "would", "m": "am", "s": "is"}
"""What follows the apostrophe of a contraction, and the word it stands for."""
STEMS: Final = {"wo": "will", "sha": "shall", "ai": "is"}
"""What only occurs before n't."""

_LOWER, _TITLE, _UPPER = int(Label.LOWER), int(Label.TITLE), int(Label.UPPER)
_LONGEST: Final = 128  # no word list has longer words: those are not looked up
_DIGITS: Final = f"[{LATIN}]*+[0-9][{ALNUM}]*+"
_LETTERS: Final = f"[{LATIN}][{LATIN}{MARK}]*+(?:[{JOINERS}]++[{LATIN}][{LATIN}{MARK}]*+)*+"
_FINE: Final = re.compile(
    f"(?:(?P<joined>{_DIGITS}(?:(?:{LINKED}){_DIGITS})*+)"
    rf"|(?P<dotted>[{LATIN}](?:\.[{LATIN}](?![{ALNUM}{MARK}]))++\.?+))(?P<owned>{OWNED})?+"
    f"|(?P<word>{_LETTERS}(?:'{_LETTERS})*+)"
    f"|(?P<rest>[^{PASS}])"
)
_CODE: Final = re.compile(f"[{LATIN}][0-9]")
_AMOUNT: Final = re.compile(
    f"(?P<ordinal>[0-9]++(?:st|nd|rd|th|ST|ND|RD|TH)(?![{ALNUM}]))"
    f"|(?P<number>[0-9]++(?:s(?![{ALNUM}])|(?:[-./,:][0-9]++)*+))"
    f"|(?P<word>[{LATIN}]++)"
)
_CAPITALS, _SMALL = f"[A-Z{UPPER}]", f"[a-z{LOWER}]"
_HUMPS: Final = re.compile(f"{_CAPITALS}+(?!{_SMALL})|{_CAPITALS}?{_SMALL}+")
_PLAIN: Final = re.compile(f"[{LATIN}]++")
_HAS_DIGIT: Final = re.compile("[0-9]")
_STRAIGHT: Final = str.maketrans({"’": "'", "‘": "'", "\u200d": "", "\u200c": "", "\xad": ""})


def case_of(surface: str) -> int:
    """The case label of a word; mixed case counts as the case that it begins with."""
    if surface.islower():
        return _LOWER
    if surface.isupper():
        return _UPPER if sum(map(str.isalpha, surface)) > 1 else _TITLE
    letter = next(filter(str.isalpha, surface), "")
    return _TITLE if letter.isupper() else _LOWER


def _reads(humps: list[Piece]) -> bool:
    """Whether camelCase is made of words, as in HTMLParser and iPhone; a password is not.

    Every hump is known and has three letters, but for capitals (two) and the first (any).
    """
    sizes = [end - start for start, end, *_ in humps]
    return (
        all(hump[2] != UNKNOWN for hump in humps)
        and max(sizes) > 3
        and all(
            size > 2 or number == 0 or (size == 2 and label == _UPPER)
            for number, (size, (*_, label)) in enumerate(zip(sizes, humps, strict=True))
        )
    )


def row_of(known: WordRows, surface: str) -> int:
    """The row of a word however it is capitalised, quoted or composed."""
    if len(surface) > _LONGEST:
        return UNKNOWN
    key = surface.lower()
    row = known.get(key, UNKNOWN)
    if row == UNKNOWN and not key.isascii():
        key = unicodedata.normalize("NFKC", key.translate(_STRAIGHT)).lower()
        row = known.get(key, UNKNOWN)
    return row


class SketchedChunk:
    """One chunk, its sketch, and the word list that it is read by."""

    def __init__(self, known: WordRows, surface: str, sketch: str) -> None:
        self._known = known
        self._surface = surface
        self._sketch = sketch

    def pieces(self) -> Iterator[Piece]:
        """The units of the chunk, in order."""
        single = self._whole()
        if single:
            yield single
            return
        for match in _FINE.finditer(self._sketch):
            start, end = match.span()
            if match["joined"]:
                yield from self._with_owner(self._joined(*match.span("joined")), end)
            elif match["dotted"]:
                yield from self._with_owner(self._dotted(*match.span("dotted")), end)
            elif match["word"]:
                yield from self._word(start, end)
            else:
                kind = Kind.CONTROL if match["rest"] in JOINERS else Kind.SYMBOL
                yield start, end, UNKNOWN, kind, Label.LOWER

    def _piece(self, start: int, end: int, kind: Kind = Kind.WORD) -> Piece:
        surface = self._surface[start:end]
        return start, end, row_of(self._known, surface), kind, case_of(surface)

    def _whole(self) -> Piece | None:
        """The chunk as one word of the list, with or without its last full stop."""
        sketch = self._sketch
        if _HAS_DIGIT.search(sketch):
            return None
        end = len(sketch)
        stop = sketch[-1] == "."
        if sketch[: end - stop][-2:].lower() == "'s" and end - stop > 2:
            after = end - stop
            piece = self._piece(0, after - 2)
            owned = (0, after, piece[2], piece[3], piece[4] | Label.POSSESSIVE)
            return owned if piece[2] != UNKNOWN else None
        if stop and ("." in sketch[:-1] or sketch.lower() in ABBREVIATIONS):
            piece = self._piece(0, end)
            if piece[2] != UNKNOWN:
                return piece
        piece = self._piece(0, end - stop)
        return piece if piece[2] != UNKNOWN else None

    def _word(self, start: int, end: int) -> Iterator[Piece]:
        """Letters, perhaps with apostrophes inside."""
        piece = self._piece(start, end)
        if self._sketch[start:end].lower() == "n't":
            yield start, end, self._known.get("not", UNKNOWN), Kind.WORD, piece[4]
        elif piece[2] != UNKNOWN:
            yield piece
        elif "'" in self._sketch[start:end]:
            yield from self._contraction(start, end)
        elif _PLAIN.fullmatch(self._sketch, start, end):
            humps = [hump.span() for hump in _HUMPS.finditer(self._sketch, start, end)]
            pieces = [self._piece(*span) for span in humps]
            yield from pieces if _reads(pieces) else [piece]
        else:
            yield piece

    def _contraction(self, start: int, end: int) -> Iterator[Piece]:
        """A word and its endings (do n't, they 'd 've), or words that an apostrophe links."""
        sketch = self._sketch
        cuts = [cut for cut in range(start, end) if sketch[cut] == "'"]
        endings: list[Piece] = []
        if sketch[cuts[-1] + 1 : end] in ("s", "S"):
            yield from self._with_owner(self._linked(start, cuts.pop(), cuts), end)
            return
        stem: int | None = None
        while cuts and stem is None:
            cut = first = cuts[-1]
            tail, before = sketch[cut + 1 : end], cuts[-2] + 1 if len(cuts) > 1 else start
            word = ENDINGS.get(tail.lower())
            if tail in ("t", "T") and sketch[cut - 1] in "nN" and cut - 1 > before:
                word = "not"
                first = cut if sketch[before:cut].lower() == "can" else cut - 1
                stem = self._known.get(STEMS.get(sketch[before:first].lower(), ""), UNKNOWN)
            if word is None:
                break
            label = Label.SPLIT | (Label.UPPER if tail.isupper() else Label.LOWER)
            endings.append((first, end, self._known.get(word, UNKNOWN), Kind.WORD, label))
            end = first
            cuts.pop()
        if stem is not None and stem != UNKNOWN:
            yield start, end, stem, Kind.WORD, case_of(self._surface[start:end])
        else:
            yield from self._linked(start, end, cuts)
        yield from reversed(endings)

    def _linked(self, start: int, end: int, cuts: list[int]) -> Iterator[Piece]:
        """One word of the list, or what lies between the apostrophes at `cuts`."""
        piece = self._piece(start, end)
        if piece[2] != UNKNOWN:
            yield piece
            return
        for first, last in zip([start, *(cut + 1 for cut in cuts)], [*cuts, end], strict=True):
            yield from self._word(first, last)

    def _dotted(self, start: int, end: int) -> Iterator[Piece]:
        """Letters with full stops: an abbreviation of the list, or one unit per letter."""
        piece = self._piece(start, end)
        if piece[2] != UNKNOWN:
            yield piece
            return
        for letter in range(start, end, 2):
            yield self._piece(letter, letter + 1)

    def _joined(self, start: int, end: int) -> Iterator[Piece]:
        """Parts that all hold digits: one number, one code, or amounts with their measures."""
        sketch = self._sketch
        if _CODE.search(sketch, start, end):
            yield self._piece(start, end, Kind.CODE)
            return
        for match in _AMOUNT.finditer(sketch, start, end):
            if match["word"]:
                yield from self._word(*match.span())
            else:
                kind = Kind.ORDINAL if match["ordinal"] else Kind.NUMBER
                yield self._piece(*match.span(), kind)

    def _with_owner(self, pieces: Iterable[Piece], end: int) -> Iterator[Piece]:
        """The pieces; a possessive that ends at `end` belongs to the last one, if they touch."""
        *others, (start, before, row, kind, label) = pieces
        yield from others
        if end - before == 2:
            yield start, end, row, kind, label | Label.POSSESSIVE
            return
        yield start, before, row, kind, label
        if end - before > 2:  # a full stop stands between
            yield self._piece(end - 1, end)
