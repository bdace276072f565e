"""Charts as inline SVG: bars with intervals, and a line. No script, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from privstamp.lab.audit.figures import Figure

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
