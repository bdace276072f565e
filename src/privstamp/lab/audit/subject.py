"""What is audited: a policy at work on a sample of texts. Private: it holds the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from privstamp.errors import InputError
from privstamp.models.endpoint import Endpoint
from privstamp.noise import Randomness
from privstamp.parts import Parts
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.result import Failure, Result, Trace
from privstamp.types import UNKNOWN, Epsilons, Finding


@dataclass(frozen=True, repr=False)
class Text:
    """A text of the sample; `marked` is what is truly sensitive in it, where somebody says so."""

    text: str
    task: str | None = None
    label: str | None = None
    marked: tuple[Finding, ...] | None = None


@dataclass(frozen=True, order=True)
class Cell:
    """Units that share group, class and epsilon meet the same mechanism."""

    group: int
    number: int  # of the class
    epsilon: float


class Subject:
    """Releases of the sample, made again at will; under a seed always the same ones.

    `recall` is the detector's as its user states it, for samples without marks. `endpoint` is a
    model elsewhere, to which releases may be sent.
    """

    def __init__(
        self,
        policy: Policy,
        texts: Sequence[Text],
        *,
        seed: int,
        recall: float | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        if not texts:
            raise InputError("an audit needs at least one text")
        self.policy = policy
        self.texts = tuple(texts)
        self.seed = seed
        self.recall = recall
        self.endpoint = endpoint
        self.privatizer = Privatizer(policy.unrepaired, seed=seed)
        self.releases = lru_cache(maxsize=None)(self._releases)

    def __repr__(self) -> str:
        return f"Subject({len(self.texts)} texts)"

    @property
    def parts(self) -> Parts:
        return self.privatizer.parts

    def key(self, purpose: str) -> bytes:
        """Noise for one purpose of this audit; no release of anybody's reads it."""
        return Randomness.make(seed=self.seed).key(b"audit", purpose.encode())

    def _releases(self, number: int) -> list[Result]:
        """The `number`-th release of every text, each with noise of its own; made once."""
        privatizer = self.privatizer.with_noise(secret=self.key(f"release {number}"))
        results = []
        for found in privatizer.privatize_many(
            [one.text for one in self.texts], [one.task for one in self.texts], trace=True
        ):
            if isinstance(found, Failure):
                raise found.error
            results.append(found)
        return results

    @cached_property
    def first(self) -> list[Result]:
        return self.releases(0)

    @cached_property
    def cells(self) -> Counter[Cell]:
        """How many units of the sample each cell has."""
        cells: Counter[Cell] = Counter()
        for result in self.first:
            trace = traced(result)
            for index in np.flatnonzero(perturbed(trace)).tolist():
                number = int(self.parts.space.class_of[trace.units.rows[index]])
                group = int(trace.grouping.groups[index])
                cells[Cell(group, number, float(trace.epsilon[index]))] += 1
        return cells


def traced(result: Result) -> Trace:
    if result.trace is None:
        raise ValueError("an audit needs traces")
    return result.trace


def perturbed(trace: Trace) -> npt.NDArray[np.bool_]:
    """Units that met a mechanism."""
    known = trace.units.rows != UNKNOWN
    met: npt.NDArray[np.bool_] = (trace.epsilon > 0) & np.isfinite(trace.epsilon) & known
    return met


def promised(trace: Trace, policy: Policy) -> Epsilons:
    """What the policy says for each unit's group, whatever the line made of it."""
    groups = trace.grouping.groups.tolist()
    epsilon = np.array([policy.budget.epsilon[group - 1] for group in groups], dtype=np.float64)
    epsilon[(trace.units.rows == UNKNOWN) | trace.grouping.by_rule] = 0.0
    return epsilon
