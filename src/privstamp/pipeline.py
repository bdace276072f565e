"""Privatizer: one readable loop over the parts that a policy names."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path

import numpy as np

from privstamp import __version__
from privstamp.budget import Budget
from privstamp.certifying import certify
from privstamp.document import Document, cut
from privstamp.errors import InputError, PrivstampError, guarded
from privstamp.grouping import group
from privstamp.mapping import Entry, SurrogateMap
from privstamp.noise import KEY_BYTES, Noise, Randomness
from privstamp.parts import assemble
from privstamp.policy import Policy
from privstamp.replacing import AROUND, Replaced, Replacer, bare
from privstamp.result import Failure, Result, Trace
from privstamp.sensitivity.lists import apply_lists
from privstamp.sensitivity.spans import merge
from privstamp.types import UNKNOWN, join_surfaces

BATCH_CHARACTERS = 200_000
BATCH_DOCUMENTS = 256
BRACKETED = re.compile(r"\[[^\[\]\s]{1,60}\]")


class Privatizer:
    """Rewrites text under a policy. Made once, used often; keeps nothing about texts."""

    def __init__(
        self,
        policy: Policy | str | Path | None = None,
        *,
        budget: Budget | None = None,
        seed: int | None = None,
        secret: bytes | None = None,
    ) -> None:
        """`policy`: an object or a file; none is the embedded default.

        `seed` makes releases reproducible and insecure. `secret` derives the noise from the secret
        and everything the release depends on, so that a repeated call is the same release.
        """
        if policy is None:
            policy = Policy()
        elif not isinstance(policy, Policy):
            policy = Policy.load(policy)
        if budget is not None:
            policy = policy.model_copy(update={"budget": budget})
        self.policy = policy
        self.parts = assemble(policy)
        self._randomness = Randomness.make(seed=seed, secret=secret)
        self._fingerprint_key = (
            self._randomness.key(b"fingerprints")
            if self._randomness.mode == "secret"
            else secrets.token_bytes(KEY_BYTES)
        )
        self._may_leave = np.zeros(len(self.parts.space.class_of), dtype=bool)
        for rows in self.parts.space.outputs:
            self._may_leave[rows] = True

    def privatize(
        self, text: str, task: str | None = None, *, private_task: bool = False, trace: bool = False
    ) -> Result:
        """Release one text. Whatever fails, nothing is released and the error holds no text."""
        document = Document(0, text, task, private_task)
        self._run([document], trace=trace)
        if document.error is not None:
            raise document.error
        return document.result

    def privatize_many(
        self,
        texts: Iterable[str],
        tasks: Iterable[str | None] | str | None = None,
        *,
        private_task: bool = False,
        trace: bool = False,
    ) -> Iterator[Result | Failure]:
        """Release many texts in order, in bounded memory; a failing one is a Failure in its place.

        `tasks` is one task for all, or one per text.
        """
        each = repeat(tasks) if tasks is None or isinstance(tasks, str) else iter(tasks)
        end = object()
        batch: list[Document] = []
        size = 0
        for index, text in enumerate(texts):
            task = next(each, end)
            if task is end:
                raise InputError(f"there are more texts than tasks: text {index} has none")
            batch.append(Document(index, text, task, private_task))  # type: ignore[arg-type]
            size += len(text) if isinstance(text, str) else 0
            if size >= BATCH_CHARACTERS or len(batch) >= BATCH_DOCUMENTS:
                yield from self._finish(batch, trace=trace)
                batch, size = [], 0
        yield from self._finish(batch, trace=trace)

    def _finish(self, batch: list[Document], *, trace: bool) -> Iterator[Result | Failure]:
        self._run(batch, trace=trace)
        for document in batch:
            failed = document.error
            yield document.result if failed is None else Failure(document.index, failed)

    def _run(self, documents: list[Document], *, trace: bool) -> None:
        """Text meets the stages in this order. A document that fails drops out; others go on."""
        _stage("input", documents, _each(Document.check))
        _stage("splitting", documents, self._split)
        _stage("sensitivity", documents, self._find)
        _stage("importance", documents, self._score)
        _stage("grouping", documents, self._group)
        _stage("mechanism", documents, self._perturb)
        _stage("release", documents, _each(partial(self._release, trace=trace)))

    def _split(self, documents: list[Document]) -> None:
        split = self.parts.space.split
        for document in documents:
            pages = [split(document.text)]
            if document.hides_task:
                pages.append(split(document.task or ""))
            document.lay(pages)

    def _find(self, documents: list[Document]) -> None:
        pages = [page for document in documents for page in document.pages]
        found = iter(self.parts.sensitivity.find(pages))
        for document in documents:
            document.findings = []
            shift = 0
            for page in document.pages:
                listed = apply_lists(
                    page, next(found), allow=self.policy.allow, deny=self.policy.deny
                )
                document.findings += [
                    replace(one, start=one.start + shift, end=one.end + shift)
                    for one in merge(listed)
                ]
                shift += len(page.text)

    def _score(self, documents: list[Document]) -> None:
        units = [document.units for document in documents]
        scores = self.parts.importance.score(units, [document.task for document in documents])
        for document, one in zip(documents, scores, strict=True):
            if document.hides_task:  # what the task says is what the task needs
                one.values[document.units.starts >= len(document.text)] = np.inf
            document.scores = one

    def _group(self, documents: list[Document]) -> None:
        policy, parts = self.policy, self.parts
        for document in documents:
            units = document.units
            document.grouping = group(
                units,
                document.findings,
                document.scores,
                replace_numbers=policy.numbers == "replace",
            )
            document.epsilon = policy.budget.of_groups(document.grouping.groups)
            document.epsilon[(units.rows == UNKNOWN) | document.grouping.by_rule] = 0.0
            document.key = self._randomness.key(
                document.text.encode(),
                (document.task or "").encode(),
                repr((document.private_task, document.task is None, __version__)).encode(),
                policy.fingerprint().encode(),
                parts.space.fingerprint.encode(),
                parts.sensitivity.fingerprint.encode(),
                parts.importance.fingerprint.encode(),
            )

    def _perturb(self, documents: list[Document]) -> None:
        """Flatten all documents into arrays: one call of the mechanism for all of them."""
        for document in documents:
            self._choose_draws(document)
        lengths = [len(document.drawn) for document in documents]
        ids = np.concatenate([one.units.rows[one.drawn] for one in documents])
        epsilon = np.concatenate([one.epsilon[one.drawn] for one in documents])
        positions = np.concatenate([one.drawn for one in documents]).astype(np.int64)
        numbers = np.repeat(np.arange(len(documents), dtype=np.int64), lengths)
        noise = Noise([one.key for one in documents], numbers, positions)
        groups = np.concatenate([one.grouping.groups[one.drawn] for one in documents])
        out = np.empty(len(ids), dtype=np.int32)
        for mechanism in dict.fromkeys(self.parts.mechanisms.values()):
            mine = [group for group, own in self.parts.mechanisms.items() if own is mechanism]
            here = np.flatnonzero(np.isin(groups, mine))
            out[here] = mechanism.privatize(ids[here], epsilon[here], noise.take(here))
        if not self._may_leave[out].all():
            raise ValueError("a mechanism returned a row that may not leave")
        for document, drawn in zip(documents, np.split(out, np.cumsum(lengths)[:-1]), strict=True):
            document.outputs = drawn[document.shared]

    def _choose_draws(self, document: Document) -> None:
        """Sensitive units are drawn once per distinct word and document, unless independent."""
        where = np.flatnonzero(document.perturbed)
        identity = where.astype(np.int64)
        if self.policy.draws == "once":
            groups = document.grouping.groups[where]
            word = -1 - (document.units.rows[where].astype(np.int64) * 8 + groups)
            identity = np.where(groups <= 2, word, identity)
        _, first, document.shared = np.unique(identity, return_index=True, return_inverse=True)
        document.drawn = where[first]

    def _release(self, document: Document, *, trace: bool) -> None:
        units = document.units
        where = np.flatnonzero(document.perturbed)
        surfaces = units.surfaces()
        rendered = self.parts.space.render(document.outputs, units.labels[where])
        for index, word in zip(where.tolist(), rendered, strict=True):
            surfaces[index] = word
        replaced = self._replace(document, surfaces)
        mapping = self._map(document, replaced)
        text, task = _pages(document, replaced, surfaces, mapping)
        document.result = Result(
            text=text,
            task=task,
            certificate=certify(
                document,
                self.parts,
                self.policy,
                mode=self._randomness.mode,
                key=self._fingerprint_key,
            ),
            map=mapping,
            trace=_trace(document, replaced, surfaces) if trace else None,
        )

    def _replace(self, document: Document, surfaces: list[str]) -> Replaced:
        """Draw what replaces units at epsilon 0, and write it into `surfaces`."""
        mask = document.epsilon == 0
        released = {surfaces[i].strip().casefold() for i in np.flatnonzero(~mask).tolist()}
        if not all(one.shaped for one in self.parts.replacements.values()):
            shown = ["" if hide else word for hide, word in zip(mask, surfaces, strict=True)]
            skeleton = join_surfaces(document.units, shown)
            released |= {found.casefold() for found in BRACKETED.findall(skeleton)}
        replacer = Replacer(self.parts.replacements, document.key, released)
        replaced = replacer.document(document.units, document.grouping, mask)
        for index, word in replaced.surfaces.items():
            surfaces[index] = word
        return replaced

    def _map(self, document: Document, replaced: Replaced) -> SurrogateMap:
        """Surrogates, and once-drawn content words that nothing else in the text turned into."""
        space, units = self.parts.space, document.units
        entries = list(replaced.entries.values())
        where = np.flatnonzero(document.perturbed)
        if self.policy.draws == "once" and len(where):
            pairs = np.stack([document.outputs, units.rows[where]])
            pairs, first = np.unique(pairs, axis=1, return_index=True)
            _, position, times = np.unique(pairs[0], return_index=True, return_counts=True)
            for at in first[position[times == 1]].tolist():
                index = int(where[at])
                row, out = units.rows[index], document.outputs[at]
                plain = space.classes[space.class_of[row]] == "function"
                if document.grouping.groups[index] > 2 or row == out or plain:
                    continue
                label = units.labels[index]
                written = space.render(document.outputs[at : at + 1], np.array([label & ~AROUND]))
                original = bare(units.surface(index), int(label))
                entries.append(Entry(written[0], original, "WORD"))
        return SurrogateMap(tuple(entries))


def _each(step: Callable[[Document], None]) -> Callable[[list[Document]], None]:
    def run(documents: list[Document]) -> None:
        for document in documents:
            step(document)

    return run


def _stage(name: str, jobs: Sequence[Document], step: Callable[[list[Document]], None]) -> None:
    """Run a stage on all documents that are still whole; after a failure, on each alone."""
    live = [job for job in jobs if job.error is None]
    if not live:
        return
    try:
        guarded(name, step, live)
    except PrivstampError as error:
        failed = error
    else:
        return
    if len(live) == 1:
        live[0].error = failed.with_traceback(None)
        return
    for job in live:
        _stage(name, [job], step)


def _pages(
    document: Document, replaced: Replaced, surfaces: list[str], mapping: SurrogateMap
) -> tuple[str, str | None]:
    """The released text, and the task to send beside it."""
    slots = replaced.units
    words = [surfaces[index] for index in replaced.kept.tolist()]
    if not document.hides_task:
        task = None if document.task is None else mapping.apply(document.task)
        return join_surfaces(slots, words), task
    split = int(np.searchsorted(slots.starts, len(document.text)))
    front, back = cut(slots, split, len(document.text))
    return join_surfaces(front, words[:split]), join_surfaces(back, words[split:])


def _trace(document: Document, replaced: Replaced, surfaces: list[str]) -> Trace:
    rows = np.full(len(document.units), UNKNOWN, dtype=np.int32)
    rows[np.flatnonzero(document.perturbed)] = document.outputs
    kept = set(replaced.kept.tolist())
    return Trace(
        units=document.units,
        grouping=document.grouping,
        scores=document.scores,
        epsilon=document.epsilon,
        rows=rows,
        surfaces=[word if i in kept else "" for i, word in enumerate(surfaces)],
    )
