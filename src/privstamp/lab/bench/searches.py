"""Noise and decoding by every way there is, on one table, the same noisy vectors for all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.decoding.packed import Packed, packed
from privstamp.decoding.quickest import Int8
from privstamp.errors import Incompatible
from privstamp.lab.bench.published import published
from privstamp.lab.bench.synthetic import Size, Synthetic, some_noise, some_rows
from privstamp.lab.bench.timing import Step, interleaved
from privstamp.mechanisms._decoded import BLOCK, unit_rows
from privstamp.mechanisms._vmf import vmf_rows
from privstamp.noise import Float32
from privstamp.types import Ids

SPARE_BYTES = 2_000_000_000
"""What one way may hold in memory at a time."""
SLOW = 150_000_000
"""Numbers of a table from which the published way takes more than a second per token."""
BARE = 50_000_000
"""Numbers of a table or of its scores up to which the product alone is timed as well."""
FLOAT32 = ("float32", "packed")
"""Searches by float32 products: of rows as numpy multiplies them, and laid out once by MKL."""
PEAK_SHAPES = ((512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (512, 4096, 768))


class Differs(Exception):
    """A time that counts for nothing: its way does not give the rows that it should."""


@dataclass
class Measured:
    """One size: seconds per way, why others are missing, and which exact ways do not agree."""

    size: Size
    seconds: dict[str, float] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    differ: list[str] = field(default_factory=list)  # exact, with other rows than float32
    share_again: float | None = None  # of all scores, looked at again after int8
    fallbacks: int | None = None
    peak: float = 0.0  # operations per second of the best float32 product

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def of(self, way: str) -> float:
        """Seconds of a way, if its rows are right."""
        if way in self.differ:
            raise Differs(f"{way} gives other rows than float32 at {self.size.label}")
        return self.seconds[way]

    @property
    def float32(self) -> float:
        """Seconds of the quicker float32 search."""
        return min(self.of(way) for way in FLOAT32 if way in self.seconds)


def measure(size: Size, *, repeats: int, limit: float) -> Measured:
    """Every way at one size. The published way releases one token a round, which stands for all."""
    space = Synthetic(size.rows, size.dimensions)
    kappa = space.cliff()
    found = Measured(size)
    ids = some_rows(space, size.units)
    noisy = _noisy(space, ids, kappa)
    classes = np.zeros(size.units, dtype=np.uint8)
    exact = Exact(space)
    steps: dict[str, Step] = {"float32": lambda: exact.decode(noisy, classes)}
    answers: dict[str, Ids] = {"float32": exact.decode(noisy, classes)}
    _add_packed(found, steps, answers, exact, space, noisy)
    # After a search, as in a release, where blocks are drawn and decoded in turn.
    steps["noise"] = lambda: deque(_blocks(space, ids, kappa), maxlen=0)
    peaks = {f"product {shape}": shape for shape in PEAK_SHAPES}
    steps |= {name: _product(*shape) for name, shape in peaks.items()}
    if find_spec("torch") is not None:
        steps |= {f"torch {name}": _torch_product(*shape) for name, shape in peaks.items()}
        peaks |= {f"torch {name}": shape for name, shape in peaks.items()}
    if max(size.rows * size.dimensions, size.units * size.rows) <= BARE:
        steps["bare product"] = _product(size.units, size.rows, size.dimensions)
    _add_one_shot(found, steps, answers, space, noisy)
    coded = _add_int8(found, steps, answers, exact, space, noisy)
    _add_faiss(found, steps, answers, space, noisy)
    _add_published(found, steps, space, ids, kappa)
    for name in steps.keys() - answers.keys():
        steps[name]()  # caches and lazy imports; the others have had their turn
    times = interleaved(
        steps, repeats=repeats, limit=limit, warm=True, rested=steps.keys() - {"noise"}
    )
    if "published" in times:
        times["published"] *= size.units
    for name, (m, n, k) in peaks.items():
        found.peak = max(found.peak, 2.0 * m * n * k / times.pop(name))
    found.seconds |= times
    found.differ = [
        way
        for way in ("packed", "int8")
        if way in answers and not np.array_equal(answers[way], answers["float32"])
    ]
    if coded is not None:
        found.share_again, found.fallbacks = coded.tally.share, coded.tally.fallbacks
    return found


def _blocks(space: Synthetic, ids: Ids, kappa: float) -> Iterator[tuple[slice, Float32]]:
    """Noisy vectors by blocks, as a release draws them."""
    noise = some_noise(len(ids))
    for start in range(0, len(ids), BLOCK):
        part = slice(start, start + BLOCK)
        mine = ids[part]
        yield part, vmf_rows(space.unit, mine, np.full(len(mine), kappa), noise.take(part))


def _noisy(space: Synthetic, ids: Ids, kappa: float) -> Float32:
    out = np.empty((len(ids), space.unit.shape[1]), dtype=np.float32)
    for part, drawn in _blocks(space, ids, kappa):
        out[part] = drawn
    return out


def _product(m: int, n: int, k: int) -> Step:
    left, right = np.ones((m, k), dtype=np.float32), np.ones((k, n), dtype=np.float32)
    room = np.empty((m, n), dtype=np.float32)
    return lambda: np.matmul(left, right, out=room)


def _torch_product(m: int, n: int, k: int) -> Step:
    torch = import_module("torch")
    left, right, room = torch.ones(m, k), torch.ones(k, n), torch.empty(m, n)
    return lambda: torch.mm(left, right, out=room)


def _add_published(
    found: Measured, steps: dict[str, Step], space: Synthetic, ids: Ids, kappa: float
) -> None:
    if space.unit.size > SLOW:
        found.absent["published"] = "one token takes more than a second"
        return
    centres = unit_rows(space, ids[:1])
    steps["published"] = lambda: published(centres, kappa, space.unit)


def _add_one_shot(
    found: Measured, steps: dict[str, Step], answers: dict[str, Ids], space: Synthetic, noisy: Any
) -> None:
    """All scores in one array, then argmax: what one writes first."""
    if 4.0 * len(noisy) * len(space.unit) > SPARE_BYTES:
        found.absent["one-shot"] = "its scores would not fit in 2 GB"
        return

    def step() -> Ids:
        best: Ids = (noisy @ space.unit.T).argmax(axis=1).astype(np.int32)
        return best

    steps["one-shot"] = step
    answers["one-shot"] = step()


def _add_packed(
    found: Measured,
    steps: dict[str, Step],
    answers: dict[str, Ids],
    exact: Exact,
    space: Synthetic,
    noisy: Any,
) -> None:
    if find_spec("torch") is None:
        found.absent["packed"] = "torch is not installed"
        return
    classes = np.zeros(len(noisy), dtype=np.uint8)
    try:
        laid_out = Packed(space)
        laid_out._directions[0] = packed(exact._direction(0))
    except Incompatible as error:
        found.absent["packed"] = str(error)
        return
    answers["packed"] = laid_out.decode(noisy, classes)
    steps["packed"] = lambda: laid_out.decode(noisy, classes)


def _add_int8(
    found: Measured,
    steps: dict[str, Step],
    answers: dict[str, Ids],
    exact: Exact,
    space: Synthetic,
    noisy: Any,
) -> Int8 | None:
    if find_spec("torch") is None:
        found.absent["int8"] = "torch is not installed"
        return None
    coded, classes = Int8(space), np.zeros(len(noisy), dtype=np.uint8)
    coded._directions = exact._directions  # one copy of the rows for both
    answers["int8"] = coded.decode(noisy, classes)
    steps["int8"] = lambda: coded.decode(noisy, classes)
    return coded


def _add_faiss(
    found: Measured, steps: dict[str, Step], answers: dict[str, Ids], space: Synthetic, noisy: Any
) -> None:
    if find_spec("faiss") is None:
        found.absent["faiss flat"] = "faiss is not installed"
        return
    index = import_module("faiss").IndexFlatIP(space.unit.shape[1])
    index.add(space.unit)

    def step() -> Ids:
        best: Ids = index.search(noisy, 1)[1][:, 0].astype(np.int32)
        return best

    steps["faiss flat"] = step
    answers["faiss flat"] = step()
