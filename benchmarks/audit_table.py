"""The tables of docs/audit.md: recovery over epsilon, and the audits of the presets.

    python benchmarks/audit_table.py

Reads results/frontier.json (`privstamp frontier`) and results/audit.json, which holds what
`privstamp audit --preset NAME --json` printed for each preset, by name.
"""

from __future__ import annotations

import json
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
SETTINGS = ("polar", "neighbourhood (plateau 1, k 32)")
COLUMNS = {
    "kept, mean": "keep_mean",
    "kept, by frequency": "keep_weighted",
    "kept, worst": "keep_max",
    "recovered, uniform prior": "recovery_uniform",
    "recovered, unigram prior": "recovery_unigram",
}


def curves() -> str:
    """Content words of the default space: what is kept and recovered at each epsilon."""
    (content,) = json.loads((RESULTS / "frontier.json").read_text(encoding="utf-8"))
    lines = ["| mechanism | ε | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 2) + "|"]
    for one in content["records"]:
        if one["setting"] in SETTINGS:
            shares = " | ".join(f"{one[name]:.2f}" for name in COLUMNS.values())
            lines.append(f"| `{one['setting']}` | {one['epsilon']:g} | {shares} |")
    return "\n".join(lines) + "\n"


def audits() -> str:
    """The summary of each preset's audit, one column each."""
    content = json.loads((RESULTS / "audit.json").read_text(encoding="utf-8"))
    lines = ["| figure | " + " | ".join(f"`{name}`" for name in content) + " |"]
    lines.append("|---" * (len(content) + 1) + "|")
    for figure in next(iter(content.values()))["summary"]:
        cells = [cell(one["summary"][figure]) for one in content.values()]
        lines.append(f"| {figure} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def cell(figure: dict | bool) -> str:
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if figure["value"] is None:
        return "–"
    low, high = figure["low"], figure["high"]
    interval = "" if None in (low, high) or low == high else f" ({low:.2f}–{high:.2f})"
    return f"{figure['value']:.2f}{interval}"


if __name__ == "__main__":
    print(curves())
    if (RESULTS / "audit.json").exists():
        print(audits())
