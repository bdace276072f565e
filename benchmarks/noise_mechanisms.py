"""What each noise-then-decode mechanism does to content words: the table of mechanisms-noise.md.

    python benchmarks/noise_mechanisms.py        # about a minute

keep: share that comes out unchanged. n50: share of the changed ones that are among the original's
50 nearest outputs in the unprojected table. Words are sampled evenly, candidates never.
"""

from __future__ import annotations

import argparse

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.noise import Noise, Randomness
from privstamp.policy import Part
from privstamp.registry import MECHANISMS
from privstamp.release.parts import open_space

ROWS = [
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


def near(space, ids, others):
    """Whether fewer than 50 outputs of the class are nearer to each id than the other is."""
    rows = space.unit[space.outputs[space.class_of[ids[0]]]]
    own = (space.unit[ids] * space.unit[others]).sum(-1)
    return (space.unit[ids] @ rows.T > own[:, None] + 1e-6).sum(-1) <= 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epsilon", type=float, nargs="+", default=[10, 20, 30, 45, 60])
    parser.add_argument("--words", type=int, default=2000)
    options = parser.parse_args()
    base = open_space(Part(name="glove"))
    rows = base.outputs[base.classes.index("content")]
    ids = np.random.default_rng(20261115).choice(rows, options.words, replace=False)
    print("| mechanism | metric | diameter |", *(f"{e:g} |" for e in options.epsilon))
    for name, metric, settings, table in ROWS:
        space = open_space(Part.model_validate({"name": "glove", **table}))
        assert space.words(ids) == base.words(ids), "every table has the same words in one order"
        given = {"space": space, "metric": metric, "decoder": Exact(space)}
        mechanism = MECHANISMS.build(name, settings, **given)
        cells = []
        for epsilon in options.epsilon:
            noise = Noise.of_document(Randomness.make().key(), np.arange(len(ids)))
            out = mechanism.privatize(ids, np.full(len(ids), epsilon), noise)
            changed = out != ids
            close = near(base, ids[changed], out[changed]).mean() if changed.any() else np.nan
            cells.append(f"{1 - changed.mean():.2f} / {close:.2f} |")
        what = ", ".join(f"{k} {v}" for k, v in (settings | table).items())
        print(f"| `{name}` {what} | {metric} | {mechanism.diameter:.2f} |", *cells, flush=True)


if __name__ == "__main__":
    main()
