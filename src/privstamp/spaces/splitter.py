r"""Cuts a text into units with exact offsets; between them lie PASSING characters only.

One expression reads the text's sketch (see `chunks`) and finds chunks of letters and digits,
and every other character that may not pass; `chunks` takes the chunks apart. Possessive
quantifiers and `\Z` keep it linear on any input. `Plain` is the space of nothing but that.
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible
from privstamp.spaces import chunks as c
from privstamp.spaces.chunks import (
    ALNUM,
    JOINERS,
    LINKED,
    OWNED,
    PASS,
    Piece,
    SketchedChunk,
    case_of,
    row_of,
)
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.vocabulary import WordRows
from privstamp.types import UNKNOWN, Ids, Kind, Label, Table, Units, among

# E-mail addresses and links: found first, because they hold what otherwise ends a word.

EMAIL: Final = "\ue000"  # stands for every character of an address; the text's own private-use
URL: Final = "\ue001"  # characters are drawn as control characters, so these two are free

_ALNUM: Final = f"0-9A-Za-z{c.UPPER}{c.LOWER}{c.SPACED}"
_LOCAL: Final = f"{_ALNUM}{c.MARK}._%+=\\-"
_LABEL: Final = f"[{_ALNUM}][{_ALNUM}{c.MARK}\\-]{{0,62}}+"
_BODY: Final = f"{_ALNUM}{c.MARK}_/#&=%+~@$*{c.SYMBOL}\\-"
_PATH: Final = f"(?:[{_BODY}]++|[.,;:!?'()]++(?=[{_BODY}]))"
_DOMAINS: Final = (
    *("com", "org", "net", "edu", "gov", "mil", "info", "biz", "io", "ai", "app", "dev"),
    *("au", "br", "ca", "ch", "cn", "de", "eu", "fr", "jp", "nl", "ru", "uk"),
)
"""Endings that make words joined by dots a host; endings that are English words are left out."""
_ENDING: Final = (
    rf"\.(?:{'|'.join([*_DOMAINS, *(name.upper() for name in _DOMAINS)])})(?![{_ALNUM}{c.MARK}\-])"
)

_EMAILS: Final = re.compile(
    rf"(?:(?<![{_LOCAL}])|(?<=[A-Za-z0-9]=))(?![A-Za-z_]\w{{1,60}}+=)[{_LOCAL}]{{1,256}}+@"
    rf"(?:{_LABEL}(?:\.{_LABEL})++|[A-Za-z{c.UPPER}{c.LOWER}{c.SPACED}][{_ALNUM}{c.MARK}\-]*+)"
)
_LINKS: Final = re.compile(
    rf"(?<![{_ALNUM}])(?:[A-Za-z][A-Za-z0-9+.\-]{{1,20}}+://|www\.|WWW\.){_PATH}++/?+"
)
_HOSTS: Final = re.compile(
    rf"(?<![{_ALNUM}{c.MARK}@.\-]){_LABEL}(?:(?!{_ENDING})\.{_LABEL})*+{_ENDING}(?:{_ENDING})*+"
    rf"(?::[0-9]{{1,5}}+)?+(?:[/?#]{_PATH}*+)?+"
)
_HINT: Final = re.compile(_ENDING)


def cover(sketch: str) -> str:
    """The sketch with every address and link drawn over, at the same length."""
    if "://" in sketch or "www." in sketch or "WWW." in sketch:
        sketch = _LINKS.sub(_with(URL), sketch)
    if "@" in sketch:
        sketch = _EMAILS.sub(_with(EMAIL), sketch)
    if _HINT.search(sketch):
        sketch = _HOSTS.sub(_with(URL), sketch)
    return sketch


def _with(stand_in: str) -> Callable[[re.Match[str]], str]:
    def drawn(match: re.Match[str]) -> str:
        """A last slash stays: what follows it, a field of a program's string, needs it."""
        body = match[0].rstrip("/")
        size = len(match[0]) if body.endswith(":") else len(body)
        return stand_in * size + match[0][size:]

    return drawn


VERSION: Final = "2"
"""Part of every word space's fingerprint: raise it when any text would be cut differently."""
LAYOUT: Final = f"6.{VERSION}"
"""Part of every cache key and fingerprint: what is stored, and how texts are cut."""

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


def split(text: str, known: WordRows) -> Units:
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


def _pieces(known: WordRows, surface: str, sketch: str, rule: int) -> list[Piece]:
    """The units of what a rule found."""
    kind, size = _KINDS[rule], len(surface)
    if rule == _CHUNK:
        row = known.get(surface.lower(), UNKNOWN) if surface.isalpha() else UNKNOWN
        if row != UNKNOWN:
            return [(0, size, row, kind, case_of(surface))]
        return list(SketchedChunk(known, surface, sketch).pieces())
    owned = size > 2 and sketch[-2:] in ("'s", "'S")
    label = int(Label.POSSESSIVE if owned else Label.LOWER)
    if kind != Kind.FOREIGN:
        return [(0, size, UNKNOWN, kind, label)]
    word = surface[: size - 2] if owned else surface
    return [(0, size, row_of(known, word), kind, case_of(word) | label)]


_FUNCTION, _REST = 0, 1
_INVISIBLE: Final = among((Kind.SPACE, Kind.CONTROL))


class _Words:
    """Any run of letters is a word; what else there is, is cut as finely as it can be."""

    def get(self, word: str, default: int, /) -> int:
        if word in FUNCTION_WORDS:
            return _FUNCTION
        return _REST if word.isalpha() else default


class Plain:
    """Two rows stand for all units: function words, and anything else that can be seen."""

    name: Final = "plain"
    source: Final = "text as it is written; no table"
    classes: tuple[str, ...] = ("function", "other")

    def __init__(self) -> None:
        self.unit: Table = np.eye(2, dtype=np.float32)
        self.radius: npt.NDArray[np.float32] = np.ones(2, dtype=np.float32)
        self.class_of: npt.NDArray[np.uint8] = np.array([_FUNCTION, _REST], dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.empty(0, np.int32), np.empty(0, np.int32))
        self.prior: npt.NDArray[np.float64] = np.full(2, 0.5)
        facts = [self.name, VERSION, sorted(FUNCTION_WORDS)]
        self.fingerprint = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        self._words = _Words()

    def __repr__(self) -> str:
        return "Plain()"

    def split(self, text: str) -> Units:
        """Cut a text into units; between them lie PASSING characters only."""
        units = split(text, self._words)
        rows = np.where(units.rows == UNKNOWN, np.int32(_REST), units.rows)
        rows[_INVISIBLE[units.kinds]] = UNKNOWN
        return Units(text, units.starts, units.ends, rows, units.kinds, units.labels)

    def words(self, rows: Ids) -> list[str]:
        """The plain names of rows, for reports."""
        return [self.classes[row] for row in rows.tolist()]

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        """There is nothing to write: no row of this space is ever an output."""
        if len(rows) != len(labels):
            raise Incompatible("a label for every row")
        return [""] * len(rows)
