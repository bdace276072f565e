"""What labels tell by themselves: group, class, case, length, equality; and how steady they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Final

import numpy as np

from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.steadiness import steadiness
from privstamp.lab.audit.subject import Subject, traced

TITLE: Final = "What labels alone reveal"


def labels(subject: Subject, told: Callable[[float], None]) -> Section:
    """Bits about a word that an attacker has before looking at the released word."""
    told(0.0)
    seen: list[tuple[int, tuple[Hashable, ...]]] = []
    equal = spans = 0
    for result in subject.first:
        trace = traced(result)
        units, groups = trace.units, trace.grouping.groups
        for index in range(len(units)):
            row = int(units.rows[index])
            if row >= 0:
                label = (int(groups[index]), int(subject.parts.space.class_of[row]),
                         int(units.labels[index]))  # fmt: skip
                seen.append((row, label))
        found = Counter(
            " ".join(map(units.surface, np.flatnonzero(trace.grouping.spans == number).tolist()))
            for number in range(len(trace.grouping.findings))
        )
        spans += sum(found.values())
        equal += sum(count for count in found.values() if count > 1)
    lengths = Counter(len(traced(one).units) for one in subject.first)
    figures = {
        "bits_of_group": Figure.exact(_information(seen, 0)),
        "bits_of_class": Figure.exact(_information(seen, 1)),
        "bits_of_case": Figure.exact(_information(seen, 2)),
        "equal_mentions": Figure.share(equal, spans, "" if spans else "no sensitive span"),
        "length_alone": Figure.share(
            sum(count for count in lengths.values() if count == 1), len(subject.first)
        ),
    }
    remarks = (
        "bits: mutual information of the label and the word, in the sample (of at most the word's "
        "entropy; small samples overstate it)",
        "equal_mentions: share of sensitive spans whose repetition shows, because equal things get "
        "equal surrogates",
        "length_alone: share of texts that their number of words alone tells from the others",
        "labels_moved: one ordinary word is swapped for a near one or one of like frequency; share "
        "of swaps that change its own label, and labels of other words. The promise is given the "
        "labels: whoever sees one that another word would have changed learns about that word",
    )
    moved, rows = steadiness(subject, told)
    return Section("labels", TITLE, figures | moved, rows, remarks)


def _information(seen: Iterable[tuple[int, tuple[Hashable, ...]]], which: int) -> float:
    """Mutual information in bits: a label is a function of the word and its place."""
    joint: Counter[tuple[int, Hashable]] = Counter((row, label[which]) for row, label in seen)
    total = sum(joint.values())
    rows: defaultdict[int, int] = defaultdict(int)
    kinds: defaultdict[Hashable, int] = defaultdict(int)
    for (row, label), count in joint.items():
        rows[row] += count
        kinds[label] += count
    bits = sum(
        count / total * np.log2(count * total / (rows[row] * kinds[label]))
        for (row, label), count in joint.items()
    )
    return float(max(bits, 0.0))
