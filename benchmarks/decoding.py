"""What noise and exact decoding cost beside the bare matrix product, as ratios of one run.

    python benchmarks/decoding.py

Synthetic unit tables; medians over interleaved repeats. The product alone is what no exact search
can avoid.
"""

from __future__ import annotations

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.bench.synthetic import Synthetic
from privstamp.lab.bench.timing import interleaved
from privstamp.mechanisms._vmf import vmf
from privstamp.noise import Noise

UNITS, ROWS, REPEATS, KAPPA = 512, 50_000, 7, 60.0


def measure(dimensions: int) -> dict[str, float]:
    """Median seconds of each step."""
    table = Synthetic(ROWS, dimensions)
    decoder = Exact(table)
    centres = table.unit[:UNITS].astype(np.float64)
    classes = np.zeros(UNITS, dtype=np.uint8)
    noise = Noise.of_document(bytes(32), np.arange(UNITS))
    noisy = vmf(centres, np.full(UNITS, KAPPA), noise)
    narrow = noisy.astype(np.float32)
    steps = {
        "noise": lambda: vmf(centres, np.full(UNITS, KAPPA), noise),
        "decoding": lambda: decoder.decode(noisy, classes),
        "product": lambda: narrow @ table.unit.T,
    }
    return interleaved(steps, repeats=REPEATS, limit=60.0)


def main() -> None:
    for dimensions in (50, 768):
        median = measure(dimensions)
        print(
            f"{dimensions} dimensions: decoding {median['decoding'] / median['product']:.2f} x the "
            f"product, noise {median['noise'] / median['decoding']:.3f} x decoding"
        )


if __name__ == "__main__":
    main()
