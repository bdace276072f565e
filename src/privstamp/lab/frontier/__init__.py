"""What each mechanism gives and takes, measured: attack success against meaning kept.

A whole measurement: spaces, settings, records; and the records as a person reads them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from privstamp import __version__
from privstamp.lab import report
from privstamp.lab.estimate import read_off
from privstamp.lab.frontier.figures import FULL, QUICK, Bench, Record
from privstamp.lab.frontier.grid import Setting
from privstamp.lab.progress import Progress, require, silent, within
from privstamp.lab.report import Sheet
from privstamp.policy import Part
from privstamp.release.parts import open_space

# The records as a person reads them: at equal attack success, one by one, and as pictures.

LEVELS: Final = (0.05, 0.1, 0.2)
"""Recovery above the floor at which settings are compared."""
_AT: Final = (
    "epsilon", "n50", "n50_unigram", "cosine", "keep_weighted", "keep_max",
    "loss_near", "loss_random", "loss_worst", "entropy_bits",
)  # fmt: skip
BASELINE: Final = "polar"


@dataclass(frozen=True)
class Outcome:
    """All records of one space."""

    space: str
    about: Mapping[str, Any]
    records: Sequence[Record]

    def compared(self) -> list[Record]:
        """Every setting at each level of recovery that its epsilons reach."""
        rows_by_level = []
        for level in LEVELS:
            rows = [
                row
                for records in self.settings()
                if (row := at_recovery(records, level)) is not None
            ]
            base = next((row for row in rows if row["setting"] == BASELINE), None)
            rows_by_level += [row | beside(row, base) for row in rows]
        return rows_by_level

    def left_out(self) -> list[Record]:
        """Settings that a level of recovery is not compared at, and why."""
        missing = []
        for level in LEVELS:
            for records in self.settings():
                if at_recovery(records, level) is None:
                    reached = max(record["recovery_unigram"] for record in records)
                    short = reached < records[0]["floor_unigram"] + level
                    why = "no epsilon measured reaches it" if short else "every epsilon exceeds it"
                    missing.append(
                        {"above_floor": level, "setting": records[0]["setting"], "why": why}
                    )
        return missing

    def settings(self) -> list[list[Record]]:
        """Records by setting, in order of measurement."""
        grouped: dict[str, list[Record]] = {}
        for record in self.records:
            grouped.setdefault(record["setting"], []).append(record)
        return list(grouped.values())


def at_recovery(records: Sequence[Record], level: float) -> Record | None:
    """A setting where unigram-prior recovery is the floor plus `level`, between two epsilons.

    Interpolated in a straight line; None where that much is not reached or always exceeded.
    """
    first = records[0]
    recovery = np.array([record["recovery_unigram"] for record in records])
    values = np.array([[record[key] for key in _AT] for record in records], dtype=np.float64)
    wanted = np.array(first["floor_unigram"] + level)
    there = {key: float(read_off(recovery, values[:, n], wanted)) for n, key in enumerate(_AT)}
    if math.isnan(there["epsilon"]):
        return None
    row: Record = {"above_floor": level, "setting": first["setting"], "metric": first["metric"]}
    row["recovery_how"] = first["recovery_how"]
    return row | {k: None if math.isnan(v) else float(f"{v:.4g}") for k, v in there.items()}


def beside(row: Record, base: Record | None) -> Record:
    """How many times the baseline's n50, and which part of its loss for a random pair."""
    if base is None:
        return {"n50_times": None, "loss_random_part": None}
    lost = row["loss_random"]
    return {
        "n50_times": float(f"{row['n50'] / base['n50']:.3g}"),
        "loss_random_part": None if lost is None else float(f"{lost / base['loss_random']:.3g}"),
    }


def as_json(outcomes: Iterable[Outcome]) -> str:
    """Flat records, and what they come to at equal recovery."""
    content = [
        {
            "about": dict(outcome.about),
            "at_equal_recovery": outcome.compared(),
            "not_at_equal_recovery": outcome.left_out(),
            "records": outcome.records,
        }
        for outcome in outcomes
    ]
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


_COLUMNS: Final = {
    "above_floor": ("above floor", "+.2f"),
    "setting": ("setting", ""),
    "epsilon": ("ε", ".4g"),
    "keep_mean": ("keep", ".3f"),
    "keep_weighted": ("keep freq.", ".3f"),
    "keep_max": ("max", ".2f"),
    "recovery_uniform": ("rec. even", ".3f"),
    "recovery_unigram": ("rec. freq.", ".3f"),
    "recovery_how": ("how", ""),
    "n50": ("n50", ".2f"),
    "n50_unigram": ("n50 freq.", ".2f"),
    "n50_times": ("× polar", ".1f"),
    "cosine": ("cosine", ".2f"),
    "entropy_bits": ("bits", ".1f"),
    "loss_near": ("ε·d near", ".1f"),
    "loss_random": ("ε·d random", ".1f"),
    "loss_random_part": ("of polar's", ".2f"),
    "loss_worst": ("worst", ".1f"),
    "microseconds": ("µs", ".0f"),
}
"""Headings, and how numbers below them are written."""


def comparison(outcome: Outcome) -> Sheet:
    """The table that answers the question which one to take."""
    wanted = ("above_floor", "setting", "epsilon", "n50", "n50_unigram", "n50_times", "cosine",
              "loss_random", "loss_random_part", "loss_worst")  # fmt: skip
    kind = outcome.about["class"]
    title = f"at equal recovery ({kind} words) by an attacker who knows how frequent words are"
    columns = {key: _COLUMNS[key] for key in wanted} | {"epsilon": ("ε", ".3g")}
    return Sheet.of(title, outcome.compared(), columns)


def details(outcome: Outcome) -> Sheet:
    """Every record, the columns that matter most."""
    left = {"above_floor", "n50_times", "loss_random_part"}
    columns = {key: column for key, column in _COLUMNS.items() if key not in left}
    return Sheet.of(f"{outcome.space}: every setting and epsilon", outcome.records, columns)


def draw_all(outcome: Outcome, folder: Path) -> list[Path]:
    """Meaning kept against attack success, and both against epsilon: SVG and PNG of each."""
    name = "".join(c if c.isalnum() else "-" for c in outcome.space)
    pictures = {f"frontier-{name}": _frontier, f"frontier-{name}-epsilon": _by_epsilon}
    written = []
    for stem, picture in pictures.items():
        with report.canvas(1, 2, size=(13, 6), sharex=True) as (figure, axes):
            picture(outcome, *axes[0])
            shown = axes[0, 0].get_legend_handles_labels()
            figure.legend(*shown, loc="outside lower center", ncols=5, fontsize=8)
            for ending in ("svg", "png"):
                written.append(folder / f"{stem}.{ending}")
                report.save(figure, written[-1])
    return written


_RECOVERED: Final = "recovered by an attacker who knows word frequencies"
_NEAR: Final = "changed words that become one of the 50 nearest (n50)"


def _frontier(outcome: Outcome, meaning: Any, proved: Any) -> None:
    floor = outcome.records[0]["floor_unigram"]
    what = f"{outcome.about['class']} words of {outcome.space}"
    for axis, key in ((meaning, "n50"), (proved, "loss_random")):
        _lines(axis, outcome, "recovery_unigram", key)
        axis.axvline(floor, color=report.FAINT, linewidth=1)
        axis.set(xlim=(0, 0.6), xlabel=f"{_RECOVERED} (lower is safer)")
    meaning.annotate(" sees nothing", (floor, 0.97), fontsize=8, color=report.FAINT, va="top")
    meaning.set(ylim=(0, 1), ylabel=_NEAR)
    meaning.set_title(f"Meaning kept: higher is better ({what})", fontsize=10)
    proved.set(ylim=(0, 80), ylabel="proved loss for a random pair of words, nats")
    proved.set_title("What is proved: lower is better (custext proves nothing here)", fontsize=10)


def _by_epsilon(outcome: Outcome, recovered: Any, meaning: Any) -> None:
    for axis, key in ((recovered, "recovery_unigram"), (meaning, "n50")):
        _lines(axis, outcome, "loss_worst", key)
        axis.set(xscale="log", ylim=(0, 1))
        axis.set_xlabel("ε times the largest distance: nats, the plain LDP bound")
    recovered.set_ylabel(_RECOVERED)
    meaning.set_ylabel(_NEAR)


def _lines(axis: Any, outcome: Outcome, across: str, up: str) -> None:
    """A colour and mark for each mechanism, dashes for its forms."""
    forms: dict[str, int] = {}
    for records in outcome.settings():
        name = records[0]["mechanism"]
        form = forms[name] = forms.get(name, -1) + 1
        points = [
            (record[across], record[up])
            for record in records
            if None not in (record[across], record[up])
        ]
        style = report.look(list(forms).index(name), form)
        axis.plot([x for x, _ in points], [y for _, y in points],
                  label=records[0]["setting"], **style)  # fmt: skip


# A whole measurement: spaces, settings, records.


def measure(
    spaces: Sequence[str],
    settings: Sequence[Setting],
    *,
    quick: bool,
    progress: Progress = silent,
) -> list[Outcome]:
    """Every setting on each space; progress counts records. All spaces are opened first."""
    require(*(partial(open_space, Part(name=name)) for name in spaces))
    cells = sum(len(setting.budgets) for setting in settings)
    return [
        measure_space(name, settings, quick=quick, progress=within(progress, start, start + 1))
        for name, start in zip(spaces, range(0, len(spaces) * cells, max(cells, 1)), strict=True)
    ]


def measure_space(
    name: str, settings: Sequence[Setting], *, quick: bool, progress: Progress = silent
) -> Outcome:
    """Every setting on one space."""
    progress(f"{name}: words and their neighbours", 0)
    effort = QUICK if quick else FULL
    space = open_space(Part(name=name))
    bench = Bench(space, effort)
    records: list[Record] = []
    for setting in settings:
        progress(f"{space.name}: {setting.label}", len(records))
        for record in bench.measure(setting):
            records.append(record)
            progress(f"{space.name}: {setting.label}", len(records))
    words = bench.words
    about: dict[str, Any] = {
        "version": __version__,
        "quick": quick,
        "space": space.name,
        "fingerprint": space.fingerprint,
        "source": space.source,
        "class": words.name,
        "words": len(words),
        "share_of_class_frequency": float(f"{words.covered:.4g}"),
        "dimensions": int(space.unit.shape[1]),
        "floor_unigram": float(f"{words.unigram.max():.4g}"),
        "queries": effort.queries,
        "draws": effort.draws,
    }
    return Outcome(space.name, about, records)
