"""How often a word survives: P(keep) per class and epsilon, mean, weighted and maximum.

    python benchmarks/keep_rates.py      # the table of docs/guides/budgets.md, some minutes
    python benchmarks/keep_rates.py --words 100 --epsilon 15 60

The maximum is found in two steps: the words with the most hits in a first set of draws are drawn
again, many times, and the largest of those second estimates is reported, so that it is not the
luckiest of many noisy ones. Queries are sampled, candidates never.
"""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np

from privstamp.channels import keep
from privstamp.decoding.exact import Exact
from privstamp.mechanisms.polar import Polar
from privstamp.registry import SPACES

SUSPECTS, AGAIN = 12, 600


def measure(space, mechanism, number, epsilon, words, draws, random):
    rows = space.outputs[number]  # a word that may not leave is never kept
    evenly = random.choice(rows, size=min(words, len(rows)), replace=False)
    weight = space.prior[rows] / space.prior[rows].sum()
    often, times = np.unique(random.choice(rows, size=words, p=weight), return_counts=True)
    ids = np.concatenate([evenly, often])
    first = keep(mechanism, ids, np.full(len(ids), epsilon), draws=draws).estimate
    suspects = np.unique(ids[np.argsort(-first, kind="stable")[:SUSPECTS]])
    second = keep(mechanism, suspects, np.full(len(suspects), epsilon), draws=AGAIN).estimate
    return {
        "class": space.classes[number],
        "epsilon": epsilon,
        "mean": float(first[: len(evenly)].mean()),
        "weighted": float((first[len(evenly) :] * times).sum() / times.sum()),
        "max": float(second.max()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--space", default="glove")
    parser.add_argument(
        "--epsilon", type=float, nargs="+", default=[10, 15, 20, 25, 30, 40, 45, 50, 60, 80]
    )
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    space = SPACES.build(options.space, {})
    mechanism = Polar(space, decoder=Exact(space))
    random = np.random.default_rng(20261115)
    results = []
    for number in range(len(space.classes)):
        for epsilon in options.epsilon:
            results.append(
                measure(space, mechanism, number, epsilon, options.words, options.draws, random)
            )
            print(results[-1]["class"], epsilon, file=sys.stderr)
    if options.json:
        print(json.dumps({"space": space.fingerprint, "results": results}, indent=1))
        return
    print("| class | P(keep) | " + " | ".join(f"{e:g}" for e in options.epsilon) + " |")
    print("|---" * (2 + len(options.epsilon)) + "|")
    for name in space.classes:
        mine = [r for r in results if r["class"] == name]
        for what in ("mean", "weighted", "max"):
            cells = " | ".join(f"{r[what]:.2f}".lstrip("0") or "0" for r in mine)
            print(f"| {name} | {what} | {cells} |")


if __name__ == "__main__":
    main()
