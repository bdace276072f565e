r"""Cuts a text into units with exact offsets; between them lie PASSING characters only.

One expression reads the text's sketch (see `characters`) and finds chunks of letters and digits,
and every other character that may not pass; `chunks` takes the chunks apart. Possessive
quantifiers and `\Z` keep it linear on any input.
"""

from __future__ import annotations

import re
from array import array
from typing import Final

import numpy as np

from privstamp.spaces import characters as c
from privstamp.spaces.addresses import EMAIL, URL, cover
from privstamp.spaces.chunks import (
    ALNUM,
    JOINERS,
    LINKED,
    OWNED,
    PASS,
    Chunk,
    Piece,
    case_of,
    row_of,
)
from privstamp.spaces.lexicon import Known
from privstamp.types import UNKNOWN, Kind, Label, Units

VERSION: Final = "2"
"""Part of every word space's fingerprint: raise it when any text would be cut differently."""

_REMEMBERED: Final = 100_000  # distinct chunks of one text
_OTHER: Final = f"{c.SPACED}{c.UNSPACED}"
_DRAWN: Final = f"[{c.PRESENTATION}{c.TONE}{c.MARK}]*+"
_RULES: Final = (
    (Kind.EMOJI, f"[0-9#*]{c.PRESENTATION}?{c.KEYCAP}"),
    (
        Kind.WORD,  # a chunk: its pieces have kinds of their own
        f"[{ALNUM}][{ALNUM}{c.MARK}]*+"
        f"(?:(?:{LINKED}|['&]|[{JOINERS}]++)[{ALNUM}][{ALNUM}{c.MARK}]*+)*+"
        rf"\.?+(?:{OWNED})?+",
    ),
    (
        Kind.FOREIGN,
        f"[{_OTHER}][{_OTHER}{c.MARK}{JOINERS}]*+"
        f"(?:'{c.SPACED}[{_OTHER}{c.MARK}{JOINERS}]*+)*+(?:{OWNED})?+",
    ),
    (
        Kind.EMOJI,
        f"{c.REGION}{c.REGION}?+|(?:[{c.PICTURE}{c.TONE}]|{c.SYMBOL}(?={c.PRESENTATION})){_DRAWN}"
        f"{c.TAG}*+(?:{c.JOINER}[{c.PICTURE}{c.SYMBOL}]{_DRAWN})*+",
    ),
    (Kind.EMAIL, f"{EMAIL}++(?:{OWNED})?+"),
    (Kind.URL, f"{URL}++(?:{OWNED})?+"),
    (Kind.CURRENCY, f"[{c.CURRENCY}]{c.MARK}*+"),
    (Kind.SPACE, rf"[\v\f{c.SPACE}]"),
    (Kind.CONTROL, rf"[\x00-\x08\x0e-\x1f\x7f{c.PRESENTATION}{JOINERS}{c.TAG}]"),
    (Kind.SYMBOL, f"[^{PASS}]{c.MARK}*+"),
)
_UNITS: Final = re.compile(f"[{PASS}]*+(?:{'|'.join(f'({rule})' for _, rule in _RULES)}|\\Z)")
_KINDS: Final = (0, *(int(kind) for kind, _ in _RULES))
_CHUNK: Final = _KINDS.index(Kind.WORD, 1)


def split(text: str, known: Known) -> Units:
    """All units of a text, in order; `known` gives the rows of lower-case words."""
    sketch = cover(c.sketch(text))
    starts, ends, rows = array("q"), array("q"), array("i")
    kinds, labels = bytearray(), bytearray()
    remembered: dict[str, list[Piece]] = {}
    for match in _UNITS.finditer(sketch):
        rule = match.lastindex
        if rule is None:
            break
        start, end = match.span(rule)
        surface = text[start:end]
        pieces = remembered.get(surface)
        if pieces is None:
            pieces = _pieces(known, surface, sketch[start:end], rule)
            if len(remembered) < _REMEMBERED:
                remembered[surface] = pieces
        for first, last, row, kind, label in pieces:
            starts.append(start + first)
            ends.append(start + last)
            rows.append(row)
            kinds.append(kind)
            labels.append(label)
    return Units(
        text=text,
        starts=np.array(starts, dtype=np.int64),
        ends=np.array(ends, dtype=np.int64),
        rows=np.array(rows, dtype=np.int32),
        kinds=np.frombuffer(bytes(kinds), dtype=np.uint8),
        labels=np.frombuffer(bytes(labels), dtype=np.uint8),
    )


def _pieces(known: Known, surface: str, sketch: str, rule: int) -> list[Piece]:
    """The units of what a rule found."""
    kind, size = _KINDS[rule], len(surface)
    if rule == _CHUNK:
        row = known.get(surface.lower(), UNKNOWN) if surface.isalpha() else UNKNOWN
        if row != UNKNOWN:
            return [(0, size, row, kind, case_of(surface))]
        return list(Chunk(known, surface, sketch).pieces())
    owned = size > 2 and sketch[-2:] in ("'s", "'S")
    label = int(Label.POSSESSIVE if owned else Label.LOWER)
    if kind != Kind.FOREIGN:
        return [(0, size, UNKNOWN, kind, label)]
    word = surface[: size - 2] if owned else surface
    return [(0, size, row_of(known, word), kind, case_of(word) | label)]
