"""One setting, measured: every epsilon becomes a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import (
    NEAR,
    Candidates,
    Draws,
    Queries,
    draw,
    main_class,
    noise,
    success,
    vector_success,
)
from privstamp.lab.estimate import Estimate, plain
from privstamp.lab.frontier.grid import Setting
from privstamp.mechanisms.stated import law_of
from privstamp.noise import Float64, Lane
from privstamp.protocols import Directional, ExactLaw, Mechanism, Space
from privstamp.spaces.words import project
from privstamp.types import Places, Survey, Table

Record = dict[str, Any]
"""One line of results: flat, numbers or text, None where there is no number."""


@dataclass(frozen=True)
class Effort:
    """How many words, draws and rows; candidates are always all."""

    queries: int  # words whose exact laws are looked at, per prior
    draws: int  # releases that an attacker is tried on, per prior
    trials: int  # releases that it is fitted on
    repeats: int  # of a few words, for the largest P(keep) and for entropy
    searched: int  # words among which the most isolated ones are looked for
    per_class: int
    sweep: bool  # whether laws over a whole table are gone through pair by pair


FULL: Final = Effort(400, 4000, 1000, 50, 50_000, 300, sweep=True)
QUICK: Final = Effort(100, 1000, 600, 20, 2000, 100, sweep=False)
_ISOLATED: Final = 40
_BLOCK: Final = 64
_PACED: Final = 40
"""Words that time is taken on."""


class Bench:
    """A space with its words and queries, made once for all settings."""

    def __init__(self, space: Space, effort: Effort) -> None:
        self.space = space
        self.effort = effort
        self.words = Candidates(space, main_class(space))
        count = min(effort.queries, len(self.words))
        self.even = Queries(self.words, self.words.sample(self.words.even, count, "even"))
        self.typical = Queries(self.words, self.words.sample(self.words.unigram, count, "typical"))
        every = max(1, len(self.words) // effort.searched)
        self.isolated = self.words.isolated(np.arange(0, len(self.words), every), _ISOLATED)
        self.random = np.roll(self.even.places, 1)

    def measure(self, setting: Setting) -> Iterator[Record]:
        """One record per epsilon. The first may take its time: laws are surveyed all at once."""
        space = self.space if setting.project is None else project(self.space, setting.project)
        mechanism = setting.build(space, Exact)
        epsilons = setting.epsilons(mechanism, space)
        subject = _Subject(self, mechanism, Candidates(space, self.words.number))
        surveys = subject.surveys(epsilons)
        for epsilon, survey in zip(epsilons, surveys, strict=True):
            about: Record = {
                "space": self.space.name,
                "class": self.words.name,
                "mechanism": setting.mechanism,
                "setting": setting.label,
                "metric": setting.metric,
                "epsilon": epsilon,
            }
            yield plain(about | subject.record(epsilon, survey))


class _Subject:
    """A mechanism on the bench, with the words of its own table (a projected one, perhaps)."""

    def __init__(self, bench: Bench, mechanism: Mechanism, words: Candidates) -> None:
        self._bench = bench
        self._mechanism = mechanism
        self._words = words
        self._laws = law_of(mechanism, words.space, words.number)
        even, near = words.ids[bench.even.places], words.ids[bench.even.nearest]
        self._pairs = {"loss_near": (even, near), "loss_random": (even, words.ids[bench.random])}
        self._classes = [
            (Candidates(words.space, number), law_of(mechanism, words.space, number))
            for number in range(len(words.space.classes))
            if number != words.number
        ]

    def surveys(self, epsilons: list[float]) -> list[Survey | None]:
        """Exact success of the best attacker, where it can be had."""
        laws, effort = self._laws, self._bench.effort
        if laws is None or (laws.swept and not effort.sweep and len(self._words) > 5000):
            return [None] * len(epsilons)
        return [*laws.survey(epsilons, [self._words.even, self._words.unigram])]

    def record(self, epsilon: float, survey: Survey | None) -> Record:
        words = self._words
        record: Record = {
            "floor_uniform": float(words.even.max()),
            "floor_unigram": float(words.unigram.max()),
            **self._lost(epsilon),
        }
        record |= self._attacked(epsilon) if survey is None else _exact(survey, words)
        return record | self._useful(epsilon) | self._by_class(epsilon)

    def _lost(self, epsilon: float) -> Record:
        """Proved loss of near, random and any pairs; none where a mechanism states no distance."""
        mechanism, number = self._mechanism, self._words.number
        if not (hasattr(mechanism, "distance") and hasattr(mechanism, "loss")):
            return {**dict.fromkeys(self._pairs), "loss_worst": None}
        losses = {
            name: float(mechanism.loss(number, epsilon, mechanism.distance(*pair)).mean())
            for name, pair in self._pairs.items()
        }
        return losses | {"loss_worst": float(mechanism.loss(number, epsilon))}

    def _attacked(self, epsilon: float) -> Record:
        """Keep and recovery from releases."""
        words, effort = self._words, self._bench.effort
        even = self._draw(words.sample(words.even, effort.draws, "uniform"), epsilon, "uniform")
        places = words.sample(words.unigram, effort.trials + effort.draws, "unigram")
        drawn = self._draw(places, epsilon, "unigram")
        train, test = drawn[: effort.trials], drawn[effort.trials :]
        record: Record = {"recovery_how": "attack", "keep_how": "draws"}
        # Without a prior the attacker's guess is the released word itself.
        record |= _share("recovery_uniform", even.kept)
        record |= _share("recovery_unigram", success(words, words.unigram, train, test))
        record |= _share("keep_mean", even.kept) | _share("keep_weighted", test.kept)
        record["keep_max"] = max(self._most_kept(epsilon), even.kept.lower)
        if isinstance(self._mechanism, Directional):
            seen = vector_success(self._mechanism, words, test.places, epsilon)
            record["recovery_unigram_ceiling"] = seen.high
        return record

    def _most_kept(self, epsilon: float) -> float:
        """The largest P(keep) among the words that are furthest from all others."""
        places, repeats = self._bench.isolated, self._bench.effort.repeats
        if self._laws is not None:
            rows = self._laws.rows(places, epsilon)
            return float(rows[np.arange(len(places)), places].max())
        drawn = self._draw(np.repeat(places, repeats), epsilon, "isolated")
        return float((drawn.places == drawn.outputs).reshape(-1, repeats).mean(axis=1).max())

    def _draw(self, places: Places, epsilon: float, purpose: str) -> Draws:
        if self._laws is not None and self._laws.swept:
            return draw_rows(self._laws, self._words, places, epsilon, purpose)
        return draw(self._mechanism, self._words, places, epsilon, purpose)

    def _useful(self, epsilon: float) -> Record:
        """Nearness of what changed, in the table before any projection; entropy; time."""
        bench, words, laws = self._bench, self._words, self._laws
        if laws is not None:
            rows = laws.rows(bench.typical.places, epsilon)
            even = from_rows(laws.rows(bench.even.places, epsilon), bench.even)
            typical, entropy = from_rows(rows, bench.typical), entropy_of_rows(rows)
            pace = draw(self._mechanism, words, bench.typical.places[:_PACED], epsilon, "pace")
            seconds = pace.seconds
        else:
            samples = [words.sample(prior, bench.effort.draws // 2, "useful")
                       for prior in (words.even, words.unigram)]  # fmt: skip
            first, second = (
                draw(self._mechanism, words, places, epsilon, "useful") for places in samples
            )
            even, typical = from_draws(first, bench.words), from_draws(second, bench.words)
            seconds = second.seconds
            few = np.repeat(bench.typical.places[:20], 2 * bench.effort.repeats)
            entropy = entropy_of_draws(draw(self._mechanism, words, few, epsilon, "entropy"), 20)
        record: Record = {"entropy_bits": entropy, "microseconds": 1e6 * seconds}
        return record | _nearness("", even) | _nearness("_unigram", typical)

    def _by_class(self, epsilon: float) -> Record:
        """P(keep) of words of the other classes: mean, and weighted by frequency."""
        record: Record = {}
        for words, laws in self._classes:
            for name, prior in (("mean", words.even), ("weighted", words.unigram)):
                places = words.sample(prior, self._bench.effort.per_class, name)
                if laws is None:
                    kept = draw(self._mechanism, words, places, epsilon, "class").kept.number
                else:
                    rows = laws.rows(places, epsilon)
                    kept = float(rows[np.arange(len(places)), places].mean())
                record[f"keep_{name}_{words.name}"] = kept
        return record


def _exact(survey: Survey, words: Candidates) -> Record:
    uniform, unigram = survey.recovery
    record: Record = {"recovery_how": "exact", "keep_how": "exact"}
    record |= _share("recovery_uniform", Estimate.exact(uniform))
    record |= _share("recovery_unigram", Estimate.exact(unigram))
    record |= _share("keep_mean", Estimate.exact(float(survey.keep.mean())))
    record |= _share("keep_weighted", Estimate.exact(float(survey.keep @ words.unigram)))
    return record | {"keep_max": float(survey.keep.max()), "recovery_unigram_ceiling": unigram}


def _share(name: str, share: Estimate) -> Record:
    return {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}


def _nearness(suffix: str, utility: Utility) -> Record:
    return _share(f"n50{suffix}", utility.n50) | {
        f"cosine{suffix}": utility.cosine,
        f"rank{suffix}": utility.rank,
    }


def draw_rows(
    laws: ExactLaw, words: Candidates, places: Places, epsilon: float, purpose: str
) -> Draws:
    """The same from exact laws: quicker where a release goes through the whole table."""
    uniform = noise(len(places), f"{words.name} {epsilon} {purpose}").uniform(1, Lane.CHOICE)
    outputs = np.empty(len(places), dtype=np.int64)
    for start in range(0, len(places), _BLOCK):
        rows = laws.rows(places[start : start + _BLOCK], epsilon).cumsum(axis=1, dtype=np.float64)
        for line, row in enumerate(rows, start):
            outputs[line] = np.searchsorted(row, uniform[line, 0] * row[-1], side="right")
    return Draws(places, np.minimum(outputs, len(words) - 1), float("nan"))


@dataclass(frozen=True)
class Utility:
    """Of the releases that differ from the word: how near they are to it, in the unprojected table.

    n50: share among the word's 50 nearest. NaN where nothing changed.
    """

    n50: Estimate
    cosine: float
    rank: float  # median


def from_rows(rows: Table, queries: Queries) -> Utility:
    """From exact laws; only the choice of words is sampled."""
    kept = rows[np.arange(len(rows)), queries.places].astype(np.float64)
    changed = np.maximum(rows.sum(axis=1, dtype=np.float64) - kept, 0.0)
    near = ((queries.ranks <= NEAR) * rows).sum(axis=1, dtype=np.float64) - kept
    along = np.einsum("ij,ij->i", rows, queries.cosines).astype(np.float64) - kept
    mass: Float64 = np.bincount(queries.ranks.ravel(), weights=rows.ravel()).astype(np.float64)
    mass[0] = 0.0
    return Utility(Estimate.ratio(near, changed), _mean(along, changed), _median(mass))


def from_draws(draws: Draws, words: Candidates) -> Utility:
    """From releases."""
    moved = draws.places != draws.outputs
    cosine, rank = words.nearness(draws.places[moved], draws.outputs[moved])
    once = np.ones(len(rank))
    return Utility(
        Estimate.ratio((rank <= NEAR).astype(np.float64), once),
        _mean(cosine, once),
        float(np.median(rank)) if len(rank) else float("nan"),
    )


def entropy_of_rows(rows: Table) -> float:
    """Mean entropy of a release given the word, in bits."""
    wide = rows.astype(np.float64)
    terms = np.log2(wide, where=wide > 0, out=np.zeros_like(wide)) * wide
    return float(-terms.sum(axis=1).mean())


def entropy_of_draws(outputs: Draws, words: int) -> float:
    """The same from as many draws for each of a few words, with Miller and Madow's correction.

    Draws that are nearly all different say only that entropy is at least about this much.
    """
    entropies = []
    for drawn in outputs.outputs.reshape(words, -1):
        counts = np.unique(drawn, return_counts=True)[1]
        share = counts / counts.sum()
        entropies.append(
            -(share * np.log2(share)).sum() + (len(counts) - 1) / (2 * len(drawn) * np.log(2))
        )
    return float(np.mean(entropies))


def _mean(part: Float64, base: Float64) -> float:
    total = float(base.sum())
    return float(part.sum()) / total if total > 1e-9 else float("nan")


def _median(mass: Float64) -> float:
    """The rank at which half of the mass is reached."""
    if mass.sum() <= 1e-9:
        return float("nan")
    return float(np.searchsorted(mass.cumsum(), mass.sum() / 2.0))
