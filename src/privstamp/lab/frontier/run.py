"""A whole measurement: spaces, settings, records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from privstamp import __version__
from privstamp.lab.frontier.grid import Setting
from privstamp.lab.frontier.measure import FULL, QUICK, Bench, Record
from privstamp.lab.frontier.report import Outcome
from privstamp.lab.needs import require
from privstamp.lab.progress import Progress, silent, within
from privstamp.policy import Part
from privstamp.release.parts import open_space


def measure(
    spaces: Sequence[str],
    settings: Sequence[Setting],
    *,
    quick: bool,
    progress: Progress = silent,
) -> list[Outcome]:
    """Every setting on each space; progress counts records. All spaces are opened first."""
    require(*(partial(open_space, Part(name=name)) for name in spaces))
    each = sum(len(setting.budgets) for setting in settings)
    return [
        measure_space(name, settings, quick=quick, progress=within(progress, start, start + 1))
        for name, start in zip(spaces, range(0, len(spaces) * each, max(each, 1)), strict=True)
    ]


def measure_space(
    name: str, settings: Sequence[Setting], *, quick: bool, progress: Progress = silent
) -> Outcome:
    """Every setting on one space."""
    progress(f"{name}: words and their neighbours", 0)
    effort = QUICK if quick else FULL
    space = open_space(Part(name=name))
    bench = Bench(space, effort)
    records: list[Record] = []
    for setting in settings:
        progress(f"{space.name}: {setting.label}", len(records))
        for record in bench.measure(setting):
            records.append(record)
            progress(f"{space.name}: {setting.label}", len(records))
    words = bench.words
    about: dict[str, Any] = {
        "version": __version__,
        "quick": quick,
        "space": space.name,
        "fingerprint": space.fingerprint,
        "source": space.source,
        "class": words.name,
        "words": len(words),
        "share_of_class_frequency": float(f"{words.covered:.4g}"),
        "dimensions": int(space.unit.shape[1]),
        "floor_unigram": float(f"{words.unigram.max():.4g}"),
        "queries": effort.queries,
        "draws": effort.draws,
    }
    return Outcome(space.name, about, records)
