"""What a report says: of each figure and check in plain words, to reviewers in terms of their own,
and all of it as one HTML page.

Facts and figures, no statement of compliance. It shows no word of any text unless it is told to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from privstamp.budget import GROUP_NAMES, GROUPS, Budget
from privstamp.lab import report as pages
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.verdict import Audit, Section
from privstamp.lab.estimate import Estimate
from privstamp.lab.report import PagePart, Sheet, blocks
from privstamp.protocols import Sensitivity
from privstamp.sensitivity.numbers import KINDS as ROLES

FIGURES: Final = {
    "promises_broken": "promises of the whole line that were refuted (must be 0)",
    "recovery_uniform": "an attacker who knows the mechanism and nothing else guesses a word",
    "recovery_unigram": "the same, knowing how often each word is used",
    "recovery_contextual": "the same, with a language model reading the released text",
    "keep_max": "the word that survives most often, in the worst group and class",
    "sensitive_verbatim": "sensitive spans that left as they were",
    "empirical_epsilon_over_claim": "loss proved by samples, as a share of the claim (must be ≤ 1)",
    "averaging_gain": "what twenty releases tell beyond one",
}
CHECKS: Final = {
    "line": "Invented letters and public words go through the line as it is deployed, and releases "
    "are read as a receiver reads them. Each line of the table is a promise; one that is broken "
    "fails the audit.",
    "cells": "How often a word comes out as itself, and how often the best possible attacker names "
    "it. Groups 1 and 2 are the sensitive ones: their figures should be near the floor. Read the "
    "worst figure, not the mean.",
    "recovery": "The same attackers, let loose on this sample. A figure near its floor means "
    "that the release told them nothing; far above it, that it told them the word.",
    "claims": "The mechanisms promise that no output says more than a stated amount about a word. "
    "Here this is put to the test. A ratio above 1 means that the promise is broken, and the audit "
    "fails.",
    "leakage": "What anyone can see without an attack. Sensitive spans that leave as they were "
    "should be close to none; texts whose releases can be matched are linkable.",
    "misses": "No detector finds everything, and what it misses gets the protection of an ordinary "
    "word. The figure to watch is missed_and_kept.",
    "averaging": "Releasing the same text again and again with new noise lets an attacker take the "
    "majority. A steep curve means: do not repeat, or set a secret so that a repeat is the same "
    "release.",
    "reuse": "An edited text must meet noise of its own. More likeness than chance would mean that "
    "the difference between the two versions shows, and the audit fails. In a session what has "
    "left leaves the same again, and nothing else does.",
    "attributes": "Whether a program that has learnt from releases can tell what kind of text this "
    "is. Far above the floor means that the kind, not the words, can still be read off.",
    "labels": "What the visible frame tells: which words are protected, how long the text is, "
    "which surrogates are equal. Noise on words does not hide it.",
    "context": "The strongest attacker here: a language model reads what was released and fills "
    "each place with what fits best, knowing the mechanism. Above the floor is what the release "
    "gave away; the floor is what the rest of the text gives away by itself.",
    "reconstruction": "A large model at an endpoint of your choice reads a release and writes down "
    "what the original may have been. Above the floor is what it found out; the floor is what "
    "stands in the release already. It knows nothing of the mechanism.",
}
OF: Final = {
    "line": "Whole line: canaries of the audit, not the sample.",
    "cells": "By group and class, of the words that a mechanism moves; what is replaced, or leaves "
    "as it is, is not in these figures.",
    "recovery": "By group, and for whole things that are named; of words that a mechanism moves.",
    "claims": "By mechanism and class.",
    "leakage": "Of sensitive spans, and of whole texts (linkable, singled_out).",
    "misses": "Of the whole text: ordinary_kept counts every word that no detector flagged, small "
    "words too, so it is larger than the figures of a group.",
    "averaging": "Of words that a mechanism moves, all groups together.",
    "reuse": "Of words that a mechanism moves, all groups together.",
    "attributes": "Of whole texts.",
    "labels": "Of the whole text: every word, whatever its group.",
    "context": "By group, of words that a mechanism moves.",
    "reconstruction": "Of sensitive spans, and of words that a mechanism moves.",
}
"""What the figures of a check are figures of."""


HIPAA: Final[dict[str, tuple[str, ...]]] = {
    "names": ("PERSON",),
    "geographic subdivisions smaller than a state": (
        "LOCATION", "ADDRESS", "POSTCODE", "UK_POSTCODE", "CA_POSTAL_CODE",
    ),
    "dates, and ages over 89": ("DATE", "DATE_TIME", "AGE"),
    "telephone numbers": ("PHONE_NUMBER",),
    "fax numbers": ("PHONE_NUMBER",),
    "e-mail addresses": ("EMAIL_ADDRESS",),
    "social security numbers": ("US_SSN", "US_ITIN"),
    "medical record numbers": ("NUMERIC_ID",),
    "health plan numbers": ("NUMERIC_ID", "US_MBI", "UK_NHS", "AU_MEDICARE"),
    "account numbers": ("IBAN_CODE", "US_BANK_NUMBER", "ABA_ROUTING_NUMBER", "CREDIT_CARD"),
    "certificate and licence numbers": (
        "US_DRIVER_LICENSE", "MEDICAL_LICENSE", "US_NPI", "US_PASSPORT", "NUMERIC_ID",
    ),
    "vehicle identifiers and plate numbers": ("UK_VEHICLE_REGISTRATION", "NUMERIC_ID"),
    "device identifiers and serial numbers": ("MAC_ADDRESS", "NUMERIC_ID"),
    "web addresses": ("URL",),
    "IP addresses": ("IP_ADDRESS",),
    "biometric identifiers": (),
    "full-face photographs": (),
    "any other unique number or code": ("NUMERIC_ID", "CODE", "UUID", "CRYPTO", "CREDENTIAL"),
}  # fmt: skip
"""The 18 kinds of the Safe Harbor list, and the names that detectors here have for them."""
_UNKNOWN: Final = "not measured"
_TESTED: Final = ("promises_tested", "promise_trials")
LEXICON: Final = frozenset({"PERSON", "LOCATION", "RARE", "NUMBER", "CODE", "EMAIL_ADDRESS", "URL"})
"""What the public word list calls things."""


def facts(known: Mapping[str, Any]) -> str:
    """Whose audit this is, in a line."""
    return (
        f"Policy {known['policy'][:12]}, preset {known['preset']}, {known['date']}; privstamp "
        f"{known['privstamp']}, space {known['space'][:12]}, {known['texts']} texts with "
        f"{known['units']} units, seed {known['seed']}"
    )


def opening(audit: Audit) -> list[str]:
    """Three sentences for a person: what was done, what came of it, and what that does not say."""
    verdict = audit.verdict
    tested = {section.name: section for section in audit.sections}.get("line")
    done = "The whole line was not put to the test."
    if tested is not None:
        count, trials = (tested.figures[name].value or 0 for name in _TESTED)
        done = (
            f"Invented letters and public words went through this line exactly as it is deployed, "
            f"and {count:.0f} of its promises were tested in {trials:.0f} trials."
        )
    came = {
        "sound": "None of them was broken, and no other check refuted anything.",
        "REFUTED": f"Do not rely on it: {verdict.reasons[0] if verdict.reasons else ''}.",
        "not finished": "Nothing was refuted so far, but checks that could have were not made.",
    }[verdict.word]
    missed = _said(audit, "misses", "recall", "of the words marked in the sample")
    limits = (
        "Sound does not mean that the figures below are low enough for you, and no test sees what "
        f"detectors miss in your own texts (found here: {missed})."
    )
    return [done, came, limits]


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
    guessed = [
        (name, summary[f"recovery_{name}"].short(missing=_UNKNOWN))
        for name in ("uniform", "unigram", "contextual")
    ]
    return [
        ("Unit of privacy", "a word, in a text whose labels, length and spacing are visible"),
        (
            "Trust model",
            "local: noise is added before the text leaves its owner's machine; the "
            "attacker knows the mechanism, the budgets and the word list",
        ),
        ("Epsilon, with its metric", epsilons),
        ("Metrics in use", ", ".join(metrics) or "none: everything is replaced"),
        ("Labels depend on", scope.reason),
        ("Composition", "words add up; a text released twice with fresh noise spends twice"),
        ("Singling out", _said(audit, "leakage", "singled_out")),
        ("Linkability", _said(audit, "leakage", "linkable")),
        ("Inference of words", "; ".join(f"{name} prior: {risk}" for name, risk in guessed)),
        ("Inference of attributes", _attribute(audit)),
        ("Detector's recall", _said(audit, "misses", "recall", "of the marked words")),
        ("Not covered", "style, topic, length, spacing, and who is known to have written it"),
    ]


def identifiers(subject: Subject) -> list[tuple[str, str]]:
    """How each of the 18 kinds is treated by this policy."""
    known = looked_for(subject.parts.sensitivity)
    numbers = subject.policy.numbers == "all"
    lines = []
    for kind, names in HIPAA.items():
        if not names:
            how = "not text: outside of what privstamp can see"
        elif known is None:
            how = f'decided by "{subject.parts.sensitivity.name}", which does not list its kinds'
        elif listed := [name for name in names if name in known]:
            how = f"looked for as {', '.join(listed)}; then {_treated(subject.policy.budget)}"
        else:
            how = "not looked for"
        if numbers and ("number" in kind or "dates" in kind):
            how += "; digits are replaced wherever they stand"
        lines.append((kind, how))
    return lines


def looked_for(part: Sensitivity) -> frozenset[str] | None:
    """Kinds that a detector looks for; None where it does not say, which is not none."""
    entities = getattr(part, "entities", None)
    if entities is not None:
        return frozenset(entities)
    if part.name == "lexicon":
        return LEXICON
    inside = [looked_for(inner) for inner in getattr(part, "_parts", ())]
    told = [kinds for kinds in inside if kinds is not None]
    if not inside or len(told) < len(inside):
        return None
    roles = frozenset() if getattr(part, "_numbers", None) is None else ROLES
    return roles.union(*told)


def _treated(budget: Budget) -> str:
    """What becomes of sensitive words, by the two groups they may fall into."""
    ways = [_epsilon(*pair) for pair in zip(budget.epsilon[:2], budget.metrics[:2], strict=True)]
    return " or ".join(dict.fromkeys(ways))


def _epsilon(epsilon: float, metric: str) -> str:
    if epsilon == 0:
        return "replaced, whatever it was"
    return "released unprotected" if math.isinf(epsilon) else f"{epsilon:g} per {metric} unit"


def _attribute(audit: Audit) -> str:
    names = ("original", "released", "floor")
    said = [_said(audit, "attributes", f"attribute_{name}", f"({name})") for name in names]
    return ", ".join(said) if said[0] != _UNKNOWN else _UNKNOWN


def _said(audit: Audit, section: str, name: str, of: str = "of the sample's texts") -> str:
    figures = [part.figures.get(name) for part in audit.sections if part.name == section]
    value = figures[0].value if figures and figures[0] else None
    return _UNKNOWN if value is None else f"{value:.3f} {of}"


_GUESSED: Final = ("first guess", "one of five guesses", "floor")
BARS: Final[Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]] = {
    "cells": (
        (("keep_mean", "keep_weighted", "keep_max"), ("kept: mean", "by frequency", "worst word")),
        (
            ("recovery_uniform", "recovery_unigram", "floor_unigram"),
            ("recovered, uniform prior", "unigram prior", "floor"),
        ),
    ),
    "recovery": ((("recovered_unigram", "recovered_unigram_top5", "floor_unigram"), _GUESSED),),
    "context": (
        (("recovery_contextual", "recovery_contextual_top5", "floor_contextual"), _GUESSED),
    ),
    "attributes": (
        (("original", "released", "floor"), ("from originals", "from releases", "floor")),
    ),
}
"""Charts of a check: columns of its table, and what the bars are called."""


def page(subject: Subject, audit: Audit, *, show_text: bool = False) -> str:
    """The whole document: verdict, identifiers and headline figures first, then every check."""
    block, verdict = blocks(), audit.verdict.text
    private = "Private. This copy shows words of the sample. Do not pass it on."
    tiles = [
        (name.replace("_", " "), figure, FIGURES.get(name, ""))
        for name, figure in audit.summary.items()
    ]
    groups = "; ".join(f"{group} {GROUP_NAMES[group]}" for group in GROUPS)
    about = (
        "Shares between 0 and 1, with 95 % intervals in brackets. A passing audit means that no "
        "promise was refuted, not that the figures are low enough for you. Groups of words: "
        f"{groups}."
    )
    facts_alone = "Facts, no statement of compliance."
    first = [
        block.text(facts(audit.facts), "note"),
        *([block.text(private, "private")] if show_text else []),
        block.text(verdict[:1].upper() + verdict[1:], "pass" if audit.passed else "fail"),
        block.text(" ".join(opening(audit))),
    ]
    treated = [
        block.pairs(identifiers(subject)),
        block.text(f"How this policy treats each. {facts_alone}", "note"),
    ]
    last = [
        block.pairs(questions(subject, audit)),
        block.text("Facts and figures, no statement of compliance.", "note"),
    ]
    parts = [
        PagePart("", first),
        PagePart("The 18 identifiers of HIPAA's Safe Harbor list", treated),
        PagePart("In figures", [block.tiles(tiles), block.text(about, "note")]),
        *(_part(section, show_text) for section in audit.sections),
        PagePart("In reviewers' words", last, fresh=True),
    ]
    return pages.page("What an attacker gets", parts)


def _part(section: Section, show_text: bool) -> PagePart:
    """Title, meaning, charts, figures, remarks."""
    block = blocks()
    figures = section.figures.items()
    shown = [
        block.text(CHECKS.get(section.name, "")),
        block.text(OF.get(section.name, ""), "note"),
        *(block.bars(lines, series) for lines, series in charts(section)),
        *([block.curve(_curve(section), "releases")] if section.name == "averaging" else []),
        block.pairs([(name, figure.written(missing=figure.note or "none"))
                     for name, figure in figures]),
        *([block.table(_table(section.rows))] if section.rows else []),
        block.listing(section.remarks),
    ]  # fmt: skip
    if show_text:
        shown.append(block.listing(section.private, "Private: words of the sample", "private"))
    return PagePart(section.title + ("" if section.sound else " — refuted"), shown)


def charts(section: Section) -> list[tuple[list[tuple[str, list[Estimate]]], tuple[str, ...]]]:
    """Bars of a check: lines by name, and what the bars of each are called."""
    return [
        ([(_named(row), [_number(row[name]) for name in names]) for row in section.rows], said)
        for names, said in BARS.get(section.name, ())
    ]


def _curve(section: Section) -> list[tuple[float, Estimate]]:
    return [(row["releases"], _number(row["recovered"])) for row in section.rows]


def _named(row: Mapping[str, Any]) -> str:
    """What a line of a chart is called."""
    named = row.get("words") or row.get("attribute")
    return str(named or f"group {row['group']}, {row['class']}")


def _number(value: Any) -> Estimate:
    return value if isinstance(value, Estimate) else Estimate.exact(float(value))


def _table(rows: list[dict[str, Any]]) -> Sheet:
    """Values alone: their intervals would make it too wide."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    values = [[row.get(name) for name in names] for row in rows]
    lines = [[v.short() if isinstance(v, Estimate) else v for v in line] for line in values]
    return Sheet("", [name.replace("_", " ") for name in names], lines)
