"""How to share a mean epsilon among the four groups: the allocator against 2:1:4:3 and uniform.

    python benchmarks/allocation.py            # prints the tables of docs/lab/calibration.md
    python benchmarks/allocation.py --measure  # measures anew: benchmarks/results/allocation.json

Meaning kept is the expected cosine of a released word to the original, weighted by importance.
Shares of the groups are those of the texts that come with privstamp.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from privstamp import Policy
from privstamp.budget import GROUPS
from privstamp.lab.audit.subject import bundled
from privstamp.lab.calibration import Bench, calibrate
from privstamp.lab.calibration.gauge import Attacker
from privstamp.lab.calibration.groups import mix, shares_of

RESULTS = Path(__file__).parent / "results" / "allocation.json"
MEANS = {"polar": (10, 20, 30, 40, 50, 60), "neighbourhood": (2, 3, 4, 5, 6, 7)}
METRICS = {"polar": "chordal", "neighbourhood": "hops"}
LIMITS = {1: 0.05, 2: 0.05, 3: 0.5, 4: 0.5}
WEIGHTS = {
    "alike": (1.0, 1.0, 1.0, 1.0),
    "twice": (2.0, 1.0, 2.0, 1.0),
    "four times": (4.0, 1.0, 4.0, 1.0),
}


def told(what: str, _share: float) -> None:
    print(what, file=sys.stderr)


def measure() -> dict[str, object]:
    shares = shares_of(Policy.preset("stamp"), bundled())
    found: dict[str, object] = {"shares": [round(one, 4) for one in shares], "limits": LIMITS}
    for name, means in MEANS.items():
        policy = Policy.of(
            {
                "extends": "stamp",
                "mechanism": name,
                "budget": {"epsilon": [1, 1, 1, 1], "metric": METRICS[name]},
            }
        )
        bench = Bench(policy, 1)
        plan = calibrate(policy, LIMITS, Attacker(), bench=bench, progress=told)
        caps = plan.epsilon
        rows = []
        for label, importance in WEIGHTS.items():
            mixed = mix(bench, shares, importance, told)
            for mean in means:
                ways = {
                    "uniform": (float(mean),) * len(GROUPS),
                    "2:1:4:3": mixed.by_ratio(mean),
                    "allocated": mixed.allocate(mean),
                    "uniform, limits": (min(float(mean), *caps),) * len(GROUPS),
                    "2:1:4:3, limits": within(mixed.by_ratio(mean), caps),
                    "allocated, limits": mixed.allocate(mean, caps),
                }
                for way, epsilon in ways.items():
                    rows.append(
                        {
                            "importance": label,
                            "mean": mean,
                            "way": way,
                            "epsilon": [float(f"{one:.3g}") for one in epsilon],
                            "spent": round(mixed.mean(epsilon), 2),
                            "meaning": round(mixed.utility(epsilon), 4),
                        }
                    )
        curve = mixed.curves[-1]
        found[name] = {
            "caps": list(caps),
            "meaning": [[float(f"{x:.3g}"), round(float(y), 4)]
                        for x, y in zip(curve.epsilon, curve.cosine, strict=True)],
            "rows": rows,
        }  # fmt: skip
    return found


def within(epsilon: tuple[float, ...], caps: tuple[float, ...]) -> tuple[float, ...]:
    """The same proportions, made smaller until every group is under its cap."""
    factor = min(1.0, *(cap / one for cap, one in zip(caps, epsilon, strict=True)))
    return tuple(one * factor for one in epsilon)


def tables(found: dict[str, object]) -> None:
    shares = ", ".join(f"{one:.2f}" for one in found["shares"])
    print(f"Shares of groups 1 to 4: {shares}.\n")
    for name in MEANS:
        rows = found[name]["rows"]
        ways = list(dict.fromkeys(row["way"] for row in rows))
        caps = ", ".join(f"{one:g}" for one in found[name]["caps"])
        print(f"`{name}`; the limits allow groups 1 to 4 at most ε = {caps}.\n")
        print(f"| important words count | mean ε | {' | '.join(ways)} | its ε |")
        print("|" + "---|" * (len(ways) + 3))
        for label in WEIGHTS:
            for mean in MEANS[name]:
                mine = {r["way"]: r for r in rows if (r["importance"], r["mean"]) == (label, mean)}
                values = " | ".join(f"{mine[way]['meaning']:.2f}" for way in ways)
                chosen = ", ".join(f"{one:g}" for one in mine[ways[-1]]["epsilon"])
                print(f"| {label} | {mean} | {values} | {chosen} |")
        print()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", action="store_true")
    if parser.parse_args().measure:
        RESULTS.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    tables(json.loads(RESULTS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
