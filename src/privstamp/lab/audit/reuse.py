"""Noise must not be shared: an edited text is a second release, even under the same secret.

Words of a text and of its edited copy come out alike more often than by chance only if they met
the same noise. What chance does is seen in releases under two different secrets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.extras import special
from privstamp.lab.audit.empirical import ERROR
from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.subject import Subject, perturbed, traced
from privstamp.pipeline import Privatizer
from privstamp.result import Trace

TITLE: Final = "Noise of an edited text"
EDIT: Final = "\n\n."
"""Two line ends and a full stop: no word changes."""


def reuse(subject: Subject, told: Callable[[float], None]) -> Section:
    """The sample and an edited copy of it, under one secret and under two."""
    one, two = (
        subject.privatizer.with_noise(secret=subject.key(f"reuse {number}")) for number in (1, 2)
    )
    base = _release(subject, one, "")
    told(0.3)
    edited = _alike(base, _release(subject, one, EDIT))
    told(0.6)
    chance = _alike(base, _release(subject, two, EDIT))
    figures = {
        "alike_edited": Figure.share(sum(edited), len(edited)),
        "alike_by_chance": Figure.share(sum(chance), len(chance)),
    }
    remarks = (
        "alike: share of words that became the same in both releases; an edited text must be no "
        "more alike than two releases that have nothing in common",
    )
    sound = not reused(sum(edited), len(edited), sum(chance), len(chance))
    return Section("reuse", TITLE, figures, remarks=remarks, sound=sound)


def reused(edited: int, of_edited: int, chance: int, of_chance: int) -> bool:
    """Whether edited texts are more alike than chance allows; wrong with chance ERROR at most."""
    betaincinv = special().betaincinv
    if not of_edited or not of_chance or not edited:
        return False
    low = betaincinv(edited, of_edited - edited + 1, ERROR / 2)
    if chance == of_chance:
        return False
    return bool(low > betaincinv(chance + 1, of_chance - chance, 1 - ERROR / 2))


def _release(subject: Subject, line: Privatizer, edit: str) -> list[Trace]:
    return [traced(line.privatize(one.text + edit, one.task, trace=True)) for one in subject.texts]


def _alike(before: list[Trace], after: list[Trace]) -> list[bool]:
    """For each distinct word of a text that met a mechanism twice: did it become the same?"""
    found: list[bool] = []
    for one, two in zip(before, after, strict=True):
        if len(one.units) > len(two.units):
            continue
        there = slice(0, len(one.units))
        met = perturbed(one) & perturbed(two)[there] & (one.epsilon == two.epsilon[there])
        seen: dict[tuple[int, float], bool] = {}
        for index in np.flatnonzero(met).tolist():
            word = int(one.units.rows[index]), float(one.epsilon[index])
            seen.setdefault(word, bool(one.rows[index] == two.rows[index]))
        found += seen.values()
    return found
