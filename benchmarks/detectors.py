"""How long detection takes, per 200 words, beside the rest of the line.

    python benchmarks/detectors.py

Medians over repeats in one process, on the note that `privstamp demo` shows, repeated.
"""

from __future__ import annotations

import statistics
import time

from privstamp.cli.demo import NOTE
from privstamp.registry import SENSITIVITY, SPACES

REPEATS = 9


def main() -> None:
    space = SPACES.build("glove", {})
    units = space.split("\n\n".join([NOTE] * 20))
    words = len(units.text.split())
    parts = {name: SENSITIVITY.build(name, {}) for name in ("presidio", "rules")}
    times: dict[str, list[float]] = {name: [] for name in [*parts, "splitting"]}
    for _ in range(REPEATS):
        for name, part in parts.items():
            started = time.perf_counter()
            part.find([units])
            times[name].append(time.perf_counter() - started)
        started = time.perf_counter()
        space.split(units.text)
        times["splitting"].append(time.perf_counter() - started)
    for name, seconds in times.items():
        print(f"{name}: {1000 * statistics.median(seconds) * 200 / words:.1f} ms per 200 words")


if __name__ == "__main__":
    main()
