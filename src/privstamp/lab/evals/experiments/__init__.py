"""Experiments: grids of cells by name."""

from __future__ import annotations

from typing import Final

from privstamp.errors import UnknownName, suggest
from privstamp.lab.evals.experiments.baselines import BASELINES
from privstamp.lab.evals.experiments.mechanisms import MECHANISMS
from privstamp.lab.evals.experiments.options import Experiment
from privstamp.lab.evals.experiments.overhead import OVERHEAD
from privstamp.lab.evals.experiments.repair import REPAIR
from privstamp.lab.evals.experiments.restore import RESTORE
from privstamp.lab.evals.experiments.table1 import TABLE1
from privstamp.lab.evals.experiments.tau import TAU
from privstamp.lab.evals.experiments.variants import VARIANTS

EXPERIMENTS: Final[dict[str, Experiment]] = {
    one.name: one
    for one in (TABLE1, VARIANTS, TAU, OVERHEAD, REPAIR, MECHANISMS, RESTORE, BASELINES)
}


def experiment(name: str) -> Experiment:
    """Look one up."""
    if name not in EXPERIMENTS:
        raise UnknownName(f'no experiment "{name}".{suggest(name, EXPERIMENTS)}')
    return EXPERIMENTS[name]
