"""The records as a person reads them: at equal attack success, and one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privstamp.lab.frontier.measure import Record

if TYPE_CHECKING:
    from rich.table import Table

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
        found = []
        for level in LEVELS:
            rows = [row for one in self.settings() if (row := at_recovery(one, level)) is not None]
            base = next((row for row in rows if row["setting"] == BASELINE), None)
            found += [row | beside(row, base) for row in rows]
        return found

    def left_out(self) -> list[Record]:
        """Settings that a level of recovery is not compared at, and why."""
        found = []
        for level in LEVELS:
            for one in self.settings():
                if at_recovery(one, level) is None:
                    reached = max(record["recovery_unigram"] for record in one)
                    short = reached < one[0]["floor_unigram"] + level
                    why = "no epsilon measured reaches it" if short else "every epsilon exceeds it"
                    found.append({"above_floor": level, "setting": one[0]["setting"], "why": why})
        return found

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
    ordered = sorted(records, key=lambda record: float(record["epsilon"]))
    recovery = np.array([record["recovery_unigram"] for record in ordered])
    wanted = ordered[0]["floor_unigram"] + level
    crossings = np.flatnonzero((recovery[:-1] < wanted) & (recovery[1:] >= wanted))
    if not len(crossings):
        return None
    low, high = ordered[crossings[0]], ordered[crossings[0] + 1]
    part = (wanted - low["recovery_unigram"]) / (high["recovery_unigram"] - low["recovery_unigram"])
    row: Record = {"above_floor": level, "setting": low["setting"], "metric": low["metric"]}
    row["recovery_how"] = high["recovery_how"]
    for key in _AT:
        one, two = low[key], high[key]
        known = one is not None and two is not None
        row[key] = float(f"{one + part * (two - one):.4g}") if known else None
    return row


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
            "about": dict(one.about),
            "at_equal_recovery": one.compared(),
            "not_at_equal_recovery": one.left_out(),
            "records": one.records,
        }
        for one in outcomes
    ]
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def comparison(outcome: Outcome) -> Table:
    """The table that answers the question which one to take."""
    columns = {
        "above_floor": "+.2f", "setting": "", "epsilon": ".3g", "n50": ".2f", "n50_unigram": ".2f",
        "n50_times": ".1f", "cosine": ".2f", "loss_random": ".1f", "loss_random_part": ".2f",
        "loss_worst": ".1f",
    }  # fmt: skip
    kind = outcome.about["class"]
    title = f"at equal recovery ({kind} words) by an attacker who knows how frequent words are"
    grid = _table(outcome.compared(), columns, title)
    grid.caption = "\n".join(
        f"not at {row['above_floor']:+.2f}: {row['setting']}, {row['why']}"
        for row in outcome.left_out()
    )
    grid.caption_justify = "left"
    return grid


def details(outcome: Outcome) -> Table:
    """Every record, the columns that matter most."""
    columns = {
        "setting": "", "epsilon": ".4g", "keep_mean": ".3f", "keep_weighted": ".3f",
        "keep_max": ".2f", "recovery_uniform": ".3f", "recovery_unigram": ".3f",
        "recovery_how": "", "n50": ".2f", "n50_unigram": ".2f", "cosine": ".2f",
        "entropy_bits": ".1f", "loss_near": ".1f", "loss_random": ".1f", "loss_worst": ".1f",
        "microseconds": ".0f",
    }  # fmt: skip
    return _table(outcome.records, columns, f"{outcome.space}: every setting and epsilon")


def _table(rows: Sequence[Record], columns: Mapping[str, str], title: str) -> Table:
    from rich.table import Table

    grid = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, form in columns.items():
        grid.add_column(_HEADS.get(name, name), justify="right" if form else "left", no_wrap=True)
    before = None
    for row in rows:
        first = row[next(iter(columns))]
        if before not in (None, first):
            grid.add_section()
        before = first
        grid.add_row(*(_cell(row[name], form) for name, form in columns.items()))
    return grid


_HEADS: Final = {
    "above_floor": "above floor",
    "epsilon": "ε",
    "n50_unigram": "n50 freq.",
    "n50_times": "× polar",
    "loss_random": "ε·d random",
    "loss_random_part": "of polar's",
    "loss_near": "ε·d near",
    "loss_worst": "worst",
    "keep_mean": "keep",
    "keep_weighted": "keep freq.",
    "keep_max": "max",
    "recovery_uniform": "rec. even",
    "recovery_unigram": "rec. freq.",
    "recovery_how": "how",
    "entropy_bits": "bits",
    "microseconds": "µs",
}


def _cell(value: Any, form: str) -> str:
    if value is None:
        return "–"
    return format(value, form) if form else str(value)
