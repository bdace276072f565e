"""The record of a benchmark as tables and as a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from privstamp.lab.bench.ratios import RATIOS
from privstamp.lab.bench.searches import FLOAT32
from privstamp.lab.bench.synthetic import Size
from privstamp.lab.report import plot
from privstamp.lab.report.table import Sheet

WAYS: Final = {
    "published": "published approach",
    "one-shot": "one product, argmax",
    "float32": "privstamp, float32",
    "packed": "privstamp, float32 laid out",
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
    quicker = min(seconds[way] for way in FLOAT32 if way in seconds)
    return (
        f"{size['units']:,}",
        f"{size['rows']:,}",
        f"{size['dimensions']:,}",
        *(_cell(search, way) for way in WAYS),
        f"{operations / quicker / search['peak']:.0%}",
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
    with plot.canvas(1, 3, size=(12, 4.4), sharey=True) as (figure, panes):
        for pane, axis in zip(panes[0], fixed, strict=True):
            others = {name: value for name, value in fixed.items() if name != axis}
            along = sorted(
                (one for one in record["searches"] if others.items() <= one["size"].items()),
                key=lambda search: search["size"][axis],
            )
            for number, (way, label) in enumerate(WAYS.items()):
                points = [
                    (search["size"][axis], 1e3 * search["seconds"][way] / search["size"]["units"])
                    for search in along
                    if way in search["seconds"]
                ]
                if points:
                    pane.plot(*zip(*points, strict=True), label=label, **plot.look(number))
            pane.set(xscale="log", yscale="log", xlabel=titles[axis])
        panes[0, 0].set_ylabel("milliseconds per token")
        shown = panes[0, 0].get_legend_handles_labels()
        figure.legend(*shown, loc="outside lower center", ncols=4, fontsize=8)
        figure.suptitle(
            f"{fixed['units']:,} units, {fixed['rows']:,} rows, {fixed['dimensions']:,} "
            "dimensions: one of them varied"
        )
        plot.save(figure, path)
