"""A whole measurement: spaces, settings, records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from privstamp import __version__
from privstamp.frontier.grid import Setting
from privstamp.frontier.measure import FULL, QUICK, Bench, Record
from privstamp.frontier.report import Outcome
from privstamp.parts import open_space
from privstamp.policy import Part

Watch = Callable[[str, int], None]
"""Told the name of what comes next and how many records have been made since."""


def measure_space(
    name: str, settings: Sequence[Setting], *, quick: bool, watch: Watch = lambda *_: None
) -> Outcome:
    """Every setting on one space."""
    watch(f"{name}: words and their neighbours", 0)
    effort = QUICK if quick else FULL
    space = open_space(Part(name=name))
    bench = Bench(space, effort)
    records: list[Record] = []
    for setting in settings:
        watch(f"{space.name}: {setting.label}", 0)
        for record in bench.measure(setting):
            records.append(record)
            watch(f"{space.name}: {setting.label}", 1)
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
