"""Cutting text into a tokenizer's pieces, with offsets into the text as it was given.

Whatever is not exactly one piece of the table becomes an unknown unit: characters that are
spread over several byte pieces, those a tokenizer drops or has no piece for, markers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from privstamp.errors import InputError
from privstamp.spaces import chunks
from privstamp.types import PASSING, UNKNOWN, Ids, Kind, Label, Units

Codes = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int32]
Labels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

BLANK: Final = ord(" ")
JOINER: Final = ord(chunks.JOINER)
CHUNK: Final = 1 << 15
LONGEST: Final = 2 * CHUNK
_SEAM: Final = re.compile(r"(?<=[^\W\d_])[ \n](?=[^\W\d_])")
"""A blank between two letters: no tokenizer has a piece that reaches across it from the left."""
NOTHING: Final = np.empty((0, 4), dtype=np.int32)
_PASSING_CODES: Final = np.array(sorted(map(ord, PASSING)), dtype=np.uint32)
_KIND_OF_SORT: Final = {
    chunks.UPPER: Kind.WORD,
    chunks.LOWER: Kind.WORD,
    chunks.MARK: Kind.FOREIGN,
    chunks.SPACED: Kind.FOREIGN,
    chunks.UNSPACED: Kind.FOREIGN,
    chunks.CURRENCY: Kind.CURRENCY,
    chunks.SPACE: Kind.SPACE,
    chunks.CONTROL: Kind.CONTROL,
    chunks.PICTURE: Kind.EMOJI,
    chunks.REGION: Kind.EMOJI,
    chunks.TONE: Kind.EMOJI,
    chunks.PRESENTATION: Kind.EMOJI,
    chunks.KEYCAP: Kind.EMOJI,
    chunks.TAG: Kind.CONTROL,
    chunks.JOINER: Kind.CONTROL,
    chunks.NON_JOINER: Kind.CONTROL,
}


def kind_of(character: str) -> Kind:
    """What an unknown unit that begins with this character looks like."""
    sort = chunks.sort_of(character)
    if sort in _KIND_OF_SORT:
        return _KIND_OF_SORT[sort]
    if sort.isalpha():
        return Kind.WORD
    if sort.isdigit():
        return Kind.NUMBER
    return Kind.SYMBOL if sort.isprintable() else Kind.CONTROL


def case_of(surface: str) -> Label:
    """How a piece of an uncased vocabulary was written."""
    if len(surface) > 1 and surface.isupper():
        return Label.UPPER
    return Label.TITLE if surface[:1].isupper() else Label.LOWER


class Cutter:
    """A tokenizer that cuts, and what is needed to know each piece again."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        strings: list[str | None],
        row_of_id: Ids,
        *,
        missing: bytes,
        spaced: bool,
        uncased: bool,
    ) -> None:
        self._tokenizer = tokenizer
        self._strings = strings
        self._row_of_id = row_of_id
        self._missing = missing
        self._spaced = spaced
        self._uncased = uncased

    def cut(self, text: str) -> Units:
        """All units of a text; between them lie passing characters only."""
        codes = _codes(text)
        pieces = np.concatenate(
            [NOTHING, *(self._pieces(text, codes, *span) for span in self._chunks(text, codes))]
        )
        gaps = _uncovered(codes, pieces[:, 0], pieces[:, 1])
        if len(gaps):
            lost = np.column_stack([gaps, gaps + 1, np.full_like(gaps, UNKNOWN), gaps * 0])
            pieces = np.concatenate([pieces, lost])
            pieces = pieces[np.argsort(pieces[:, 0])]
        starts, ends, rows = pieces[:, 0], pieces[:, 1], pieces[:, 2]
        kinds = _kinds(codes, starts, ends, rows)
        heads = np.flatnonzero(~_goes_on(codes, starts, ends, rows, kinds))
        ends = np.maximum.reduceat(ends, heads) if len(heads) else ends
        starts, labels = starts[heads], pieces[heads, 3].astype(np.uint8)
        if self._spaced:
            labels[codes[starts] == BLANK] |= np.uint8(Label.SPLIT)
        return Units(
            text,
            starts.astype(np.int64),
            ends.astype(np.int64),
            rows[heads],
            kinds[heads],
            labels,
        )

    def _chunks(self, text: str, codes: Codes) -> Iterator[tuple[int, int]]:
        """Stretches to be encoded: short ones, cut at seams, without characters it would drop."""
        lost = _holds_byte(codes, self._missing)
        bounds = [-1, *np.flatnonzero(lost).tolist(), len(text)]
        for before, stop in pairwise(bounds):
            start = before + 1
            while start < stop:
                end = min(start + LONGEST, stop)
                seam = _SEAM.search(text, start + CHUNK, end)
                end = seam.start() if seam else end
                yield start, end
                start = end

    def _pieces(self, text: str, codes: Codes, start: int, end: int) -> Numbers:
        """Start, end, row and case of the pieces of one stretch; overlapping ones are one unit."""
        chunk = text[start:end]
        encoding = self._tokenizer.encode(chunk, add_special_tokens=False)
        spans = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
        ids = np.array(encoding.ids, dtype=np.int32)
        real = spans[:, 1] > spans[:, 0]
        spans, ids = spans[real], ids[real]
        if not len(ids):
            return NOTHING
        reach = np.maximum.accumulate(spans[:, 1])
        heads = np.flatnonzero(np.append(True, spans[1:, 0] >= reach[:-1]))
        alone = np.diff(np.append(heads, len(ids))) == 1
        starts, ends = spans[heads, 0], reach[np.append(heads[1:], len(ids)) - 1]
        if self._tokenizer.normalizer is not None:
            ends = _with_marks(codes[start:end], starts, ends)
        rows = np.where(alone, self._row_of_id[ids[heads]], UNKNOWN).astype(np.int32)
        labels = self._recognise(chunk, starts, ends, rows)
        return np.column_stack([starts + start, ends + start, rows, labels]).astype(np.int32)

    def _recognise(self, chunk: str, starts: Numbers, ends: Numbers, rows: Numbers) -> Numbers:
        """Labels of the pieces; a row that does not stand for its surface is taken back."""
        labels = np.zeros(len(rows), dtype=np.int32)
        normalize = self._normalizer()
        triples = zip(starts.tolist(), ends.tolist(), rows.tolist(), strict=True)
        for index, (start, end, row) in enumerate(triples):
            surface = chunk[start:end]
            if row == UNKNOWN or surface == self._strings[row]:
                continue
            if normalize is None or normalize(surface) != self._strings[row]:
                rows[index] = UNKNOWN
            elif self._uncased:
                labels[index] = case_of(surface)
        return labels

    def _normalizer(self) -> Callable[[str], str] | None:
        normalizer = self._tokenizer.normalizer
        if normalizer is None:
            return None
        seen: dict[str, str] = {}

        def normalize(surface: str) -> str:
            if surface not in seen:
                text = normalizer.normalize_str(surface).replace("\u2581", " ")
                seen[surface] = text if self._spaced else text.strip(" ")
            return seen[surface]

        return normalize


def _codes(text: str) -> Codes:
    """The text's code points, or a refusal of what is not text."""
    if not isinstance(text, str):
        raise InputError(f"text must be str, not {type(text).__name__}")
    try:
        return np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    except UnicodeEncodeError as error:
        position = error.start
    raise InputError(f"character {position} is a lone surrogate, which is not text")


def _holds_byte(codes: Codes, wanted: bytes) -> Mask:
    """Which characters have one of these bytes in their UTF-8 form."""
    if not wanted:
        return np.zeros(len(codes), dtype=bool)
    bad = frozenset(wanted)
    return _by_character(codes, lambda c: not bad.isdisjoint(c.encode())).astype(bool)


def _uncovered(codes: Codes, starts: Numbers, ends: Numbers) -> Numbers:
    """Positions of characters that lie in no piece and may not pass."""
    depth = np.zeros(len(codes) + 1, dtype=np.int8)
    depth[starts] += 1
    depth[ends] -= 1
    outside = np.flatnonzero(np.cumsum(depth[:-1], dtype=np.int8) == 0)
    return outside[~np.isin(codes[outside], _PASSING_CODES)].astype(np.int32)


def _by_character(codes: Codes, ask: Callable[[str], int]) -> Labels:
    """The answer for every code, asked once per distinct character."""
    answers = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.uint8)
    answers[codes] = 1
    for code in np.flatnonzero(answers).tolist():
        answers[code] = ask(chr(code))
    return answers[codes]


def _kinds(codes: Codes, starts: Numbers, ends: Numbers, rows: Ids) -> Labels:
    """PIECE for rows, or NUMBER and CODE where they hold digits; for unknown units, what their
    first character that is no blank looks like."""
    kinds = np.full(len(rows), Kind.PIECE, dtype=np.uint8)
    digits = np.append(0, np.cumsum(_by_character(codes, str.isdecimal), dtype=np.int64))
    counted = digits[ends] - digits[starts]
    kinds[counted > 0] = Kind.CODE
    kinds[(counted > 0) & (counted >= ends - starts - (codes[starts] == BLANK))] = Kind.NUMBER
    unknown = rows == UNKNOWN
    first = starts[unknown]
    first = first + ((codes[first] == BLANK) & (ends[unknown] - first > 1))
    kinds[unknown] = _by_character(codes[first], kind_of)
    joins = codes[starts[1:]] == JOINER
    kinds[1:][joins & unknown[1:] & (kinds[:-1] == Kind.EMOJI)] = Kind.EMOJI
    return kinds


def _goes_on(codes: Codes, starts: Numbers, ends: Numbers, rows: Ids, kinds: Labels) -> Mask:
    """Unknown units that begin where another of their kind stopped."""
    on: Mask = (rows == UNKNOWN) & (codes[starts] != BLANK)
    on[1:] &= (rows[:-1] == UNKNOWN) & (kinds[1:] == kinds[:-1]) & (starts[1:] == ends[:-1])
    on[:1] = False
    return on


def _with_marks(codes: Codes, starts: Numbers, ends: Numbers) -> Numbers:
    """The ends of pieces after the marks that a normaliser took off them or composed into them."""
    plain = _by_character(codes, lambda c: chunks.sort_of(c) != chunks.MARK)
    stops = np.where(np.append(plain, 1), np.arange(len(codes) + 1), len(codes))
    stops = np.minimum.accumulate(stops[::-1])[::-1]
    following = np.append(starts[1:], len(codes))
    extended: Numbers = np.minimum(stops[ends], following).astype(np.int32)
    return extended
