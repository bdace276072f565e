"""Frozen records that travel between stages. Their repr shows counts, never text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from io import StringIO
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ids: TypeAlias = npt.NDArray[np.int32]
"""Row numbers of a space's table; UNKNOWN where a unit has none."""
Epsilons: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = npt.NDArray[np.float64]
Table: TypeAlias = npt.NDArray[np.float32]
Groups: TypeAlias = npt.NDArray[np.int8]
Places: TypeAlias = npt.NDArray[np.int64]
"""Numbers of words among the outputs of their class."""

UNKNOWN = -1
HERE = "this machine"
"""Where a model runs that is asked on this one; another place is the host that sees prompts."""

PASSING = frozenset(" \t\n\r.,;:!?'\"()[]{}-/\\_\u2018\u2019\u201c\u201d\u2013\u2014\u2026")
"""The only characters that ever leave as they came: plain spacing and common punctuation."""


class Kind(IntEnum):
    """What a unit looks like. Public: it chooses the replacement where there is no row."""

    WORD = 0  # a word of the space's script, known or not
    PIECE = 1  # a tokenizer's piece
    NUMBER = 2  # digits with their separators
    ORDINAL = 3  # 1st, 22nd
    CODE = 4  # letters and digits mixed: A1c, x86, a passport number
    EMAIL = 5
    URL = 6
    SYMBOL = 7
    CURRENCY = 8
    EMOJI = 9
    SPACE = 10  # spacing other than blank, tab and newline
    CONTROL = 11  # control and format characters
    FOREIGN = 12  # a run of letters of a script that the space does not hold


def among(chosen: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Whether kinds or groups are some of them, as `among(chosen)[kinds]`: `np.isin` takes tens of
    times as long for a text."""
    table = np.zeros(1 << 8, dtype=np.bool_)
    table[[*chosen]] = True
    return table


class Label(IntFlag):
    """How a unit is written: visible to the receiver and put back on the way out."""

    LOWER = 0
    TITLE = 1
    UPPER = 2
    POSSESSIVE = 4  # followed by 's
    SPLIT = 8  # second half of a contraction (n't, 're): written out, after a space


@dataclass(frozen=True, repr=False, eq=False)
class Units:
    """One text cut into units. What lies between them is PASSING characters only."""

    text: str
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    rows: Ids
    kinds: npt.NDArray[np.uint8]
    labels: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Units({len(self)} units, {int((self.rows == UNKNOWN).sum())} unknown)"

    def surface(self, index: int) -> str:
        """The unit as written in the text. Private."""
        return self.text[self.starts[index] : self.ends[index]]

    def surfaces(self) -> list[str]:
        """All units as written. Private."""
        text = self.text
        pairs = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [text[start:end] for start, end in pairs]

    def inside(self, start: int, end: int) -> range:
        """The units that a stretch of the text touches."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        return range(first, int(np.searchsorted(self.starts, end, side="left")))


@dataclass(frozen=True, eq=False, slots=True)
class Survey:
    """Of an exact law at one epsilon: P(keep) of every word of a class, and how often the best
    attacker is right, for each of some priors."""

    keep: npt.NDArray[np.float64]
    recovery: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sensitive span: where, of what kind, who says so, by which rule, how sure. No text."""

    start: int
    end: int
    kind: str
    score: float
    source: str
    rule: str


@dataclass(frozen=True, repr=False, eq=False)
class Scores:
    """Importance of each unit for the task (NaN: has none), the threshold, a remark if any.

    `kept` units are important whatever their value: a person named them.
    """

    values: npt.NDArray[np.float32]
    threshold: float
    note: str | None = None
    kept: npt.NDArray[np.bool_] | None = None

    def __repr__(self) -> str:
        return f"Scores({len(self.values)} units, threshold {self.threshold:.3f})"

    @property
    def important(self) -> npt.NDArray[np.bool_]:
        important: npt.NDArray[np.bool_] = self.values >= self.threshold
        return important if self.kept is None else important | self.kept

    def important_span(self, low: int, high: int) -> bool:
        """Whether units are important as one: by their mean, or because one of them is kept."""
        if self.kept is not None and self.kept[low:high].any():
            return True
        values = self.values[low:high]
        return bool(np.where(np.isnan(values), np.float32(0), values).mean() >= self.threshold)

    @classmethod
    def joined(cls, pages: Sequence[Scores]) -> Scores:
        """Scores of one document's pages in a row, under the first page's threshold."""
        kept = [page.kept for page in pages if page.kept is not None]
        return cls(
            np.concatenate([page.values for page in pages]),
            pages[0].threshold,
            pages[0].note,
            np.concatenate(kept) if kept else None,
        )


@dataclass(frozen=True)
class Scope:
    """What a part's labels depend on: the unit's type alone, or its context."""

    contextual: bool
    reason: str

    @classmethod
    def unit_type(cls, reason: str) -> Scope:
        return cls(contextual=False, reason=reason)

    @classmethod
    def context(cls, reason: str) -> Scope:
        return cls(contextual=True, reason=reason)


@dataclass(frozen=True, repr=False)
class Prompt:
    """One question to a model; `system` says beforehand how to answer."""

    text: str
    system: str | None = None

    def messages(self) -> list[dict[str, str]]:
        """As the chat protocol has them."""
        told = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*told, {"role": "user", "content": self.text}]


@dataclass(frozen=True, repr=False)
class Reply:
    """An answer and its tokens; `estimated` where a server did not count, or was not asked."""

    text: str
    tokens_in: int
    tokens_out: int
    estimated: bool = False
    cached: bool = False


@dataclass(frozen=True)
class Usage:
    """What a model has been asked so far; `cost` is in the unit of the price, None without."""

    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    estimated: bool = False

    def plus(self, reply: Reply) -> Usage:
        """With one more reply, at no cost; what comes from a cache counts apart."""
        if reply.cached:
            return replace(self, cached=self.cached + 1)
        return replace(
            self,
            requests=self.requests + 1,
            tokens_in=self.tokens_in + reply.tokens_in,
            tokens_out=self.tokens_out + reply.tokens_out,
            estimated=self.estimated or reply.estimated,
        )

    def __add__(self, other: Usage) -> Usage:
        """Of both together; what has no price costs nothing."""
        costs = [usage.cost for usage in (self, other) if usage.cost is not None]
        return Usage(
            self.requests + other.requests,
            self.cached + other.cached,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            sum(costs) if costs else None,
            self.estimated or other.estimated,
        )

    def since(self, before: Usage) -> Usage:
        """What came after an earlier look, without its cost."""
        return Usage(
            self.requests - before.requests,
            self.cached - before.cached,
            self.tokens_in - before.tokens_in,
            self.tokens_out - before.tokens_out,
            estimated=self.estimated,
        )


def join_surfaces(units: Units, surfaces: Sequence[str]) -> str:
    """The text with each unit replaced by its new surface; what lies between stays."""
    text, position = units.text, 0
    joined = StringIO()  # a list of all pieces would take many times the text's memory
    write = joined.write
    for start, end, surface in zip(units.starts, units.ends, surfaces, strict=True):
        if start > position:
            write(text[position:start])
        write(surface)
        position = end
    write(text[position:])
    return joined.getvalue()


def join_lines(units: Units, surfaces: Sequence[str]) -> list[str]:
    """The same by the lines of the text as it was, whatever new lines the surfaces bring."""
    text, position = units.text, 0
    lines: list[str] = []
    edges = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n"), len(text)]
    places = np.searchsorted(units.starts, edges).tolist()
    for end, (first, last) in zip(edges[1:], pairwise(places), strict=True):
        line = []
        for index in range(first, last):
            line += [text[position : units.starts[index]], surfaces[index]]
            position = int(units.ends[index])
        lines.append("".join([*line, text[position:end]]))
        position = max(position, end)
    return [*(line.removesuffix("\n") for line in lines[:-1]), lines[-1]]


def between(units: Units) -> set[str]:
    """The distinct characters that lie outside of all units."""
    codes = np.frombuffer(units.text.encode("utf-32-le"), dtype="<u4")
    depth = np.zeros(len(codes) + 1, dtype=np.int8)
    depth[units.starts] += 1
    depth[units.ends] -= 1
    outside = codes[np.cumsum(depth[:-1], dtype=np.int8) == 0]
    return {chr(code) for code in np.unique(outside).tolist()}
