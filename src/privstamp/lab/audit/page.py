"""The report as one HTML page for people. It shows no word of any text unless it is told to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from privstamp.budget import GROUP_NAMES, GROUPS
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.verdict import Audit, Section
from privstamp.lab.audit.wording import CHECKS, FIGURES, OF, facts, identifiers, opening, questions
from privstamp.lab.estimate import Estimate
from privstamp.lab.report import page as report
from privstamp.lab.report.page import Bars, Block, Curve, Listing, Pairs, Part, Table, Text, Tiles
from privstamp.lab.report.table import Sheet

_GUESSED: Final = ("first guess", "one of five guesses", "floor")
BARS: Final[Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]] = {
    "cells": (
        (("keep_mean", "keep_weighted", "keep_max"), ("kept: mean", "by frequency", "worst word")),
        (
            ("recovery_uniform", "recovery_unigram", "floor_unigram"),
            ("recovered, uniform prior", "unigram prior", "floor"),
        ),
    ),
    "recovery": ((("recovered_unigram", "recovered_unigram_top5", "floor_unigram"), _GUESSED),),
    "context": (
        (("recovery_contextual", "recovery_contextual_top5", "floor_contextual"), _GUESSED),
    ),
    "attributes": (
        (("original", "released", "floor"), ("from originals", "from releases", "floor")),
    ),
}
"""Charts of a check: columns of its table, and what the bars are called."""


def page(subject: Subject, audit: Audit, *, show_text: bool = False) -> str:
    """The whole document: verdict, identifiers and headline figures first, then every check."""
    verdict = audit.verdict.text
    private = "Private. This copy shows words of the sample. Do not pass it on."
    first: list[Block] = [
        Text(facts(audit.facts), "note"),
        *([Text(private, "private")] if show_text else []),
        Text(verdict[:1].upper() + verdict[1:], "pass" if audit.passed else "fail"),
        Text(" ".join(opening(audit))),
    ]
    tiles = [
        (name.replace("_", " "), figure, FIGURES.get(name, ""))
        for name, figure in audit.summary.items()
    ]
    groups = "; ".join(f"{group} {GROUP_NAMES[group]}" for group in GROUPS)
    about = (
        "Shares between 0 and 1, with 95 % intervals in brackets. A passing audit means that no "
        "promise was refuted, not that the figures are low enough for you. Groups of words: "
        f"{groups}."
    )
    treated = Text("How this policy treats each. Facts, no statement of compliance.", "note")
    last = Text("Facts and figures, no statement of compliance.", "note")
    parts = [
        Part("", first),
        Part(
            "The 18 identifiers of HIPAA's Safe Harbor list",
            [Pairs(identifiers(subject)), treated],
        ),
        Part("In figures", [Tiles(tiles), Text(about, "note")]),
        *(_part(section, show_text) for section in audit.sections),
        Part("In reviewers' words", [Pairs(questions(subject, audit)), last], fresh=True),
    ]
    return report.page("What an attacker gets", parts)


def _part(section: Section, show_text: bool) -> Part:
    """Title, meaning, charts, figures, remarks."""
    said = [(name, _said(figure)) for name, figure in section.figures.items()]
    blocks: list[Block] = [
        Text(CHECKS.get(section.name, "")),
        Text(OF.get(section.name, ""), "note"),
        *_charts(section),
        Pairs(said),
        *([_table(section.rows)] if section.rows else []),
        Listing(section.remarks),
    ]
    if show_text:
        blocks.append(Listing(section.private, "Private: words of the sample", "private"))
    return Part(section.title + ("" if section.sound else " — refuted"), blocks)


def _said(figure: Estimate) -> str:
    return figure.written(missing=figure.note or "none")


def _charts(section: Section) -> list[Block]:
    charts: list[Block] = [
        Bars([(_named(row), [_number(row[name]) for name in names]) for row in section.rows], said)
        for names, said in BARS.get(section.name, ())
    ]
    if section.name == "averaging":
        points = [(row["releases"], _number(row["recovered"])) for row in section.rows]
        charts.append(Curve(points, "releases"))
    return charts


def _named(row: Mapping[str, Any]) -> str:
    """What a line of a chart is called."""
    named = row.get("words") or row.get("attribute")
    return str(named or f"group {row['group']}, {row['class']}")


def _number(value: Any) -> Estimate:
    return value if isinstance(value, Estimate) else Estimate.exact(float(value))


def _table(rows: list[dict[str, Any]]) -> Table:
    """Values alone: their intervals would make it too wide."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [[_cell(row.get(name)) for name in names] for row in rows]
    return Table(Sheet("", [name.replace("_", " ") for name in names], lines))


def _cell(value: Any) -> Any:
    return value.short() if isinstance(value, Estimate) else value
