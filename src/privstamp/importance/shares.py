"""What a score means: the share of running words that matter less, so that one tau fits all.

By the unit's type, running words are public text as the space's frequencies have it; in context
they are the text itself.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.errors import PolicyError
from privstamp.protocols import Space
from privstamp.sensitivity.spans import apply_lists
from privstamp.types import Ids, Scope, Scores, Units


def apply_keep(units: Units, scores: Scores, keep: Sequence[str]) -> Scores:
    """Every unit of a kept word or phrase is important, with or without a task.

    Terms are found as those of the lists of sensitive words are: case, dashes and spacing do not
    matter, a possessive may follow.
    """
    if not keep:
        return scores
    kept = np.zeros(len(units), dtype=bool)
    for finding in apply_lists(units, [], allow=(), deny=keep):
        first = np.searchsorted(units.ends, finding.start, side="right")
        last = np.searchsorted(units.starts, finding.end, side="left")
        kept[first:last] = True
    return replace(scores, kept=kept)


Raw: TypeAlias = npt.NDArray[np.float32]
"""How much a method makes of each unit, on a scale of its own; 0 where nothing speaks for it."""

TAU: Final = 0.7
"""By default, three running words in ten count as important."""
NO_TASK: Final = "no task was given: nothing counts as important"
SAMPLED: Final = 2048
FREQUENT: Final = 150


def check_tau(tau: object) -> float:
    """A threshold between 0 and 1, ends left out: at 0 all words would be important, at 1 none."""
    if isinstance(tau, bool) or not isinstance(tau, int | float) or not 0 < tau < 1:
        raise PolicyError("importance: tau is a number between 0 and 1, say 0.7")
    return float(tau)


def fingerprint(name: str, **facts: Any) -> str:
    """SHA-256 over a method's name and all that its scores depend on."""
    return hashlib.sha256(json.dumps([name, facts], sort_keys=True).encode()).hexdigest()


def nothing(length: int, note: str) -> Scores:
    """No unit is important, and why."""
    return Scores(np.zeros(length, dtype=np.float32), np.inf, note)


class RunningWords:
    """Running words of public text: a sample of rows, each as often as its frequency says."""

    def __init__(self, space: Space) -> None:
        levels = (np.arange(SAMPLED) + 0.5) / SAMPLED
        drawn = np.searchsorted(np.cumsum(space.prior), levels)
        rows, counts = np.unique(np.minimum(drawn, len(space.prior) - 1), return_counts=True)
        self.rows: Ids = rows.astype(np.int32)
        self._share = counts / SAMPLED

    def scale(self, raw: Raw) -> Callable[[Raw], Raw]:
        """From raw values to shares of public running words; `raw` are the values of `rows`."""
        order = np.argsort(raw, kind="stable")
        steps, below = raw[order], np.concatenate([[0.0], np.cumsum(self._share[order])])

        def shares(values: Raw) -> Raw:
            """Nothing is above nothing; what is above none of the sample is above something."""
            shares = np.maximum(below[np.searchsorted(steps, values, side="left")], 1 / SAMPLED)
            return np.where(values > 0, np.minimum(shares, 1), 0).astype(np.float32)

        return shares


def text_shares(raw: npt.NDArray[np.floating]) -> Raw:
    """The share of the text's own words below each unit; equal ones share their places."""
    if not len(raw):
        return raw.astype(np.float32)
    ordered = np.sort(raw)
    below = np.searchsorted(ordered, raw, side="left")
    upto = np.searchsorted(ordered, raw, side="right")
    shares = (below + upto) / (2 * len(raw))
    return np.where(raw > 0, shares, 0).astype(np.float32)


class Common:
    """Words too common to mean anything by themselves: the space's function words, else by rank."""

    def __init__(self, space: Space) -> None:
        if "function" in space.classes:
            common = space.class_of == space.classes.index("function")
        else:
            common = np.zeros(len(space.prior), dtype=bool)
            count = min(FREQUENT, len(space.prior) // 100)
            common[np.argsort(-np.asarray(space.prior), kind="stable")[:count]] = True
        prior = np.asarray(space.prior)
        most = -np.log(prior[prior > 0].min())
        information = -np.log(np.maximum(prior, np.exp(-most))) / most
        self._information: Raw = np.where(common | (prior == 0), 0, information).astype(np.float32)

    def information(self, rows: Ids) -> Raw:
        """How much a row says by being there: 0 for small words, 1 for the rarest."""
        return self._information[rows]


# No importance: for budgets that treat what the task needs like everything else.


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
