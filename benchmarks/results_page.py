"""docs/results*.md, their pictures and benchmarks/results/evals.json, from folders of results.

    PRIVSTAMP_DATA=FOLDER bash benchmarks/evals.sh results
    python benchmarks/results_page.py results/*

Parts of a page stand between `<!-- NAME -->` and `<!-- end -->`. What an experiment found on a task
with a reader is written anew if it is in these folders, all other parts stay as they are. Pictures
that no page shows are not kept.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from privstamp.lab.evals.comparisons import Sheet
from privstamp.lab.evals.figures import save
from privstamp.lab.evals.records import read
from privstamp.lab.evals.report import EXPLAINED, Report, sheets, summary
from privstamp.lab.evals.tables import by

Plain: TypeAlias = dict[str, Any]
"""A row as evals.json has it."""

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
PAGES = (DOCS / "lab" / "results.md", DOCS / "lab" / "results-tasks.md")
SUMMARY = HERE / "results" / "evals.json"
HASH = re.compile("[0-9a-f]{64}")
SEVERAL = (
    "several states of privstamp's code took part; a fingerprint covers its version, not each "
    "change between versions"
)
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


def parts(report: Report, kept: list[Plain]) -> dict[str, str]:
    """Tables by name, say `restore fantasy`, and those of one reader: `restore fantasy, tfidf`.

    A table of all readers is only made if the folders have all of them.
    """
    made = {"explained": EXPLAINED + "\n"}
    others = {(row["experiment"], row["task"]) for row in kept}
    for sheet in sheets(report.rows):
        if (sheet.experiment.partition(",")[0], sheet.task) not in others:
            made[f"{sheet.experiment} {sheet.task}"] = _columns(sheet)
    for reader, rows in by(report.rows, "reader").items():
        for sheet in sheets(rows):
            made[f"{sheet.experiment} {sheet.task}, {reader}"] = _columns(sheet)
    return made


def _columns(sheet: Sheet) -> str:
    shown = [n for n, one in enumerate(sheet.headings) if _shows(sheet.experiment, one)]
    return table([[one[n] for n in shown] for one in [sheet.headings, *sheet.lines]])


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


def left(new: list[Plain]) -> Plain:
    """What evals.json has beside experiments, tasks and readers that were run again."""
    old: Plain = json.loads(SUMMARY.read_text())
    again = set(map(_run, new))
    rows = [row for row in old["rows"] if _run(row) not in again]
    return {"remarks": old["remarks"] if rows else [], "rows": rows}


def remarks(found: list[str]) -> list[str]:
    """Each once. Tables of many runs were made by more states of the code than one run tells."""
    codes = [one for one in found if "states of privstamp's code" in one]
    return [*dict.fromkeys(one for one in found if one not in codes), *([SEVERAL] if codes else [])]


def _run(row: Plain) -> tuple[str, str, str]:
    return row["experiment"], row["task"], row["reader"]


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
    new = summary(report)
    old = left(new["rows"])
    found = {
        "remarks": remarks([*old["remarks"], *new["remarks"]]),
        "rows": [*old["rows"], *map(short, new["rows"])],
    }
    made = parts(report, old["rows"]) | {
        "goals": goals(found["rows"]),
        "cosines": cosines(found["rows"]),
        "remarks": "".join(f"Note: {one}.\n" for one in found["remarks"]) or "\n",
    }
    pages = {path: path.read_text() for path in PAGES}
    for path, page in pages.items():
        path.write_text(written(page, made))
    SUMMARY.write_text(listed(found))
    with TemporaryDirectory() as folder:
        for path in save(report.rows, Path(folder)):
            if path.suffix == ".png" and f"../images/{path.name}" in "".join(pages.values()):
                (DOCS / "images" / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    main()
