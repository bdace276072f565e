"""The audit's test of itself: every mutant is refuted, and the sound lines pass.

On two small lines with real stages and a table of a few dozen words: `moving` replaces what is
sensitive and moves every other word; `selective` leaves it as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import import_module
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.budget import Budget
from privstamp.importance.shares import Nothing
from privstamp.lab.audit import spoilt
from privstamp.lab.audit.canaries import FRAME
from privstamp.lab.audit.line import moved, replaced
from privstamp.lab.audit.subject import RememberedSensitivity
from privstamp.lab.audit.verdict import Promise
from privstamp.noise import Lane, Noise, Randomness
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Space
from privstamp.registry import MECHANISMS, SENSITIVITY, SPACES
from privstamp.release.parts import Parts
from privstamp.spaces.splitter import split
from privstamp.types import Ids, Label, Scope, Scores, Table, Units

# Lines that are broken on purpose, as data: a name, the stage, and what takes whose place.
#
# `privstamp audit --self-test` and `make mutants` put each of them to the audit, which must refute
# it. A patch gets the sound function, and the arguments of the call.

Patch: TypeAlias = Callable[..., Any]
FINDINGS: Final = "privstamp.release.stages:searched"
PIPELINE: Final = "privstamp.pipeline:Privatizer"
STEPS: Final = "privstamp.mechanisms.neighbourhood:Neighbourhood"
REPLACER: Final = "privstamp.release.surrogates:Replacer"
DRAWS: Final = "privstamp.release.draws"
RELEASING: Final = "privstamp.release.writer"
CERTIFYING: Final = "privstamp.release.issuer"
KEY: Final = "privstamp.noise:Randomness.key"


@dataclass(frozen=True)
class Mutant:
    """What is wrong, where, and the functions that make it so, by the place of the sound one."""

    name: str
    stage: str
    patches: Mapping[str, Patch]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """The line is broken within, and sound again after."""
        sound = []
        try:
            for where, patch in self.patches.items():
                owner, name = _place(where)
                original = getattr(owner, name)
                sound.append((owner, name, original))
                setattr(owner, name, _bound(patch, original))
            yield
        finally:
            for owner, name, original in reversed(sound):
                setattr(owner, name, original)


def _place(where: str) -> tuple[Any, str]:
    """The module or class, and the name in it."""
    module, _, path = where.partition(":")
    *owners, name = path.split(".")
    owner = import_module(module)
    for step in owners:
        owner = getattr(owner, step)
    return owner, name


def _bound(patch: Patch, original: Any) -> Callable[..., Any]:
    def broken(*arguments: Any, **named: Any) -> Any:
        return patch(original, *arguments, **named)

    return broken


MUTANTS: Final = tuple(
    Mutant(name, stage, patches)
    for stage, name, patches in (
        ("mechanism", "noise is 20 % smaller", {
            f"{STEPS}.privatize": spoilt.louder(lambda epsilon: 1.25 * epsilon)}),
        ("mechanism", "noise is ten times smaller at epsilon 5 and above", {
            f"{STEPS}.privatize": spoilt.louder(lambda e: np.where(e >= 5, 10 * e, e))}),
        ("mechanism", "noise is 20 % larger", {
            f"{STEPS}.privatize": spoilt.louder(lambda epsilon: epsilon / 1.25)}),
        ("mechanism", "1 % of words leave verbatim inside the mechanism", {
            f"{STEPS}.privatize": spoilt.verbatim_inside}),
        ("mechanism", "outputs are the ball of two steps", {
            f"{STEPS}.privatize": spoilt.within_ball}),
        ("mechanism", "a word is never itself", {f"{STEPS}.privatize": spoilt.never_itself}),
        ("mechanism", "the whole epsilon goes into the score", {
            f"{STEPS}._scale": lambda _sound, _self, _number, epsilon: epsilon}),
        ("noise", "one noise address for all units of a text", {
            f"{DRAWS}:Noise": spoilt.one_address}),
        ("noise", "one key for all texts of a batch", {
            f"{PIPELINE}._perturb": spoilt.one_key_a_batch}),
        ("noise", "one key for all releases", {KEY: lambda *_: bytes(32)}),
        ("noise", "keys are a public hash of the text", {
            KEY: lambda _sound, _self, *parts: blake2b(b"".join(parts), digest_size=32).digest()}),
        ("noise", "keys have eight bits", {KEY: lambda *_: os.urandom(1) * 32}),
        ("noise", "forked processes share a generator", {KEY: spoilt.copied_state()}),
        ("noise", "under a secret the noise forgets the text", {
            KEY: lambda sound, self, *parts:
                self.root if self.mode == "secret" else sound(self, *parts)}),
        ("noise", "under a secret a repeat is another release", {KEY: lambda *_: os.urandom(32)}),
        ("noise", "one noise address for all surrogates of a text", {
            f"{REPLACER}._strings": spoilt.one_place}),
        ("noise", "a repeated call is the same release", {
            f"{PIPELINE}.privatize": spoilt.remembered()}),
        ("line", "20 % of words leave verbatim after the mechanism", {
            f"{DRAWS}:drawn_rows": spoilt.verbatim_after}),
        ("line", "capitalised words leave verbatim", {
            f"{DRAWS}:drawn_rows": spoilt.capitals_pass}),
        ("line", "epsilons of groups 3 and 4 are swapped", {
            "privstamp.budget:Budget.of_groups": lambda _sound, budget, groups:
                np.array([np.nan, *budget.epsilon])[[0, 1, 2, 4, 3]][groups]}),
        ("line", "the last word's label is ignored", {
            f"{PIPELINE}._group": spoilt.last_word_free}),
        ("line", "groups change from release to release", {
            f"{PIPELINE}._group": spoilt.restless_groups}),
        ("line", "unknown words pass", {f"{PIPELINE}._group": spoilt.unknown_pass}),
        ("line", "the task leaves as it was", {
            f"{PIPELINE}._release": spoilt.result(spoilt.task_as_it_was)}),
        ("line", "an invisible mark is added", {
            f"{PIPELINE}._release": spoilt.result(spoilt.watermarked)}),
        ("sensitivity", "5 % of findings are dropped", {
            FINDINGS: spoilt.fewer_findings(
                lambda _document, _number: not spoilt.by_luck(0.05, 1)[0])}),
        ("sensitivity", "only the first mention is found", {
            FINDINGS: spoilt.fewer_findings(spoilt.first_mentions)}),
        ("sensitivity", "a finding ends after its first word", {
            FINDINGS: spoilt.one_word_spans}),
        ("surrogates", "three letters of a name are kept", spoilt.drawn(spoilt.three_letters)),
        ("surrogates", "a surrogate is a public hash of the name", spoilt.hashed(b"public")),
        ("surrogates", "a surrogate is a hash of the name under one key of the process",
         spoilt.hashed(os.urandom(16))),
        ("surrogates", "one key for all surrogates", {f"{REPLACER}.__init__": spoilt.one_key}),
        ("surrogates", "the last four digits are kept", spoilt.drawn(spoilt.last_digits)),
        ("surrogates", "the local part of an address is kept", spoilt.drawn(spoilt.local_part)),
        ("surrogates", "a date is moved by nine days", spoilt.drawn(spoilt.next_week)),
        ("surrogates", "a date keeps month and year", spoilt.drawn(spoilt.same_month)),
        ("surrogates", "5 % of things leave as they were", spoilt.drawn(spoilt.leaving(0.05))),
        ("surrogates", "a surrogate begins with the same letter",
         spoilt.redrawn(lambda was, new: was[:1].casefold() == new[:1].casefold())),
        ("surrogates", "a surrogate is as long as the name",
         spoilt.redrawn(lambda was, new: len(was) == len(new))),
        ("surrogates", "a surrogate is from the same half of the alphabet",
         spoilt.redrawn(lambda was, new: (was[:1] > "M") == (new[:1] > "M"))),
        ("surrogates", "names are of the first ten of a list",
         spoilt.drawn(spoilt.of_ten)),
        ("surrogates", "2 % of things leave as they were", spoilt.drawn(spoilt.leaving(0.02))),
        ("surrogates", "a possessive leaves as it was", {
            f"{REPLACER}._write": spoilt.possessive_leaks}),
        ("surrogates", "every mention is drawn anew", {f"{REPLACER}._mention": spoilt.forgetful}),
        ("surrogates", "all things of a type are one", {
            f"{REPLACER}._strings": spoilt.one_for_all}),
        ("release", "the map holds the originals of others", {
            f"{RELEASING}:_entries": spoilt.shifted_originals}),
        ("release", "what was changed is not noted", {f"{RELEASING}:changes": lambda *_: ()}),
        ("certificate", "counts of replaced units are wrong", {
            f"{CERTIFYING}:_counts": spoilt.updated(replaced=0, replaced_by_rule=0, unknown=0)}),
        ("certificate", "it states half the epsilon", {
            f"{CERTIFYING}:_group": lambda sound, *rest: sound(*rest).model_copy(
                update={"epsilon": sound(*rest).epsilon / 2 or 1.0})}),
        ("certificate", "it states no loss", {
            f"{CERTIFYING}:_loss": spoilt.updated(worst_case=0.0)}),
    )
)  # fmt: skip
"""Every one must be refuted."""

_MORE: Final = (
    "table window paper bridge street kitchen morning evening winter summer music market island "
    "forest butter silver engine ticket pocket corner season finger button candle basket mirror "
    "ladder hammer feather blanket"
)
_WORDS: Final = tuple(dict.fromkeys([*FRAME, *_MORE.split()]))
_DIMENSIONS: Final = 3
_EPSILON: Final = {3: 5.0, 4: 0.2}


class ToySpace:
    """The words of the canaries and some more, at random places."""

    classes: tuple[str, ...] = ("content",)

    def __init__(self) -> None:
        self.name = "toy"
        self.source = "a few dozen words at random places"
        key = Randomness.make(seed=1).key(b"toy space")
        raw = Noise.of_document(key, np.arange(len(_WORDS))).normal(_DIMENSIONS, Lane.COORDINATES)
        length = np.linalg.norm(raw, axis=1, keepdims=True)
        self.unit: Table = (raw / length).astype(np.float32)
        self.radius: npt.NDArray[np.float32] = np.ones(len(_WORDS), dtype=np.float32)
        self.class_of: npt.NDArray[np.uint8] = np.zeros(len(_WORDS), dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.arange(len(_WORDS), dtype=np.int32),)
        self.prior: npt.NDArray[np.float64] = np.full(len(_WORDS), 1.0 / len(_WORDS))
        self.fingerprint = "toy"
        self._rows = {word: row for row, word in enumerate(_WORDS)}
        self._split: dict[str, Units] = {}

    def split(self, text: str) -> Units:
        """Once for each text: the same ones are released again and again."""
        if text not in self._split:
            self._split[text] = split(text, self._rows)
        return self._split[text]

    def words(self, rows: Ids) -> list[str]:
        return [_WORDS[row] for row in rows.tolist()]

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        titled = (labels & Label.TITLE != 0).tolist()
        pairs = zip(self.words(rows), titled, strict=True)
        return [word.capitalize() if title else word for word, title in pairs]


class _Halves:
    """Every other word of the toy space is important."""

    name: Final = "halves"
    fingerprint: Final = "halves"
    scope: Final = Scope.unit_type("a list")

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        del tasks
        return [Scores((units.rows % 4 >= 2).astype(np.float32), 0.5) for units in batch]


@cache
def _detectors() -> RememberedSensitivity:
    part = SENSITIVITY.build("union", {"parts": ["rules", "lexicon"]}, numbers="all")
    return RememberedSensitivity(part)


def moving() -> tuple[Policy, Parts]:
    """Surrogates for what is sensitive, and steps along a small graph for the rest."""
    space = ToySpace()
    budget = Budget.of([0, 0, _EPSILON[3], _EPSILON[4]], metric="hops")
    steps = MECHANISMS.build("neighbourhood", {"k": 4}, space=space)
    parts = _parts(space, _Halves())
    return Policy(extends="readable", budget=budget), Parts(
        **{**vars(parts), "mechanisms": {3: steps, 4: steps}}
    )


def selective() -> tuple[Policy, Parts]:
    """Surrogates for what is sensitive, and nothing else."""
    space: Space = SPACES.build("plain", {})
    return Policy(extends="selective", format="plain"), _parts(space, Nothing(space))


def _parts(space: Space, importance: Any) -> Parts:
    return Parts(
        space=space,
        sensitivity=_detectors(),
        importance=importance,
        mechanisms={},
        replacements=dict.fromkeys((1, 2, 3, 4), MECHANISMS.build("surrogate", {})),
    )


Line: TypeAlias = tuple[
    Callable[[], tuple[Policy, Parts]], Callable[[Privatizer, bytes], Iterator[Promise]]
]
WORDS: Final[Line] = (moving, moved)
THINGS: Final[Line] = (selective, replaced)
"""Each line is held to the promises that it was made for, so that a self-test is quick."""
_FIRST: Final = {"mechanism": (WORDS,), "noise": (WORDS, THINGS)}
LINES: Final = (THINGS, WORDS)


def refuted(mutant: Mutant) -> str | None:
    """By which promise, the first that is broken; None if it was not."""
    with mutant.at_work():
        broken = map(_broken, _FIRST.get(mutant.stage, LINES))
        return next(filter(None, broken), None)


def sound() -> list[str]:
    """Promises that the unbroken lines seem to break: none."""
    return [broken for line in LINES if (broken := _broken(line)) is not None]


def _broken(line: Line) -> str | None:
    make, tests = line
    policy, parts = make()
    tested = tests(Privatizer(policy, parts=parts), Randomness.make().key())
    return next((promise.broken for promise in tested if not promise.kept), None)
