"""What can be seen in a release itself: sensitive spans that survive, and who wrote what.

Linkability: two releases of one text are matched against those of all other texts by the words they
share. Singling out: a rare word that survives may name its text alone. And what a detector misses
is protected by the noise of an ordinary word, and no better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.lab.attackers import keep_rates
from privstamp.lab.audit.claims import ERROR
from privstamp.lab.audit.subject import SampleText, Subject, traced
from privstamp.lab.audit.verdict import Section
from privstamp.lab.estimate import Estimate, clopper_pearson
from privstamp.result import Result, Trace
from privstamp.sensitivity.frequencies import languages, zipf_frequencies
from privstamp.types import UNKNOWN

TITLE: Final = "What survives, and what can be linked"
_RELEASES: Final = 5
_WORD: Final = re.compile(r"\w+")
_COMMON: Final = 3.0
"""Zipf frequency: one word in a million; what is less common is rare."""
_LUCK: Final = 0.05
_NONE: Final = "no sensitive span in the sample"


def leakage(subject: Subject, told: Callable[[float], None]) -> Section:
    """Over several releases of the sample."""
    verbatim, partly, nearly, digits, passed = (list[bool]() for _ in range(5))
    releases: list[list[Result]] = []
    private: dict[str, None] = {}
    for number in range(_RELEASES):
        told(number / _RELEASES)
        releases.append(subject.releases(number))
        for text, result in zip(subject.texts, releases[-1], strict=True):
            passed += _unknown(traced(result))
            for before, after in sensitive_spans(text, traced(result)):
                verbatim.append(_folded(before) == _folded(after))
                if verbatim[-1]:
                    private[f'"{before}" left as it was'] = None
                partly.append(bool(_words(before) & _words(after)))
                nearly.append(bool(_stems(before) & _stems(after)))
                if any(map(str.isdigit, before)):
                    digits.append(_digits(before) == _digits(after))
    figures = {
        "sensitive_verbatim": Estimate.hits(verbatim, _NONE),
        "sensitive_partly": Estimate.hits(partly, _NONE),
        "sensitive_stem": Estimate.hits(nearly, _NONE),
        "sensitive_digits": Estimate.hits(digits, _NONE),
        "unknown_passed": Estimate.hits(passed),
        "linkable": _linkable(releases),
        "singled_out": _singled_out(subject, releases[0]),
    }
    floor = 1.0 / len(subject.texts)
    remarks = (
        f"linkable: share of texts whose second release is found among {len(subject.texts)} by the "
        f"words it shares with the first; by chance {floor:.2f}",
        "unknown_passed: words in no list that left as they were; they are to be replaced",
        "sensitive_partly also counts words that come back by chance: surrogates are drawn without "
        "looking, so a common name can return",
    )
    sound = not _pass(sum(passed), len(passed))
    return Section("leakage", TITLE, figures, [], remarks, sound, tuple(private))


def sensitive_spans(text: SampleText, trace: Trace) -> Iterator[tuple[str, str]]:
    """Each sensitive span as it was and as it left; marked ones where the sample has marks."""
    spans = trace.grouping.findings if text.marked is None else text.marked
    for span in spans:
        if inside := trace.units.inside(span.start, span.end):
            before = " ".join(map(trace.units.surface, inside))
            yield before, " ".join(filter(None, (trace.surfaces[index] for index in inside)))


def _unknown(trace: Trace) -> list[bool]:
    """For each unit in no list that had to be replaced: did it leave as it was?"""
    hidden = (trace.units.rows == UNKNOWN) & ~np.isinf(trace.epsilon)
    words = [(trace.units.surface(n), trace.surfaces[n]) for n in np.flatnonzero(hidden).tolist()]
    return [_folded(word) == _folded(two) for word, two in words if len(word) > 3]


def _pass(hits: int, trials: int) -> bool:
    """More than surrogates do by luck: surely above one in twenty."""
    return bool(clopper_pearson(hits, trials, 2 * ERROR)[0] > _LUCK)


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 2}


def _stems(text: str) -> set[str]:
    """Words without a plural or possessive ending, and without the rest after five letters."""
    return {word.removesuffix("s")[:5] for word in _words(text) if len(word) > 3}


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _linkable(releases: list[list[Result]]) -> Estimate:
    """How often the nearest of all second releases belongs to the first one's text."""
    first, second = ([_words(result.text) for result in release] for release in releases[:2])
    if len(first) < 2:
        return Estimate.missing("linking needs two texts")
    right = 0
    for index, words in enumerate(first):
        shared = [len(words & later) / max(len(words | later), 1) for later in second]
        right += int(np.argmax(shared)) == index
    return Estimate.share(right, len(first))


def _singled_out(subject: Subject, results: list[Result]) -> Estimate:
    """Share of texts that a rare word, as written and found in no other text, gives away."""
    served = getattr(subject.parts.sensitivity, "languages", None) or {"en"}
    common = zipf_frequencies(min(served & set(languages()), default="en"), _COMMON)
    alone = 0
    everyone = [set(map(str.casefold, traced(result).units.surfaces())) for result in results]
    for index, result in enumerate(results):
        trace = traced(result)
        written = zip(trace.units.surfaces(), trace.surfaces, strict=True)
        kept = {was.casefold() for was, left in written if was == left and was.isalpha()}
        others = set().union(*(words for n, words in enumerate(everyone) if n != index))
        alone += any(len(word) > 3 and word not in common for word in kept - others)
    return Estimate.share(alone, len(results))


MISSED: Final = "What the detector missed"
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
    ordinary = Estimate.share(tally.unflagged_kept, tally.unflagged)
    figures = {"ordinary_kept": ordinary, "residual_stated": _stated(subject.recall, ordinary)}
    if tally.marked:
        figures |= {
            "recall": Estimate.share(
                (tally.marked - tally.missed) // _RELEASES, tally.marked // _RELEASES
            ),
            "missed_and_kept": Estimate.share(tally.missed_kept, tally.marked),
            "missed_and_kept_with_floor": _floored(subject, tally),
            "missed_and_rare": Estimate.share(len(tally.rows), tally.missed, "nothing was missed"),
            "ordinary_and_rare": Estimate.share(tally.rare, tally.unflagged),
        }
    else:
        none = Estimate.missing("no text of the sample has its sensitive spans marked")
        figures |= {"recall": none, "missed_and_kept": none}
    remarks = (
        "missed_and_kept: share of all marked words that were missed and left as they were",
        "missed_and_kept_with_floor: the same if every unflagged rare word got the budget of group "
        "2; that would touch the share ordinary_and_rare of the unflagged words",
        "residual_stated: (1 - the recall you state) times ordinary_kept, the share of unflagged "
        "words that leave as they were",
    )
    kinds = tally.kinds
    rows: list[dict[str, Any]] = [
        {"kind": kind, "spans": kinds[kind, True] + kinds[kind, False], "found": kinds[kind, True]}
        for kind in sorted({kind for kind, _ in kinds})
    ]
    return Section("misses", MISSED, figures, rows, remarks, private=tuple(tally.private))


def _count(tally: _Tally, subject: Subject, text: SampleText, trace: Trace, *, first: bool) -> None:
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
            complete = bool(detected[here].all())
            tally.kinds[span.kind, complete] += 1
            if not complete:
                name = text.text[span.start : span.end]
                tally.private[f'{span.kind}: "{name}" was missed'] = None
    gone = inside & ~detected
    tally.marked += int(inside.sum())
    tally.missed += int(gone.sum())
    tally.missed_kept += int((gone & kept).sum())
    tally.common_kept += int((gone & kept & ~rare).sum())
    tally.rows += rows[gone & rare].tolist()


def _stated(recall: float | None, ordinary: Estimate) -> Estimate:
    """Residual risk by the user's own word on the detector."""
    if recall is None:
        return Estimate.missing("no recall was stated")
    if ordinary.value is None or ordinary.low is None or ordinary.high is None:
        return Estimate.missing("no unflagged word in the sample")
    missed = 1.0 - recall
    return Estimate(missed * ordinary.value, missed * ordinary.low, missed * ordinary.high)


def _floored(subject: Subject, tally: _Tally) -> Estimate:
    """Missed words that would still leave as they are, if rare ones had group 2's budget."""
    epsilon = subject.policy.budget.epsilon[1]
    still = 0.0
    if epsilon > 0 and tally.rows:
        ids = np.array(tally.rows, dtype=np.int32)
        if np.isinf(epsilon):
            still = float(len(ids))
        else:
            distinct, times = np.unique(ids, return_counts=True)
            mechanism, budgets = subject.parts.mechanisms[2], np.full(len(distinct), epsilon)
            key = subject.key("misses")
            rates = keep_rates(mechanism, distinct, budgets, draws=_DRAWS, key=key)
            still = float(np.dot([rate.number for rate in rates], times))
    return Estimate.share(tally.common_kept + round(still), tally.marked)
