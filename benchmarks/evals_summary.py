"""benchmarks/results/evals.json, which the site's results are made of, from folders of results.

    PRIVSTAMP_DATA=FOLDER bash benchmarks/evals.sh results
    python benchmarks/evals_summary.py results/*

Tables of experiments and tasks that are not in these folders stay as they are. Full records are
not kept in the repository: the file names them by their SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from privstamp.lab.evals.report import Report, sheets, summary
from privstamp.lab.evals.results import by, read
from privstamp.lab.report import Sheet

Plain: TypeAlias = dict[str, Any]

SUMMARY = Path(__file__).parent / "results" / "evals.json"
COMMANDS = ["PRIVSTAMP_DATA=FOLDER bash benchmarks/evals.sh results",
            "python benchmarks/evals_summary.py results/*"]  # fmt: skip
LEFT_OUT = (
    "macro-F1", "EM", "of original", "open", "recovered, even", "spans", "likeness", "cosine",
    "groups",
)  # fmt: skip
"""Columns that would make tables too wide."""
VALUE_ONLY = ("kept", "recovered, frequency")
"""Columns without their intervals."""
ONLY_COMPARED = ("stamp-vs-uniform", "mechanisms")
"""Experiments of which the comparison is shown, not its many rows."""
QUESTIONS = "hf8:qwen-1.5b"


@dataclass(frozen=True)
class Goal:
    """What a condition should reach: a share of the original's score, or points below it."""

    words: str
    task: str
    condition: str
    reader: str
    share: float | None = None
    points: float | None = None
    kept: float = 1.0  # content words that are not sensitive


GOALS = (
    Goal("only sensitive units changed", "ag_news", "surrogates", "tfidf", share=0.95),
    Goal("every unit noised", "ag_news", "every unit noised", "tfidf", share=0.93, kept=0.85),
    Goal("only sensitive units changed", "yelp", "surrogates", "tfidf", share=0.95),
    Goal("every unit noised", "yelp", "every unit noised", "tfidf", share=0.95, kept=0.85),
    Goal("gold spans", "fantasy", "surrogates, gold, restored", QUESTIONS, points=-0.03),
    Goal(
        "every unit noised, restored", "fantasy",
        "every unit noised, dates and figures too, restored", QUESTIONS, share=0.92,
    ),
    Goal("detected spans, restored", "squad", "surrogates, restored", QUESTIONS, share=0.92),
)  # fmt: skip


def goals(rows: list[Plain]) -> dict[tuple[str, str], list[str]]:
    """Aims and what was measured, of the goals whose rows are at hand."""
    lines = {}
    for goal in GOALS:
        named = {"experiment": "restore", "task": goal.task, "condition": goal.condition}
        named["reader"] = goal.reader
        row = next((row for row in rows if named.items() <= row.items()), None)
        if row is None or row["of_original"] is None or row["less_original"] is None:
            continue
        kept, recovered, floor = (
            row["shares"][name]["value"]
            for name in ("content_kept", "recovered_unigram", "floor_unigram")
        )
        private = recovered <= floor + 0.05 and kept <= goal.kept
        share, points = row["of_original"], row["less_original"]
        if goal.share is not None:
            aim, reached = f"≥ {goal.share:.0%}", private and share["value"] >= goal.share
            surely = private and share["low"] >= goal.share
        else:
            aim = f"lower end ≥ {goal.points:+.2f}"
            reached = surely = private and points["low"] >= (goal.points or 0.0)
        lines[goal.task, goal.words] = [
            goal.task, goal.words, goal.reader, f"{row['examples']} × {len(row['seeds'])}",
            "{value:.3f} [{low:.3f}, {high:.3f}]".format(**share),
            "{value:+.3f} [{low:+.3f}, {high:+.3f}]".format(**points),
            f"{kept:.2f}", f"{recovered:.3f}", f"{floor:.3f}", aim,
            *("yes" if outcome else "no" for outcome in (reached, surely)),
        ]  # fmt: skip
    return lines


def shown(sheet: Sheet, experiment: str, rows: list[Plain]) -> Plain:
    """A table with the columns that the site has, and the fingerprints of what it is of."""
    columns = [n for n, heading in enumerate(sheet.headings) if _shows(experiment, heading)]
    lines = [[_short(sheet.headings[n], line[n]) for n in columns] for line in sheet.lines]
    prints: dict[str, list[str]] = {}
    for row in rows:
        for part in ("privstamp", "task", "reader"):
            value = str(row["fingerprints"].get(part, ""))[:12]
            if value and value not in prints.setdefault(part, []):
                prints[part].append(value)
    return {
        "head": [sheet.headings[n] for n in columns],
        "rows": lines,
        "fingerprints": {part: ", ".join(values) for part, values in prints.items()},
    }


def _shows(experiment: str, heading: str) -> bool:
    """Of the overhead, only seconds: so few texts say nothing about scores."""
    if experiment == "overhead":
        return heading in ("condition", "n") or "ms a unit" in heading
    return heading not in LEFT_OUT


def _short(heading: str, cell: str) -> str:
    return cell.partition(" [")[0] if heading in VALUE_ONLY else cell


def tables(report: Report, rows: list[Plain]) -> dict[str, Plain]:
    """Tables by name: `restore fantasy, tfidf`, one for each reader."""
    found = {}
    for reader, some in by(report.rows, "reader").items():
        for (name, task), sheet in sheets(some).items():
            if name in ONLY_COMPARED:
                continue
            named = {"experiment": name.partition(",")[0], "task": task, "reader": reader}
            own = [row for row in rows if named.items() <= row.items()]
            found[f"{name} {task}, {reader}"] = shown(sheet, name, own)
    return found


def main() -> None:
    folders = [Path(name) for name in sys.argv[1:]]
    report = Report.of(read(*folders))
    new = summary(report)
    old = json.loads(SUMMARY.read_text(encoding="utf-8"))
    aims = {(row[0], row[1]): row for row in old["goals"]["rows"]} | goals(new["rows"])
    files = sorted(path for folder in folders for path in folder.rglob("results*.sqlite"))
    records = {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    content = {
        "commands": COMMANDS,
        "remarks": list(dict.fromkeys([*old["remarks"], *new["remarks"]])),
        "records": old["records"] | records,
        "goals": old["goals"] | {"rows": list(aims.values())},
        "tables": old["tables"] | tables(report, new["rows"]),
    }
    write(content)


def write(content: Plain) -> None:
    """A row to a line, so that changes can be read."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    lines = json.dumps(content["tables"], ensure_ascii=False).replace('], ["', '],\n["')
    start = text.index('"tables": ')
    SUMMARY.write_text(f'{text[:start]}"tables": {lines}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
