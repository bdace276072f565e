"""What docs/concepts/spaces.md says about the default word space, measured.

python benchmarks/word_space.py FILE...           # speed, and how much of a text is unknown
python benchmarks/word_space.py --preprocessing   # P(keep) per class for each recipe, minutes
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from privstamp.channels import keep
from privstamp.decoding.exact import Exact
from privstamp.mechanisms.polar import Polar
from privstamp.spaces.glove import Glove
from privstamp.types import UNKNOWN, Kind

WORDS, EPSILONS = 1200, (30.0, 45.0)


def cutting(paths: list[str]) -> None:
    started = time.perf_counter()
    space = Glove()
    print(f"opened in {time.perf_counter() - started:.2f} s: {space!r}")
    allowed = np.concatenate(space.outputs)
    for path in paths:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
        started = time.perf_counter()
        units = space.split(text)
        seconds = time.perf_counter() - started
        words = np.isin(units.kinds, [Kind.WORD, Kind.FOREIGN])
        unknown = units.rows == UNKNOWN
        never = ~unknown & ~np.isin(units.rows, allowed)
        print(
            f"{Path(path).name}: {len(text) / 1e6:.2f} M characters, {len(units)} units, "
            f"{len(text) / 1e6 / seconds:.1f} M characters/s; of words {unknown[words].mean():.4f} "
            f"unknown, {never[words].mean():.4f} known but never an output"
        )


def recipes() -> None:
    """Output words, evenly and by frequency: a recipe suits a table if the two agree."""
    random = np.random.default_rng(0)
    for recipe in ("raw", "centred", "abtt1", "abtt2", "abtt3", "abtt4"):
        space = Glove(preprocessing=recipe)
        mechanism = Polar(space, decoder=Exact(space))
        for name, rows in zip(space.classes, space.outputs, strict=True):
            weight = space.prior[rows] / space.prior[rows].sum()
            cells = []
            for epsilon in EPSILONS:
                shares = []
                for law in (None, weight):
                    ids = random.choice(rows, size=WORDS, p=law)
                    found = keep(mechanism, ids, np.full(WORDS, epsilon), draws=1)
                    shares.append(f"{found.estimate.mean():.2f}")
                cells.append(f"{epsilon:.0f}: {' / '.join(shares)}")
            print(f"{recipe:8} {name:9} {len(rows):6}  {'  '.join(cells)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--preprocessing"]:
        recipes()
    else:
        cutting(sys.argv[1:])
