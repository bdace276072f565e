"""A whole line on the toy space, for tests of what joins the stages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from privstamp import pipeline
from privstamp.budget import Budget
from privstamp.decoding.exact import Exact
from privstamp.importance.task_cosine import TaskCosine
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.surrogate import Placeholder, Surrogate
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Space
from privstamp.release import parts as parts_module
from privstamp.release.parts import Parts
from privstamp.types import Finding, Scope, Units
from toys import ToySpace

SPACE = ToySpace(rows=400, dimensions=12)


class Named:
    """Finds the words it was told, each with a kind."""

    name = "named"
    fingerprint = "named"
    scope = Scope.context("a list, but let us say context")

    def __init__(self, kinds: dict[str, str]) -> None:
        self._kinds = kinds

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        return [self._one(units.text) for units in batch]

    def _one(self, text: str) -> list[Finding]:
        found = []
        for phrase, kind in self._kinds.items():
            start = text.find(phrase)
            while start >= 0:
                found.append(Finding(start, start + len(phrase), kind, 1.0, "named", "list"))
                start = text.find(phrase, start + len(phrase))
        return found


def make(
    monkeypatch: pytest.MonkeyPatch,
    *,
    space: Space = SPACE,
    kinds: dict[str, str] | None = None,
    mechanism: type = Polar,
    **policy: object,
) -> Privatizer:
    """A Privatizer on toy parts."""
    arguments = {name: policy.pop(name) for name in ("seed", "secret") if name in policy}
    style = policy.pop("style", "surrogate")
    replacement = Placeholder() if style == "placeholder" else Surrogate()
    made = Policy.model_validate({"extends": "stamp", **policy})

    def assemble(_: Policy) -> Parts:
        return Parts(
            space=space,
            sensitivity=Named(kinds or {}),
            importance=TaskCosine(space),
            mechanisms=dict.fromkeys(
                (1, 2, 3, 4), mechanism(space, metric=made.budget.metric, decoder=Exact(space))
            ),
            replacements=dict.fromkeys((1, 2, 3, 4), replacement),
        )

    monkeypatch.setattr(pipeline, "assemble", assemble)
    assert parts_module.assemble is not assemble
    return Privatizer(made, **arguments)  # type: ignore[arg-type]


__all__ = ["SPACE", "Budget", "Named", "make"]
