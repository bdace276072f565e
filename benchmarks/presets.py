"""Five invented texts under every preset: what docs/concepts/presets.md has between marks.

    python benchmarks/presets.py      # writes those parts of the page anew

Needs the asset smollm2 and the extra lm. Releases are seeded, so that the page can be made again;
never seed your own.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from texts import TEXTS  # beside this program

from privstamp import Policy, Privatizer
from privstamp.budget import GROUP_NAMES, GROUPS
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.subject import Cell, perturbed
from privstamp.lab.calibration.gauge import Gauge, GaugeReading, main_classes
from privstamp.lab.calibration.groups import ATTACKER, for_group
from privstamp.result import Result
from privstamp.types import UNKNOWN

SEED = 11
RELEASES = {"selective": 5, "readable": 20, "fluent": 3, "stamp": 20, "paper": 20}
"""Releases that *kept* is counted over; those with a language model take seconds each."""
FRONTIER = Path(__file__).parent / "results" / "frontier.json"
STEPS = "neighbourhood (plateau 1, k 24, alike 48)"
PAGE = Path(__file__).parent.parent / "docs" / "concepts" / "presets.md"
SHOWN = ("A clinical note",)
"""Texts that the page shows; figures are over all five."""

Pair: TypeAlias = tuple[float, float] | None


class Attack:
    """How often words come out as themselves, and how often an attacker names them, by cell."""

    def __init__(self, privatizer: Privatizer) -> None:
        self.policy, self.parts = privatizer.policy, privatizer.parts
        self.gauge = cache(self._gauge)

    def _gauge(self, group: int, number: int) -> Gauge:
        return Gauge(self.parts.mechanisms[group], Candidates(self.parts.space, number), SEED)

    def read(self, cell: Cell) -> tuple[float, float]:
        """Recovery, and what a blind guess gets."""
        gauge = self.gauge(cell.group, cell.number)
        return gauge.read(cell.epsilon, ATTACKER).recovery.value or 0.0, gauge.floor(ATTACKER)

    def of_text(self, cells: Counter[Cell], *, sensitive: bool, small: bool | None = None) -> Pair:
        """The mean of both over units that met a mechanism; `small`: function words, or others."""
        mine = [
            (cell, units)
            for cell, units in cells.items()
            if (cell.group <= 2) == sensitive and small in (None, self._small(cell.number))
        ]
        if not mine:
            return None
        both = np.array([self.read(cell) for cell, _ in mine])
        recovery, floor = np.average(both, axis=0, weights=[units for _, units in mine])
        return float(recovery), float(floor)

    def _small(self, number: int) -> bool:
        return self.parts.space.classes[number] == "function"

    def of_group(self, group: int) -> tuple[GaugeReading | None, float]:
        """The worst class of a group: names and places, or content words. None: replaced."""
        epsilon = self.policy.budget.epsilon[group - 1]
        known = group if group in self.parts.mechanisms else max(self.parts.mechanisms)
        every = [self.gauge(known, number) for number in main_classes(self.parts.space)]
        gauges = for_group(every, group)
        floor = max(gauge.floor(ATTACKER) for gauge in gauges)
        if epsilon == 0:
            return None, floor
        read = [gauge.read(epsilon, ATTACKER) for gauge in gauges]
        return max(read, key=lambda one: one.recovery.value or 0.0), floor

    def function_words(self, group: int) -> str:
        """How often they stay, where they are a class of their own and ordinary words."""
        classes = self.parts.space.classes
        if group < 3 or "function" not in classes:
            return "–"
        gauge = self.gauge(group, classes.index("function"))
        keep = gauge.read(self.policy.budget.epsilon[group - 1], ATTACKER).keep
        return share(keep.value or 0.0)


def quoted(text: str) -> str:
    return "> " + text.replace("\n", "\n> ")


def cells_of(result: Result, privatizer: Privatizer) -> Counter[Cell]:
    """Units of a release by group, class and epsilon."""
    trace, class_of = result.trace, privatizer.parts.space.class_of
    return Counter(
        Cell(int(group), int(class_of[row]), float(epsilon))
        for group, row, epsilon, met in zip(
            trace.grouping.groups, trace.units.rows, trace.epsilon, perturbed(trace), strict=True
        )
        if met
    )


def survival(privatizer: Privatizer, text: str, task: str, releases: int) -> tuple[float, float]:
    """Share of sensitive and of other words that came out as themselves, over many releases."""
    kept: dict[bool, list[float]] = {True: [], False: []}
    for result in privatizer.privatize_many(
        [text + " " * n for n in range(releases)], task, trace=True
    ):
        trace = result.trace
        groups, rows = trace.grouping.groups, trace.units.rows
        same = ((trace.rows == rows) & (rows != UNKNOWN)) | np.isinf(trace.epsilon)
        for sensitive in (True, False):
            mine = (groups <= 2) == sensitive
            kept[sensitive].append(float(same[mine].mean()) if mine.any() else np.nan)
    return float(np.nanmean(kept[True])), float(np.nanmean(kept[False]))


def share(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def groups_table(attacks: dict[str, Attack]) -> str:
    """Every group of every preset on words of the public table."""
    lines = [
        "| preset | group | happens | ε | kept | recovered | blind guess | cosine | function words kept |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, attack in attacks.items():
        for group in GROUPS:
            epsilon, part = (
                attack.policy.budget.epsilon[group - 1],
                attack.policy.mechanism_of(group),
            )
            read, floor = attack.of_group(group)
            figures = (
                ("–", share(floor), share(floor), "–")
                if read is None
                else (
                    share(read.keep.value or 0.0),
                    share(read.recovery.value or 0.0),
                    share(floor),
                    share(read.cosine.value or 0.0),
                )
            )
            metric = attack.policy.budget.metrics[group - 1]
            spent = f"{epsilon:g} {metric}" if epsilon else "0"
            cells = (
                f"`{name}`",
                f"{group} {GROUP_NAMES[group]}",
                f"`{part.name}`",
                spent,
                *figures,
                attack.function_words(group),
            )
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def near(setting: str, epsilon: float) -> tuple[dict, dict]:
    """The records of the frontier just below and above an epsilon."""
    (content,) = json.loads(FRONTIER.read_text())
    mine = [one for one in content["records"] if one["setting"] == setting]
    below = max((one for one in mine if one["epsilon"] <= epsilon), key=lambda one: one["epsilon"])
    above = min((one for one in mine if one["epsilon"] >= epsilon), key=lambda one: one["epsilon"])
    return below, above


def percent(low: float, high: float) -> str:
    ends = [f"{100 * one:.0f}" for one in (low, high)]
    return f"{ends[0]} %" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} %"


def ends(values: list[float]) -> tuple[float, float]:
    return min(values), max(values)


def verdict(
    attacks: dict[str, Attack], parts: list[float], ordinary: dict[str, list[float]]
) -> str:
    """What the two levels that move every word do, side by side."""
    ours, theirs = near(STEPS, 6.0), near("polar", 45.0)
    both = ("readable", "stamp")
    named = {name: attacks[name].of_group(4)[0].recovery.value or 0.0 for name in both}
    kept = {name: attacks[name].of_group(3)[0].keep.value or 0.0 for name in both}
    return (
        f"- Ordinary words (group 4): an attacker who knows how frequent words are names "
        f"{percent(named['readable'], named['readable'])} of those of `readable`, and "
        f"{percent(*(one['n50'] for one in ours))} of those that change become one of the 50 nearest. Of those of "
        f"`stamp` it names {percent(named['stamp'], named['stamp'])}, and "
        f"{percent(*(one['n50'] for one in theirs))} come near.\n"
        f"- The proved worst case of a whole text is {min(parts):.2f} to {max(parts):.2f} times that of `stamp`.\n"
        f"- Words that the task needs (group 3) stay in {percent(kept['readable'], kept['readable'])} of releases, "
        f"with `stamp` in {percent(kept['stamp'], kept['stamp'])}. That is what the task needs them for; it is not protection.\n"
        f"- Of all content words that are not sensitive the attacker names {percent(*ends(ordinary['readable']))}, with "
        f"`stamp` {percent(*ends(ordinary['stamp']))}.\n"
    )


def spread(values: list[float | None]) -> str:
    """Least to most over the texts; nothing where no unit was randomised."""
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    least, most = share(min(known)), share(max(known))
    return least if least == most else f"{least} to {most}"


def main() -> None:
    privatizers = {name: Privatizer(Policy.preset(name), seed=SEED) for name in RELEASES}
    attacks = {
        name: Attack(one)
        for name, one in privatizers.items()
        if name not in ("fluent", "selective")
    }
    texts, ordinary, worst = [], {}, {}
    figures: dict[str, list[list[float | None]]] = {name: [] for name in RELEASES}
    for title, (task, text) in TEXTS.items():
        print(title, file=sys.stderr)
        if title in SHOWN:
            texts.append(f"### {title}\n\nTask: *{task}*\n\n{quoted(text)}\n")
        for name, privatizer in privatizers.items():
            result = privatizer.privatize(text, task, trace=True)
            if title in SHOWN:
                texts.append(f"`{name}`\n\n{quoted(result.text)}\n")
            attack, cells = attacks.get(name, attacks["readable"]), cells_of(result, privatizer)
            attacked = [
                attack.of_text(cells, sensitive=True),
                attack.of_text(cells, sensitive=False, small=False),
                attack.of_text(cells, sensitive=False, small=True),
            ]
            if attacked[1] is not None:
                ordinary.setdefault(name, []).append(attacked[1][0])
            kept = survival(privatizer, text, task, RELEASES[name])
            figures[name].append([*kept, *(both and both[0] for both in attacked)])
            worst.setdefault(name, []).append(result.certificate.loss.worst_case)
    parts = [ours / theirs for ours, theirs in zip(worst["readable"], worst["stamp"], strict=True)]
    rows = [
        "| preset | kept: sensitive | others | recovered: sensitive | content words | function words | worst case, nats |",
        "|---" * 7 + "|",
    ]
    for name, lines in figures.items():
        cells = [spread(list(column)) for column in zip(*lines, strict=True)]
        least, most = ends(worst[name])
        total = "∞" if np.isinf(most) else f"{least:,.0f} to {most:,.0f}"
        rows.append("| " + " | ".join([f"`{name}`", *cells, total]) + " |")
    made = {
        "beside": verdict(attacks, parts, ordinary),
        "groups": groups_table(attacks),
        "figures": "\n".join(rows) + "\n",
        "texts": "\n".join(texts),
    }
    page = PAGE.read_text(encoding="utf-8")
    for name, text in made.items():
        found = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        page = found.sub(lambda marks, text=text: marks[1] + text + marks[2], page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
