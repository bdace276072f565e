"""What each profile finds in the shipped samples, row by row: benchmarks/results/profiles.json.

    python benchmarks/profiles.py

A mark counts as covered if none of its letters and digits leaves. docs/generate.py writes the
figures into docs/reference/profiles.md.
"""

from __future__ import annotations

import json
from pathlib import Path

from privstamp import Policy, Privatizer
from privstamp.lab.evals.samples import load
from privstamp.policy.presets import profiles
from privstamp.result import Result

MARKS = {"ID": "NUMERIC_ID", "USERNAME": "HANDLE"}
"""Names of marks that differ from those of kinds."""
OUT = Path(__file__).parent / "results" / "profiles.json"


def covered(result: Result, text: str, start: int, end: int) -> bool:
    """Whether every letter and digit of a span was replaced."""
    hidden = {place for one in result.changes for place in range(one.start, one.end)}
    return all(place in hidden for place in range(start, end) if text[place].isalnum())


def main() -> None:
    samples, figures = load(), {}
    for name, profile in profiles().items():
        line = Privatizer(Policy(profiles=(name,)), seed=1)
        marks: dict[str, list[bool]] = {}
        for sample in samples:
            result = line.privatize(sample.text, format="plain")
            for mark in sample.go:
                told = covered(result, sample.text, mark.start, mark.end)
                marks.setdefault(MARKS.get(mark.kind, mark.kind), []).append(told)
        rows = []
        for row in profile.rows:
            every = [told for kind in row.kinds for told in marks.get(kind, [])]
            rows.append({"what": row.what, "marks": len(every), "covered": sum(every)})
        figures[name] = rows
    OUT.write_text(json.dumps({"samples": len(samples), "profiles": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
