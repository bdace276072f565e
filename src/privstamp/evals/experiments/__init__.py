"""Experiments: grids of cells by name."""

from __future__ import annotations

from typing import Final

from privstamp.errors import UnknownName, suggest
from privstamp.evals.experiments.baselines import BASELINES
from privstamp.evals.experiments.mechanisms import MECHANISMS
from privstamp.evals.experiments.options import Experiment
from privstamp.evals.experiments.overhead import OVERHEAD
from privstamp.evals.experiments.repair import REPAIR
from privstamp.evals.experiments.restore import RESTORE
from privstamp.evals.experiments.table1 import TABLE1
from privstamp.evals.experiments.tau import TAU
from privstamp.evals.experiments.variants import VARIANTS

EXPERIMENTS: Final[dict[str, Experiment]] = {
    one.name: one
    for one in (TABLE1, VARIANTS, TAU, OVERHEAD, REPAIR, MECHANISMS, RESTORE, BASELINES)
}


def experiment(name: str) -> Experiment:
    """Look one up."""
    if name not in EXPERIMENTS:
        raise UnknownName(f'no experiment "{name}".{suggest(name, EXPERIMENTS)}')
    return EXPERIMENTS[name]
