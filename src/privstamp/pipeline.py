"""Privatizer: one readable loop over the parts that a policy names."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from privstamp import __version__
from privstamp.budget import Budget
from privstamp.crew.processes import spread
from privstamp.errors import (
    BudgetError,
    InputError,
    PolicyError,
    PrivstampError,
    UsageError,
)
from privstamp.importance.shares import apply_keep
from privstamp.noise import KEY_BYTES, Randomness
from privstamp.policy import Policy
from privstamp.protocols import Across
from privstamp.release.batches import SHARE, batched, each, stage
from privstamp.release.document import SEAM, Document
from privstamp.release.draws import Fluency, draw
from privstamp.release.groups import NO_SPAN, group, join_names, small_words
from privstamp.release.parts import Parts, assemble, providers
from privstamp.release.pseudonyms import Pseudonyms
from privstamp.release.repairs import repaired
from privstamp.release.writer import labels, release
from privstamp.result import Failure, Result, Trace
from privstamp.sensitivity.lists import apply_lists
from privstamp.sensitivity.spans import merge
from privstamp.sessions.lasting import Lasting, Stored
from privstamp.sessions.session import FOREIGN_NAMES, Session
from privstamp.types import UNKNOWN, Finding, Kind, Scores

Watch: TypeAlias = Callable[[str, float], None]
NAMED = (Kind.WORD, Kind.FOREIGN, Kind.EMAIL, Kind.URL)


class Privatizer:
    """Rewrites text under a policy. Made once, used often; keeps nothing about texts."""

    def __init__(
        self,
        policy: Policy | str | Path | None = None,
        *,
        budget: Budget | None = None,
        seed: int | None = None,
        secret: bytes | None = None,
        parts: Parts | None = None,
    ) -> None:
        """`policy`: an object or a file; none is the default preset. `budget` takes the place of
        the policy's; alone it is the budget of the paper's method, preset stamp.

        `seed` makes releases reproducible and insecure. `secret` derives the noise from the secret
        and everything the release depends on, so that a repeated call is the same release.
        `parts` are what the policy names, built before.
        """
        if policy is None:
            policy = Policy() if budget is None else Policy.preset("stamp")
        elif isinstance(policy, str | Path):
            policy = Policy.load(policy)
        elif not isinstance(policy, Policy):
            raise PolicyError(f"a policy is a Policy or a file, not {type(policy).__name__}")
        if budget is not None and not isinstance(budget, Budget):
            raise BudgetError(f"a budget is a Budget, say Budget.stamp(15), not {budget!r}")
        if budget is not None:
            policy = policy.model_copy(update={"budget": budget})
        self.policy = policy
        self._watch: Watch = _nobody
        self.parts = assemble(policy) if parts is None else parts
        self._given = parts is not None
        self._take(Randomness.make(seed=seed, secret=secret))
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
            *(one.fingerprint for _, one in sorted(self.parts.replacements.items())),
        )
        self.facts = tuple(fact.encode() for fact in facts)  # what no text changes

    def _take(self, randomness: Randomness, key: bytes | None = None) -> None:
        self._randomness = randomness
        secret = randomness.mode == "secret"
        self.fingerprint_key = key or (
            randomness.key(b"fingerprints") if secret else secrets.token_bytes(KEY_BYTES)
        )
        self._policy_fingerprint = self.policy.fingerprint(
            self.fingerprint_key if self.policy.has_lists else None
        )

    def with_noise(self, *, seed: int | None = None, secret: bytes | None = None) -> Privatizer:
        """The same parts, not built again, with other randomness."""
        other = Privatizer.__new__(Privatizer)
        vars(other).update(vars(self))
        other._take(Randomness.make(seed=seed, secret=secret))
        return other

    def watch(self, watcher: Watch) -> None:
        """Tell `watcher` each stage, and how much of it is done."""
        self._watch = watcher

    def pseudonyms(self) -> Pseudonyms:
        """Fresh ones, for several texts that share their surrogates."""
        if self._randomness.mode == "secret":
            raise UsageError("texts that share surrogates are drawn afresh: give no secret")
        return Pseudonyms(self._randomness.key(b"shared", *self.facts), carried=True)

    def session(self, *, foreign_names: tuple[int, int] = FOREIGN_NAMES) -> Session:
        """A conversation: surrogates hold through it, and what has left leaves the same again."""
        return Session(self, foreign_names=foreign_names)

    def open_session(
        self,
        label: str,
        *,
        store: Stored,
        principal: str,
        key: bytes | None = None,
        foreign_names: tuple[int, int] = FOREIGN_NAMES,
    ) -> Lasting:
        """A conversation that outlives the process: in a store, under a master key, charged to a
        principal. The key is `key`, or the one in the environment."""
        if self._randomness.mode != "fresh":
            raise UsageError("a session that lasts has a key of its own: give no seed or secret")
        return Lasting(label, self, store, principal, key=key, foreign_names=foreign_names)

    def privatize(
        self,
        text: str,
        task: str | None = None,
        *,
        private_task: bool = False,
        trace: bool = False,
        format: str | None = None,  # noqa: A002
    ) -> Result:
        """Release one text. Whatever fails, nothing is released and the error holds no text.

        `format` takes the place of the policy's: "auto", "plain", "json" and so on.
        """
        document = Document(0, text, task, private_task, format or self.policy.format)
        self.run([document], trace=trace)
        if document.error is not None:
            raise document.error
        return document.result

    def group(self, text: str, task: str | None = None, *, private_task: bool = False) -> Trace:
        """The groups of a text's units and the reasons for them. Private; nothing is released."""
        document = Document(0, text, task, private_task, self.policy.format)
        self._label([document])
        if document.error is not None:
            raise document.error
        return labels(document)

    def privatize_many(
        self,
        texts: Iterable[str],
        tasks: Iterable[str | None] | str | None = None,
        *,
        private_task: bool = False,
        trace: bool = False,
        format: str | None = None,  # noqa: A002
        jobs: int = 1,
    ) -> Iterator[Result | Failure]:
        """Release many texts in order, in bounded memory; a failing one is a Failure in its place.

        `tasks` is one task for all, or one per text. `jobs` is the number of processes; texts that
        one of them had when it was ended are Failures, and the others go on.
        """
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise InputError("texts is not a list of texts; for one text call privatize")
        if tasks is not None and not isinstance(tasks, Iterable):
            raise InputError("tasks is one task, or one for each text")
        if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
            raise UsageError("jobs is a number of processes: 1, 2, ...")
        make = partial(Document, private_task=private_task, format=format or self.policy.format)
        batches = batched(texts, tasks, make, share=1 if jobs == 1 else SHARE)
        if jobs == 1:
            for batch in batches:
                yield from self._finish(batch, trace=trace)
        else:
            yield from self._spread(batches, jobs, trace=trace)

    def _spread(
        self, batches: Iterable[list[Document]], jobs: int, *, trace: bool
    ) -> Iterator[Result | Failure]:
        recipe = _Line(self._named(), self._randomness, self.fingerprint_key, trace)
        for batch, answer in spread(recipe, (batch for batch in batches if batch), jobs):
            if isinstance(answer, PrivstampError):
                yield from (Failure(document.index, answer) for document in batch)
            else:
                yield from answer

    def _named(self) -> Policy:
        """The policy, if it names all parts: what leaves this process is never built parts."""
        if self._given:
            raise UsageError(
                "a Privatizer that was given its parts cannot go to another process; name them "
                "in the policy"
            )
        return self.policy

    def __reduce__(self) -> tuple[Any, ...]:
        """By policy: parts are built again where it is read. No text, map, key or watcher goes."""
        if self._randomness.mode == "secret":
            raise UsageError(
                "a Privatizer with a secret is not pickled. Pickle one without, and call "
                "with_noise(secret=...) where it is read"
            )
        return _unpickled, (self._named(), self._randomness)

    def _finish(self, batch: list[Document], *, trace: bool) -> Iterator[Result | Failure]:
        self.run(batch, trace=trace)
        for document in batch:
            failed = document.error
            yield document.result if failed is None else Failure(document.index, failed)

    def run(self, documents: list[Document], *, trace: bool = False) -> None:
        """Text meets the stages in this order. A document that fails drops out; others go on."""
        self._label(documents)
        for name, step in (
            ("mechanism", self._perturb),
            ("release", each(partial(self._release, trace=trace))),
        ):
            self._watch(name, 0.0)
            stage(name, documents, step)
        if self.parts.repair is not None:
            self._repair([one for one in documents if one.error is None], trace=trace)

    def _label(self, documents: list[Document]) -> None:
        """The stages up to the groups: nothing is drawn."""
        for name, step in (
            ("input", each(self._check)),
            ("splitting", self._split),
            ("sensitivity", self._find),
            ("importance", self._score),
            ("grouping", self._group),
        ):
            self._watch(name, 0.0)
            stage(name, documents, step)

    def _check(self, document: Document) -> None:
        document.check(drop=self.policy.attachments == "drop")
        served = getattr(self.parts.sensitivity, "languages", None)  # None: any
        if served is not None and self.policy.other_languages == "refuse":
            document.check_language(served)

    def _split(self, documents: list[Document]) -> None:
        split = self.parts.space.split
        for document in documents:
            pages = [split(document.text)]
            if document.task:
                pages.append(split(document.task))
            document.lay(pages)

    def _find(self, documents: list[Document]) -> None:
        pages = [page for document in documents for page in document.pages]
        found = iter(self.parts.sensitivity.find(pages))
        for document in documents:
            document.findings = []
            shift = 0
            for page, mine in zip(document.pages, self._across(document, found), strict=True):
                template = document.template if not shift else None
                if document.roster is not None:
                    mine = document.roster.more(page, mine, self.parts.sensitivity)
                if template is not None:
                    mine = template.with_hints(mine)
                listed = apply_lists(page, mine, allow=self.policy.allow, deny=self.policy.deny)
                spans = merge(listed)
                if self.policy.grouping == "contextual":
                    spans = join_names(page.text, spans)
                if template is not None:
                    spans = template.cut(spans)
                document.findings += [
                    replace(one, start=one.start + shift, end=one.end + shift) for one in spans
                ]
                shift += len(page.text) + len(SEAM)

    def _across(
        self, document: Document, found: Iterator[list[Finding]]
    ) -> Sequence[list[Finding]]:
        """Findings of each page; a name of the text is also hidden in the task, and vice versa.

        Otherwise the task would ask for a name that the released text does not hold.
        """
        findings = [next(found) for _ in document.pages]
        if len(findings) == 1 or not isinstance(self.parts.sensitivity, Across):
            return findings
        text, task = zip(document.pages, findings, strict=True)
        return self.parts.sensitivity.across(text, task)

    def _score(self, documents: list[Document]) -> None:
        """Text and task are scored as pages of their own: a task always meets itself best."""
        pages = [(page, document.task) for document in documents for page in document.pages]
        units, tasks = [page for page, _ in pages], [task for _, task in pages]
        scores = self.parts.importance.score(units, tasks)
        kept = iter(map(partial(apply_keep, keep=self.policy.keep), units, scores))
        for document in documents:
            document.scores = Scores.joined([next(kept) for _ in document.pages])

    def _group(self, documents: list[Document]) -> None:
        policy, parts = self.policy, self.parts
        for document in documents:
            units = document.units
            document.grouping = group(
                units,
                document.findings,
                document.scores,
                replace_numbers=policy.numbers == "all",
                small=small_words(parts.space, units.rows),
                public=policy.grouping == "public",
            )
            document.epsilon = policy.budget.of_groups(document.grouping.groups)
            document.epsilon[(units.rows == UNKNOWN) | document.grouping.by_rule] = 0.0
            # Of a public task only entities and unknown words are hidden, also those that the
            # text does not hold: being replaced alone must not tell what the text mentions.
            # A word that only the text shows to be a name does tell it (docs/concepts/privacy.md).
            named = (units.rows == UNKNOWN) & np.isin(units.kinds, NAMED)
            hidden = named | (document.grouping.spans != NO_SPAN)
            document.epsilon[document.public & ~hidden] = np.inf
            if document.settle is not None:
                document.settle(document)
            if document.pseudonyms is not None:
                continue  # addresses are taken once budgets are final
            document.key = self._randomness.key(
                *document.identity,
                (document.task or "").encode(),
                repr((document.private_task, document.task is None, __version__)).encode(),
                *self.facts,
            )

    def _perturb(self, documents: list[Document]) -> None:
        """Draw the rows that leave."""
        fill = None if self._fluency is None else self._fluency.fill
        once = self.policy.draws == "once"
        draw(documents, self.parts, fill, partial(self._watch, "mechanism"), once=once)
        if not all(self._may_leave[document.outputs].all() for document in documents):
            raise ValueError("a mechanism returned a row that may not leave")

    def _release(self, document: Document, *, trace: bool) -> None:
        document.result = release(
            document,
            self.parts,
            self.policy,
            mode=self._randomness.mode,
            key=self.fingerprint_key,
            policy_fingerprint=self._policy_fingerprint,
            trace=trace or self.parts.repair is not None,
        )

    def _repair(self, documents: list[Document], *, trace: bool) -> None:
        """Smooth what was released; whatever goes wrong, a text stays as it was."""
        results = repaired(
            [document.result for document in documents],
            self.parts,
            self.policy,
            partial(self._watch, "repair"),
        )
        for document, result in zip(documents, results, strict=True):
            document.result = result if trace else replace(result, trace=None)


def _unpickled(policy: Policy, randomness: Randomness, key: bytes | None = None) -> Privatizer:
    privatizer = Privatizer(policy)
    privatizer._take(randomness, key)
    return privatizer


@dataclass(frozen=True, repr=False)
class _Line:
    """What a process of the crew is told; the same noise keys and fingerprints as here."""

    policy: Policy
    randomness: Randomness
    key: bytes
    trace: bool

    def __call__(self) -> Callable[[list[Document]], list[Result | Failure]]:
        line = _unpickled(self.policy, self.randomness, self.key)
        return lambda batch: list(line._finish(batch, trace=self.trace))


def _nobody(_stage: str, _done: float) -> None:
    """Watches when nobody does."""
