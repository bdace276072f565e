"""A toy space under the evaluation's lines, and examples made of its words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from line import SPACE, Named
from privstamp.importance.task_cosine import TaskCosine
from privstamp.lab.evals import lines
from privstamp.lab.evals.contracts import Example, Span
from privstamp.mechanisms.randomized_response import RandomizedResponse
from privstamp.mechanisms.surrogate import Placeholder, Surrogate
from privstamp.policy import Policy
from privstamp.release.parts import Parts, PartShelf
from privstamp.types import Finding, Units

KINDS = {"W10 W12": "PERSON", "W20": "LOCATION"}
TEXT = "W10 W12 w30 w32 w34 W20 w36 W10 W12"


def policy(*epsilon: float, replacement: str = "surrogate") -> Policy:
    return Policy.of(
        {"extends": "stamp", "replacement": replacement,
         "budget": {"epsilon": epsilon, "metric": "ldp"}, "mechanism": "randomized-response"}
    )  # fmt: skip


def example(name: str = "one", text: str = TEXT, task: str = "w1 w2 W10 W12?", **more) -> Example:
    return Example(name, name, text, task, **more)


def gold(name: str = "one") -> Example:
    """Only the place is annotated."""
    at = TEXT.index("W20")
    return example(name, spans=(Span(at, at + 3, "LOCATION"),))


class Counting(Named):
    """Counts the texts that it was asked about."""

    def __init__(self) -> None:
        super().__init__(KINDS)
        self.read = 0

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        self.read += len(batch)
        return super().find(batch)


@pytest.fixture
def detector(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Lines on the toy space; the detector that they have."""
    found = Counting()

    def assemble(given: Policy, _: PartShelf) -> Parts:
        replacement = Placeholder() if given.replacement.name == "placeholder" else Surrogate()
        return Parts(
            space=SPACE,
            sensitivity=found,
            importance=TaskCosine(SPACE),
            mechanisms=dict.fromkeys((1, 2, 3, 4), RandomizedResponse(SPACE)),
            replacements=dict.fromkeys((1, 2, 3, 4), replacement),
        )

    monkeypatch.setattr(lines, "assemble", assemble)
    monkeypatch.setattr(lines, "open_space", lambda _: SPACE)
    return found
