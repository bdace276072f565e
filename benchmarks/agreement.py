"""Both exact searches on the same noise, draw after draw: do they ever differ?

    python benchmarks/agreement.py [SHARE]

Writes benchmarks/results/agreement.json. Needs the extra `torch`. The default space, where rows are
real words, and synthetic tables up to the published size; concentrations from far below to far
above the cliff. About a quarter of an hour of one core; SHARE takes that part of the draws.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

from privstamp.decoding.certified import Int8
from privstamp.decoding.exact import Exact
from privstamp.lab.bench.searches import Synthetic
from privstamp.mechanisms.decoded import vmf_rows
from privstamp.noise import Noise
from privstamp.policy import Part
from privstamp.release.parts import open_space

RESULT = Path(__file__).parent / "results" / "agreement.json"
BLOCK, FACTORS = 4096, (0.3, 0.6, 1.0, 1.5, 3.0)  # of the cliff
TABLES = (
    (partial(open_space, Part(name="glove")), 500_000),
    (partial(Synthetic, 2_000, 64), 2_000_000),
    (partial(Synthetic, 10_000, 256), 1_000_000),
    (partial(Synthetic, 50_257, 768), 300_000),
)


def compare(space, draws: int) -> dict[str, object]:
    exact, coded = Exact(space), Int8(space)
    cliff = np.sqrt(2.0 * space.unit.shape[1] * np.log(max(map(len, space.outputs))))
    random = np.random.default_rng(0)
    different, done, started = 0, 0, time.perf_counter()
    while done < draws:
        ids = random.choice(len(space.prior), BLOCK, p=space.prior).astype(np.int32)
        kappa = cliff * random.choice(FACTORS, BLOCK)
        noise = Noise.of_document(bytes(32), np.arange(done, done + BLOCK))
        noisy = vmf_rows(space.unit, ids, kappa, noise)
        classes = space.class_of[ids]
        expected = exact.decode(noisy, classes)
        different += int((expected != coded.decode(noisy, classes)).sum())
        done += BLOCK
    tally = coded.tally
    return {
        "space": space.name,
        "draws": done,
        "different": different,
        "share_looked_at_again": tally.share,
        "looked_at_again_per_draw": tally.again / max(1, tally.queries),
        "left_to_float32": tally.fallbacks,
        "minutes": (time.perf_counter() - started) / 60.0,
    }


def main() -> None:
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    found = []
    for make, draws in TABLES:
        found.append(compare(make(), round(share * draws)))
        print(found[-1], flush=True)
        RESULT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
