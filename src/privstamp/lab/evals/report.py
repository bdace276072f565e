"""Rows as people and programs read them: sheets, markdown, JSON; side by side at equal recovery, or
at equal mean epsilon; and beside them what the paper published.

Between two measured settings a score is read off in a straight line; beyond them nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from privstamp.lab import report as pages
from privstamp.lab.estimate import Estimate, Values, joint, plain, read_off
from privstamp.lab.evals.grids import VECTORS
from privstamp.lab.evals.results import NAMES, Results, SettingRow, by, rows_of
from privstamp.lab.report import Sheet

Sheets: TypeAlias = dict[tuple[str, str], Sheet]
"""By experiment and task."""
Cells: TypeAlias = dict[str, str]
BASELINES: Final[Mapping[str, float]] = {"squad": 0.839, "yelp": 0.58, "ag_news": 0.92}
"""Scores without privacy."""
TABLE: Final[Mapping[tuple[str, str, str], tuple[float, ...]]] = {
    ("squad", "polar", "angular"): (0.393, 0.470, 0.587, 0.654, 0.833),
    ("squad", "laplace-coordinate", "l1"): (0.325, 0.334, 0.335, 0.341, 0.343),
    ("yelp", "polar", "angular"): (0.36, 0.38, 0.48, 0.56, 0.56),
    ("yelp", "laplace-coordinate", "l1"): (0.22, 0.14, 0.18, 0.20, 0.14),
    ("ag_news", "polar", "angular"): (0.54, 0.64, 0.68, 0.76, 0.80),
    ("ag_news", "laplace-coordinate", "l1"): (0.56, 0.58, 0.56, 0.52, 0.52),
}
"""Accuracy of labels, and cosine of answers: its questions were about invented passages."""
SECONDS: Final[Mapping[str, float]] = {"polar": 0.195, "laplace": 0.192}
"""For a token, everything included."""


def paper(row: SettingRow) -> float | None:
    """The paper's own figure, where it has one for this: by the first number of its vector."""
    if row.experiment != "table1":
        return None
    task = "squad" if row.task == "fantasy" else row.task
    if row.method == "original":
        return BASELINES.get(task)
    known = TABLE.get((task, str(row.labels.get("mechanism")), str(row.labels.get("metric"))))
    firsts = [vector[0] for vector in VECTORS]
    first = float(row.labels.get("epsilon", 0))
    return known[firsts.index(first)] if known and first in firsts else None


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


def sheets(rows: Sequence[SettingRow]) -> Sheets:
    """Tables for each experiment and task, without the columns that say nothing there."""
    sheets: Sheets = {}
    for experiment, of_one in by(rows, "experiment").items():
        for task, some in by(of_one, "task").items():
            readers = by(some, "reader")
            ordered = [row for group in readers.values() for row in group]
            sheets[experiment, task] = _sheet(f"{experiment}: {task}", ordered)
            sheets |= compared(experiment, task, readers)
    return sheets


def compared(experiment: str, task: str, readers: Mapping[str, Sequence[SettingRow]]) -> Sheets:
    """The further table that an experiment may have, of rows by reader."""
    if experiment not in _COMPARED:
        return {}
    name, headings, compare = _COMPARED[experiment]
    lines = [[reader, *line] for reader, rows in readers.items() for line in compare(rows)]
    name = f"{experiment}, {name}"
    return {(name, task): Sheet(f"{name}: {task}", ["reader", *headings], lines)} if lines else {}


def _sheet(title: str, rows: Sequence[SettingRow]) -> Sheet:
    others = dict.fromkeys(name for row in rows for name in row.others)
    stages = dict.fromkeys(stage for row in rows for stage in row.seconds)
    if rows[0].experiment != "overhead":
        stages = {}
    score = NAMES.get(rows[0].score, rows[0].score)
    cells = [_cells(row, score, others, stages) for row in rows]
    if len({row.reader for row in rows}) == 1:
        cells = [{name: cell for name, cell in line.items() if name != "reader"} for line in cells]
    shown = [name for name in cells[0] if any(line[name] for line in cells)]
    return Sheet(title, shown, [[line[name] for name in shown] for line in cells])


def _cells(row: SettingRow, score: str, others: Iterable[str], stages: Iterable[str]) -> Cells:
    """What stands below each heading; an empty column is not shown."""
    published, spent = paper(row), row.seconds
    cosine = " (cosine)" if row.score == "f1" else ""  # the paper's figure for answers
    return {
        "condition": row.condition,
        "reader": row.reader,
        "n": row.number,
        score: row.value.written(),
        "of original": "" if row.of_original is None else row.of_original.written(),
        "points": "" if row.less_original is None else row.less_original.written("+.3f"),
        **{NAMES.get(name, name): _short(row.others.get(name)) for name in others},
        "paper": "" if published is None else f"{published:.2f}{cosine}",
        **{heading: _share(row, name) for heading, name in _SHARES.items()},
        "ε": ", ".join(f"{value:.3g} {metric}" for metric, value in row.epsilons.items()),
        "groups": " / ".join(f"{count:.1f}" for count in row.groups),
        **{f"{stage}, ms a unit": f"{1000 * spent[stage]:.3f}" if stage in spent else ""
           for stage in stages},
    }  # fmt: skip


def markdown(report: Report) -> str:
    """All tables, each below the name of its experiment and task."""
    parts = ["# Results", EXPLAINED, *(f"Note: {remark}." for remark in report.remarks())]
    for sheet in sheets(report.rows).values():
        parts += [f"## {sheet.title}", pages.markdown(sheet).rstrip()]
    return "\n\n".join(parts) + "\n"


def summary(report: Report) -> dict[str, Any]:
    """The rows as plain data, for programs."""
    return {"rows": [plain(_facts(row)) for row in report.rows], "remarks": report.remarks()}


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


def _share(row: SettingRow, name: str) -> str:
    share = row.shares.get(name)
    return share.written() if share is not None and name in _BOUNDED else _short(share)


def _short(estimate: Estimate | float | None) -> str:
    value = estimate.value if isinstance(estimate, Estimate) else estimate
    return "" if value is None or not math.isfinite(value) else f"{value:.3f}"


# Side by side at what settings have in common.

_RECOVERED: Final = "recovered_unigram"
LEVELS: Final = (0.01, 0.05, 0.2)
"""Shares of sensitive units recovered at which mechanisms are compared."""


def interpolated(points: Sequence[tuple[float, float]], level: float) -> float | None:
    """Where a line through points stands at `level`; None before the first and after the last.

    Points at one place count as their mean.
    """
    if not points:
        return None
    across, up = np.array(points, dtype=np.float64).T
    value = float(read_off(across, up, np.array(level)))
    return None if math.isnan(value) else value


def by_recovery(rows: Sequence[SettingRow]) -> list[tuple[float, float]]:
    """What an attacker recovers who knows frequencies, and the score."""
    return [
        (row.shares[_RECOVERED].number, row.value.number)
        for row in rows
        if _RECOVERED in row.shares
    ]


def at_recovery(rows: Sequence[SettingRow], level: float) -> Estimate:
    """The score where so much is recovered, texts drawn again."""

    def statistic(sums: Values) -> Values:
        scores, recovered = _points(sums)
        return read_off(recovered, scores, np.array(level))

    return joint([_sums(row) for row in rows], statistic)


def ahead(row: SettingRow, others: Sequence[SettingRow]) -> Estimate:
    """Points of a row above the others' line where they leak as much, text by text."""

    def statistic(sums: Values) -> Values:
        scores, recovered = _points(sums)
        beside = read_off(recovered[..., 1:], scores[..., 1:], recovered[..., 0])
        leads: Values = scores[..., 0] - beside
        return leads

    return joint([_sums(row), *map(_sums, others)], statistic)


def _sums(row: SettingRow) -> Iterator[tuple[str, str, tuple[float, ...]]]:
    """Of each record: its score, one, units recovered, sensitive units."""
    pairs = zip(row.values(), row.counted(_RECOVERED), strict=True)
    for (example, cluster, score), (_, _, part, total) in pairs:
        yield example, cluster, (score, 1.0, part, total)


def _points(sums: Values) -> tuple[Values, Values]:
    """Scores and shares recovered, a column for each row."""
    columns = sums.reshape(*sums.shape[:-1], -1, 4)
    totals = columns[..., 3]
    recovered = np.divide(
        columns[..., 2], totals, out=np.full_like(totals, np.nan), where=totals > 0
    )
    return columns[..., 0] / columns[..., 1], recovered


def _mechanisms(rows: Sequence[SettingRow]) -> Iterator[list[str]]:
    """Best first, by the middle level."""
    known = [row for row in rows if row.method == "policy" and _RECOVERED in row.shares]
    by_mechanism = {
        name: [at_recovery(some, level) for level in LEVELS]
        for name, some in by(known, "mechanism").items()
    }
    for name, scores in sorted(by_mechanism.items(), key=lambda item: -(item[1][1].value or 0.0)):
        yield [name, *(score.written() for score in scores)]


def _variants(rows: Sequence[SettingRow]) -> Iterator[list[str]]:
    variants = by([row for row in rows if row.method == "policy"], "variant")
    uniform = variants.pop("uniform", [])
    by_mean = [(_mean_epsilon(row), row.value.number) for row in uniform]
    known = [(mean, score) for mean, score in by_mean if mean is not None]
    leaking = [row for row in uniform if _RECOVERED in row.shares]
    for row in (row for some in variants.values() for row in some):
        mean = _mean_epsilon(row)
        recovered = row.shares[_RECOVERED].value if _RECOVERED in row.shares else None
        beside = None if recovered is None else interpolated(by_recovery(leaking), recovered)
        yield [
            row.condition,
            _short(row.value.value),
            _short(recovered),
            "" if mean is None else f"{mean:.3g}",
            "" if mean is None else _short(interpolated(known, mean)),
            _short(beside),
            "" if beside is None else ahead(row, leaking).written("+.3f"),
        ]


def _mean_epsilon(row: SettingRow) -> float | None:
    """Of all units; None where some are released untouched, or metrics differ."""
    if row.total("unprotected") or len(row.epsilons) != 1:
        return None
    return next(iter(row.epsilons.values()))


_COMPARED: Final = {
    "mechanisms": (
        "at equal recovery",
        ["mechanism", *(f"score at {level:.0%} recovered" for level in LEVELS)],
        _mechanisms,
    ),
    "stamp-vs-uniform": (
        "beside uniform",
        [
            "variant",
            "score",
            "recovered",
            "mean ε",
            "uniform, same mean ε",
            "uniform, same recovered",
            "ahead of it by",
        ],
        _variants,
    ),
}
