"""The audit's test of itself: every mutant is refuted, and the sound lines pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from privstamp.lab.audit.line import promises
from privstamp.lab.audit.mutants import Mutant
from privstamp.lab.audit.toy import moving, selective
from privstamp.noise import Randomness
from privstamp.pipeline import Privatizer

_FIRST: Final = {"mechanism": (moving,), "noise": (moving, selective)}
LINES: Final = (selective, moving)


@dataclass(frozen=True)
class Outcome:
    """Of one mutant: by which promise it was refuted; None if it was not."""

    mutant: Mutant
    by: str | None


def refuted(mutant: Mutant) -> Outcome:
    """Stops at the first promise that is broken."""
    with mutant.at_work():
        for line in _FIRST.get(mutant.stage, LINES):
            broken = _broken(line)
            if broken is not None:
                return Outcome(mutant, broken)
    return Outcome(mutant, None)


def sound() -> list[str]:
    """Promises that the unbroken lines seem to break: none."""
    return [broken for line in LINES if (broken := _broken(line)) is not None]


def _broken(line: Callable[[], tuple[object, object]]) -> str | None:
    policy, parts = line()
    privatizer = Privatizer(policy, parts=parts)  # type: ignore[arg-type]
    tested = promises(privatizer, Randomness.make().key())
    return next((promise.broken for promise in tested if not promise.kept), None)
