"""An audit: one check after the other, within a time, taken up again where it was stopped."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from privstamp import __version__
from privstamp.lab.audit.cells import cells
from privstamp.lab.audit.claims import claims
from privstamp.lab.audit.context import context, reconstruction
from privstamp.lab.audit.labels import attributes, labels
from privstamp.lab.audit.leakage import leakage, misses
from privstamp.lab.audit.line import line
from privstamp.lab.audit.recovery import recovery
from privstamp.lab.audit.repeats import averaging, reuse
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.verdict import Audit, Section
from privstamp.lab.journal import Journal
from privstamp.lab.progress import Progress, silent

Check: TypeAlias = Callable[[Subject, Callable[[float], None]], Section]

CHECKS: Final[Mapping[str, Check]] = {
    "line": line,
    "cells": cells,
    "recovery": recovery,
    "claims": claims,
    "leakage": leakage,
    "misses": misses,
    "averaging": averaging,
    "reuse": reuse,
    "attributes": attributes,
    "labels": labels,
    "context": context,
    "reconstruction": reconstruction,
}
LANGUAGE_MODEL: Final = frozenset({"context"})
"""Checks that open a language model."""


def audit(
    subject: Subject,
    progress: Progress = silent,
    *,
    seconds: float = float("inf"),
    state: Path | None = None,
    language_model: bool = True,
) -> Audit:
    """Make all checks, or those that fit into `seconds`; `state` keeps what is finished.

    A state is taken up only by an audit of the same policy, parts, sample, seed and version.
    """
    mark = _mark(subject)
    ends = time.monotonic() + seconds
    done: dict[str, Section] = {}
    skipped = []
    with nullcontext() if state is None else Journal(state, mark) as journal:
        for entry in () if journal is None else journal.entries("section"):
            done[entry.key] = Section.of_json(entry.value)
        for name, check in CHECKS.items():
            if name in done or (name in LANGUAGE_MODEL and not language_model):
                continue
            if time.monotonic() >= ends:
                skipped.append(name)
                continue
            progress(name, 0.0)
            done[name] = check(subject, partial(progress, name))
            if journal is not None:
                journal.put("section", name, done[name].as_json())
    policy = subject.policy
    facts = {
        "privstamp": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "preset": policy.extends if policy.is_preset else f"{policy.extends}, changed",
        "policy": "withheld: it holds words of its owner" if policy.has_lists else mark["policy"],
        "space": subject.parts.space.fingerprint,
        "seed": subject.seed,
        "texts": len(subject.texts),
        "units": sum(len(result.trace.units) for result in subject.first if result.trace),
    }
    sections = tuple(done[name] for name in CHECKS if name in done)
    return Audit(sections, tuple(skipped), facts)


def _mark(subject: Subject) -> dict[str, str]:
    """What a state belongs to. Its hashes would confirm a guess of the sample: it is private."""
    policy = subject.policy.fingerprint(subject.key("policy") if subject.policy.has_lists else None)
    texts = [repr((text.text, text.task, text.label, text.marked)) for text in subject.texts]
    parts = (subject.parts.space, subject.parts.sensitivity, subject.parts.importance)
    return {
        "version": __version__,
        "policy": policy,
        "parts": _keyed(subject, "parts", *(part.fingerprint for part in parts)),
        "sample": _keyed(subject, "sample", *texts),
        "seed": str(subject.seed),
        "recall": str(subject.recall),
        "endpoint": repr(subject.endpoint),
    }


def _keyed(subject: Subject, purpose: str, *values: str) -> str:
    digest = hashlib.blake2b(key=subject.key(purpose), digest_size=16)
    for value in values:
        digest.update(value.encode() + b"\0")
    return digest.hexdigest()
