"""The tables of docs/lab/audit.md: recovery over epsilon, and the audits of the presets.

    python benchmarks/audit_table.py run    # audits the presets, some minutes, into the results
    python benchmarks/audit_table.py        # prints the tables

Recovery over epsilon is from results/frontier.json (`privstamp frontier`); results/audit.json holds
what `privstamp audit --preset NAME --json` prints, by name.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from privstamp import Policy
from privstamp.lab.audit.run import audit
from privstamp.lab.audit.subject import Subject, bundled

RESULTS = Path(__file__).parent / "results"
SETTINGS = ("polar", "neighbourhood (plateau 1, k 32)")
PRESETS = ("stamp", "readable")
COLUMNS = {
    "kept, mean": "keep_mean",
    "kept, by frequency": "keep_weighted",
    "kept, worst": "keep_max",
    "recovered, uniform prior": "recovery_uniform",
    "recovered, unigram prior": "recovery_unigram",
}


def run() -> None:
    content = {}
    for name in PRESETS:
        content[name] = audit(Subject(Policy.preset(name), bundled(), seed=1)).as_json()
        (RESULTS / "audit.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


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
    if sys.argv[1:] == ["run"]:
        run()
    print(curves())
    if (RESULTS / "audit.json").exists():
        print(audits())
