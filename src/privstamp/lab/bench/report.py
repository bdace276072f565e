"""The record of a benchmark as tables and as a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from privstamp.lab import report
from privstamp.lab.bench.line import Cost, Line
from privstamp.lab.bench.searches import EXACT, Differs, Measured, Size
from privstamp.lab.report import Sheet

# What the times say, as numbers without a unit: they carry over from one machine to another.

MAIN: Final = Size(180, 50_257, 768)
"""The published setting: a text of 180 tokens, GPT-2's table."""
BULK: Final = Size(10_000, MAIN.rows, MAIN.dimensions)
DEFAULT: Final = Size(MAIN.units, 100_000, 50)
"""As large as the default space."""


@dataclass(frozen=True)
class Times:
    """All that was measured; what was not is a KeyError."""

    searches: Sequence[Measured]
    lines: Sequence[Line]
    beside: Mapping[str, float]  # words per second
    costs: Sequence[Cost]
    memory: Mapping[int, int]

    def at(self, size: Size) -> Measured:
        return {measured.size: measured for measured in self.searches}[size]

    @property
    def main(self) -> Measured:
        return self.at(MAIN)

    @cached_property
    def speed(self) -> dict[str, float]:
        return {line.name: line.words_per_second for line in self.lines} | dict(self.beside)

    def published_over(self, search: float) -> float:
        """How many times the published way takes as long, noise included on both sides."""
        return self.main.seconds["published"] / (self.main.seconds["noise"] + search)

    def published_over_polar(self, size: Size) -> float:
        """Per token, against polar per word on the default space."""
        polar = {cost.mechanism: cost for cost in self.costs}["polar"]
        seconds = self.at(size).seconds["published"] / size.units
        return seconds / (1e-6 * min(polar.microseconds.values()))

    def faiss_over_best(self) -> float:
        """The least over the published table, from the published number of units on."""
        large = [
            measured
            for measured in self.searches
            if measured.size.units >= MAIN.units
            and measured.size == Size(measured.size.units, MAIN.rows, MAIN.dimensions)
        ]
        return min(
            measured.seconds["faiss flat"]
            / min(measured.of(way) for way in EXACT if way in measured.seconds)
            for measured in large
        )

    def looked_at_again(self) -> float:
        self.main.of("int8")
        if self.main.share_again is None:
            raise KeyError("int8")
        return self.main.share_again


def of_peak(measured: Measured) -> float:
    """Part of the best float32 product's speed that the float32 search reaches."""
    return measured.size.operations / measured.float32 / measured.peak


def sampler_share(measured: Measured) -> float:
    """Noise by the time of the float32 search."""
    return measured.seconds["noise"] / measured.float32


@dataclass(frozen=True)
class Ratio:
    """What it is, how it is worked out, and why it may be missing besides the absence of a way."""

    meaning: str
    value: Callable[[Times], float]
    reason: str = f"n = {MAIN.units}, V = 50,257, d = 768 was not measured"
    way: str = ""


_BULK: Final = f"n = {BULK.units:,} was not measured"
RATIOS: Final = {
    "published_over_fp32": Ratio(
        "published approach / ours, float32 (noise included)",
        lambda times: times.published_over(times.main.float32),
    ),
    "published_over_certified": Ratio(
        "published approach / ours, certified int8 (noise included)",
        lambda times: times.published_over(times.main.of("int8")),
        way="int8",
    ),
    "one_shot_over_fp32": Ratio(
        "one product and argmax in numpy / ours, float32",
        lambda times: times.main.seconds["one-shot"] / times.main.float32,
    ),
    "fp32_over_certified": Ratio(
        "float32 / certified int8",
        lambda times: times.main.float32 / times.main.of("int8"),
        way="int8",
    ),
    "fp32_over_sgemm_peak": Ratio(
        "speed of the float32 search / best float32 product",
        lambda times: of_peak(times.main),
    ),
    "fp32_over_bare_product": Ratio(
        "speed of the float32 search / numpy's product, no argmax",
        lambda times: times.main.seconds["bare product"] / times.main.float32,
    ),
    "fp32_over_sgemm_peak_in_bulk": Ratio(
        "the same for 10,000 units", lambda times: of_peak(times.at(BULK)), _BULK
    ),
    "faiss_over_best": Ratio(
        "faiss flat / the best of ours, least over n >= 180",
        Times.faiss_over_best,
        way="faiss flat",
    ),
    "sampler_share": Ratio("noise / float32 decoding", lambda times: sampler_share(times.main)),
    "sampler_share_in_bulk": Ratio(
        "the same for 10,000 units", lambda times: sampler_share(times.at(BULK)), _BULK
    ),
    "certified_looked_at_again": Ratio(
        "share of scores that int8 could not decide", Times.looked_at_again, way="int8"
    ),
    "memory_growth": Ratio(
        "memory at the most units / at one block",
        lambda times: times.memory[max(times.memory)] / times.memory[min(times.memory)],
        "not measured",
    ),
    "published_over_default_space": Ratio(
        "published approach per token, 50,257 x 768 / polar per word",
        lambda times: times.published_over_polar(MAIN),
        "polar on the default space was not measured",
    ),
    "published_over_default_space_same_table": Ratio(
        "the same, both on the default's size",
        lambda times: times.published_over_polar(DEFAULT),
        "the published way was not measured at 100,000 rows of 50 dimensions",
    ),
    "line_over_ner": Ratio(
        "speed of the whole line with NER / spaCy's NER alone",
        lambda times: times.speed["polar, NER"] / times.speed["spaCy NER alone"],
        "the line with NER was not measured",
    ),
    "line_over_mldp_text": Ratio(
        "speed of the whole line with rules / mldp-text",
        lambda times: times.speed["polar, rules"] / times.speed["mldp-text"],
        "mldp-text is not installed",
    ),
}


def ratios(times: Times) -> tuple[dict[str, float | None], dict[str, str]]:
    """The ratios, and for each that is missing the reason."""
    absent = next((measured.absent for measured in times.searches if measured.size == MAIN), {})
    numbers: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, ratio in RATIOS.items():
        try:
            numbers[name] = float(f"{ratio.value(times):.4g}")
        except (KeyError, ValueError):
            numbers[name], reasons[name] = None, absent.get(ratio.way, ratio.reason)
        except Differs as error:
            numbers[name], reasons[name] = None, str(error)
    return numbers, reasons


def growth(searches: Sequence[Measured]) -> dict[str, float | None]:
    """Exponents of the time of the float32 search: by units, rows and dimensions."""
    return {axis: _slope(searches, axis) for axis in ("units", "rows", "dimensions")}


def _slope(searches: Sequence[Measured], axis: str) -> float | None:
    """Of log time by log size along one axis, the other two as in the published setting."""
    fixed = {name: value for name, value in vars(MAIN).items() if name != axis}
    along = [
        measured
        for measured in searches
        if fixed.items() <= vars(measured.size).items()
        and measured.size.units >= MAIN.units  # one unit alone waits for memory, not arithmetic
    ]
    sizes = np.log([float(getattr(measured.size, axis)) for measured in along])
    if len(set(sizes.tolist())) < 2:
        return None
    seconds = np.log([measured.seconds["float32"] for measured in along])
    return round(float(np.polyfit(sizes, seconds, 1)[0]), 3)


WAYS: Final = {
    "published": "published approach",
    "one-shot": "one product, argmax",
    "float32": "privstamp, float32",
    "int8": "privstamp, certified int8",
    "faiss flat": "faiss flat",
    "noise": "privstamp, noise alone",
}
"""Each with its name in the picture."""


def as_json(record: Mapping[str, Any]) -> str:
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def sections(record: Mapping[str, Any]) -> Iterator[Sheet]:
    """Every table there is something for."""
    reasons = record["reasons"]
    yield Sheet(
        "Ratios",
        ("ratio", "value", "what it is"),
        [
            (
                name,
                _number(value) if value is not None else f"– ({reasons[name]})",
                RATIOS[name].meaning,
            )
            for name, value in record["ratios"].items()
        ],
    )
    yield Sheet(
        "Milliseconds per unit",
        ("units", "rows", "dimensions", *WAYS, "of the peak", "looked at again"),
        [_search_line(search) for search in record["searches"]],
    )
    yield Sheet(
        "Mechanisms on the default space: microseconds per unit",
        ("mechanism", "epsilon", "to make, s", "first time, µs a unit", "units: microseconds"),
        [
            (
                cost["mechanism"],
                f"{cost['epsilon']:g}",
                f"{cost['make_seconds']:.2f}",
                _number(1e6 * cost["first_seconds"] / int(next(iter(cost["microseconds"])))),
                ", ".join(f"{int(n):,}: {us:.3g}" for n, us in cost["microseconds"].items()),
            )
            for cost in record["mechanisms"]
        ],
    )
    yield Sheet(
        "The whole line",
        ("line", "words per second", "the first time", "180 words, ms", "time by stage"),
        [_line_line(line) for line in record["lines"]]
        + [(name, f"{v:,.0f}", "", "", "") for name, v in record["words_per_second"].items()],
    )
    if record["command_seconds"]:
        yield Sheet(
            "privstamp privatize on a note of 180 words, from the shell",
            ("line", "seconds"),
            [(name, f"{seconds:.2f}") for name, seconds in record["command_seconds"].items()],
        )
    left_out: list[Sequence[str]] = [
        (f"{size['units']:,}", f"{size['rows']:,}", f"{size['dimensions']:,}", way, why)
        for size, absent in ((search["size"], search["absent"]) for search in record["searches"])
        for way, why in absent.items()
    ]
    if left_out:
        yield Sheet("Left out", ("units", "rows", "dimensions", "way", "why"), left_out)


def _search_line(search: Mapping[str, Any]) -> Sequence[str]:
    size, seconds = search["size"], search["seconds"]
    operations = 2.0 * size["units"] * size["rows"] * size["dimensions"]
    again = search["share_again"]
    return (
        f"{size['units']:,}",
        f"{size['rows']:,}",
        f"{size['dimensions']:,}",
        *(_cell(search, way) for way in WAYS),
        f"{operations / seconds['float32'] / search['peak']:.0%}",
        "–" if again is None else f"{again:.3%}",
    )


def _cell(search: Mapping[str, Any], way: str) -> str:
    if way not in search["seconds"]:
        return "–"
    shown = _number(1e3 * search["seconds"][way] / search["size"]["units"])
    return f"{shown} (other rows!)" if way in search["differ"] else shown


def differing(record: Mapping[str, Any]) -> list[str]:
    """Exact ways that give other rows than float32, and where: there is something to mend."""
    return [
        f"{way} at {Size(**search['size']).label}"
        for search in record["searches"]
        for way in search["differ"]
    ]


def _line_line(line: Mapping[str, Any]) -> Sequence[str]:
    total = sum(line["stages"].values()) or 1.0
    stages = [(name, seconds / total) for name, seconds in line["stages"].items()]
    return (
        line["name"],
        f"{line['words_per_second']:,.0f}",
        f"{line['first_words_per_second']:,.0f}",
        f"{line['one_text_milliseconds']:.1f}",
        ", ".join(f"{name} {share:.0%}" for name, share in stages if share >= 0.01),
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def draw(record: Mapping[str, Any], path: Path) -> None:
    """Milliseconds per token by units, by rows and by dimensions, around the first size."""
    fixed = record["searches"][0]["size"]
    titles = {"units": "units at a time", "rows": "rows of the table", "dimensions": "dimensions"}
    with report.canvas(1, 3, size=(12, 4.4), sharey=True) as (figure, panes):
        for pane, axis in zip(panes[0], fixed, strict=True):
            others = {name: value for name, value in fixed.items() if name != axis}
            along = sorted(
                (
                    search
                    for search in record["searches"]
                    if others.items() <= search["size"].items()
                ),
                key=lambda search: search["size"][axis],
            )
            for number, (way, label) in enumerate(WAYS.items()):
                points = [
                    (search["size"][axis], 1e3 * search["seconds"][way] / search["size"]["units"])
                    for search in along
                    if way in search["seconds"]
                ]
                if points:
                    pane.plot(*zip(*points, strict=True), label=label, **report.look(number))
            pane.set(xscale="log", yscale="log", xlabel=titles[axis])
        panes[0, 0].set_ylabel("milliseconds per token")
        shown = panes[0, 0].get_legend_handles_labels()
        figure.legend(*shown, loc="outside lower center", ncols=4, fontsize=8)
        figure.suptitle(
            f"{fixed['units']:,} units, {fixed['rows']:,} rows, {fixed['dimensions']:,} "
            "dimensions: one of them varied"
        )
        report.save(figure, path)
