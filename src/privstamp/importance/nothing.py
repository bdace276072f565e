"""No importance: for budgets that treat what the task needs like everything else."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from privstamp.protocols import Space
from privstamp.types import Scope, Scores, Units


class Nothing:
    """Every unit scores zero, below a threshold that none reaches; `keep` still counts."""

    name: Final = "none"
    scope: Final = Scope.unit_type("no unit is scored")

    def __init__(self, space: Space) -> None:
        del space
        self.fingerprint = hashlib.sha256(self.name.encode()).hexdigest()

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        """Zeros for each document."""
        del tasks
        note = "no unit was scored for the task: the policy treats all of them alike"
        return [Scores(np.zeros(len(units), dtype=np.float32), math.inf, note) for units in batch]
