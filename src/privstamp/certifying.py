"""Fills in a certificate from a released document, the parts and the policy."""

from __future__ import annotations

import hmac
import math

import numpy as np

from privstamp import __version__
from privstamp import certificate as cert
from privstamp.budget import GROUP_NAMES, GROUPS, METRICS, summed
from privstamp.document import Document
from privstamp.noise import Mode
from privstamp.parts import Parts
from privstamp.policy import Policy
from privstamp.types import UNKNOWN


def certify(
    document: Document, parts: Parts, policy: Policy, *, mode: Mode, key: bytes
) -> cert.Certificate:
    """`key` protects fingerprints from which a list or a task could be guessed."""
    once = policy.draws == "once"
    contextual = (
        parts.sensitivity.scope.contextual
        or parts.importance.scope.contextual
        or policy.has_lists
        or document.hides_task
    )
    return cert.Certificate(
        package=f"privstamp {__version__}",
        space=_space(parts),
        mechanism=_mechanism(parts),
        groups=[
            cert.GroupFacts(
                group=number,
                meaning=GROUP_NAMES[number],
                epsilon=epsilon,
                units=int((document.grouping.groups == number).sum()),
            )
            for number, epsilon in zip(GROUPS, policy.budget.epsilon, strict=True)
        ],
        counts=_counts(document),
        loss=_loss(document, parts.mechanism.diameter),
        map="contextual" if contextual else "public",
        scope=cert.scope_sentence(contextual=contextual, once=once),
        not_protected=cert.not_protected(once=once, replaced=bool((document.epsilon == 0).any())),
        draws=policy.draws,
        sensitivity=parts.sensitivity.name,
        importance=parts.importance.name,
        threshold=None if document.hides_task else document.scores.threshold,
        task="none" if not document.task else "private" if document.hides_task else "public",
        randomness=mode,
        fingerprints=cert.Fingerprints(
            policy=policy.fingerprint(key if policy.has_lists else None),
            policy_keyed=policy.has_lists,
            sensitivity=parts.sensitivity.fingerprint,
            importance=parts.importance.fingerprint,
            task=_keyed(key, document.task) if document.task else None,
        ),
        notes=_notes(document, mode),
    )


def _keyed(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), "sha256").hexdigest()


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


def _mechanism(parts: Parts) -> cert.MechanismFacts:
    metric = METRICS[parts.mechanism.metric]
    return cert.MechanismFacts(
        name=parts.mechanism.name,
        metric=f"{metric.name}@{parts.space.fingerprint[:16]}",
        distance=metric.statement,
        diameter=parts.mechanism.diameter,
        guarantee=parts.mechanism.guarantee,
        proof=parts.mechanism.proof,
        replacement=parts.replacement.name,
    )


def _counts(document: Document) -> cert.Counts:
    units, epsilon = document.units, document.epsilon
    unknown = units.rows == UNKNOWN
    by_rule = document.grouping.by_rule & ~unknown
    return cert.Counts(
        units=len(units),
        perturbed=int(document.perturbed.sum()),
        replaced=int(((epsilon == 0) & ~unknown & ~by_rule).sum()),
        replaced_by_rule=int(by_rule.sum()),
        unknown=int(unknown.sum()),
        unprotected=int(np.isinf(epsilon).sum()),
        characters_passed=len(units.text) - int((units.ends - units.starts).sum()),
    )


def _loss(document: Document, diameter: float) -> cert.Loss:
    drawn = document.epsilon[document.drawn]
    finite = document.epsilon[np.isfinite(document.epsilon)]
    unprotected = bool(np.isinf(document.epsilon).any())
    return cert.Loss(
        draws=len(drawn),
        summed_epsilon=summed(drawn, 1.0),
        worst_case=math.inf if unprotected else summed(drawn, diameter),
        mean_epsilon=float(finite.mean()) if len(finite) else None,
    )


def _notes(document: Document, mode: Mode) -> list[str]:
    notes = [document.scores.note] if document.scores.note else []
    if mode == "seed":
        notes.append("the noise comes from a seed: reproducible, and insecure")
    if mode == "secret":
        notes.append("the noise is derived from a secret: that an input was repeated shows")
    if np.isinf(document.epsilon).any():
        notes.append("some units were released unprotected")
    if document.hides_task:
        notes.append("the task was private: privatised with the text, and groups depend on it")
    return notes
