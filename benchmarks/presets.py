"""Five texts of different kinds under every preset: docs/concepts/presets.md, written by this program.

    python benchmarks/presets.py > docs/concepts/presets.md

Needs the asset smollm2 and the extra lm. The texts are invented. Releases are seeded, so that the
page can be made again; never seed your own.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from side_by_side import TEXTS  # beside this program

from privstamp import Policy, Privatizer
from privstamp.budget import GROUP_NAMES, GROUPS
from privstamp.lab.audit.subject import Cell, perturbed
from privstamp.lab.calibration.compare import ATTACKER
from privstamp.lab.calibration.gauge import Gauge, Reading, main_classes
from privstamp.lab.calibration.mixing import for_group
from privstamp.lab.frontier.words import Words
from privstamp.result import Result
from privstamp.types import UNKNOWN

SEED = 11
RELEASES = {"selective": 10, "paper": 40, "stamp": 40, "readable": 40, "fluent": 5}
"""Releases that *kept* is counted over; those with a language model take seconds each."""
FRONTIER = Path(__file__).parent / "results" / "frontier.json"
STEPS = "neighbourhood (plateau 1, k 24, alike 48)"
USES = """\
## Which level for which use

| you want to | take | because |
|---|---|---|
| ask a model about a text, or have it summarise, translate, extract, reply | `selective`, and restore the answer | every word that is not found sensitive stays as it is |
| hand a document to a person who works with it | `selective` | the same |
| store, share or train on texts whose details and wording should blur | `readable`; `fluent` where people read it | other words move to near ones, so wording tells less of its author |
| compare with the publication, or state a bound in the theorem's metric | `stamp`, `paper` | the paper's method |

**No level fits** a task that needs what is replaced: looking up a person, checking an identifier, an address or a date against another
source, comparing two people's numbers in different releases. Nor one where what is *not* a name gives the person away (a rare disease, "the only
witness"): under `selective` all of it leaves as written, and `readable` blurs it without a promise about the whole. Nor exact wording that must be
both kept and hidden: quotations, verses, legal formulas. Those texts should not leave.
"""
LOSES = {
    "selective": "The default. What is found sensitive is replaced by surrogates, and an answer is mapped back; everything else leaves "
    "as it is written, and is counted as unprotected. What a detector misses leaves as well.",
    "paper": "The published setting. Pieces of words are noised one by one: names come out as strings that "
    "are no names, and text that survives does so because its budget lies far above the cliff. Numbers that "
    "no detector marks survive as well.",
    "stamp": "The paper's method on whole words. Names stay names and places places, numbers keep their "
    "format. A good part of the other words become words that have nothing to do with them, which a reader "
    "notices at once.",
    "readable": "What is sensitive is replaced by surrogates that an answer can be mapped back from. "
    "Words that the task needs mostly stay; other words become near ones of like frequency. Meaning is kept, "
    "and so is some of what an attacker wants. It guarantees steps along a graph, not distances, and "
    "grammar suffers. Near words include opposites.",
    "fluent": "As `readable`, and a small language model on this machine picks the word that fits what was "
    "already released ([fluency](fluency.md)). Sentences read better, and a tenth of a second per word is "
    "the price. More words come out as themselves; attackers gain nothing by it, because what leaves is a "
    "function of what `readable` draws, and its recovery holds.",
}

Pair: TypeAlias = tuple[float, float] | None


class Attack:
    """How often words come out as themselves, and how often an attacker names them, by cell."""

    def __init__(self, privatizer: Privatizer) -> None:
        self.policy, self.parts = privatizer.policy, privatizer.parts
        self.gauge = cache(self._gauge)

    def _gauge(self, group: int, number: int) -> Gauge:
        return Gauge(self.parts.mechanisms[group], Words(self.parts.space, number), SEED)

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

    def of_group(self, group: int) -> tuple[Reading | None, float]:
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


def pair(found: Pair) -> str:
    return "–" if found is None else f"{share(found[0])} (blind {share(found[1])})"


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
        "**`readable` beside `stamp`**, by the numbers:\n\n"
        f"- Ordinary words (group 4): an attacker who knows how frequent words are names "
        f"{percent(named['readable'], named['readable'])} of them, and "
        f"{percent(*(one['n50'] for one in ours))} of those that change become one of the 50 nearest. Of those of "
        f"`stamp` (polar at ε = 45) it names {percent(named['stamp'], named['stamp'])}, and "
        f"{percent(*(one['n50'] for one in theirs))} come near ([frontier](frontier.md)).\n"
        f"- The proved worst case of a whole text is {min(parts):.2f} to {max(parts):.2f} times that of `stamp` on the five texts "
        "below, and what is sensitive is not in it at all: surrogates are drawn without looking.\n"
        f"- Words that the task needs (group 3) come out as themselves in {percent(kept['readable'], kept['readable'])} of releases, "
        f"with `stamp` in {percent(kept['stamp'], kept['stamp'])}. That is what the task needs them for; it is not protection.\n"
        f"- Both kinds together: of the content words of the five texts that are not sensitive it names {percent(*ends(ordinary['readable']))}, with "
        f"`stamp` {percent(*ends(ordinary['stamp']))}. Function words mostly stay in either.\n\n"
        "What speaks for `stamp`: it is the paper's method, in the theorem's own metric, sensitive words keep a trace of their "
        "meaning, and nothing has to be mapped back. For `fluent`: people will read the text. For `paper`: comparison with the "
        "publication.\n"
    )


def main() -> None:
    privatizers = {name: Privatizer(Policy.preset(name), seed=SEED) for name in RELEASES}
    attacks = {
        name: Attack(one)
        for name, one in privatizers.items()
        if name not in ("fluent", "selective")
    }
    blocks, parts, ordinary = [], [], {}
    for title, (task, text) in TEXTS.items():
        print(title, file=sys.stderr)
        blocks.append(f"## {title}\n\nTask: *{task}*\n\n{quoted(text)}\n")
        facts, lines = {}, []
        for name, privatizer in privatizers.items():
            result = privatizer.privatize(text, task, trace=True)
            sensitive, others = survival(privatizer, text, task, RELEASES[name])
            attack = attacks.get(name, attacks["readable"])
            cells = cells_of(result, privatizer)
            certificate = result.certificate
            blocks.append(f"`{name}`\n\n{quoted(result.text)}\n")
            attacked = [
                attack.of_text(cells, sensitive=True),
                attack.of_text(cells, sensitive=False, small=False),
                attack.of_text(cells, sensitive=False, small=True),
            ]
            if attacked[1] is not None:
                ordinary.setdefault(name, []).append(attacked[1][0])
            figures = [share(sensitive), share(others), *map(pair, attacked)]
            worst = f"{certificate.loss.worst_case:,.0f}"
            lines.append("| " + " | ".join([f"`{name}`", *figures, worst]) + " |")
            facts[name] = {
                "groups": {str(g.group): [g.epsilon, g.units] for g in certificate.groups},
                "metrics": sorted({m.metric.partition("@")[0] for m in certificate.mechanisms}),
                "counts": certificate.counts.model_dump(),
                "summed_epsilon": {
                    key.partition("@")[0]: round(one, 1)
                    for key, one in certificate.loss.summed_epsilon.items()
                },
                "worst_case": round(certificate.loss.worst_case, 1),
            }
        parts.append(facts["readable"]["worst_case"] / facts["stamp"]["worst_case"])
        head = (
            "| | kept: sensitive | others | recovered: sensitive | content words | function words | "
            "worst case, nats |"
        )
        blocks.append("\n".join([head, "|---" * 7 + "|", *lines]) + "\n")
        blocks.append("<details><summary>From the certificates</summary>\n\n```json")
        blocks.append(",\n".join(f'"{name}": {json.dumps(one)}' for name, one in facts.items()))
        blocks.append("```\n</details>\n")
    print("<!-- Written by benchmarks/presets.py: change it there. -->")
    print("# Presets, on five texts\n")
    print(
        "`--preset NAME` on every command, `privstamp policy init --preset NAME` for a file to change, "
        "`Policy.preset(NAME)` in Python. All texts below are invented; releases are seeded so that this page can be made "
        "again (`python benchmarks/presets.py > docs/concepts/presets.md`).\n"
    )
    for name, what in LOSES.items():
        print(f"**`{name}`.** {what}\n")
    print(USES)
    print(verdict(attacks, parts, ordinary))
    print("## By group\n")
    print(
        "Words of the public table, in the frequency of use. *kept*: come out as themselves. *recovered*: named by an "
        "attacker who knows the mechanism and how frequent words are, but not the text around them; exact for `readable`, for polar an "
        "attacker who was really run. *cosine*: of a release to the original. Of names and places (groups 1 and 2) or "
        "content words (3 and 4) the class that is recovered most; `paper` has pieces of one class. Of replaced words "
        "an attacker knows what he knew before. `fluent` has the groups of `readable`.\n"
    )
    print(groups_table(attacks))
    print(
        "In the tables below *kept* is the share of units that came out as themselves over "
        f"{RELEASES['readable']} releases ({RELEASES['fluent']} of `fluent`); *recovered* is as above, averaged over those units of the text "
        "that were randomised, with the blind guess beside it (–: there are none, or pieces have no such class). "
        "*content words* and *function words* are those that are not sensitive.\n"
    )
    print("\n".join(blocks))


if __name__ == "__main__":
    main()
