"""The way of a text through the parts that a policy names: one loop, whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np

from privstamp import __version__
from privstamp.errors import (
    AssetError,
    MissingExtra,
    PrivstampError,
    StageFailed,
    UsageError,
    guarded,
)
from privstamp.importance.shares import apply_keep
from privstamp.noise import KEY_BYTES, Randomness
from privstamp.policy import Policy
from privstamp.protocols import Across, Sensitivity
from privstamp.release.document import (
    SEAM,
    Checked,
    Document,
    Labelled,
    Sampled,
    Searched,
    Split,
    Weighed,
    Written,
    grown,
)
from privstamp.release.draws import Fluency, draw
from privstamp.release.groups import NO_SPAN, group, join_names, small_words
from privstamp.release.issuer import Issuer
from privstamp.release.parts import Parts, providers
from privstamp.release.writer import release
from privstamp.result import Failure
from privstamp.sensitivity.spans import apply_lists, merge, spanning
from privstamp.types import UNKNOWN, Finding, Kind, Scores, among

# What the detectors, the task and the policy say of every unit: findings, scores, groups, budgets.
#
# Nothing is drawn here.


NAMED = among((Kind.WORD, Kind.FOREIGN, Kind.EMAIL, Kind.URL))


def searched(documents: list[Split], parts: Parts, policy: Policy) -> list[Searched]:
    """With what is sensitive in all of their pages, which the detectors see together."""
    pages = [page for document in documents for page in document.pages]
    findings = iter(parts.sensitivity.find(pages))
    return [
        grown(Searched, document, findings=_findings(document, findings, parts, policy))
        for document in documents
    ]


def _findings(
    document: Split, pages: Iterator[list[Finding]], parts: Parts, policy: Policy
) -> list[Finding]:
    findings: list[Finding] = []
    shift = 0
    across = _across(document, [next(pages) for _ in document.pages], parts.sensitivity)
    for page, spans in zip(document.pages, across, strict=True):
        template = document.template if not shift else None
        if document.roster is not None:
            spans = document.roster.more(page, spans, parts.sensitivity)
        if template is not None:
            spans = template.with_hints(spans)
        spans = merge(apply_lists(page, spans, allow=policy.allow, deny=policy.deny))
        if policy.grouping == "contextual":
            spans = join_names(page.text, spans)
        if template is not None:
            spans = template.cut(spans)
        findings += (
            spans
            if not shift
            else [spanning(span, span.start + shift, span.end + shift) for span in spans]
        )
        shift += len(page.text) + len(SEAM)
    return findings


def _across(
    document: Split, findings: list[list[Finding]], sensitivity: Sensitivity
) -> Sequence[list[Finding]]:
    """Findings of each page; a name of the text is also hidden in the task, and vice versa.

    Otherwise the task would ask for a name that the released text does not hold.
    """
    if len(findings) == 1 or not isinstance(sensitivity, Across):
        return findings
    text, task = zip(document.pages, findings, strict=True)
    return sensitivity.across(text, task)


def scored(documents: list[Searched], parts: Parts, policy: Policy) -> list[Weighed]:
    """Text and task are scored as pages of their own: a task always meets itself best."""
    pages = [
        (page, document.task or document.asked) for document in documents for page in document.pages
    ]
    texts = [page for page, _ in pages]
    scores = parts.importance.score(texts, [task for _, task in pages])
    kept = map(partial(apply_keep, keep=policy.keep), texts, scores)
    return [
        grown(Weighed, document, scores=Scores.joined([next(kept) for _ in document.pages]))
        for document in documents
    ]


def grouped(document: Weighed, parts: Parts, policy: Policy) -> Labelled:
    """With the group of every unit, and its budget."""
    units = document.units
    small = small_words(parts.space, units.rows)
    grouping = group(
        units,
        document.findings,
        document.scores,
        replace_numbers=policy.numbers == "all",
        small=small,
        public=policy.grouping == "public",
    )
    epsilon = policy.budget.of_groups(grouping.groups)
    epsilon[(units.rows == UNKNOWN) | grouping.by_rule] = 0.0
    # Of a public task only entities and unknown words are hidden, also those that the text
    # does not hold: being replaced alone must not tell what the text mentions.
    # A word that only the text shows to be a name does tell it (docs/concepts/privacy.md).
    named = (units.rows == UNKNOWN) & NAMED[units.kinds]
    hidden = named | (grouping.spans != NO_SPAN)
    epsilon[document.public & ~hidden] = np.inf
    return grown(Labelled, document, grouping=grouping, epsilon=epsilon, small=small)


Watch: TypeAlias = Callable[[str, float], None]
Before = TypeVar("Before", bound=Document)
After = TypeVar("After", bound=Document)


def each(step: Callable[[Before], After]) -> Callable[[list[Before]], list[After]]:
    return lambda documents: [step(document) for document in documents]


def stage(
    name: str, documents: Sequence[Before | Failure], step: Callable[[list[Before]], list[After]]
) -> list[After | Failure]:
    """Run a stage on all documents that are still whole; after a failure, on each alone."""
    live = [document for document in documents if not isinstance(document, Failure)]
    done = iter(_through(name, live, step))
    return [document if isinstance(document, Failure) else next(done) for document in documents]


def _through(
    name: str, live: list[Before], step: Callable[[list[Before]], list[After]]
) -> list[After | Failure]:
    if not live:
        return []
    try:
        return [*guarded(name, step, live)]
    except PrivstampError as error:
        failed = error
    if len(live) == 1:
        return [Failure(live[0].index, stripped(name, failed))]
    return [outcome for document in live for outcome in _through(name, [document], step)]


class Stages:
    """Parts, and the noise that texts meet in them. Keeps nothing about texts."""

    def __init__(self, policy: Policy, parts: Parts, randomness: Randomness) -> None:
        self.policy = policy
        self._watch: Watch = _nobody
        self.parts = parts
        self._take(randomness)
        self._may_leave = np.zeros(len(self.parts.space.class_of), dtype=bool)
        for rows in self.parts.space.outputs:
            self._may_leave[rows] = True
        model = self.parts.language_model
        self._fluency = None if model is None else Fluency(self.parts, model)
        facts = (
            policy.unrepaired.fingerprint(),
            self.parts.space.fingerprint,
            self.parts.sensitivity.fingerprint,
            self.parts.importance.fingerprint,
            repr(providers(policy)),
            "" if model is None else model.fingerprint,
            *(
                replacement.fingerprint
                for _, replacement in sorted(self.parts.replacements.items())
            ),
        )
        self.facts = tuple(fact.encode() for fact in facts)  # what no text changes

    def _take(self, randomness: Randomness, key: bytes | None = None) -> None:
        self._randomness = randomness
        secret = randomness.mode == "secret"
        self.fingerprint_key = key or (
            randomness.key(b"fingerprints") if secret else secrets.token_bytes(KEY_BYTES)
        )
        self._issuer = Issuer(self.parts, self.policy, randomness.mode, self.fingerprint_key)

    def watch(self, watcher: Watch) -> None:
        """Tell `watcher` each stage, and how much of it is done."""
        self._watch = watcher

    def run(self, documents: Sequence[Document], *, trace: bool = False) -> list[Written | Failure]:
        """Text meets the stages in this order. A document that fails drops out; others go on."""
        drawn = self._stage("mechanism", self._label(documents), self._perturb)
        step = each(partial(self._release, trace=trace))
        written = self._stage("release", drawn, step)
        return written if self.parts.repair is None else self._repair(written)

    def _label(self, documents: Sequence[Document]) -> list[Labelled | Failure]:
        """The stages up to the groups: nothing is drawn."""
        checked = self._stage("input", documents, each(self._check))
        split = self._stage("splitting", checked, each(self._split))
        parts, policy = self.parts, self.policy
        hidden = self._stage("sensitivity", split, lambda live: searched(live, parts, policy))
        needed = self._stage("importance", hidden, lambda live: scored(live, parts, policy))
        return self._stage("grouping", needed, each(self._group))

    def _stage(
        self,
        name: str,
        documents: Sequence[Before | Failure],
        step: Callable[[list[Before]], list[After]],
    ) -> list[After | Failure]:
        self._watch(name, 0.0)
        return stage(name, documents, step)

    def _check(self, document: Document) -> Checked:
        checked = document.checked(drop=self.policy.attachments == "drop")
        served = getattr(self.parts.sensitivity, "languages", None)  # None: any
        if served is not None and self.policy.other_languages == "refuse" and not document.whole:
            checked.check_language(served)
        return checked

    def _split(self, document: Checked) -> Split:
        texts = [document.text, document.task] if document.task else [document.text]
        return document.split([self.parts.space.split(text) for text in texts])

    def _group(self, document: Weighed) -> Labelled:
        labelled = grouped(document, self.parts, self.policy)
        if document.whole:
            labelled = replace(labelled, epsilon=np.zeros_like(labelled.epsilon))
        settled = labelled if document.settle is None else document.settle(labelled)
        return replace(settled, key=self._key(settled))

    def _key(self, document: Labelled) -> bytes:
        """Of a secret, labels are a part as well: another processor may find other ones."""
        return self._randomness.key(
            *document.identity,
            (document.task or "").encode(),
            repr((document.private_task, document.task is None, __version__)).encode(),
            *((document.labels,) if self._randomness.mode == "secret" else ()),
            *self.facts,
        )

    def _perturb(self, documents: list[Labelled]) -> list[Sampled]:
        """Draw everything that leaves."""
        once = self.policy.draws == "once"
        watch = partial(self._watch, "mechanism")
        sampled = draw(documents, self.parts, self._fluency, watch, once=once)
        if not all(self._may_leave[document.outputs].all() for document in sampled):
            raise ValueError("a mechanism returned a row that may not leave")
        return sampled

    def _release(self, document: Sampled, *, trace: bool) -> Written:
        return release(document, self._issuer, trace=trace)

    def _repair(self, outcomes: Sequence[Written | Failure]) -> list[Written | Failure]:
        """Smooth what was released; whatever goes wrong, a text stays as it was."""
        from privstamp.release.repairs import repaired  # few policies have one

        written = [document for document in outcomes if isinstance(document, Written)]
        watch = partial(self._watch, "repair")
        results = iter(repaired(written, self.parts, self.policy, watch))
        return [
            replace(document, result=next(results)) if isinstance(document, Written) else document
            for document in outcomes
        ]


def _nobody(_stage: str, _done: float) -> None:
    """Watches when nobody does."""


def stripped(stage: str, error: PrivstampError) -> PrivstampError:
    """The error without what it was raised from: a careless part may have put text there."""
    if not isinstance(error, UsageError | AssetError | MissingExtra | StageFailed):
        error = StageFailed(f"{stage} failed ({type(error).__name__}); nothing was released")
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
