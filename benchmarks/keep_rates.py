"""How often words survive: the tables of docs/guides/budgets.md, concepts/mechanisms.md, spaces.md.

    python benchmarks/keep_rates.py                  # polar, per class and epsilon; some minutes
    python benchmarks/keep_rates.py noise            # every noise-then-decode mechanism; a minute
    python benchmarks/keep_rates.py preprocessing    # polar on the table by each recipe; minutes
    python benchmarks/keep_rates.py --words 100 --epsilon 15 60

Queries are sampled, candidates never. A maximum is found in two steps: the words with the most hits
in a first set of draws are drawn again, many times, so that it is not the luckiest of many.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates, Draws, keep_rates
from privstamp.lab.frontier.figures import from_draws
from privstamp.lab.report import Sheet, markdown
from privstamp.noise import Noise, Randomness
from privstamp.policy import Part
from privstamp.registry import MECHANISMS
from privstamp.release.parts import open_space

DRAWS, SUSPECTS, AGAIN = 60, 12, 600
SEED = 20261115
NOISE = [
    ("polar", "chordal", {}, {}),
    ("laplace-l2", "chordal", {}, {}),
    ("laplace-l2", "euclidean", {}, {}),
    ("laplace-l2", "euclidean", {}, {"preprocessing": "raw"}),
    ("mahalanobis", "mahalanobis", {"lam": 0.2}, {}),
    ("mahalanobis", "mahalanobis", {"lam": 0.9}, {}),
    ("vickrey", "chordal", {"t": 0.5}, {}),
    ("vickrey", "chordal", {"t": 1.0}, {}),
    ("polar", "chordal", {}, {"project": 32}),
    ("polar", "chordal", {}, {"project": 16}),
]
RECIPES = ("raw", "centred", "abtt1", "abtt2", "abtt3", "abtt4")


def build(name: str, metric: str, options: dict[str, Any], table: dict[str, Any]) -> Any:
    space = open_space(Part.model_validate({"name": "glove", **table}))
    given = {"space": space, "metric": metric, "decoder": Exact(space)}
    return space, MECHANISMS.build(name, options, **given)


def classes(epsilons: list[float], count: int) -> Iterator[list[str]]:
    """Of each class: mean over words, weighted by frequency, and the largest."""
    space, mechanism = build("polar", "chordal", {}, {})
    random = np.random.default_rng(SEED)
    for name, rows in zip(space.classes, space.outputs, strict=True):
        lines: dict[str, list[float]] = {"mean": [], "weighted": [], "max": []}
        for epsilon in epsilons:
            evenly = random.choice(rows, size=min(count, len(rows)), replace=False)
            weight = space.prior[rows] / space.prior[rows].sum()
            often, times = np.unique(random.choice(rows, size=count, p=weight), return_counts=True)
            ids = np.concatenate([evenly, often])
            first = rates(mechanism, ids, epsilon, DRAWS)
            suspects = np.unique(ids[np.argsort(-first, kind="stable")[:SUSPECTS]])
            lines["mean"].append(first[: len(evenly)].mean())
            lines["weighted"].append((first[len(evenly) :] * times).sum() / times.sum())
            lines["max"].append(rates(mechanism, suspects, epsilon, AGAIN).max())
        for what, values in lines.items():
            yield [name, what, *map(short, values)]


def noise(epsilons: list[float], count: int) -> Iterator[list[str]]:
    """Share of content words kept, and share of the changed ones among the 50 nearest."""
    base = open_space(Part(name="glove"))
    words = Candidates(base, base.classes.index("content"))
    places = np.random.default_rng(SEED).choice(len(words), count, replace=False)
    ids = words.ids[places]
    for name, metric, options, table in NOISE:
        space, mechanism = build(name, metric, options, table)
        assert space.words(ids) == base.words(ids), "every table has the same words in one order"
        cells = []
        for epsilon in epsilons:
            drawn = Noise.of_document(Randomness.make().key(), np.arange(count))
            out = mechanism.privatize(ids, np.full(count, epsilon), drawn)
            draws = Draws(places, np.searchsorted(words.ids, out), 0.0)
            near = from_draws(draws, words).n50.number  # in the unprojected table
            cells.append(f"{short(draws.kept.number)} / {short(near)}")
        special = " ".join(f"{key} {value}" for key, value in (options | table).items())
        yield [f"`{name}` {special}".strip(), metric, f"{mechanism.diameter:.2f}", *cells]


def preprocessing(epsilons: list[float], count: int) -> Iterator[list[str]]:
    """Output words, evenly and by frequency: a recipe suits a table if the two agree."""
    random = np.random.default_rng(0)
    for recipe in RECIPES:
        space, mechanism = build("polar", "chordal", {}, {"preprocessing": recipe})
        for name, rows in zip(space.classes, space.outputs, strict=True):
            weight = space.prior[rows] / space.prior[rows].sum()
            cells = []
            for epsilon in epsilons:
                shares = [
                    rates(mechanism, random.choice(rows, size=count, p=law), epsilon, 1).mean()
                    for law in (None, weight)
                ]
                cells.append(" / ".join(map(short, shares)))
            yield [recipe, name, str(len(rows)), *cells]


def rates(mechanism: Any, ids: Any, epsilon: float, draws: int) -> Any:
    found = keep_rates(mechanism, ids, np.full(len(ids), epsilon), draws=draws)
    return np.array([rate.number for rate in found])


def short(share: float) -> str:
    return "–" if np.isnan(share) else f"{share:.2f}".removeprefix("0")


TABLES: dict[str, tuple[Any, tuple[str, ...], list[float], int]] = {
    "classes": (classes, ("class", "P(keep)"), [10, 15, 20, 25, 30, 40, 45, 50, 60, 80], 400),
    "noise": (noise, ("mechanism", "metric", "diameter"), [10, 20, 30, 45, 60], 2000),
    "preprocessing": (preprocessing, ("recipe", "class", "outputs"), [30, 45], 1200),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", nargs="?", choices=TABLES, default="classes")
    parser.add_argument("--epsilon", type=float, nargs="+")
    parser.add_argument("--words", type=int)
    given = parser.parse_args()
    measure, headings, epsilons, words = TABLES[given.table]
    epsilons, words = given.epsilon or epsilons, given.words or words
    shown = (*headings, *(f"{epsilon:g}" for epsilon in epsilons))
    print(markdown(Sheet("", shown, list(measure(epsilons, words)))), end="")


if __name__ == "__main__":
    main()
