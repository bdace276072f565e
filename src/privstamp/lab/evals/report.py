"""Rows as people and programs read them: sheets of a table, markdown, a page, JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from privstamp.errors import MissingExtra
from privstamp.lab import report as pages
from privstamp.lab.estimate import Estimate, plain
from privstamp.lab.evals.comparisons import Sheet, comparisons, paper
from privstamp.lab.evals.figures import draw, stem
from privstamp.lab.evals.records import Results
from privstamp.lab.evals.tables import NAMES, SettingRow, by, rows_of
from privstamp.lab.report import PagePart, PageTable, Paragraph, Picture, inline

EXPLAINED: Final = (
    "Scores are means over examples, with 95 % intervals in brackets: texts are drawn again, all "
    "questions about a text together, seeds of an example averaged. *Of original* is the score "
    "over that of the same examples untouched. *Kept* is the share of sensitive units that came "
    "out as themselves, *recovered* the share that an attacker names who sees one release and "
    "takes all words as equally likely (even) or as frequent as in public text (frequency); "
    "*floor* is what he gets by frequency without a release; he is run on at most two "
    "noised units of a text, drawn once for all conditions. *Spans* is the share of names that "
    "stand in the release somewhere, whole; *others kept* that of content words that are not "
    "sensitive. *Missed* is the share of annotated units that the detector left out; where nothing "
    "is annotated and the detector is not the default one, of the units that the default finds, "
    "which then do not count as sensitive in that row. ε is the mean of the units that have a "
    "finite one, with its metric; *open* is the "
    "share of units released untouched. Groups: units per text in groups 1 to 4."
)


@dataclass(frozen=True)
class Report:
    """Everything in a folder that can be shown."""

    rows: list[SettingRow]
    older: int
    failures: Mapping[Any, str]
    stopped: int
    codes: int  # states of privstamp's code that had a hand in it

    @classmethod
    def of(cls, results: Results) -> Report:
        rows, older = rows_of(results)
        codes = {cell["versions"].get("code") for cell in results.cells}
        return cls(rows, older, results.failures, results.stopped, len(codes))

    def remarks(self) -> list[str]:
        """What a reader of the tables must know about what is not in them."""
        remarks = []
        if self.failures:
            kinds = dict.fromkeys(self.failures.values())
            remarks.append(f"{len(self.failures)} cells failed: {'; '.join(kinds)}")
        if self.older:
            remarks.append(
                f"{self.older} settings were also run with other data, models, parts or policies "
                "of the same name; only their last run is shown"
            )
        if self.stopped:
            remarks.append(
                "the last run has not come to its end, so rows may be missing or have too few "
                "examples; if it was stopped, run the same command again to go on"
            )
        if self.codes > 1:
            remarks.append(
                f"{self.codes} states of privstamp's code took part; a fingerprint covers its "
                "version, not each change between versions"
            )
        return remarks


def sheets(rows: Sequence[SettingRow]) -> list[Sheet]:
    """Tables for each experiment and task, without the columns that say nothing there."""
    sheets = []
    for experiment, of_one in by(rows, "experiment").items():
        for task, some in by(of_one, "task").items():
            ordered = [row for group in by(some, "reader").values() for row in group]
            sheets.append(_sheet(experiment, task, ordered))
            sheets += comparisons(experiment, task, ordered)
    return sheets


def markdown(report: Report, title: str = "Results") -> str:
    """All tables, each below the name of its experiment and task."""
    parts = [f"# {title}", EXPLAINED, *(f"Note: {remark}." for remark in report.remarks())]
    for sheet in sheets(report.rows):
        parts += [f"## {sheet.title}", pages.markdown(sheet).rstrip()]
    return "\n\n".join(parts) + "\n"


def page(report: Report, title: str = "Privacy and utility, measured") -> str:
    """All tables, and pictures where they can be drawn, as one document."""
    pictures, missing = _pictures(report.rows)
    remarks = [*report.remarks(), *([missing] if missing else [])]
    parts = [
        PagePart(
            "",
            [
                Paragraph(EXPLAINED, "note"),
                *(Paragraph(f"{remark}.", "remark") for remark in remarks),
            ],
        )
    ]
    for sheet in sheets(report.rows):
        drawn = pictures.get(stem(sheet.experiment, sheet.task))
        picture = [Picture(drawn)] if drawn else []
        parts.append(PagePart(sheet.title, [*picture, PageTable(sheet)]))
    return pages.page(title, parts, wide=True)


def _pictures(rows: Sequence[SettingRow]) -> tuple[dict[str, str], str]:
    """Pictures by name, or none and why."""
    try:
        return {name: inline(figure) for name, figure in draw(rows)}, ""
    except MissingExtra as error:
        return {}, f"no figures: {error}"


def summary(report: Report) -> dict[str, Any]:
    """The rows as plain data, for programs."""
    return {"rows": [plain(_facts(row)) for row in report.rows], "remarks": report.remarks()}


def _sheet(experiment: str, task: str, rows: Sequence[SettingRow]) -> Sheet:
    columns = _columns(rows)
    cells = {name: [write(row) for row in rows] for name, write in columns.items()}
    shown = [name for name, column in cells.items() if any(column)]
    lines = [[cells[name][number] for name in shown] for number in range(len(rows))]
    return Sheet.on(experiment, task, shown, lines)


def _columns(rows: Sequence[SettingRow]) -> dict[str, Callable[[SettingRow], str]]:
    """Headings, and what writes the cell below each; an empty column is not shown."""
    columns: dict[str, Callable[[SettingRow], str]] = {"condition": lambda row: row.condition}
    if len({row.reader for row in rows}) > 1:
        columns["reader"] = lambda row: row.reader
    columns["n"] = lambda row: row.number
    columns[NAMES.get(rows[0].score, rows[0].score)] = lambda row: row.value.written()
    columns["of original"] = lambda row: _written(row.of_original)
    columns["points"] = lambda row: _written(row.less_original, "+.3f")
    for name in dict.fromkeys(name for row in rows for name in row.others):
        columns[NAMES.get(name, name)] = partial(_other, name)
    columns["paper"] = _paper
    for heading, name in _SHARES.items():
        columns[heading] = partial(_share, name)
    columns["ε"] = _epsilon
    columns["groups"] = lambda row: " / ".join(f"{count:.1f}" for count in row.groups)
    if rows[0].experiment == "overhead":
        for stage in dict.fromkeys(stage for row in rows for stage in row.seconds):
            columns[f"{stage}, ms a unit"] = partial(_milliseconds, stage)
    return columns


_SHARES: Final = {
    "kept": "kept",
    "recovered, even": "recovered_uniform",
    "recovered, frequency": "recovered_unigram",
    "floor": "floor_unigram",
    "spans": "spans_kept",
    "others kept": "content_kept",
    "missed": "missed",
    "open": "unprotected",
    "likeness": "context",
    "windows repaired": "windows_repaired",
    "windows refused": "windows_refused",
}
_BOUNDED: Final = ("kept", "recovered_unigram")
"""Shares whose intervals are shown; summary.json has those of all."""


def _facts(row: SettingRow) -> dict[str, Any]:
    return {
        "experiment": row.experiment, "task": row.task, "reader": row.reader,
        "condition": row.condition, "labels": dict(row.labels), "seeds": row.seeds,
        "examples": row.examples, "score": row.score, "value": row.value,
        "of_original": row.of_original, "less_original": row.less_original, "others": row.others,
        "paper": paper(row), "shares": row.shares, "epsilon": row.epsilons, "groups": row.groups,
        "seconds_per_unit": row.seconds, "fingerprints": dict(row.fingerprints),
    }  # fmt: skip


def _paper(row: SettingRow) -> str:
    """For answers the paper has a cosine."""
    published = paper(row)
    mark = " (cosine)" if row.score == "f1" else ""
    return "" if published is None else f"{published:.2f}{mark}"


def _epsilon(row: SettingRow) -> str:
    return ", ".join(f"{value:.3g} {metric}" for metric, value in row.epsilons.items())


def _other(name: str, row: SettingRow) -> str:
    return _short(row.others.get(name))


def _share(name: str, row: SettingRow) -> str:
    share = row.shares.get(name)
    return _written(share) if name in _BOUNDED else _short(share)


def _milliseconds(stage: str, row: SettingRow) -> str:
    spent = row.seconds.get(stage)
    return "" if spent is None else f"{1000 * spent:.3f}"


def _written(estimate: Estimate | None, form: str = ".3f") -> str:
    return "" if estimate is None else estimate.written(form)


def _short(estimate: Estimate | float | None) -> str:
    value = estimate.value if isinstance(estimate, Estimate) else estimate
    return "" if value is None or not math.isfinite(value) else f"{value:.3f}"
