"""Exact search by whichever product is quicker on this machine: measured, not believed.

All give the same rows, so the choice shows in the time alone. `Packed` lays rows out once for the
products, as MKL reads them; numpy's library arranges them anew at every call, which shows where
queries are few. MKL comes with torch.
"""

from __future__ import annotations

import ctypes
import math
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

import numpy as np

from privstamp.decoding.certified import BoundTally, Certified, torch_for
from privstamp.decoding.exact import (
    COLUMNS,
    QUERIES,
    Directions,
    Exact,
    Stacks,
    shared_blocks,
    split,
)
from privstamp.errors import Incompatible, MissingExtra
from privstamp.noise import Vectors
from privstamp.protocols import Space
from privstamp.types import Ids, Table

_BY_ROWS, _PLAIN, _TURNED, _PACKED, _RIGHT = 101, 111, 112, 151, 162  # MKL's names for them
_USUAL: Final = 512
"""Queries that a layout is made for; others are multiplied as well."""
_TRIED: Final = (1, 67)
_LINE: Final = 64
_ROOMY: Final = 16
"""How many times the size of the rows a layout may ask for; it touches little more than their size.
It asks for more the fewer dimensions there are."""


class Packed(Exact):
    """Search over each class's output rows, by float32 products of rows laid out once."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        _layouts(columns, space.unit.shape[1])

    def _direction(self, number: int) -> Directions:
        made = self._directions.get(number)
        if made is None:
            made = self._directions[number] = packed(super()._direction(number))
        return made


def packed(directions: Directions) -> Directions:
    """The same rows, laid out."""
    columns = directions.columns
    mkl = _layouts(columns, directions.shape[1])

    def make(part: slice) -> _Block:
        return _Block(mkl, np.ascontiguousarray(directions.rows(part)))

    blocks = shared_blocks(make, directions.shape, columns)
    alike = [block for _, block in blocks if block.rows == columns]
    stacks: Stacks = [(0, _Blocks(alike))] if alike else []
    stacks += [(start, _Blocks([block])) for start, block in blocks if block.rows < columns]
    _check(directions, stacks)
    return directions.stacked(stacks)


def _layouts(columns: int, dimensions: int) -> _Mkl:
    """What lays rows out, if it can with these."""
    mkl = _mkl()
    if mkl.room(_RIGHT, _USUAL, columns, dimensions) > 4 * _ROOMY * columns * dimensions:
        raise Incompatible(
            f"rows of {dimensions} dimensions are not laid out for products; "
            'take the decoder "exact"'
        )
    return mkl


def _check(directions: Directions, stacks: Stacks) -> None:
    """Refuse products that are not those of numpy: a library may be built otherwise."""
    for start, block in split(stacks, 1):
        rows = directions.rows(slice(start, start + block.columns))
        for count in _TRIED:
            queries = rows[np.arange(count) % len(rows)]
            scores = np.empty((count, len(rows)), dtype=np.float32)
            block.scores(queries, scores)
            if not np.abs(scores - queries @ rows.T).max() <= directions.window:
                raise Incompatible("the MKL of this build of torch multiplies otherwise")


class _Mkl:
    """The functions of MKL that are needed, on the thread that calls them."""

    def __init__(self, library: Any) -> None:
        number, real, address = ctypes.c_int, ctypes.c_float, ctypes.c_void_p
        self.room = _typed(library.cblas_sgemm_pack_get_size, [number] * 4, ctypes.c_size_t)
        self.pack = _typed(
            library.cblas_sgemm_pack, [number] * 6 + [real, address, number, address], None
        )
        self.compute = _typed(
            library.cblas_sgemm_compute,
            [number] * 6 + [address, number, address, number, real, address, number],
            None,
        )
        self.threads = _typed(library.MKL_Set_Num_Threads_Local, [number], number)


def _typed(function: Any, given: list[Any], result: Any) -> Any:
    function.argtypes, function.restype = given, result
    return function


@cache
def _mkl() -> _Mkl:
    """MKL, if torch brought one."""
    torch = torch_for("decoding by products of rows laid out once")
    try:
        return _Mkl(ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so")))
    except (OSError, AttributeError) as error:
        raise Incompatible("this build of torch brings no MKL") from error


class _Block:
    """Some rows, laid out."""

    def __init__(self, mkl: _Mkl, rows: Table) -> None:
        self.rows, self._dimensions = rows.shape
        self._mkl = mkl
        size = mkl.room(_RIGHT, _USUAL, *rows.shape)
        self._room = np.empty(size + _LINE, dtype=np.uint8)  # hardly more than the rows is touched
        self._address = -(-self._room.ctypes.data // _LINE) * _LINE
        before = mkl.threads(1)
        mkl.pack(
            *(_BY_ROWS, _RIGHT, _TURNED, _USUAL, *rows.shape),
            *(1.0, rows.ctypes.data, self._dimensions, self._address),
        )
        mkl.threads(before)

    def scores(self, queries: Table, out: Table) -> None:
        before = self._mkl.threads(1)
        self._mkl.compute(
            *(_BY_ROWS, _PLAIN, _PACKED, len(queries), self.rows, self._dimensions),
            *(queries.ctypes.data, self._dimensions, self._address, self.rows),
            *(0.0, out.ctypes.data, self.rows),
        )
        self._mkl.threads(before)


class _Blocks:
    """Blocks of one size."""

    def __init__(self, blocks: list[_Block]) -> None:
        self._blocks = blocks
        self.columns = blocks[0].rows

    def __len__(self) -> int:
        return len(self._blocks)

    def part(self, which: slice) -> _Blocks:
        return _Blocks(self._blocks[which])

    def scores(self, queries: Table, out: Table) -> None:
        for block, lines in zip(self._blocks, np.split(out, len(self)), strict=True):
            block.scores(queries, lines)


Given = TypeVar("Given")
Made = TypeVar("Made")
Way: TypeAlias = Literal["float32", "packed", "int8"]

WORTH_IMPORTING, WORTH_TRYING = 2e12, 2e11
"""Operations to have been done before torch is imported (seconds), or measured if it is there."""
MANY = 64
"""Blocks of this many queries are bound by arithmetic, smaller ones by memory."""
REPEATS = 3

Case: TypeAlias = tuple[int, int, bool, int]
_verdicts: dict[Case, Way] = {}
"""By rows, dimensions, whether queries are many and winners wanted: who is quickest. Of this
process."""


class Int8(Exact):
    """Search by int8 products with certified bounds; the same rows as `Exact`."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._certified: dict[int, Certified] = {}

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        return self._coded(number).nearest(queries, self._scratch)

    def _coded(self, number: int) -> Certified:
        coded = self._certified.get(number)  # once: another thread may drop it in between
        if coded is None:
            coded = self._certified[number] = Certified(self._direction(number))
        return coded

    @property
    def tally(self) -> BoundTally:
        """What the bounds were worth so far."""
        total = BoundTally()
        for coded in list(self._certified.values()):
            total.queries += coded.tally.queries
            total.rows += coded.tally.rows
            total.again += coded.tally.again
            total.fallbacks += coded.tally.fallbacks
        return total


class Quickest(Int8):
    """float32 at first; after some seconds of work, whichever proves quickest."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._done = 0.0
        self._possible = find_spec("torch") is not None
        self._packed: set[int] = set()

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        return self._quickest(number, queries, 1)

    def _nearest_two(self, number: int, queries: Vectors) -> Ids:
        return self._quickest(number, queries, 2)

    def _quickest(self, number: int, queries: Vectors, count: int) -> Ids:
        rows = self._direction(number)
        case = (*rows.shape, len(queries) >= MANY, count)
        if self._possible and case not in _verdicts:
            self._done += 2.0 * len(queries) * rows.shape[0] * rows.shape[1]
            wanted = WORTH_TRYING if "torch" in sys.modules else WORTH_IMPORTING
            if self._done >= wanted:
                _verdicts[case] = self._measured(number, queries, count)
        way = _verdicts.get(case, "float32") if self._possible else "float32"
        if way == "int8":
            return self._coded(number).nearest(queries, self._scratch)
        if way == "packed" and number not in self._packed:
            self._lay_out(number, packed(rows))
        return self._direction(number).nearest(queries, self._scratch, count)

    def _lay_out(self, number: int, rows: Directions) -> None:
        """From now on the rows of this class are these, also where other ways fall back on them:
        the memory of the others is free."""
        self._directions[number] = rows
        for way in (self._certified.get(number), self._points.get(number)):
            if way is not None:
                way.directions = rows
        self._packed.add(number)

    def _measured(self, number: int, queries: Vectors, count: int) -> Way:
        """All on the queries at hand, in turn; the best time of each counts."""
        rows, in_use = self._direction(number), number in self._certified
        laid_out = None if number in self._packed else _made(packed, rows)
        coded = _made(self._coded, number) if count == 1 else None
        now: Way = "packed" if number in self._packed else "float32"
        ways: dict[Way, Callable[[], Ids]] = {
            now: lambda: rows.nearest(queries, self._scratch, count)
        }
        if laid_out is not None:
            ways["packed"] = lambda: laid_out.nearest(queries, self._scratch, count)
        if coded is not None:
            ways["int8"] = lambda: coded.nearest(queries, self._scratch)
        best = dict.fromkeys(ways, math.inf)
        for _ in range(REPEATS):
            for way, step in ways.items():
                started = time.perf_counter()
                step()
                best[way] = min(best[way], time.perf_counter() - started)
        winner = min(best, key=best.__getitem__)
        if laid_out is not None and winner == "packed":
            self._lay_out(number, laid_out)
        if winner != "int8" and not in_use:
            self._certified.pop(number, None)
        return winner


def _made(make: Callable[[Given], Made], given: Given) -> Made | None:
    """What is made, if it can be here."""
    try:
        return make(given)
    except (MissingExtra, Incompatible):
        return None
