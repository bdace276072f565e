"""Own texts under STAMP and under one budget, repaired and not: docs/lab/side-by-side.md.

    python benchmarks/side_by_side.py --repair hf8:qwen-1.5b > docs/lab/side-by-side.md

Needs the asset smollm2, and for a repair the model that is named. The texts are invented. Releases
are seeded, so that the page can be made again; never seed your own.
"""

from __future__ import annotations

import argparse

from privstamp.lab.evals.experiments.texts import page

HEAD = """<!-- Written by benchmarks/side_by_side.py: change it there. -->
# Side by side: STAMP and one budget for all

Texts that were written for this page, released by STAMP with polar noise (one budget for each
group, 2:1:4:3) and by Laplace noise under one budget for all units. The uniform budget is the mean
of STAMP's over the same text, in the same metric. On whole words and on token pieces; budgets of
the two tables say nothing about each other. Sensitive spans are the detector's.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repair", metavar="MODEL", help="local, qwen-0.5b, gguf:FILE or a URL")
    given = parser.parse_args()
    print(HEAD)
    if given.repair:
        print(f"Repaired by `{given.repair}`, which saw the released text alone.\n")
    print(page(given.repair))


if __name__ == "__main__":
    main()
