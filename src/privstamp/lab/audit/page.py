"""The report as one HTML page for people: no script, no fonts, nothing fetched, fit to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from privstamp.budget import GROUP_NAMES, GROUPS
from privstamp.lab.audit.figures import Figure
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.verdict import Audit, Section
from privstamp.lab.audit.wording import CHECKS, FIGURES, OF, identifiers, opening, questions

_STYLE: Final = """
:root{color-scheme:light}*{box-sizing:border-box}
body{font:15px/1.55 system-ui,sans-serif;color:#1d2733;max-width:56rem;margin:2.5rem auto;
padding:0 1.2rem;background:#fff}
h1{font-size:1.75rem;margin:0 0 .3rem}
h2{font-size:1.2rem;margin:2.6rem 0 .3rem;padding-top:.9rem;border-top:2px solid #e6eaee}
table{border-collapse:collapse;margin:.8rem 0;font-size:.86rem;width:100%}
th,td{text-align:left;padding:.3rem .55rem .3rem 0;border-bottom:1px solid #eceff2;
vertical-align:top}
th{color:#5b6775;font-weight:600}.n{font-variant-numeric:tabular-nums;white-space:nowrap}
.note{color:#5b6775;font-size:.88rem}ul.note{padding-left:1.1rem;margin:.4rem 0}
.means{margin:.1rem 0 .7rem;max-width:46rem}
.verdict{padding:.7rem 1rem;border-radius:6px;font-weight:600;margin:1rem 0}
.pass{background:#e5f3ea;color:#11663a}.fail{background:#fbe7ea;color:#a1122d}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:.8rem;margin:1rem 0}
.tile{border:1px solid #e6eaee;border-radius:6px;padding:.7rem .9rem}
.tile b{display:block;font-size:1.55rem;font-variant-numeric:tabular-nums}
.tile small{color:#5b6775}.chart{max-width:100%;height:auto;display:block;margin:.6rem 0}
.private{background:#fff6d6;border:1px solid #e2c35a;border-radius:6px;padding:.5rem .9rem}
@media print{body{margin:0;max-width:none;font-size:12px}h2{break-after:avoid}
tr,svg,.tile{break-inside:avoid}.last{break-before:page}}
"""


def page(subject: Subject, audit: Audit, *, show_text: bool = False) -> str:
    """The whole document. It shows no word of any text unless it is told to."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        '<meta name=viewport content="width=device-width"><title>privstamp audit</title>',
        f"<style>{_STYLE}</style><h1>What an attacker gets</h1>",
        f"<p class=note>{escape(facts(audit.facts))}</p>",
        _PRIVATE if show_text else "",
        f"<p class='verdict {'pass' if audit.passed else 'fail'}'>{escape(_verdict(audit))}</p>",
        f"<p>{escape(' '.join(opening(audit)))}</p>",
        "<h2>The 18 identifiers of HIPAA's Safe Harbor list</h2>",
        _pairs(identifiers(subject)),
        "<p class=note>How this policy treats each. Facts, no statement of compliance.</p>",
        "<h2>In figures</h2>",
        f"<div class=tiles>{''.join(map(_tile, audit.summary.items()))}</div>",
        "<p class=note>Shares between 0 and 1, with 95 % intervals in brackets. A passing audit "
        "means that no promise was refuted, not that the figures are low enough for you. "
        f"Groups of words: {escape(_groups())}.</p>",
    ]
    parts += [_section(section, show_text) for section in audit.sections]
    parts += ["<h2 class=last>In reviewers' words</h2>", _pairs(questions(subject, audit))]
    parts += ["<p class=note>Facts and figures, no statement of compliance.</p></html>"]
    return "\n".join(parts)


_PRIVATE: Final = (
    "<p class=private><b>Private.</b> This copy shows words of the sample. Do not pass it on.</p>"
)


def _verdict(audit: Audit) -> str:
    text = audit.verdict.text
    return text[:1].upper() + text[1:]


def _groups() -> str:
    return "; ".join(f"{group} {GROUP_NAMES[group]}" for group in GROUPS)


def facts(known: dict[str, Any]) -> str:
    """Whose audit this is, in a line."""
    return (
        f"Policy {known['policy'][:12]}, preset {known['preset']}, {known['date']}; privstamp "
        f"{known['privstamp']}, space {known['space'][:12]}, {known['texts']} texts with "
        f"{known['units']} units, seed {known['seed']}"
    )


def _tile(item: tuple[str, Figure]) -> str:
    name, figure = item
    value = "–" if figure.value is None else f"{figure.value:.3f}"
    below = figure.note if figure.value is None else _interval(figure)
    return (
        f"<div class=tile><small>{escape(name.replace('_', ' '))}</small><b>{value}</b>"
        f"<small>{escape(below)}</small><br><small>{escape(FIGURES.get(name, ''))}</small></div>"
    )


def _section(section: Section, show_text: bool) -> str:
    """Title, meaning, chart, figures, remarks; long tables are folded away."""
    title = escape(section.title) + ("" if section.sound else " — refuted")
    figures = "".join(
        f"<tr><td>{escape(name)}</td><td class=n>{_number(figure)}</td></tr>"
        for name, figure in section.figures.items()
    )
    remarks = "".join(f"<li>{escape(remark)}</li>" for remark in section.remarks)
    draw = CHARTS.get(section.name)
    parts = [
        f"<h2>{title}</h2><p class=means>{escape(CHECKS.get(section.name, ''))}</p>",
        f"<p class=note>{escape(OF.get(section.name, ''))}</p>",
        draw(section) if draw else "",
        f"<table>{figures}</table>",
        _table(section.rows),
        f"<ul class=note>{remarks}</ul>" if remarks else "",
    ]
    if show_text and section.private:
        lines = "".join(f"<li>{escape(line)}</li>" for line in section.private)
        parts.append(
            f"<div class=private><b>Private: words of the sample</b><ul>{lines}</ul></div>"
        )
    return "".join(parts)


def _keeping(section: Section) -> str:
    names = ("keep_mean", "keep_weighted", "keep_max")
    lines = [
        (f"group {row['group']}, {row['class']}", [_figure(row[name]) for name in names])
        for row in section.rows
    ]
    kept = bars(lines, ["kept: mean", "by frequency", "worst word"])
    lines = [
        (
            f"group {row['group']}, {row['class']}",
            [_figure(row[name]) for name in ("recovery_uniform", "recovery_unigram")]
            + [_figure(row["floor_unigram"])],
        )
        for row in section.rows
    ]
    return kept + bars(lines, ["recovered, uniform prior", "unigram prior", "floor"])


def _by_group(names: tuple[str, ...], series: list[str]) -> Callable[[Section], str]:
    def draw(section: Section) -> str:
        lines = [(row["words"], [_figure(row[name]) for name in names]) for row in section.rows]
        return bars(lines, series)

    return draw


def _attributes(section: Section) -> str:
    names = ("original", "released", "floor")
    lines = [(row["attribute"], [_figure(row[name]) for name in names]) for row in section.rows]
    return bars(lines, ["from originals", "from releases", "floor"])


def _repeats(section: Section) -> str:
    return curve([(row["releases"], _figure(row["recovered"])) for row in section.rows], "releases")


CHARTS: Final[dict[str, Callable[[Section], str]]] = {
    "cells": _keeping,
    "recovery": _by_group(
        ("recovered_unigram", "recovered_unigram_top5", "floor_unigram"),
        ["first guess", "one of five guesses", "floor"],
    ),
    "context": _by_group(
        ("recovery_contextual", "recovery_contextual_top5", "floor_contextual"),
        ["first guess", "one of five guesses", "floor"],
    ),
    "attributes": _attributes,
    "averaging": _repeats,
}


def _figure(value: Any) -> Figure:
    return value if isinstance(value, Figure) else Figure.exact(float(value))


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(row.get(name))}</td>" for name in names) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, Figure):
        return "" if value.value is None else f"{value.value:.3f}"
    if isinstance(value, float):
        return f"{value:.3g}"
    return "" if value is None else escape(str(value))


def _number(figure: Figure) -> str:
    """A value, and its interval where it has one."""
    if figure.value is None:
        return f"<span class=note>{escape(figure.note or 'none')}</span>"
    return f"{figure.value:.3f} {_interval(figure)}".strip()


def _interval(figure: Figure) -> str:
    known = figure.low is not None and figure.high is not None and figure.low != figure.high
    return f"[{figure.low:.3f}, {figure.high:.3f}]" if known else ""


def _pairs(pairs: list[tuple[str, str]]) -> str:
    rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in pairs)
    return f"<table>{rows}</table>"


COLOURS: Final = ("#2f6690", "#81a4cd", "#16425b", "#c9ced6")
"""Of series one, two, three; the last is for floors."""
FLOOR: Final = "floor"
_LEFT, _WIDE, _RIGHT, _BAR, _GAP = 170, 460, 70, 13, 12
_INK, _FAINT = "#5b6775", "#e6eaee"


def bars(lines: Sequence[tuple[str, Sequence[Figure]]], series: Sequence[str]) -> str:
    """Horizontal bars from 0 to 1, several per line; a series called floor is grey."""
    shown = [
        (label, figures) for label, figures in lines if any(f.value is not None for f in figures)
    ]
    if not shown:
        return ""
    high = 26 + len(shown) * (len(series) * _BAR + _GAP)
    parts = [_grid(high), _legend(series)]
    top = 26
    for label, figures in shown:
        middle = top + len(series) * _BAR / 2 + 4
        parts.append(
            f'<text x="{_LEFT - 10}" y="{middle:.0f}" text-anchor="end">{escape(label)}</text>'
        )
        for number, figure in enumerate(figures):
            parts.append(_bar(figure, top + number * _BAR, _colour(number, series)))
        top += len(series) * _BAR + _GAP
    return _svg("".join(parts), high + 22, "bars: " + ", ".join(series))


def curve(points: Sequence[tuple[float, Figure]], across: str) -> str:
    """Shares over a number of times, joined by a line, with their intervals."""
    known = [(x, f) for x, f in points if f.value is not None]
    if len(known) < 2:
        return ""
    high, last = 170, max(x for x, _ in known)

    def at(x: float, y: float) -> tuple[float, float]:
        return _LEFT + x / last * _WIDE, 10 + (1.0 - y) * (high - 20)

    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        _, y = at(0, share)
        parts.append(f'<path d="M{_LEFT} {y:.1f}h{_WIDE}" stroke="{_FAINT}"/>')
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{share:.2f}</text>')
    path = " ".join("{:.1f},{:.1f}".format(*at(x, f.value or 0.0)) for x, f in known)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[0]}" stroke-width="2"/>')
    for x, figure in known:
        here, y = at(x, figure.value or 0.0)
        low, top = at(x, figure.low or 0.0)[1], at(x, figure.high or figure.value or 0.0)[1]
        parts.append(f'<path d="M{here:.1f} {low:.1f}V{top:.1f}" stroke="{COLOURS[1]}"/>')
        parts.append(f'<circle cx="{here:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[0]}"/>')
        parts.append(f'<text x="{here:.1f}" y="{high + 8}" text-anchor="middle">{x:g}</text>')
    middle = _LEFT + _WIDE / 2
    parts.append(f'<text x="{middle}" y="{high + 26}" text-anchor="middle">{escape(across)}</text>')
    return _svg("".join(parts), high + 32, f"line over {across}")


def _svg(inside: str, high: float, label: str) -> str:
    width = _LEFT + _WIDE + _RIGHT
    return (
        f'<svg class="chart" viewBox="0 0 {width} {high:.0f}" width="{width}" height="{high:.0f}" '
        f'role="img" aria-label="{escape(label)}" font-size="12" fill="{_INK}">{inside}</svg>'
    )


def _grid(high: float) -> str:
    lines = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = _LEFT + share * _WIDE
        lines.append(f'<path d="M{x:.1f} 22V{high:.0f}" stroke="{_FAINT}"/>')
        lines.append(
            f'<text x="{x:.1f}" y="{high + 16:.0f}" text-anchor="middle">{share:.2f}</text>'
        )
    return "".join(lines)


def _legend(series: Sequence[str]) -> str:
    parts, x = [], float(_LEFT)
    for number, name in enumerate(series):
        colour = _colour(number, series)
        parts.append(f'<rect x="{x:.0f}" y="3" width="11" height="11" fill="{colour}"/>')
        parts.append(f'<text x="{x + 16:.0f}" y="13">{escape(name)}</text>')
        x += 34 + 6.3 * len(name)
    return "".join(parts)


def _bar(figure: Figure, top: float, colour: str) -> str:
    if figure.value is None:
        return ""
    value = min(max(figure.value, 0.0), 1.0)
    low = value if figure.low is None else max(figure.low, 0.0)
    high = value if figure.high is None else min(figure.high, 1.0)
    middle = top + (_BAR - 2) / 2
    whisker = ""
    if high > low:
        whisker = (
            f'<path d="M{_LEFT + low * _WIDE:.1f} {middle:.1f}H{_LEFT + high * _WIDE:.1f}" '
            'stroke="#1d2733" stroke-width="1.2"/>'
        )
    end = _LEFT + max(value, high) * _WIDE + 6
    return (
        f'<rect x="{_LEFT}" y="{top:.1f}" width="{max(value * _WIDE, 1.0):.1f}" '
        f'height="{_BAR - 2}" fill="{colour}"/>{whisker}'
        f'<text x="{end:.1f}" y="{top + 10:.1f}">{value:.2f}</text>'
    )


def _colour(number: int, series: Sequence[str]) -> str:
    return COLOURS[-1] if series[number] == FLOOR else COLOURS[number % 3]
