"""The last page of a report, in the words that reviewers use. Facts and figures, no verdict."""

from __future__ import annotations

import math
from typing import Final

from privstamp.audit.run import Audit
from privstamp.audit.subject import Subject
from privstamp.budget import GROUP_NAMES, GROUPS

HIPAA: Final[dict[str, tuple[str, ...]]] = {
    "names": ("PERSON",),
    "geographic subdivisions smaller than a state": ("LOCATION", "POSTCODE", "ADDRESS"),
    "dates, and ages over 89": ("DATE_TIME", "AGE"),
    "telephone numbers": ("PHONE_NUMBER",),
    "fax numbers": ("PHONE_NUMBER",),
    "e-mail addresses": ("EMAIL_ADDRESS",),
    "social security numbers": ("US_SSN",),
    "medical record numbers": ("MEDICAL_RECORD", "ID"),
    "health plan numbers": ("ID",),
    "account numbers": ("IBAN_CODE", "US_BANK_NUMBER", "ID"),
    "certificate and licence numbers": ("US_DRIVER_LICENSE", "MEDICAL_LICENSE", "ID"),
    "vehicle identifiers": ("ID",),
    "device identifiers": ("ID", "MAC_ADDRESS"),
    "web addresses": ("URL",),
    "IP addresses": ("IP_ADDRESS",),
    "biometric identifiers": (),
    "full-face photographs": (),
    "any other unique number or code": ("ID", "CRYPTO", "CREDIT_CARD"),
}
"""The 18 kinds of the Safe Harbor list, and the names that detectors here have for them."""


def questions(subject: Subject, audit: Audit) -> list[tuple[str, str]]:
    """Question and answer, one line each."""
    budget, summary = subject.policy.budget, audit.summary
    metrics = dict.fromkeys(
        name for name, epsilon in zip(budget.metrics, budget.epsilon, strict=True) if epsilon > 0
    )
    epsilons = "; ".join(
        f"group {group} ({GROUP_NAMES[group]}): {_epsilon(epsilon, metric)}"
        for group, epsilon, metric in zip(GROUPS, budget.epsilon, budget.metrics, strict=True)
    )
    scope = subject.parts.sensitivity.scope
    return [
        ("Unit of privacy", "a word, in a text whose labels, length and spacing are visible"),
        ("Trust model", "local: noise is added before the text leaves its owner's machine"),
        ("Epsilon, with its metric", epsilons),
        ("Metrics in use", ", ".join(metrics) or "none: everything is replaced"),
        ("Labels depend on", scope.reason),
        ("Composition", "words add up; a text released twice with fresh noise spends twice"),
        ("Singling out", _said(audit, "leakage", "singled_out")),
        ("Linkability", _said(audit, "leakage", "linkable")),
        ("Inference of words", f"unigram prior: {_value(summary['recovery_unigram'].value)}"),
    ]


def identifiers(subject: Subject) -> list[tuple[str, str]]:
    """How each of the 18 kinds is treated by this policy."""
    known = frozenset(getattr(subject.parts.sensitivity, "entities", ()))
    numbers = subject.policy.numbers == "replace"
    lines = []
    for kind, names in HIPAA.items():
        found = sorted(known.intersection(names))
        if not names:
            how = "not text: outside of what privstamp can see"
        elif found:
            how = f"looked for as {', '.join(found)}"
        elif "number" in kind and numbers:
            how = "not looked for as such; all digits are replaced"
        else:
            how = "not looked for"
        lines.append((kind, how))
    return lines


def _epsilon(epsilon: float, metric: str) -> str:
    if epsilon == 0:
        return "replaced, whatever it was"
    return "released unprotected" if math.isinf(epsilon) else f"{epsilon:g} per {metric} unit"


def _said(audit: Audit, section: str, name: str) -> str:
    for one in audit.sections:
        if one.name == section and name in one.figures:
            return f"{_value(one.figures[name].value)} of the sample's texts"
    return "not measured"


def _value(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.3f}"
