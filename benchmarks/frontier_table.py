"""The tables of docs/lab/frontier.md and audit.md, from the results of `privstamp frontier`.

python benchmarks/frontier_table.py
"""

from __future__ import annotations

import json
from pathlib import Path

from privstamp.lab.frontier import LEVELS, at_recovery
from privstamp.lab.report import Sheet, markdown

STEPS = (
    "neighbourhood (plateau 1, k 24, alike 48)",
    "neighbourhood (plateau 1, k 24, alike 48, reach 1)",
)
CLUSTERS = ("clusters",)
CHORDAL = ("exponential", "polar-vocabulary")
AUDITED = ("polar", "neighbourhood (plateau 1, k 32)")
SHARES = {
    "kept, mean": "keep_mean",
    "kept, by frequency": "keep_weighted",
    "kept, worst": "keep_max",
    "recovered, uniform prior": "recovery_uniform",
    "recovered, unigram prior": "recovery_unigram",
}
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


def grid(name: str, settings: tuple[str, ...]) -> str:
    """Every epsilon of some settings, as measured."""
    (content,) = json.loads((RESULTS / name).read_text())
    lines = [
        "| setting | epsilon | kept: mean, most | n50 | cosine of changed | recovery | loss |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in content["records"]:
        if one["setting"] in settings:
            shares = {key: f"{value:.2f}" for key, value in one.items() if isinstance(value, float)}
            lines.append(
                f"| `{one['setting']}` | {one['epsilon']:g} | {shares['keep_mean']}, "
                f"{shares['keep_max']} | {shares['n50']} | {shares['cosine']} | "
                f"{shares['recovery_uniform']} / {shares['recovery_unigram']} | "
                f"{one['loss_random']:.0f} |"
            )
    return "\n".join(lines) + "\n"


def recoveries(name: str, settings: tuple[str, ...]) -> str:
    """Content words of the default space: what is kept and recovered at each epsilon."""
    (content,) = json.loads((RESULTS / name).read_text())
    lines = [
        (
            f"`{record['setting']}`",
            f"{record['epsilon']:g}",
            *(f"{record[share]:.2f}" for share in SHARES.values()),
        )
        for record in content["records"]
        if record["setting"] in settings
    ]
    return markdown(Sheet("", ("mechanism", "ε", *SHARES), lines))


def cell(row: dict | None) -> str:
    if row is None:
        return "not reached"
    n50 = f"{row['n50']:.2f}".removeprefix("0")
    return f"{row['epsilon']:.3g} / **{n50}** / {row['loss_random']:.0f}"


def both_sides(content: dict) -> tuple[list, list]:
    """Polar's records with recovery from below, and with recovery from above."""
    polar = [one for one in content["records"] if one["setting"] == "polar"]
    above = [one | {"recovery_unigram": one["recovery_unigram_ceiling"]} for one in polar]
    return polar, above


def epsilons(name: str, settings: tuple[str, ...]) -> str:
    """Polar's epsilon over that of settings in its metric, by both sides of polar's recovery."""
    (content,) = json.loads((RESULTS / name).read_text())
    lines = [
        "| recovery | " + " | ".join(f"`{one}`" for one in settings) + " |",
        "|---|" + "---|" * len(settings),
    ]
    for level in LEVELS:
        rows = {
            one["setting"]: one["epsilon"]
            for one in content["at_equal_recovery"]
            if one["above_floor"] == level
        }
        bases = [at_recovery(side, level) for side in both_sides(content)]
        cells = [
            " to ".join(
                "?" if base is None else f"{base['epsilon'] / rows[one]:.1f}" for base in bases
            )
            for one in settings
        ]
        lines.append(f"| floor + {level:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def bracket(name: str) -> str:
    """The best against polar, whose recovery is known from below (attack) and above (vector)."""
    (content,) = json.loads((RESULTS / name).read_text())
    polar, above = both_sides(content)
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
    print(epsilons("frontier-mpnet.json", CHORDAL))
    print(grid("frontier.json", STEPS))
    print(grid("frontier.json", CLUSTERS))
    print(recoveries("frontier.json", AUDITED))
