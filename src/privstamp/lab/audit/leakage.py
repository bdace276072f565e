"""What can be seen in a release itself: sensitive spans that survive, and who wrote what.

Linkability: two releases of one text are matched against those of all other texts by the words they
share. Singling out: a rare word that survives may name its text alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from privstamp.extras import special
from privstamp.lab.audit.empirical import ERROR
from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.subject import Subject, Text, traced
from privstamp.result import Result, Trace
from privstamp.sensitivity.frequencies import languages, zipf_frequencies
from privstamp.types import UNKNOWN

TITLE: Final = "What survives, and what can be linked"
_RELEASES: Final = 5
_WORD: Final = re.compile(r"\w+")
_COMMON: Final = 3.0
"""Zipf frequency: one word in a million; what is less common is rare."""
_LUCK: Final = 0.05


def leakage(subject: Subject, told: Callable[[float], None]) -> Section:
    """Over several releases of the sample."""
    verbatim, partly, nearly, digits, passed = [], [], [], [], []
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
        "sensitive_verbatim": _share(verbatim),
        "sensitive_partly": _share(partly),
        "sensitive_stem": _share(nearly),
        "sensitive_digits": _share(digits),
        "unknown_passed": Figure.share(sum(passed), len(passed)),
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


def _share(hits: list[bool]) -> Figure:
    return Figure.share(sum(hits), len(hits), "" if hits else "no sensitive span in the sample")


def sensitive_spans(text: Text, trace: Trace) -> Iterator[tuple[str, str]]:
    """Each sensitive span as it was and as it left; marked ones where the sample has marks."""
    found = trace.grouping.findings if text.marked is None else text.marked
    for span in found:
        first = int(np.searchsorted(trace.units.ends, span.start, side="right"))
        last = int(np.searchsorted(trace.units.starts, span.end, side="left"))
        if first < last:
            before = " ".join(trace.units.surface(index) for index in range(first, last))
            yield before, " ".join(filter(None, trace.surfaces[first:last]))


def _unknown(trace: Trace) -> list[bool]:
    """For each unit in no list that had to be replaced: did it leave as it was?"""
    hidden = (trace.units.rows == UNKNOWN) & ~np.isinf(trace.epsilon)
    words = [(trace.units.surface(n), trace.surfaces[n]) for n in np.flatnonzero(hidden).tolist()]
    return [_folded(one) == _folded(two) for one, two in words if len(one) > 3]


def _pass(hits: int, trials: int) -> bool:
    """More than surrogates do by luck: surely above one in twenty."""
    return bool(hits and special().betaincinv(hits, trials - hits + 1, ERROR) > _LUCK)


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 2}


def _stems(text: str) -> set[str]:
    """Words without a plural or possessive ending, and without the rest after five letters."""
    return {word.removesuffix("s")[:5] for word in _words(text) if len(word) > 3}


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _linkable(releases: list[list[Result]]) -> Figure:
    """How often the nearest of all second releases belongs to the first one's text."""
    first, second = ([_words(one.text) for one in release] for release in releases[:2])
    if len(first) < 2:
        return Figure.missing("linking needs two texts")
    right = 0
    for index, words in enumerate(first):
        shared = [len(words & other) / max(len(words | other), 1) for other in second]
        right += int(np.argmax(shared)) == index
    return Figure.share(right, len(first))


def _singled_out(subject: Subject, results: list[Result]) -> Figure:
    """Share of texts that a rare word, as written and found in no other text, gives away."""
    served = getattr(subject.parts.sensitivity, "languages", None) or {"en"}
    common = zipf_frequencies(min(served & set(languages()), default="en"), _COMMON)
    alone = 0
    everyone = [set(map(str.casefold, traced(one).units.surfaces())) for one in results]
    for index, result in enumerate(results):
        trace = traced(result)
        written = zip(trace.units.surfaces(), trace.surfaces, strict=True)
        kept = {was.casefold() for was, left in written if was == left and was.isalpha()}
        others = set().union(*(words for n, words in enumerate(everyone) if n != index))
        alone += any(len(word) > 3 and word not in common for word in kept - others)
    return Figure.share(alone, len(results))
