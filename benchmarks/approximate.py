"""When an approximate search helps: a million rows, exact beside faiss's indexes.

    python benchmarks/approximate.py [ROWS]

Writes benchmarks/results/approximate.json. Needs the extra `faiss`. Rows in clumps, as embeddings
are; noise of two strengths, because what a graph finds depends on how far the query lies from it.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.decoding.indexed import Faiss, Hnsw
from privstamp.lab.bench.searches import Synthetic, interleaved, once, some_noise, some_rows
from privstamp.mechanisms.decoded import vmf
from privstamp.mechanisms.stated import unit_rows

RESULT = Path(__file__).parent / "results" / "approximate.json"
DIMENSIONS, UNITS, CLUMPS, SPREAD = 50, 512, 20_000, 0.8
STRENGTHS = {"at the cliff": 1.0, "twice the cliff": 2.0}


def clumped(rows: int) -> Synthetic:
    """Random directions around as many centres."""
    space = Synthetic(rows, DIMENSIONS)
    random = np.random.default_rng(1)
    centres = space.unit[random.integers(0, CLUMPS, rows)].copy()
    space.unit = centres + np.float32(SPREAD) * space.unit
    space.unit /= np.linalg.norm(space.unit, axis=1, keepdims=True)
    return space


def main() -> None:
    space = clumped(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    classes, ids = np.zeros(UNITS, np.uint8), some_rows(space, UNITS)
    decoders = {"exact": Exact(space), "faiss": Faiss(space), "hnsw": Hnsw(space)}
    built = {
        name: once(partial(one.decode, unit_rows(space, ids[:1]), classes[:1]))
        for name, one in decoders.items()
    }
    found = []
    for strength, factor in STRENGTHS.items():
        kappa = np.full(UNITS, factor * space.cliff())
        noisy = vmf(unit_rows(space, ids), kappa, some_noise(UNITS))
        times = interleaved(
            {name: partial(one.decode, noisy, classes) for name, one in decoders.items()},
            repeats=5,
            limit=60.0,
        )
        exact = decoders["exact"].decode(noisy, classes)
        for name, one in decoders.items():
            found.append(
                {
                    "rows": len(space.unit),
                    "dimensions": DIMENSIONS,
                    "noise": strength,
                    "decoder": name,
                    "to_build_seconds": built[name],
                    "speed_over_exact": times["exact"] / times[name],
                    "same_row": float((one.decode(noisy, classes) == exact).mean()),
                }
            )
            print(found[-1])
    RESULT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
