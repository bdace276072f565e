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
from privstamp.release.document import Sampled, Written
from privstamp.release.groups import small_words
from privstamp.release.parts import Parts
from privstamp.release.replaced import bare
from privstamp.repair.checks import Checks
from privstamp.repair.rewriter import Mended, Page, Watch, broken, mend
from privstamp.result import Result
from privstamp.sensitivity.spans import apply_lists
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import UNKNOWN, Label


def repaired(
    documents: Sequence[Written], parts: Parts, policy: Policy, watch: Watch
) -> list[Result]:
    """Results with their texts repaired, all windows of all of them in one go."""
    repair = parts.repair
    if repair is None:
        return [document.result for document in documents]
    plain = [document for document in documents if document.template is None]
    mended = iter(_mended(plain, parts, policy, repair, watch))
    return [
        _with(document.result, next(mended), repair)
        if document.template is None
        else _unrepaired(document.result)
        for document in documents
    ]


def _unrepaired(result: Result) -> Result:
    """A structured text stays as released: a model would not keep its structure."""
    note = "not repaired: the text has a structure to keep"
    return replace(result, certificate=result.certificate.noted(note))


def _mended(
    documents: Sequence[Written], parts: Parts, policy: Policy, repair: Repair, watch: Watch
) -> list[Mended]:
    try:
        pages = [
            Page(document.result.text, must_stay(document, parts, policy)) for document in documents
        ]
        checks = Checks(parts.space, parts.sensitivity)
    except Exception as error:
        kind = type(error).__name__
    else:
        return mend(pages, repair, checks, watch=watch)
    return [Mended(document.result.text, trouble=broken(kind)) for document in documents]


def must_stay(document: Written, parts: Parts, policy: Policy) -> frozenset[str]:
    """Whatever stands for something sensitive, and words that the owner keeps or allows."""
    words = _own_words(document.result.text, parts, policy)
    return frozenset(words | _stand_ins(document, parts))


def _stand_ins(document: Sampled, parts: Parts) -> set[str]:
    """Replacements, and capitalised words that were drawn for sensitive ones."""
    here = slice(0, len(document.pages[0]))
    labels, epsilon = document.units.labels[here], document.epsilon[here]
    rows = np.full(len(document.units), UNKNOWN, dtype=np.int32)
    rows[document.perturbed] = document.outputs
    capital = labels & (Label.TITLE | Label.UPPER) != 0
    groups = document.grouping.groups[here]
    drawn = (groups <= 2) & capital & ~small_words(parts.space, rows[here])
    written = np.zeros(len(document.units), dtype=bool)
    written[document.replaced.kept] = True
    which = np.flatnonzero(written[here] & ((epsilon == 0) | (drawn & np.isfinite(epsilon))))
    surfaces = document.replaced.surfaces
    strings = {bare(surfaces[i], int(labels[i])).strip() for i in which.tolist()}
    return {string for string in strings if string and string not in FUNCTION_WORDS}


def _own_words(text: str, parts: Parts, policy: Policy) -> set[str]:
    """As they stand in what was released."""
    terms = (*policy.keep, *policy.allow)
    if not terms:
        return set()
    listed = apply_lists(parts.space.split(text), [], allow=(), deny=terms)
    return {text[finding.start : finding.end] for finding in listed}


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
    text, *task = result.map.releases
    exact = (text.above(result.text, mended.text), *task)
    return replace(
        result,
        text=mended.text,
        unrepaired=result.text,
        certificate=result.certificate.noted(facts.note(), repair=facts),
        map=replace(result.map, releases=exact),
    )
