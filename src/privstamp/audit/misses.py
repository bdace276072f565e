"""What a detector misses is protected by the noise of an ordinary word, and no better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.audit.figures import Figure, Section
from privstamp.audit.subject import Subject, traced
from privstamp.types import UNKNOWN

TITLE: Final = "What the detector missed"
_RELEASES: Final = 5
_RARE: Final = 1e-6


def misses(subject: Subject, told: Callable[[float], None]) -> Section:
    """Recall on the marked texts, and how often a missed word left as it was."""
    marked = [n for n, text in enumerate(subject.texts) if text.marked is not None]
    if not marked:
        none = Figure.missing("no text of the sample has its sensitive spans marked")
        return Section("misses", TITLE, {"recall": none, "missed_and_kept": none})
    found = missed = kept = rare = 0
    kinds: Counter[tuple[str, bool]] = Counter()
    for number in range(_RELEASES):
        told(number / _RELEASES)
        results = subject.releases(number)
        for index in marked:
            trace, spans = traced(results[index]), subject.texts[index].marked or ()
            inside = np.zeros(len(trace.units), dtype=bool)
            for span in spans:
                here = (trace.units.starts < span.end) & (trace.units.ends > span.start)
                inside |= here
                if number == 0:
                    kinds[span.kind, bool((trace.grouping.groups[here] <= 2).all())] += 1
            detected = trace.grouping.groups <= 2
            gone = inside & ~detected
            same = (trace.rows == trace.units.rows) & (trace.units.rows != UNKNOWN)
            found += int((inside & detected).sum())
            missed += int(gone.sum())
            kept += int((gone & (same | np.isinf(trace.epsilon))).sum())
            known = gone & (trace.units.rows != UNKNOWN)
            rare += int((subject.parts.space.prior[trace.units.rows[known]] < _RARE).sum())
    figures = {
        "recall": Figure.share(found // _RELEASES, (found + missed) // _RELEASES),
        "missed_and_kept": Figure.share(kept, found + missed),
        "missed_and_rare": Figure.share(rare, max(missed, 1)),
    }
    rows = [
        {"kind": kind, "spans": kinds[kind, True] + kinds[kind, False], "found": kinds[kind, True]}
        for kind in sorted({kind for kind, _ in kinds})
    ]
    remarks = (
        "missed_and_kept: share of all marked words that were missed and left as they were",
        "missed_and_rare: share of the missed words that a rule for rare words would have caught",
    )
    return Section("misses", TITLE, figures, rows, remarks)
