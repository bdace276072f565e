"""docs/results*.md, their pictures and benchmarks/results/evals.json, from folders of results.

    PRIVSTAMP_DATA=FOLDER bash benchmarks/evals.sh results
    python benchmarks/results_page.py results/*

Parts of a page stand between `<!-- NAME -->` and `<!-- end -->`. Experiments and tasks in these
folders are written anew, all others stay as they are. Pictures that no page shows are not kept.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from privstamp.evals.figures import save
from privstamp.evals.records import read
from privstamp.evals.report import EXPLAINED, Report, sheets, summary

Plain: TypeAlias = dict[str, Any]
"""A row as evals.json has it."""

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
PAGES = (DOCS / "results.md", DOCS / "results-tasks.md")
SUMMARY = HERE / "results" / "evals.json"
HASH = re.compile("[0-9a-f]{64}")
LEFT_OUT = (
    "macro-F1", "open", "recovered, even", "spans", "likeness", "cosine", "groups",
)  # fmt: skip
"""Columns that would make tables too wide; evals.json has them."""


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


QUESTIONS = "hf8:qwen-1.5b"
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


def goals(rows: list[Plain]) -> str:
    """Aims and what was measured; where the aim is a lower end, the interval's counts."""
    lines = [
        ["task", "what", "reader", "n", "of original", "points", "others kept", "recovered",
         "floor", "aim", "reached", "whole interval"],
    ]  # fmt: skip
    for goal in GOALS:
        named = {"experiment": "restore", "task": goal.task, "condition": goal.condition}
        named["reader"] = goal.reader
        row = next((one for one in rows if named.items() <= one.items()), None)
        if row is None or row["of_original"] is None or row["less_original"] is None:
            lines.append([goal.task, goal.words, goal.reader, *["not measured"] * 9])
            continue
        kept, recovered, floor = (
            row["shares"][name][0]
            for name in ("content_kept", "recovered_unigram", "floor_unigram")
        )
        private = recovered <= floor + 0.05 and kept <= goal.kept
        if goal.share is not None:
            aim, (value, low, _) = f"≥ {goal.share:.0%}", row["of_original"]
            met, surely = (private and one >= goal.share for one in (value, low))
        else:
            aim, low = f"lower end ≥ {goal.points:+.2f}", row["less_original"][1]
            met = surely = private and low >= (goal.points or 0.0)
        lines.append([
            goal.task, goal.words, goal.reader, f"{row['examples']} × {len(row['seeds'])}",
            "{:.3f} [{:.3f}, {:.3f}]".format(*row["of_original"]),
            "{:+.3f} [{:+.3f}, {:+.3f}]".format(*row["less_original"]),
            f"{kept:.2f}", f"{recovered:.3f}", f"{floor:.3f}", aim,
            *("yes" if one else "no" for one in (met, surely)),
        ])  # fmt: skip
    return table(lines)


def cosines(rows: list[Plain]) -> str:
    """Answers under the paper's table by its own score."""
    lines = [["task", "condition", "cosine", "paper"]]
    for row in rows:
        if row["experiment"] == "table1" and row["score"] == "f1" and row["paper"] is not None:
            found = "{:.3f} [{:.3f}, {:.3f}]".format(*row["others"]["cosine"])
            lines.append([row["task"], row["condition"], found, f"{row['paper']:.3f}"])
    return table(lines)


def table(lines: list[list[str]]) -> str:
    head, *rest = lines
    rows = [head, ["---"] * len(head), *rest]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def parts(report: Report) -> dict[str, str]:
    """Tables by name, say `restore fantasy`."""
    made = {"explained": EXPLAINED + "\n"}
    for sheet in sheets(report.rows):
        shown = [n for n, one in enumerate(sheet.headings) if _shows(sheet.experiment, one)]
        lines = [sheet.headings, *sheet.lines]
        made[f"{sheet.experiment} {sheet.task}"] = table([[one[n] for n in shown] for one in lines])
    return made


def _shows(experiment: str, heading: str) -> bool:
    """Of the overhead, only seconds: so few texts say nothing about scores."""
    if experiment == "overhead":
        return heading in ("condition", "n") or "ms a unit" in heading
    return heading not in LEFT_OUT


def written(page: str, made: dict[str, str]) -> str:
    """A page with those parts written anew that were made."""

    def filled(found: re.Match[str]) -> str:
        text = made.get(found["name"], found["text"] or "Not measured yet.\n")
        return f"<!-- {found['name']} -->\n{text}<!-- end -->"

    return re.sub(r"<!-- (?P<name>.+?) -->\n(?P<text>.*?)<!-- end -->", filled, page, flags=re.S)


def merged(new: dict[str, Any]) -> dict[str, Any]:
    """All rows: new ones in place of those of the same experiment and task."""
    old = json.loads(SUMMARY.read_text()) if SUMMARY.exists() else {"remarks": [], "rows": []}
    again = {(row["experiment"], row["task"]) for row in new["rows"]}
    kept = [row for row in old["rows"] if (row["experiment"], row["task"]) not in again]
    remarks = old["remarks"] if kept else []
    return {
        "remarks": list(dict.fromkeys([*remarks, *new["remarks"]])),
        "rows": [*kept, *map(short, new["rows"])],
    }


def listed(found: dict[str, Any]) -> str:
    """A row to a line; an interval is [value, low, high]."""
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found["rows"])
    return f'{{"remarks": {json.dumps(found["remarks"])}, "rows": [\n{rows}\n]}}\n'


def _known(key: str, value: Any) -> bool:
    """Policies: what a condition's name stands for is in the code of its experiment."""
    return key == "condition" and isinstance(value, str) and value.startswith("{")


def short(given: Any) -> Any:
    if isinstance(given, dict):
        if "low" in given:
            return [given["value"], given["low"], given["high"]]
        return {key: short(value) for key, value in given.items() if not _known(key, value)}
    return given[:16] if isinstance(given, str) and HASH.fullmatch(given) else given


def main() -> None:
    report = Report.of(read(*map(Path, sys.argv[1:])))
    found = merged(summary(report))
    made = parts(report) | {
        "goals": goals(found["rows"]),
        "cosines": cosines(found["rows"]),
        "remarks": "".join(f"Note: {one}.\n" for one in found["remarks"]) or "\n",
    }
    pages = {path: path.read_text() for path in PAGES}
    wanted = [name for page in pages.values() for name in re.findall(r"<!-- (.+?) -->", page)]
    for path, page in pages.items():
        path.write_text(written(page, made))
    SUMMARY.write_text(listed(found))
    with TemporaryDirectory() as folder:
        for path in save(report.rows, Path(folder)):
            if path.suffix == ".png" and f"images/{path.name}" in "".join(pages.values()):
                (DOCS / "images" / path.name).write_bytes(path.read_bytes())
    unused = [name for name in made if name not in wanted]
    print(f"written; tables that no page shows: {', '.join(unused) or 'none'}")


if __name__ == "__main__":
    main()
