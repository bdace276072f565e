"""What is proved of table mechanisms by comparing all pairs of rows, and what that takes.

python benchmarks/tight_constants.py FOLDER    a space as in `hf:FOLDER`; minutes, then kept
"""

from __future__ import annotations

import sys
from time import perf_counter

from privstamp.mechanisms._geometry import SCALES
from privstamp.mechanisms.exponential import Exponential, PolarVocabulary
from privstamp.policy import Part
from privstamp.release.parts import open_space


def main(name: str) -> None:
    space = open_space(Part(name=name))
    print("| mechanism | s | nominal: 2 s | proved: s + L(s) | gain |\n|---|---|---|---|---|")
    for kind in (Exponential, PolarVocabulary):
        begun = perf_counter()
        mechanism = kind(space, constant="tight")
        for number, found in enumerate(mechanism._constants):
            for scale, more in zip(SCALES, found.values.tolist(), strict=True):
                print(
                    f"| `{kind.name}` ({space.classes[number]}) | {scale:.2f} | {2 * scale:.2f} | "
                    f"{scale + more:.2f} | {2 * scale / (scale + more):.2f} |"
                )
        print(f"{kind.name}: {perf_counter() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(f"hf:{sys.argv[1]}")
