"""Words that are moved leave by the exact law of their mechanism at the policy's own epsilon.

One text of public words is released many times, and read off the releases. With the law known,
each draw becomes a number that is evenly spread from 0 to 1: the word itself first, then outputs
from the likeliest on. So all words go into one test of the whole law, and neighbours into one of
independence. A mechanism without a law is held against draws of its own, and pinned keep rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import keep_rates
from privstamp.lab.attackers import Candidates, main_class
from privstamp.lab.audit.subject import promised, traced
from privstamp.lab.audit.verdict import Promise, at_most, even, exactly, no_likelier
from privstamp.noise import Float64, Lane, Noise
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Discrete, Fluent, Mechanism
from privstamp.release.parts import Parts
from privstamp.release.selfcheck import described, rows_of
from privstamp.result import Result
from privstamp.types import UNKNOWN, Ids, Kind, Places

WORDS: Final = 24
"""Public words, each of them twelve times in the text; some are of other classes, if there are."""
_OTHERS, _TURNS, _LINE, _QUARTERS, _PINNED = 6, 6, 8, 4, 100


def public_text(privatizer: Privatizer) -> str:
    """Frequent words that this line moves, there and back again and again, in lines."""
    space = privatizer.parts.space
    main = main_class(space)
    asked: list[str] = []
    for number in sorted(range(len(space.classes)), key=lambda number: number != main):
        if len(space.outputs[number]):
            words = Candidates(space, number)
            order = np.argsort(-words.unigram, kind="stable")
            spelt = [w for w in space.words(words.ids[order[: 60 * WORDS]]) if w.isalpha()]
            long = [word for word in spelt if len(word) > 3]
            asked += long[:: max(len(long) // (2 * WORDS), 1)][: 2 * WORDS]
    trace = privatizer.group("\n".join(asked))
    epsilon = promised(trace, privatizer.policy)
    moved = {
        trace.units.surface(index)
        for index in np.flatnonzero((epsilon > 0) & np.isfinite(epsilon)).tolist()
    }
    usable = [word for word in asked if word in moved]
    some = usable[: WORDS - _OTHERS] + usable[WORDS - _OTHERS :][::-1][:_OTHERS]
    spoken = (some + some[::-1]) * _TURNS
    lines = [" ".join(spoken[at : at + _LINE]) for at in range(0, len(spoken), _LINE)]
    return "\n".join(line.capitalize() for line in lines)


@dataclass(frozen=True, repr=False)
class Draws:
    """Units of one text that meet a mechanism, and what each became in every release."""

    places: Places  # in the text
    rows: Ids
    groups: npt.NDArray[np.int8]
    epsilon: Float64  # by the policy, whatever the line applied
    seen: npt.NDArray[np.int32]  # releases x units; UNKNOWN where it is no word that may leave
    torn: int

    @classmethod
    def of(cls, results: Sequence[Result], parts: Parts, policy: Policy) -> Draws:
        """Of lines in which everything is moved: there a word of the release is one of the text."""
        trace = traced(results[0])
        units, epsilon = trace.units, promised(trace, policy)
        moved = (epsilon > 0) & np.isfinite(epsilon)
        line = np.array([units.text.count("\n", 0, start) for start in units.starts.tolist()])
        complete = [number for number in np.unique(line).tolist() if moved[line == number].all()]
        places = np.flatnonzero(np.isin(line, complete))
        words = bool((units.kinds[places] == Kind.WORD).all())
        space = parts.space
        rows = {
            word: row
            for output in (space.outputs if words else ())
            for word, row in zip(space.words(output), output.tolist(), strict=True)
        }
        seen = []
        for result in results:
            if not words:
                seen.append(traced(result).rows[places])
                continue
            lines = result.text.split("\n")
            read = [word for number in complete if number < len(lines)
                    for word in lines[number].casefold().split()]  # fmt: skip
            if len(read) == len(places):
                words_seen = [rows.get(word, UNKNOWN) for word in read]
                seen.append(np.array(words_seen, dtype=np.int32))
        table = np.array(seen, dtype=np.int32).reshape(len(seen), len(places))
        groups = trace.grouping.groups[places]
        torn = len(results) - len(seen)
        return cls(places, units.rows[places], groups, epsilon[places], table, torn)

    def take(self, which: npt.NDArray[np.bool_]) -> Draws:
        return replace(
            self,
            places=self.places[which],
            rows=self.rows[which],
            groups=self.groups[which],
            epsilon=self.epsilon[which],
            seen=self.seen[:, which],
        )

    @property
    def kept(self) -> int:
        return int((self.seen == self.rows).sum())


def law(draws: Draws, parts: Parts, policy: Policy, key: bytes) -> Iterator[Promise]:
    """Every promise about moved words; none where nothing is moved."""
    if not len(draws.places):
        return
    yield at_most("every word is released as one word", draws.torn, draws.torn + len(draws.seen), 0)
    if not len(draws.seen):
        return
    strange = int((draws.seen == UNKNOWN).sum())
    yield at_most("only words that may leave do", strange, draws.seen.size, 0.0)
    for mechanism in dict.fromkeys(parts.mechanisms.values()):
        groups = [group for group, part in parts.mechanisms.items() if part is mechanism]
        here = draws.take(np.isin(draws.groups, groups))
        if isinstance(mechanism, Fluent) or not len(here.places):
            continue
        if isinstance(mechanism, Discrete):
            yield from _exact(here, mechanism, parts, policy, key)
        else:
            yield from _drawn(here, mechanism, key)
        yield from _claimed(here, mechanism, parts)
        yield from _pinned(mechanism, groups, parts, policy, key)


def _exact(
    draws: Draws, mechanism: Discrete, parts: Parts, policy: Policy, key: bytes
) -> Iterator[Promise]:
    laws = mechanism.channel(draws.rows, draws.epsilon)
    kept = laws[np.arange(len(draws.rows)), draws.rows]
    levels = _levels(draws, laws, key)
    classes = parts.space.class_of[draws.rows]
    for group, number in sorted(set(zip(draws.groups.tolist(), classes.tolist(), strict=True))):
        here = (draws.groups == group) & (classes == number)
        of = f"of group {group}, {parts.space.classes[number]},"
        yield even(f"words {of} leave by the law at its epsilon", levels[:, here].ravel())
        part = draws.take(here)
        share = float(kept[here].mean())
        yield exactly(f"words {of} leave as themselves", part.kept, part.seen.size, share)
    for name, place in (("first", 0), ("last", -1)):
        hits = int((draws.seen[:, place] == draws.rows[place]).sum())
        text = f"the {name} word leaves as itself"
        yield exactly(text, hits, len(draws.seen), float(kept[place]))
    alike = (laws * laws).sum(axis=1)  # chance that two independent draws of a word are equal
    yield from _collisions(draws, policy, lambda some: float(alike[some].mean()))
    yield _neighbours(levels)


def _levels(draws: Draws, laws: Float64, key: bytes) -> Float64:
    """Where each draw lies in its law, as a number from 0 to 1; a point of the law is filled."""
    noise = Noise.of_document(key, np.arange(len(draws.seen)))
    inside = noise.uniform(len(draws.rows), Lane.CHOICE)
    levels = np.empty(draws.seen.shape)
    for unit, row in enumerate(draws.rows.tolist()):
        chances = laws[unit]
        ranked = chances.copy()
        ranked[row] = np.inf
        # The word itself comes first, others by chance: noise that is too small or too large
        # then moves all levels to one side, where a test of evenness sees it best.
        order = np.argsort(-ranked, kind="stable")
        before = np.empty(len(chances))
        before[order] = np.cumsum(chances[order]) - chances[order]
        seen = draws.seen[:, unit]
        levels[:, unit] = before[seen] + inside[:, unit] * chances[seen]
        levels[seen == UNKNOWN, unit] = 1.0
    return levels


def _neighbours(levels: Float64) -> Promise:
    """Whether two draws side by side fall into all quarters of their laws alike."""
    even_count = levels.shape[1] // 2 * 2
    quarters = np.minimum((levels[:, :even_count] * _QUARTERS).astype(int), _QUARTERS - 1)
    cells = (quarters[:, ::2] * _QUARTERS + quarters[:, 1::2]).ravel()
    counts = np.bincount(cells, minlength=_QUARTERS**2).tolist()
    name = "neighbouring words are drawn independently"
    tested = [exactly(name, count, len(cells), 1 / _QUARTERS**2) for count in counts]
    worst = min(tested, key=lambda promise: promise.chance)
    return replace(worst, chance=min(1.0, worst.chance * len(tested)))


def _collisions(
    draws: Draws, policy: Policy, share: Callable[[Places], float]
) -> Iterator[Promise]:
    """Two draws of one word are equal as often as their law says, in a text and between texts."""
    half = len(draws.seen) // 2
    every = np.arange(len(draws.rows))
    equal = int((draws.seen[: 2 * half : 2] == draws.seen[1 : 2 * half : 2]).sum())
    text = "two releases are alike by chance alone"
    yield exactly(text, equal, half * len(every), share(every))
    free = (draws.groups >= 3) | (policy.draws == "independent")
    last: dict[tuple[int, float], int] = {}
    pairs = []
    for unit in np.flatnonzero(free).tolist():
        word = int(draws.rows[unit]), float(draws.epsilon[unit])
        if word in last:
            pairs.append((last.pop(word), unit))
        else:
            last[word] = unit
    if pairs:
        first, two = np.array(pairs).T
        equal = int((draws.seen[:, first] == draws.seen[:, two]).sum())
        text = "a word that stands twice is drawn twice"
        yield exactly(text, equal, len(draws.seen) * len(first), share(first))


def _drawn(draws: Draws, mechanism: Mechanism, key: bytes) -> Iterator[Promise]:
    """As often as where the mechanism alone draws, for want of its law."""
    shape = draws.seen.shape
    noise = Noise.of_document(key, np.arange(draws.seen.size))
    rows, epsilon = np.tile(draws.rows, shape[0]), np.tile(draws.epsilon, shape[0])
    alone = replace(draws, seen=mechanism.privatize(rows, epsilon, noise).reshape(shape))
    size = draws.seen.size
    yield no_likelier("words leave as themselves", draws.kept, size, alone.kept, size)
    yield no_likelier("words move away", size - draws.kept, size, size - alone.kept, size)
    last = draws.take(np.arange(len(draws.rows)) == len(draws.rows) - 1)
    same = alone.take(np.arange(len(draws.rows)) == len(draws.rows) - 1)
    yield no_likelier("the last word leaves as itself", last.kept, shape[0], same.kept, shape[0])
    half = shape[0] // 2
    within, cross = (
        int((some.seen[: 2 * half : 2] == some.seen[1 : 2 * half : 2]).sum())
        for some in (draws, alone)
    )
    count = half * shape[1]
    yield no_likelier("two releases are alike by chance alone", within, count, cross, count)


def _claimed(draws: Draws, mechanism: Mechanism, parts: Parts) -> Iterator[Promise]:
    """The exact law at the policy's epsilon tells no more than is claimed."""
    met = {
        (int(parts.space.class_of[row]), float(epsilon))
        for row, epsilon in zip(draws.rows.tolist(), draws.epsilon.tolist(), strict=True)
    }
    for number, epsilon in sorted(met):
        words = Candidates(parts.space, number)
        ratio = exact_ratio(mechanism, words, epsilon)
        if ratio is not None:
            name = f"the law of {words.name} words at epsilon {epsilon:g} tells what is claimed"
            sound = float(ratio <= 1.0 + SLACK)
            yield Promise(name, ratio, "at most 1 is claimed", len(words), sound)


def _pinned(
    mechanism: Mechanism, groups: list[int], parts: Parts, policy: Policy, key: bytes
) -> Iterator[Promise]:
    """Public words stay as often as the package says, whatever law is worked out here."""
    for row in keep_rates():
        for group in groups:
            same = row["epsilon"] == policy.budget.epsilon[group - 1]
            if same and row["of"] == described(policy, group):
                rows = np.repeat(rows_of(parts.space, row["words"]), _PINNED)
                noise = Noise.of_document(key, np.arange(len(rows)) + len(rows))
                out = mechanism.privatize(rows, np.full(len(rows), row["epsilon"]), noise)
                kept, share = int((out == rows).sum()), float(np.mean(row["keep"]))
                text = f"public words of group {group} stay as often as the package says"
                yield exactly(text, kept, len(rows), share)


SLACK: Final = 1e-6
"""Rounding of channel rows: a ratio above 1 by less refutes nothing."""
_BASES: Final = 24
_LEAST: Final = 1e-300


def exact_ratio(mechanism: Mechanism, words: Candidates, epsilon: float) -> float | None:
    """The largest loss among pairs of some words and their nearest ones, as a share of its claim.

    None where the law is not known, or no two words are a finite distance apart.
    """
    if not isinstance(mechanism, Discrete) or not hasattr(mechanism, "distance") or len(words) < 2:
        return None
    places = _some(words)
    rows = mechanism.channel(words.ids[places], np.full(len(places), epsilon))
    logs: Float64 = np.log(np.maximum(rows[:, words.ids], _LEAST))
    worst = None
    for line, place in enumerate(places[:-1].tolist()):
        others = places[line + 1 :]
        here = words.ids[np.full(len(others), place)]
        apart = mechanism.distance(here, words.ids[others])
        counted = (apart > 0) & np.isfinite(apart)
        if counted.any():
            lost = np.abs(logs[line + 1 :][counted] - logs[line]).max(axis=1)
            ratio = float((lost / (epsilon * apart[counted])).max())
            worst = ratio if worst is None else max(worst, ratio)
    return worst


def _some(words: Candidates) -> Places:
    """Words by their frequency and evenly, each with the word nearest to it."""
    few = min(_BASES, len(words))
    bases = np.union1d(words.sample(words.unigram, few, "exact"), words.sample(words.even, few, ""))
    cosine = words.unit[bases] @ words.unit.T
    cosine[np.arange(len(bases)), bases] = -np.inf
    return np.unique(np.concatenate([bases, cosine.argmax(axis=1)]))
