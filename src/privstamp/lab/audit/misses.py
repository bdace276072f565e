"""What a detector misses is protected by the noise of an ordinary word, and no better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.channels import keep
from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.subject import Subject, Text, traced
from privstamp.result import Trace
from privstamp.types import UNKNOWN

TITLE: Final = "What the detector missed"
_RELEASES: Final = 5
_RARE: Final = 1e-6
_DRAWS: Final = 200
Mask = npt.NDArray[np.bool_]


@dataclass
class _Tally:
    """Counts over all releases: words marked as sensitive, and words that no detector flagged."""

    marked: int = 0
    missed: int = 0
    missed_kept: int = 0
    unflagged: int = 0
    unflagged_kept: int = 0
    rare: int = 0
    kinds: Counter[tuple[str, bool]] = field(default_factory=Counter)
    rows: list[int] = field(default_factory=list)  # of missed words that are rare
    common_kept: int = 0  # missed, kept and not rare
    private: dict[str, None] = field(default_factory=dict)


def misses(subject: Subject, told: Callable[[float], None]) -> Section:
    """Recall as measured or stated, what becomes of missed words, and what a floor would change."""
    tally = _Tally()
    for number in range(_RELEASES):
        told(number / _RELEASES)
        for text, result in zip(subject.texts, subject.releases(number), strict=True):
            _count(tally, subject, text, traced(result), first=number == 0)
    ordinary = Figure.share(tally.unflagged_kept, tally.unflagged)
    figures = {"ordinary_kept": ordinary, "residual_stated": _stated(subject.recall, ordinary)}
    if tally.marked:
        figures |= {
            "recall": Figure.share(
                (tally.marked - tally.missed) // _RELEASES, tally.marked // _RELEASES
            ),
            "missed_and_kept": Figure.share(tally.missed_kept, tally.marked),
            "missed_and_kept_with_floor": _floored(subject, tally),
            "missed_and_rare": Figure.share(len(tally.rows), tally.missed, "nothing was missed"),
            "ordinary_and_rare": Figure.share(tally.rare, tally.unflagged),
        }
    else:
        none = Figure.missing("no text of the sample has its sensitive spans marked")
        figures |= {"recall": none, "missed_and_kept": none}
    remarks = (
        "missed_and_kept: share of all marked words that were missed and left as they were",
        "missed_and_kept_with_floor: the same if every unflagged rare word got the budget of group "
        "2; that would touch the share ordinary_and_rare of the unflagged words",
        "residual_stated: (1 - the recall you state) times ordinary_kept, the share of unflagged "
        "words that leave as they were",
    )
    return Section("misses", TITLE, figures, _rows(tally), remarks, private=tuple(tally.private))


def _count(tally: _Tally, subject: Subject, text: Text, trace: Trace, *, first: bool) -> None:
    groups, rows = trace.grouping.groups, trace.units.rows
    known, detected = rows != UNKNOWN, groups <= 2
    kept = ((trace.rows == rows) & known) | np.isinf(trace.epsilon)
    rare = np.zeros(len(rows), dtype=bool)
    rare[known] = subject.parts.space.prior[rows[known]] < _RARE
    tally.unflagged += int((~detected).sum())
    tally.unflagged_kept += int((~detected & kept).sum())
    tally.rare += int((~detected & rare).sum())
    if text.marked is None:
        return
    inside: Mask = np.zeros(len(rows), dtype=bool)
    for span in text.marked:
        here = (trace.units.starts < span.end) & (trace.units.ends > span.start)
        inside |= here
        if first:
            found = bool(detected[here].all())
            tally.kinds[span.kind, found] += 1
            if not found:
                tally.private[f'{span.kind}: "{text.text[span.start : span.end]}" was missed'] = (
                    None
                )
    gone = inside & ~detected
    tally.marked += int(inside.sum())
    tally.missed += int(gone.sum())
    tally.missed_kept += int((gone & kept).sum())
    tally.common_kept += int((gone & kept & ~rare).sum())
    tally.rows += rows[gone & rare].tolist()


def _stated(recall: float | None, ordinary: Figure) -> Figure:
    """Residual risk by the user's own word on the detector."""
    if recall is None:
        return Figure.missing("no recall was stated")
    if ordinary.value is None or ordinary.low is None or ordinary.high is None:
        return Figure.missing("no unflagged word in the sample")
    missed = 1.0 - recall
    return Figure(missed * ordinary.value, missed * ordinary.low, missed * ordinary.high)


def _floored(subject: Subject, tally: _Tally) -> Figure:
    """Missed words that would still leave as they are, if rare ones had group 2's budget."""
    epsilon = subject.policy.budget.epsilon[1]
    still = 0.0
    if epsilon > 0 and tally.rows:
        ids = np.array(tally.rows, dtype=np.int32)
        if np.isinf(epsilon):
            still = float(len(ids))
        else:
            distinct, times = np.unique(ids, return_counts=True)
            found = keep(subject.parts.mechanisms[2], distinct, np.full(len(distinct), epsilon),
                         draws=_DRAWS, key=subject.key("misses"))  # fmt: skip
            still = float((found.estimate * times).sum())
    return Figure.share(tally.common_kept + round(still), tally.marked)


def _rows(tally: _Tally) -> list[dict[str, Any]]:
    kinds = tally.kinds
    return [
        {"kind": kind, "spans": kinds[kind, True] + kinds[kind, False], "found": kinds[kind, True]}
        for kind in sorted({kind for kind, _ in kinds})
    ]
