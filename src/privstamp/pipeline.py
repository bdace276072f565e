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
import numpy.typing as npt

from privstamp import __version__
from privstamp.budget import GROUPS, Budget
from privstamp.certifying import certify
from privstamp.document import Document, cut
from privstamp.errors import (
    AssetError,
    InputError,
    MissingExtra,
    PrivstampError,
    StageFailed,
    UsageError,
    guarded,
)
from privstamp.grouping import NO_SPAN, group
from privstamp.mapping import Entry, SurrogateMap
from privstamp.noise import KEY_BYTES, Noise, Randomness
from privstamp.parts import assemble, providers
from privstamp.policy import Policy
from privstamp.replacing import Replaced, Replacer, bare, folded
from privstamp.result import Failure, Result, Trace
from privstamp.sensitivity.lists import apply_lists
from privstamp.sensitivity.spans import merge
from privstamp.types import UNKNOWN, Kind, Label, join_surfaces

BATCH_CHARACTERS = 200_000
BATCH_DOCUMENTS = 256
NAMED = (Kind.WORD, Kind.FOREIGN, Kind.EMAIL, Kind.URL)
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
        names = self.parts.space.classes
        small = names.index("function") if "function" in names else len(names)
        self._function = self.parts.space.class_of == small
        self._providers = providers(policy)
        made = list(dict.fromkeys(self.parts.mechanisms.values()))
        self._mechanism_number = np.array(
            [
                made.index(self.parts.mechanisms[g]) if g in self.parts.mechanisms else 0
                for g in (0, *GROUPS)
            ],
            dtype=np.int64,
        )

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
        if isinstance(texts, str):
            raise InputError("texts is one string; give a list of them, or call privatize")
        each = repeat(tasks) if tasks is None or isinstance(tasks, str) else iter(tasks)
        end = object()
        batch: list[Document] = []
        size = 0
        for index, text in enumerate(texts):
            task = next(each, end)
            if task is end:
                yield from self._finish(batch, trace=trace)
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
            if document.task:
                pages.append(split(document.task))
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
                small_words=self._function[units.rows] & (units.rows != UNKNOWN),
            )
            document.epsilon = policy.budget.of_groups(document.grouping.groups)
            document.epsilon[(units.rows == UNKNOWN) | document.grouping.by_rule] = 0.0
            # Of a public task only entities and unknown words are hidden, whether or not the
            # text holds them: what is replaced must not tell what the text mentions.
            named = (units.rows == UNKNOWN) & np.isin(units.kinds, NAMED)
            hidden = named | (document.grouping.spans != NO_SPAN)
            document.epsilon[document.public & ~hidden] = np.inf
            document.key = self._randomness.key(
                document.text.encode(),
                (document.task or "").encode(),
                repr((document.private_task, document.task is None, __version__)).encode(),
                policy.fingerprint().encode(),
                parts.space.fingerprint.encode(),
                parts.sensitivity.fingerprint.encode(),
                parts.importance.fingerprint.encode(),
                repr(self._providers).encode(),
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
        """Sensitive words are drawn once per document, unless independent draws are asked for.

        Pieces of words are shared only as parts of a repeated entity: shared by themselves, they
        would be a cipher. The smallest epsilon of a word's mentions holds for all of them.
        """
        units, where = document.units, np.flatnonzero(document.perturbed)
        identity = where.astype(np.int64)
        if self.policy.draws == "once":
            groups = document.grouping.groups[where]
            wordy = (groups <= 2) & np.isin(units.kinds[where], (Kind.WORD, Kind.FOREIGN))
            own = units.rows[where].astype(np.int64) * 8 + self._mechanism_number[groups]
            identity = np.where(wordy, -1 - own, _entity_positions(document)[where])
        _, first, shared = np.unique(identity, return_index=True, return_inverse=True)
        least = np.full(len(first), np.inf)
        np.minimum.at(least, shared, document.epsilon[where])
        document.epsilon[where] = least[shared]
        document.drawn, document.shared = where[first], shared

    def _release(self, document: Document, *, trace: bool) -> None:
        units = document.units
        where = np.flatnonzero(document.perturbed)
        surfaces = units.surfaces()
        rendered = self.parts.space.render(document.outputs, units.labels[where])
        for index, word in zip(where.tolist(), rendered, strict=True):
            surfaces[index] = word
        replaced = self._replace(document, surfaces)
        mapping = self._map(document, replaced, surfaces)
        text, task = _pages(document, replaced, surfaces)
        document.result = Result(
            text=text,
            task=task,
            certificate=certify(
                document,
                replaced.units,
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

    def _map(self, document: Document, replaced: Replaced, surfaces: list[str]) -> SurrogateMap:
        """Surrogates, and once-drawn capitalised words that nothing else in the text became."""
        units = document.units
        entries = list(replaced.entries.values())
        labels = units.labels[document.drawn]
        once = self.policy.draws == "once"
        wanted = (document.grouping.groups[document.drawn] <= 2) & once
        wanted &= (labels & (Label.TITLE | Label.UPPER) != 0) & ~self._function[
            units.rows[document.drawn]
        ]
        found: dict[str, tuple[int, str]] = {}
        for index in document.drawn[wanted].tolist():
            label = int(units.labels[index])
            found[folded(surfaces[index], label)] = index, bare(surfaces[index], label)
        for index, surface in enumerate(surfaces):
            key = folded(surface, int(units.labels[index]))
            if key in found and units.rows[index] != units.rows[found[key][0]]:
                del found[key]
        for index, written in found.values():
            original = bare(units.surface(index), int(units.labels[index]))
            if original.casefold() != written.casefold():
                entries.append(Entry(written, original, "WORD"))
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
        live[0].error = _stripped(name, failed)
        return
    for job in live:
        _stage(name, [job], step)


def _stripped(stage: str, error: PrivstampError) -> PrivstampError:
    """The error without what it was raised from: a careless part may have put text there."""
    if not isinstance(error, UsageError | AssetError | MissingExtra | StageFailed):
        error = StageFailed(f"{stage} failed ({type(error).__name__}); nothing was released")
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _entity_positions(document: Document) -> npt.NDArray[np.int64]:
    """Each unit's own place; inside a repeated entity, the place in its first mention."""
    places = np.arange(len(document.units), dtype=np.int64)
    spans, rows = document.grouping.spans, document.units.rows
    numbers, firsts, sizes = np.unique(spans, return_index=True, return_counts=True)
    seen: dict[bytes, int] = {}
    for first, size in zip(firsts[numbers != NO_SPAN], sizes[numbers != NO_SPAN], strict=True):
        entity = rows[first : first + size].tobytes()
        earlier = seen.setdefault(entity, int(first))
        places[first : first + size] = np.arange(earlier, earlier + size)
    return places


def _pages(document: Document, replaced: Replaced, surfaces: list[str]) -> tuple[str, str | None]:
    """The released text, and the task to send beside it."""
    slots = replaced.units
    words = [surfaces[index] for index in replaced.kept.tolist()]
    if not document.task:
        return join_surfaces(slots, words), document.task
    split = int(np.searchsorted(slots.starts, len(document.text)))
    front, back = cut(slots, split, len(document.text))
    return join_surfaces(front, words[:split]), join_surfaces(back, words[split:])


def _trace(document: Document, replaced: Replaced, surfaces: list[str]) -> Trace:
    """What happened to the units of the text."""
    units = document.pages[0]
    rows = np.full(len(document.units), UNKNOWN, dtype=np.int32)
    rows[np.flatnonzero(document.perturbed)] = document.outputs
    kept = set(replaced.kept.tolist())
    here = slice(0, len(units))
    grouping = document.grouping
    return Trace(
        units=units,
        grouping=replace(
            grouping,
            groups=grouping.groups[here],
            spans=grouping.spans[here],
            by_rule=grouping.by_rule[here],
        ),
        scores=replace(document.scores, values=document.scores.values[here]),
        epsilon=document.epsilon[here],
        rows=rows[here],
        surfaces=[word if i in kept else "" for i, word in enumerate(surfaces[here])],
    )
