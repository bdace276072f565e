"""Noise and decoding by every way there is, on one table, the same noisy vectors for all.

Tables are of any size and of random directions; beside them stands what a release used to cost.
"""

from __future__ import annotations

import gc
import statistics
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.decoding.certified import Int8
from privstamp.decoding.exact import Exact
from privstamp.lab.progress import special
from privstamp.mechanisms.decoded import BLOCK, vmf_rows
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float32, Float64, Noise
from privstamp.registry import MECHANISMS
from privstamp.types import Ids, Table, Units


@dataclass(frozen=True)
class Size:
    """So many units, decoded over so many rows of so many dimensions."""

    units: int
    rows: int
    dimensions: int

    @property
    def label(self) -> str:
        return f"n = {self.units:,}, V = {self.rows:,}, d = {self.dimensions:,}"

    @property
    def operations(self) -> float:
        """Multiplications and additions that an exact search of every row takes."""
        return 2.0 * self.units * self.rows * self.dimensions


class Synthetic:
    """As much of a space as mechanisms and decoders read."""

    classes: tuple[str, ...] = ("all",)
    source = "random directions"

    def __init__(self, rows: int, dimensions: int, *, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.name = f"synthetic {rows} x {dimensions}"
        self.fingerprint = f"{rows:08x}{dimensions:08x}"
        self.unit: Table = random.standard_normal((rows, dimensions), dtype=np.float32)
        for start in range(0, rows, 4096):
            part = self.unit[start : start + 4096]
            part /= np.sqrt(np.vecdot(part, part))[:, None]
        self.radius = np.ones(rows, dtype=np.float32)
        self.class_of = np.zeros(rows, dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.arange(rows, dtype=np.int32),)
        self.prior: Float64 = np.full(rows, 1.0 / rows)

    def cliff(self) -> float:
        """The concentration at which words begin to come through."""
        rows, dimensions = self.unit.shape
        return float(np.sqrt(2.0 * dimensions * np.log(rows)))

    def split(self, text: str) -> Units:
        raise NotImplementedError(f"{self.name} has no words ({len(text)} characters)")

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        raise NotImplementedError(f"{self.name} has no words ({len(rows)}, {len(labels)})")

    def words(self, rows: Ids) -> list[str]:
        return [f"row {row}" for row in rows.tolist()]


def some_rows(space: Synthetic, units: int) -> Ids:
    rows: Ids = np.random.default_rng(1).integers(0, len(space.unit), units).astype(np.int32)
    return rows


def some_noise(units: int) -> Noise:
    """Addresses under a fixed, public key: for timing alone."""
    return Noise.of_document(bytes(32), np.arange(units))


def published_draw(centre: Float64, kappa: float, random: np.random.Generator) -> Float64:
    """One noisy direction."""
    special()
    from scipy.stats import vonmises_fisher

    drawn: Float64 = vonmises_fisher(centre, kappa).rvs(1, random_state=random)[0]
    return drawn


def published_decode(noisy: Float64, table: Table) -> int:
    """The row nearest in direction."""
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    difference = unit - (noisy / np.linalg.norm(noisy)).astype(np.float32)
    return int(np.argmin(np.linalg.norm(difference, axis=1)))


def published(centres: Float64, kappa: float, table: Table) -> list[int]:
    """Tokens released one by one, the published way, in our own words.

    One vMF draw at a time from SciPy, which turns it into place with a d x d matrix; the table made
    unit length anew for every token; the distance to every row by the whole difference.
    """
    random = np.random.default_rng(0)
    return [published_decode(published_draw(centre, kappa, random), table) for centre in centres]


# Times of several steps in one run: taken in turn, so that a busy moment meets all of them.

Step: TypeAlias = Callable[[], object]

LEAST: Final = 3
"""Rounds that are always taken, so that one busy moment does not decide."""
REST: Final = 0.03
"""Seconds: so long threads of a library look for work after a product, and keep others from it."""


def interleaved(
    steps: Mapping[str, Step],
    *,
    repeats: int,
    limit: float,
    warm: bool = False,
    rested: Collection[str] = (),
) -> dict[str, float]:
    """Median seconds of each step in at most `repeats` rounds; after some, none after `limit` s.

    Unless they are warm, every step is taken once before: caches and lazy imports. Those that are
    to be rested start on quiet cores.
    """
    for step in () if warm else steps.values():
        step()
    times: dict[str, list[float]] = {name: [] for name in steps}
    started = time.perf_counter()
    gc.collect()
    gc.freeze()  # what was made before is not looked through again and again
    for taken in range(1, repeats + 1):
        for name, step in steps.items():
            if name in rested:
                time.sleep(REST)
            before = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - before)
        if taken >= LEAST and time.perf_counter() - started > limit:
            break
    gc.unfreeze()
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def once(step: Step) -> float:
    """Seconds of a step that is too slow, or too rare, to be repeated."""
    before = time.perf_counter()
    step()
    return time.perf_counter() - before


SPARE_BYTES = 2_000_000_000
"""What one way may hold in memory at a time."""
SLOW = 150_000_000
"""Numbers of a table from which the published way takes more than a second per token."""
BARE: Final = 50_000_000
"""Numbers of a table or of its scores up to which the product alone is timed as well."""
EXACT: Final = ("float32", "int8")
PEAK_SHAPES: Final = ((512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (512, 4096, 768))
_REPEATS: Final = 5
"""Few units may all fall to one thread; the most memory is held when every thread has some."""


class Differs(Exception):
    """A time that counts for nothing: its way does not give the rows that it should."""


class Absent(Exception):
    """Why a way cannot be taken here."""


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

    def of(self, way: str) -> float:
        """Seconds of a way, if its rows are right."""
        if way in self.differ:
            raise Differs(f"{way} gives other rows than float32 at {self.size.label}")
        return self.seconds[way]

    @property
    def float32(self) -> float:
        """Seconds of the float32 search."""
        return self.of("float32")


class Case:
    """A table and the noisy vectors that are looked up in it."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.space = Synthetic(size.rows, size.dimensions)
        self.kappa = self.space.cliff()
        self.ids = some_rows(self.space, size.units)
        self.classes = np.zeros(size.units, dtype=np.uint8)
        self.noisy: Float32 = np.empty((size.units, size.dimensions), dtype=np.float32)
        for part, drawn in self.blocks():
            self.noisy[part] = drawn
        self.exact = Exact(self.space)
        self.coded: Int8 | None = None

    def blocks(self) -> Iterator[tuple[slice, Float32]]:
        """Noisy vectors by blocks, as a release draws them."""
        noise = some_noise(len(self.ids))
        for start in range(0, len(self.ids), BLOCK):
            part = slice(start, start + BLOCK)
            ids = self.ids[part]
            kappa = np.full(len(ids), self.kappa)
            yield part, vmf_rows(self.space.unit, ids, kappa, noise.take(part))


def _float32(case: Case) -> Step:
    return lambda: case.exact.decode(case.noisy, case.classes)


def _noise(case: Case) -> Step:
    return lambda: deque(case.blocks(), maxlen=0)


def _one_shot(case: Case) -> Step:
    """All scores in one array, then argmax: what one writes first."""
    if 4.0 * len(case.noisy) * len(case.space.unit) > SPARE_BYTES:
        raise Absent("its scores would not fit in 2 GB")
    return lambda: (case.noisy @ case.space.unit.T).argmax(axis=1).astype(np.int32)


def _int8(case: Case) -> Step:
    _needs("torch")
    coded = case.coded = Int8(case.space)
    coded._directions = case.exact._directions  # one copy of the rows for both
    return lambda: coded.decode(case.noisy, case.classes)


def _faiss(case: Case) -> Step:
    _needs("faiss")
    index = import_module("faiss").IndexFlatIP(case.space.unit.shape[1])
    index.add(case.space.unit)
    return lambda: index.search(case.noisy, 1)[1][:, 0].astype(np.int32)


def _published(case: Case) -> Step:
    if case.space.unit.size > SLOW:
        raise Absent("one token takes more than a second")
    centres = unit_rows(case.space, case.ids[:1])
    return lambda: published(centres, case.kappa, case.space.unit)


def _needs(package: str) -> None:
    if find_spec(package) is None:
        raise Absent(f"{package} is not installed")


Way: TypeAlias = Callable[[Case], Step]
WAYS: Final[dict[str, Way]] = {
    # Noise after a search, as in a release, where blocks are drawn and decoded in turn.
    "float32": _float32, "noise": _noise, "one-shot": _one_shot, "int8": _int8,
    "faiss flat": _faiss, "published": _published,
}  # fmt: skip


def measure(size: Size, *, repeats: int, limit: float) -> Measured:
    """Every way at one size. The published way releases one token a round, which stands for all."""
    case, measured = Case(size), Measured(size)
    steps: dict[str, Step] = {}
    for name, way in WAYS.items():
        try:
            steps[name] = way(case)
        except Absent as reason:
            measured.absent[name] = str(reason)
    products = {f"product {shape}": shape for shape in PEAK_SHAPES}
    steps |= {name: _product(*shape) for name, shape in products.items()}
    if find_spec("torch") is not None:
        steps |= {f"torch {name}": _torch_product(*shape) for name, shape in products.items()}
        products |= {f"torch {name}": shape for name, shape in products.items()}
    if max(size.rows * size.dimensions, size.units * size.rows) <= BARE:
        steps["bare product"] = _product(size.units, size.rows, size.dimensions)
    answers: dict[str, Any] = {name: step() for name, step in steps.items()}  # caches are warm now
    measured.differ = [
        way for way in EXACT if way in answers and not _same(answers[way], answers["float32"])
    ]
    times = interleaved(
        steps, repeats=repeats, limit=limit, warm=True, rested=steps.keys() - {"noise"}
    )
    if "published" in times:
        times["published"] *= size.units
    for name, (m, n, k) in products.items():
        measured.peak = max(measured.peak, 2.0 * m * n * k / times.pop(name))
    measured.seconds |= times
    if case.coded is not None:
        tally = case.coded.tally
        measured.share_again, measured.fallbacks = tally.share, tally.fallbacks
    return measured


def _same(rows: Ids, others: Ids) -> bool:
    return bool(np.array_equal(rows, others))


def _product(m: int, n: int, k: int) -> Step:
    left, right = np.ones((m, k), dtype=np.float32), np.ones((k, n), dtype=np.float32)
    room = np.empty((m, n), dtype=np.float32)
    return lambda: np.matmul(left, right, out=room)


def _torch_product(m: int, n: int, k: int) -> Step:
    torch = import_module("torch")
    left, right, room = torch.ones(m, k), torch.ones(k, n), torch.empty(m, n)
    return lambda: torch.mm(left, right, out=room)


def peak_bytes(space: Synthetic, units: tuple[int, ...]) -> dict[int, int]:
    """Peak of the memory that polar allocates for so many units, without the table itself."""
    polar = MECHANISMS.build("polar", {}, space=space, decoder=Exact(space))
    peaks = {}
    for count in (units[0], *units):  # the first time fills what is kept for good
        ids, epsilon = some_rows(space, count), np.full(count, space.cliff())
        noise, peaks[count] = some_noise(count), 0
        for _ in range(_REPEATS):
            tracemalloc.start()
            polar.privatize(ids, epsilon, noise)
            peaks[count] = max(peaks[count], tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    return peaks
