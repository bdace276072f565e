"""Averaging: many releases of one text with fresh noise tell what one does not.

The attacker sees m releases and, for every word, guesses the output it saw most often. With noise
derived from a secret and the content, a repeat is the same release and must gain nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.audit.figures import Figure, Section
from privstamp.audit.subject import Subject, perturbed, traced
from privstamp.result import Result

TITLE: Final = "Averaging over repeated releases"
REPEATS: Final = (1, 2, 5, 10, 20)


def averaging(subject: Subject, told: Callable[[float], None]) -> Section:
    """Share of perturbed words that the attacker gets right, by the number of releases."""
    releases = []
    for number in range(REPEATS[-1]):
        told(number / REPEATS[-1])
        releases.append(subject.releases(number))
    same = [subject.privatizer.with_noise(secret=subject.key("memo")) for _ in range(2)]
    repeated = [[one.privatize(text.text, text.task, trace=True) for text in subject.texts]
                for one in same]  # fmt: skip
    shares = {count: _right(releases[:count]) for count in REPEATS}
    rows = [{"releases": count, "recovered": share} for count, share in shares.items()]
    gain = _gain(releases)
    memo = _gain(repeated)
    remarks = (
        "Releasing a text again with fresh noise spends its budget again: budgets add up.",
        "With a secret, a repeat is the same release: nothing is gained.",
    )
    figures = {"averaging_gain": gain, "averaging_gain_with_secret": memo}
    return Section("averaging", TITLE, figures, rows, remarks, sound=memo.value in (0.0, None))


def _gain(releases: list[list[Result]]) -> Figure:
    """How much more is recovered from all releases than from one, word by word."""
    return Figure.mean(_hits(releases) - _hits(releases[:1]))


def _right(releases: list[list[Result]]) -> Figure:
    hits = _hits(releases)
    return Figure.share(int(hits.sum()), len(hits))


def _hits(releases: list[list[Result]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """For every word that met a mechanism: is the output seen most often the word itself?"""
    hits = []
    for versions in zip(*releases, strict=True):
        traces = [traced(one) for one in versions]
        rows = traces[0].units.rows
        for index in np.flatnonzero(perturbed(traces[0])).tolist():
            seen = Counter(int(trace.rows[index]) for trace in traces)
            hits.append(float(seen.most_common(1)[0][0] == rows[index]))
    return np.array(hits, dtype=np.float64)
