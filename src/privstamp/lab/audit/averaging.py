"""Averaging: many releases of one text with fresh noise tell what one does not.

The attacker sees m releases and takes for every word the likeliest one by Bayes' rule, with the
public frequency as prior. With noise derived from a secret and the content, a repeat is the same
release and must gain nothing: there the output seen most often is his guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.recovery import Guesser
from privstamp.lab.audit.subject import Subject, perturbed, traced
from privstamp.lab.audit.targets import Target, spread, targets
from privstamp.noise import Float64
from privstamp.result import Result

TITLE: Final = "Averaging over repeated releases"
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
        {"releases": count, "recovered": Figure.share(int(column.sum()), len(column))}
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
        "averaging_gain": Figure.mean(found[:, -1] - found[:, 0]),
        "averaging_gain_with_secret": memo,
    }
    return Section("averaging", TITLE, figures, rows, remarks, sound=memo.value in (0.0, None))


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


def _gain(releases: list[list[Result]]) -> Figure:
    """How much more is recovered from all releases than from one, word by word."""
    return Figure.mean(_hits(releases) - _hits(releases[:1]))


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
