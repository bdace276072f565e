"""Fills in a certificate from a released document, the parts and the policy."""

from __future__ import annotations

import hmac
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp import __version__
from privstamp.assets.cache import label_loss
from privstamp.budget import GROUP_NAMES, GROUPS, metric, summed
from privstamp.mechanisms.numeric import Values
from privstamp.noise import Mode
from privstamp.policy import Calibration, Policy
from privstamp.protocols import Fluent, Mechanism, Valued
from privstamp.registry import DECODERS
from privstamp.release import certificate as cert
from privstamp.release.document import Labelled, Sampled
from privstamp.release.groups import NO_SPAN
from privstamp.release.parts import Parts, comes_with_us
from privstamp.text.languages import WITHOUT
from privstamp.types import UNKNOWN, Epsilons, Units, among


class Issuer:
    """Writes the certificates of one line; what all of them say is worked out once."""

    def __init__(self, parts: Parts, policy: Policy, mode: Mode, key: bytes) -> None:
        """`key` protects fingerprints from which a list, task or text could be guessed."""
        self.parts, self.policy, self.mode, self._key = parts, policy, mode, key
        lists = policy.has_lists
        hashes = (parts.sensitivity.fingerprint, parts.importance.fingerprint)
        sensitivity, importance = (self._keyed(plain) if lists else plain for plain in hashes)
        self._prints = cert.Fingerprints(
            policy=policy.fingerprint(key if lists else None),
            policy_keyed=lists,
            sensitivity=sensitivity,
            importance=importance,
            task=None,
            text="",
        )
        self._same: dict[str, Any] = {
            "package": f"privstamp {__version__}",
            "preset": policy.extends,
            "changed": not policy.is_preset,
            "space": _space(parts),
            "mechanisms": _mechanisms(parts, policy),
            "calibration": _calibration(policy.calibrated),
            "label_loss": _label_loss(parts, policy),
            "draws": policy.draws,
            "sensitivity": parts.sensitivity.name,
            "importance": parts.importance.name,
            "randomness": mode,
        }
        self._decoding = _decoding(parts, policy)

    def certify(
        self, document: Sampled, slots: Units, names: Mapping[str, str], text: str
    ) -> cert.Certificate:
        """About what is protected: the text, and a private task; `slots` are its units as released,
        `names` those keys and identifiers that were replaced, `text` is all of it as released."""
        parts, policy, once = self.parts, self.policy, self.policy.draws == "once"
        task = self._keyed(document.task) if document.task else None
        prints = self._prints.model_copy(update={"task": task, "text": self._keyed(text)})
        contextual = policy.grouping == "contextual" or document.hides_task
        return cert.Certificate(
            **self._same,
            values=_values(document, parts),
            groups=[_group(document, parts, policy, number) for number in GROUPS],
            counts=_counts(document, slots, parts),
            structure=_structure(document, names),
            language=document.languages.main,
            languages={name: round(share, 3) for name, share in document.languages.shares},
            loss=_loss(document, parts),
            map="contextual" if contextual else "public",
            scope=cert.scope_sentence(contextual=contextual, once=once),
            not_protected=_not_protected(document, parts, once=once),
            threshold=None if document.hides_task else document.scores.threshold,
            task="none" if not document.task else "private" if document.hides_task else "public",
            fingerprints=prints,
            notes=_notes(document, self.mode, parts) + _languages(document, parts) + self._decoding,
        )

    def _keyed(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()


def _label_loss(parts: Parts, policy: Policy) -> cert.LabelLoss | None:
    """As pinned for these parts, if they are the ones that the policy names."""
    used = parts.space, parts.sensitivity, parts.importance
    named = policy.space, policy.sensitivity, policy.importance
    of = label_parts(policy)
    if [part.name for part in used] == [part.name for part in named]:
        for row in label_loss():
            if row["of"] == of:
                return cert.LabelLoss(own=row["own"], others=row["others"], swaps=row["swaps"])
    return None


def label_parts(policy: Policy) -> dict[str, Any]:
    """What labels depend on, beside the text and its task."""
    labelling = ("space", "sensitivity", "importance")
    named = {name: getattr(policy, name).model_dump(mode="json") for name in labelling}
    return {**named, "numbers": policy.numbers, "grouping": policy.grouping}


def _not_protected(document: Sampled, parts: Parts, *, once: bool) -> list[str]:
    """What shows of every unit, and what each part that was used says that it shows."""
    replaced = (document.epsilon == 0) & ~document.public
    groups, moved = document.grouping.groups, document.perturbed & ~document.public
    used = [*map(parts.replacements.get, np.unique(groups[replaced]).tolist()),
            *map(parts.mechanisms.get, np.unique(groups[moved]).tolist())]  # fmt: skip
    shown = [sentence for part in used for sentence in getattr(part, "shows", ())]
    if document.template is not None:
        shown.append(cert.STRUCTURE)
    return cert.not_protected(once=once, replaced=bool(replaced.any())) + list(dict.fromkeys(shown))


def _space(parts: Parts) -> cert.SpaceFacts:
    space = parts.space
    return cert.SpaceFacts(
        name=space.name,
        source=space.source,
        fingerprint=space.fingerprint,
        rows=space.unit.shape[0],
        dimensions=space.unit.shape[1],
        classes={name: len(rows) for name, rows in zip(space.classes, space.outputs, strict=True)},
    )


def _mechanisms(parts: Parts, policy: Policy) -> list[cert.MechanismFacts]:
    """The mechanisms that randomise something under this budget."""
    facts = []
    for mechanism in dict.fromkeys(parts.mechanisms.values()):
        groups = [
            group
            for group, part in parts.mechanisms.items()
            if part is mechanism and 0 < policy.budget.epsilon[group - 1] < math.inf
        ]
        if groups:
            facts.append(
                cert.MechanismFacts(
                    name=mechanism.name,
                    groups=groups,
                    metric=_metric(parts, mechanism.metric),
                    distance=metric(mechanism.metric).statement,
                    diameter=mechanism.diameter,
                    guarantee=mechanism.guarantee,
                    proof=mechanism.proof,
                    bounded=getattr(mechanism, "bounded", True),
                    built_in=comes_with_us(mechanism),
                    fluency=_fluency(parts, mechanism),
                )
            )
    return facts


def _valued(document: Sampled, parts: Parts) -> Iterator[tuple[Valued, str, slice]]:
    """Spans that are released by their value: whose, the text, and their units."""
    if not parts.values:
        return
    values, units, grouping = Values(parts.values), document.units, document.grouping
    public = document.public
    numbers, firsts, sizes = np.unique(grouping.spans, return_index=True, return_counts=True)
    for number, first, size in zip(
        *(column.tolist() for column in (numbers, firsts, sizes)), strict=True
    ):
        here = slice(first, first + size)
        if number == NO_SPAN or public[here].any() or document.epsilon[here].any():
            continue
        text = units.text[units.starts[first] : units.ends[first + size - 1]]
        mechanism = values.taking(grouping.findings[number].kind, text)
        if mechanism is not None:
            yield mechanism, text, here


def _is_valued(document: Sampled, parts: Parts) -> npt.NDArray[np.bool_]:
    valued = np.zeros(len(document.units), dtype=bool)
    for *_, here in _valued(document, parts):
        valued[here] = True
    return valued


def _values(document: Sampled, parts: Parts) -> list[cert.ValueFacts]:
    spans = {(mechanism, text.casefold()) for mechanism, text, _ in _valued(document, parts)}
    return [
        cert.ValueFacts(
            name=value.name,
            kind=value.kind,
            unit=value.unit,
            epsilon=value.epsilon,
            distance=value.distance,
            diameter=value.diameter,
            draws=sum(value.draws(text) for mechanism, text in spans if mechanism is value),
            guarantee=value.guarantee,
            proof=value.proof,
        )
        for value in parts.values
    ]


def _fluency(parts: Parts, mechanism: Mechanism) -> cert.FluencyFacts | None:
    model = parts.language_model
    if model is None or not isinstance(mechanism, Fluent):
        return None
    return cert.FluencyFacts(
        power=mechanism.fluency,
        model=model.name,
        fingerprint=model.fingerprint,
        by=mechanism.by,
        constant=mechanism.constant,
    )


def _metric(parts: Parts, name: str) -> str:
    """A metric is a distance in one particular table."""
    return f"{name}@{parts.space.fingerprint[:16]}"


def _group(document: Sampled, parts: Parts, policy: Policy, number: int) -> cert.GroupFacts:
    epsilon = policy.budget.epsilon[number - 1]
    randomised = 0 < epsilon < math.inf
    here = document.grouping.groups == number
    replaced = epsilon < math.inf or not document.epsilon[here].all()
    return cert.GroupFacts(
        group=number,
        meaning=GROUP_NAMES[number],
        epsilon=epsilon,
        metric=_metric(parts, parts.mechanisms[number].metric) if randomised else None,
        nominal=_nominal(document, parts, number, epsilon) if randomised else None,
        replacement=parts.replacements[number].name if replaced else None,
        units=int((here & ~document.public).sum()),
    )


def _nominal(document: Sampled, parts: Parts, number: int, epsilon: float) -> float | None:
    """Of mechanisms with a tight constant, over the classes that the group's units are of."""
    mechanism = parts.mechanisms[number]
    if isinstance(mechanism, Fluent):
        mechanism = mechanism.mechanism if mechanism.constant == "own" else mechanism
    nominal = getattr(mechanism, "nominal", None)
    if nominal is None:
        return None
    here = document.perturbed & (document.grouping.groups == number)
    classes = np.unique(parts.space.class_of[document.units.rows[here]]).tolist()
    most = max((float(nominal(place, epsilon)) for place in classes), default=epsilon)
    return most if most > epsilon else None


def _calibration(known: Calibration | None) -> cert.CalibrationFacts | None:
    if known is None:
        return None
    return cert.CalibrationFacts.model_validate(known.model_dump(exclude={"parts"}))


def _counts(document: Sampled, slots: Units, parts: Parts) -> cert.Counts:
    protected = ~document.public
    epsilon, unknown = document.epsilon[protected], document.units.rows[protected] == UNKNOWN
    by_rule = document.grouping.by_rule[protected] & ~unknown
    pages = document.pages if document.hides_task else document.pages[:1]
    inside = (slots.starts < len(document.text)) | document.hides_task
    passed = sum(len(page.text) for page in pages)
    removed = sum(len(edits) for edits in document.unseen[: len(pages)])
    if (template := document.template) is not None:
        inside &= (slots.starts >= len(document.text)) | template.inside(slots.starts)
        passed += template.passed + template.read - len(template.reading)
        removed += template.removed
    valued = _is_valued(document, parts)[protected]
    return cert.Counts(
        units=len(epsilon),
        perturbed=int(document.perturbed[protected].sum()),
        replaced=int(((epsilon == 0) & ~unknown & ~by_rule & ~valued).sum()),
        replaced_by_rule=int((by_rule & ~valued).sum()),
        valued=int(valued.sum()),
        unknown=int((unknown & ~valued).sum()),
        unprotected=int(np.isinf(epsilon).sum()),
        characters_passed=passed - int((slots.ends[inside] - slots.starts[inside]).sum()),
        characters_removed=removed,
    )


def _structure(document: Sampled, names: Mapping[str, str]) -> cert.StructureFacts | None:
    template = document.template
    if template is None:
        return None
    keys = template.keys()
    replaced = sum(keys[name] for name in names)
    return cert.StructureFacts(
        format=template.format,
        parts=dict(sorted(template.parts.items())),
        fields=len(template.firsts),
        names_passed=sum(keys.values()) - replaced,
        names_replaced=replaced,
    )


def _loss(document: Sampled, parts: Parts) -> cert.Loss:
    public = document.public
    drawn = document.drawn[~public[document.drawn]]
    groups = document.grouping.groups
    epsilon = np.where(public, 0.0, document.epsilon)
    total = 0.0
    sums: dict[str, float] = {}
    units = metric_units(document, parts).items()
    means = {name: float(epsilons.mean()) for name, epsilons in units if len(epsilons)}
    for group, mechanism in parts.mechanisms.items():
        spent = epsilon[drawn[groups[drawn] == group]]
        if len(spent):
            sums[mechanism.metric] = sums.get(mechanism.metric, 0.0) + summed(spent, 1.0)
            bounded = getattr(mechanism, "bounded", True)
            total += summed(spent, mechanism.diameter) if bounded else math.inf
    values = _values(document, parts)
    for value in values:
        if value.draws:
            metric = f"{value.kind} {value.distance}"
            sums[metric] = sums.get(metric, 0.0) + value.draws * value.epsilon
            total += value.draws * value.epsilon * value.diameter
    if any(mechanism.epsilon == math.inf for mechanism, *_ in _valued(document, parts)):
        total = math.inf
    return cert.Loss(
        draws=len(drawn) + sum(value.draws for value in values),
        summed_epsilon=sums,
        worst_case=math.inf if np.isinf(epsilon).any() else total,
        mean_epsilon=means,
    )


def metric_units(document: Labelled, parts: Parts) -> dict[str, Epsilons]:
    """For each metric the epsilons of the units of its groups, but for the unprotected."""
    groups, epsilon = document.grouping.groups, document.epsilon
    protected = np.isfinite(epsilon) & ~document.public
    units: dict[str, Epsilons] = {}
    for name in sorted({mechanism.metric for mechanism in parts.mechanisms.values()}):
        served = [
            group for group, mechanism in parts.mechanisms.items() if mechanism.metric == name
        ]
        units[name] = epsilon[among(served)[groups] & protected]
    return units


def _decoding(parts: Parts, policy: Policy) -> list[str]:
    """An approximate search is named: it costs no privacy, but the nearest word may be missed."""
    decodes = any(mechanism.decodes for mechanism in parts.mechanisms.values())
    if not (decodes and getattr(DECODERS.load(policy.decoder.name), "approximate", True)):
        return []
    return [
        f"noisy vectors were decoded by the approximate search {policy.decoder.name}: the "
        "guarantee holds as stated, but some words may not be the nearest ones"
    ]


def _languages(document: Sampled, parts: Parts) -> list[str]:
    """What is to be said of a text in no known language, in several, or in one that is not read."""
    served = getattr(parts.sensitivity, "languages", None)
    if served is None:
        return []
    told = [language for language, _ in document.languages.shares]
    notes = []
    if not told:
        notes.append(
            f"the language could not be told; the text was read as {', '.join(sorted(served))}"
        )
    if len(told) > 1:
        notes.append(f"the text is in several languages: {', '.join(told)}")
    if others := document.languages.others(served):
        notes.append(
            f"the text, or a part of it, is in {', '.join(others)}, which the detectors do not "
            "read: names may have left, and ordinary words been replaced"
        )
    unread: frozenset[str] = getattr(parts.sensitivity, "unread", frozenset())
    if lacking := [language for language in told or sorted(served) if language in unread]:
        notes.append(f"no recogniser of {', '.join(lacking)} is installed. {WITHOUT}")
    return notes


def _notes(document: Sampled, mode: Mode, parts: Parts) -> list[str]:
    notes = [document.scores.note] if document.scores.note else []
    if mode == "seed":
        notes.append("the noise comes from a seed: reproducible, and insecure")
    if mode == "secret" and not document.row:  # of a row, the table says what repeats show
        notes.append("the noise is derived from a secret: that an input was repeated shows")
    if np.isinf(document.epsilon[~document.public]).any():
        notes.append("some units were released unprotected")
    if any(mechanism.name == "shift" for mechanism, *_ in _valued(document, parts)):
        notes.append("dates were shifted by one number of weeks: one known date reveals all others")
    if document.hides_task:
        notes.append("the task was private: privatised like the text, and groups depend on it")
    if ((document.epsilon < np.inf) & document.public).any():
        notes.append(
            "entities in the task were replaced like those of the text, also ones that the text "
            "does not mention; whoever knows the original task learns which of them it mentions"
        )
    return notes
