"""Sensitive spans as people marked them, in the place of a detector. PRIVATE: it holds texts."""

from __future__ import annotations

from collections.abc import Sequence

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Example, Span
from privstamp.protocols import Sensitivity
from privstamp.types import Finding, Scope, Units


class Annotated:
    """Finds what is annotated in the examples it was told last, and nothing else.

    Words in no list and figures are still replaced by the pipeline's own rule. A text that is no
    example, such as one that a repair has written and must check, is read by a detector.
    """

    name = "annotated"
    fingerprint = "annotated 1"
    scope = Scope.context("people read the texts")

    def __init__(self, detector: Sensitivity) -> None:
        self._detector = detector
        self._spans: dict[str, set[Span]] = {}

    def __repr__(self) -> str:
        return f"Annotated(private, {len(self._spans)} texts)"

    def learn(self, examples: Sequence[Example]) -> None:
        """The texts and tasks that may come next."""
        self._spans = {}
        for one in examples:
            if one.spans is None:
                raise InputError(
                    f'example "{one.id}" has no annotated spans; take detected ones instead'
                )
            self._spans.setdefault(one.text, set()).update(one.spans)
            self._spans.setdefault(one.task, set()).update(one.task_spans)

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        unknown = [units for units in batch if units.text not in self._spans]
        others = iter(self._detector.find(unknown) if unknown else [])
        return [
            self._marked(units.text) if units.text in self._spans else next(others)
            for units in batch
        ]

    def _marked(self, text: str) -> list[Finding]:
        return [
            Finding(span.start, span.end, span.kind, 1.0, self.name, "annotated")
            for span in sorted(self._spans[text], key=lambda span: span.start)
        ]
