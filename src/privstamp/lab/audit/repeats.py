"""What repeated releases tell: of one text, and of a text that was edited.

Averaging: the attacker sees m releases and takes for every word the likeliest one by Bayes' rule,
with the public frequency as prior. With noise derived from a secret and the content, a repeat is
the same release and must gain nothing: there the output seen most often is his guess.
Reuse: an edited text is a second release, even under the same secret. Its words come out like those
of the first more often than by chance only if they met the same noise. What chance does is seen in
releases under two different secrets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.lab.audit.claims import ERROR
from privstamp.lab.audit.recovery import Guesser, Target, spread, targets
from privstamp.lab.audit.subject import Subject, perturbed, traced
from privstamp.lab.audit.verdict import Section
from privstamp.lab.estimate import Estimate
from privstamp.lab.extras import special
from privstamp.noise import Float64
from privstamp.pipeline import Privatizer
from privstamp.result import Result, Trace

AVERAGED: Final = "Averaging over repeated releases"
REPEATS: Final = (1, 2, 5, 10, 20)
_MOST: Final = 200


def averaging(subject: Subject, told: Callable[[float], None]) -> Section:
    """Share of perturbed words that the attacker gets right, by the number of releases."""
    releases = []
    for number in range(REPEATS[-1]):
        told(0.5 * number / REPEATS[-1])
        releases.append(subject.releases(number))
    chosen, guesser = spread(targets(subject), _MOST), Guesser(subject.parts)
    hits = []
    for done, one in enumerate(chosen):
        told(0.5 + 0.5 * done / len(chosen))
        hits.append(_right(guesser, one, releases))
    found: Float64 = np.array(hits, dtype=np.float64).reshape(-1, len(REPEATS))
    rows = [
        {"releases": count, "recovered": Estimate.share(int(column.sum()), len(column))}
        for count, column in zip(REPEATS, found.T, strict=True)
    ]
    same = [subject.privatizer.with_noise(secret=subject.key("memo")) for _ in range(2)]
    repeated = [[one.privatize(text.text, text.task, trace=True) for text in subject.texts]
                for one in same]  # fmt: skip
    memo = _gain(repeated)
    remarks = (
        f"{len(chosen)} words of the sample, guessed by Bayes' rule from all releases together",
        "Releasing a text again with fresh noise spends its budget again: budgets add up.",
        "With a secret, a repeat is the same release: nothing is gained.",
    )
    figures = {
        "averaging_gain": Estimate.mean(found[:, -1] - found[:, 0]),
        "averaging_gain_with_secret": memo,
    }
    return Section("averaging", AVERAGED, figures, rows, remarks, sound=memo.value in (0.0, None))


def _right(guesser: Guesser, one: Target, releases: list[list[Result]]) -> list[bool]:
    """Whether a word is guessed from the first one, two, five, ... of its releases."""
    words, held = guesser.words(one.cell.number), guesser.evidence(one.cell)
    place = guesser.place(one.row, words)
    with np.errstate(divide="ignore"):
        total: Float64 = np.log(words.unigram)
    found = []
    for count, release in enumerate(releases, 1):
        seen = int(traced(release[one.text]).rows[one.index])
        total = total + held.loose(int(np.searchsorted(words.ids, seen)))
        if count in REPEATS:
            found.append(place == int(total.argmax()))
    return found


def _gain(releases: list[list[Result]]) -> Estimate:
    """How much more is recovered from all releases than from one, word by word."""
    return Estimate.mean(_hits(releases) - _hits(releases[:1]))


def _hits(releases: list[list[Result]]) -> Float64:
    """For every word that met a mechanism: is the output seen most often the word itself?"""
    hits = []
    for versions in zip(*releases, strict=True):
        traces = [traced(one) for one in versions]
        rows = traces[0].units.rows
        for index in np.flatnonzero(perturbed(traces[0])).tolist():
            seen = Counter(int(trace.rows[index]) for trace in traces)
            hits.append(float(seen.most_common(1)[0][0] == rows[index]))
    return np.array(hits, dtype=np.float64)


EDITED: Final = "Noise of an edited text"
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
        "alike_edited": Estimate.share(sum(edited), len(edited)),
        "alike_by_chance": Estimate.share(sum(chance), len(chance)),
    }
    remarks = (
        "alike: share of words that became the same in both releases; an edited text must be no "
        "more alike than two releases that have nothing in common",
    )
    sound = not reused(sum(edited), len(edited), sum(chance), len(chance))
    return Section("reuse", EDITED, figures, remarks=remarks, sound=sound)


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
