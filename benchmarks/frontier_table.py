"""The tables of docs/frontier.md, from the committed results of `privstamp frontier`.

python benchmarks/frontier_table.py
"""

from __future__ import annotations

import json
from pathlib import Path

from privstamp.frontier.report import LEVELS, at_recovery

RESULTS = Path(__file__).parent / "results"


def table(name: str) -> str:
    """Settings by level of recovery: epsilon, n50, proved loss of a random pair."""
    (content,) = json.loads((RESULTS / name).read_text())
    rows = {}
    for one in content["at_equal_recovery"]:
        rows.setdefault(one["setting"], {})[one["above_floor"]] = one
    lines = [
        "| setting | " + " | ".join(f"floor + {level:.2f}" for level in LEVELS) + " |",
        "|---|" + "---|" * len(LEVELS),
    ]
    for setting, levels in rows.items():
        cells = " | ".join(cell(levels.get(level)) for level in LEVELS)
        lines.append(f"| `{setting}` | {cells} |")
    return "\n".join(lines) + "\n"


def cell(row: dict | None) -> str:
    if row is None:
        return "not reached"
    n50 = f"{row['n50']:.2f}".removeprefix("0")
    return f"{row['epsilon']:.3g} / **{n50}** / {row['loss_random']:.0f}"


def bracket(name: str) -> str:
    """The best against polar, whose recovery is known from below (attack) and above (vector)."""
    (content,) = json.loads((RESULTS / name).read_text())
    polar = [one for one in content["records"] if one["setting"] == "polar"]
    above = [one | {"recovery_unigram": one["recovery_unigram_ceiling"]} for one in polar]
    lines = [
        "| recovery | best | n50, times polar's | loss, part of polar's |",
        "|---|---|---|---|",
    ]
    for level in LEVELS:
        bases = at_recovery(polar, level), at_recovery(above, level)
        rows = [one for one in content["at_equal_recovery"] if one["above_floor"] == level]
        fit = [one for one in rows if (one["loss_random_part"] or 1.0) <= 0.5]
        best = max(fit, key=lambda one: one["n50"])
        times = " to ".join(f"{best['n50'] / base['n50']:.1f}" for base in bases)
        part = " to ".join(f"{best['loss_random'] / base['loss_random']:.2f}" for base in bases)
        lines.append(f"| floor + {level:.2f} | `{best['setting']}` | {times} | {part} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for path in sorted(RESULTS.glob("frontier*.json")):
        print(path.name, table(path.name), sep="\n\n")
    print(bracket("frontier.json"))
