"""Repair on the line: what must stay is read off the release, and the certificate says what ran.

Which strings must stay depends on the released surfaces and on labels that the certificate's scope
names anyway, never on what a word was before: a repair is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from privstamp.policy import Policy
from privstamp.protocols import Repair
from privstamp.release.certificate import RepairFacts
from privstamp.release.groups import small_words
from privstamp.release.parts import Parts
from privstamp.release.replaced import bare
from privstamp.repair.checks import Checks
from privstamp.repair.rewriter import Mended, Page, Watch, broken, mend
from privstamp.result import Result, Trace
from privstamp.sensitivity.lists import apply_lists
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import Label


def repaired(results: Sequence[Result], parts: Parts, policy: Policy, watch: Watch) -> list[Result]:
    """Traced results with their texts repaired, all windows of all of them in one go."""
    repair = parts.repair
    if repair is None:
        return list(results)
    plain = [result for result in results if result.certificate.structure is None]
    mended = iter(_mended(plain, parts, policy, repair, watch))
    return [
        _with(result, next(mended), repair)
        if result.certificate.structure is None
        else _unrepaired(result)
        for result in results
    ]


def _unrepaired(result: Result) -> Result:
    """A structured text stays as released: a model would not keep its structure."""
    notes = [*result.certificate.notes, "not repaired: the text has a structure to keep"]
    return replace(result, certificate=result.certificate.model_copy(update={"notes": notes}))


def _mended(
    results: Sequence[Result], parts: Parts, policy: Policy, repair: Repair, watch: Watch
) -> list[Mended]:
    try:
        pages = [Page(one.text, must_stay(one, parts, policy)) for one in results]
        checks = Checks(parts.space, parts.sensitivity)
    except Exception as error:
        kind = type(error).__name__
    else:
        return mend(pages, repair, checks, watch=watch)
    return [Mended(one.text, trouble=broken(kind)) for one in results]


def must_stay(result: Result, parts: Parts, policy: Policy) -> frozenset[str]:
    """Whatever stands for something sensitive, and words that the owner keeps or allows."""
    found = _own_words(result.text, parts, policy)
    if result.trace is not None:
        found |= _stand_ins(result.trace, parts)
    return frozenset(found)


def _stand_ins(trace: Trace, parts: Parts) -> set[str]:
    """Replacements, and capitalised words that were drawn for sensitive ones."""
    labels, rows = trace.units.labels, trace.rows
    capital = labels & (Label.TITLE | Label.UPPER) != 0
    drawn = (trace.grouping.groups <= 2) & capital & ~small_words(parts.space, rows)
    which = np.flatnonzero((trace.epsilon == 0) | (drawn & np.isfinite(trace.epsilon)))
    strings = {bare(trace.surfaces[i], int(labels[i])).strip() for i in which.tolist()}
    return {string for string in strings if string and string not in FUNCTION_WORDS}


def _own_words(text: str, parts: Parts, policy: Policy) -> set[str]:
    """As they stand in what was released."""
    terms = (*policy.keep, *policy.allow)
    if not terms:
        return set()
    found = apply_lists(parts.space.split(text), [], allow=(), deny=terms)
    return {text[one.start : one.end] for one in found}


def _with(result: Result, mended: Mended, repair: Repair) -> Result:
    facts = RepairFacts(
        model=repair.name,
        fingerprint=repair.fingerprint,
        place=repair.place,
        repeatable=repair.repeatable,
        repaired=mended.outcomes["repaired"],
        unchanged=mended.outcomes["unchanged"],
        refused=mended.outcomes["refused"],
        failed=mended.outcomes["failed"],
        reasons=dict(sorted(mended.reasons.items())),
        trouble=mended.trouble,
    )
    notes = [*result.certificate.notes, facts.note()]
    certificate = result.certificate.model_copy(update={"repair": facts, "notes": notes})
    text, *task = result.map.releases
    exact = (text.above(result.text, mended.text), *task)
    return replace(
        result,
        text=mended.text,
        unrepaired=result.text,
        certificate=certificate,
        map=replace(result.map, releases=exact),
    )
