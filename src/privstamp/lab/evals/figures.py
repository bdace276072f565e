"""Pictures of a report, and the page they stand on. Pictures need the extra `plots`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

from privstamp.errors import MissingExtra
from privstamp.lab import report as style
from privstamp.lab.estimate import Estimate
from privstamp.lab.evals.report import (
    EXPLAINED,
    LEVELS,
    SECONDS,
    Report,
    by_recovery,
    interpolated,
    paper,
    sheets,
)
from privstamp.lab.evals.results import NAMES, SettingRow, by

Picture: TypeAlias = Callable[[Any, Sequence[SettingRow]], Any]
Panel: TypeAlias = Callable[[Any, Sequence[SettingRow]], str]
"""Draws on an axis and says what stands below it."""


def page(report: Report) -> str:
    """All tables, and pictures where they can be drawn, as one document."""
    pictures, remarks = {}, report.remarks()
    try:
        pictures = {name: style.inline(figure) for name, figure in draw(report.rows)}
    except MissingExtra as error:
        remarks.append(f"no figures: {error}")
    block = style.blocks()
    told = [block.text(f"{remark}.", "remark") for remark in remarks]
    parts = [style.PagePart("", [block.text(EXPLAINED, "note"), *told])]
    for (experiment, task), sheet in sheets(report.rows).items():
        drawn = pictures.get(stem(experiment, task))
        shown = [block.picture(drawn)] if drawn else []
        parts.append(style.PagePart(sheet.title, [*shown, block.table(sheet)]))
    return style.page("Privacy and utility, measured", parts, wide=True)


def draw(rows: Sequence[SettingRow]) -> Iterator[tuple[str, Any]]:
    """A name and a figure for each experiment and task."""
    plot = style.pyplot()
    for experiment, of_one in by(rows, "experiment").items():
        for task, some in by(of_one, "task").items():
            with style.styled():
                figure = PICTURES.get(experiment, _bars)(plot, some)
            if figure is not None:
                yield stem(experiment, task), figure
                plot.close(figure)


def save(rows: Sequence[SettingRow], folder: Path) -> list[Path]:
    """Every picture as SVG and PNG."""
    written = []
    for stem, figure in draw(rows):
        for ending in ("svg", "png"):
            path = folder / f"{stem}.{ending}"
            style.save(figure, path)
            written.append(path)
    return written


def _panels(draw_one: Panel) -> Picture:
    """One panel for each reader, below each other, on one scale."""

    def picture(plot: Any, rows: Sequence[SettingRow]) -> Any:
        readers = by(rows, "reader")
        figure, axes = plot.subplots(
            len(readers), 1, figsize=(9.5, 0.6 + 3.9 * len(readers)), layout="constrained",
            squeeze=False, sharex=True,
        )  # fmt: skip
        drawn = [
            draw_one(axis, some) for axis, some in zip(axes[:, 0], readers.values(), strict=True)
        ]
        if not any(drawn):
            plot.close(figure)
            return None
        for axis, (reader, some) in zip(axes[:, 0], readers.items(), strict=True):
            _original(axis, some)
            axis.set_ylabel(NAMES.get(some[0].score, some[0].score))
            axis.set_title(f"read by {reader}", fontsize=10, loc="left")
            axis.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
        axes[-1, 0].set_xlabel(drawn[0])
        figure.suptitle(f"{rows[0].experiment}: {rows[0].task}", fontsize=12)
        return figure

    return picture


def _over(across: str, words: str, *series: str) -> Panel:
    """Scores over a number that is a label, a line for each value of other labels."""

    def panel(axis: Any, rows: Sequence[SettingRow]) -> str:
        lines: dict[str, list[tuple[float, Estimate]]] = {}
        for row in rows:
            if across in row.labels:
                name = " ".join(str(row.labels.get(label, "")) for label in series)
                lines.setdefault(name, []).append((float(row.labels[across]), row.value))
        style.curves(axis, {name: sorted(some, key=itemgetter(0)) for name, some in lines.items()})
        ticks = sorted({x for some in lines.values() for x, _ in some})
        axis.set_xticks(ticks, [f"{x:g}" for x in ticks])
        if rows[0].experiment == "table1":
            _beside(axis, rows)
        return words

    return panel


def _beside(axis: Any, rows: Sequence[SettingRow]) -> None:
    """The paper's figures, which for answers are cosines, dotted."""
    points: dict[str, dict[float, float]] = {}
    for row in rows:
        published = paper(row)
        if published is not None and "vector" in row.labels:
            name = str(row.labels["mechanism"])
            points.setdefault(name, {})[float(row.labels["vector"])] = published
    whose = "paper" if rows[0].score == "correct" else "paper, cosine"
    for name, marker in zip(points, "x+", strict=False):
        across, up = zip(*sorted(points[name].items()), strict=True)
        axis.plot(across, up, ":", color="#495057", marker=marker, label=f"{name}, {whose}")


def _recovery(axis: Any, rows: Sequence[SettingRow]) -> str:
    """Scores over what an attacker recovers: who keeps most at equal leakage."""
    shown = [row for row in rows if "recovered_unigram" in row.shares and row.method == "policy"]
    for number, (name, some) in enumerate(by(shown, "mechanism").items()):
        points = sorted(by_recovery(some))
        heights = [interpolated(points, level) for level in LEVELS]
        at = " ".join("–" if height is None else f"{height:.2f}" for height in heights)
        across, up = zip(*points, strict=True)
        axis.plot(across, up, label=f"{name}: {at}", **style.look(number))
    for level in LEVELS:
        axis.axvline(level, color="#adb5bd", linewidth=1, linestyle=":")
    return (
        "sensitive units recovered, knowing word frequencies; in the legend, scores at 1, 5, 20 %"
    )


def _bars(plot: Any, rows: Sequence[SettingRow]) -> Any:
    """Scores of conditions below each other, and what is kept and recovered beside them."""
    names = [_named(row, rows) for row in rows]
    figure, axes = plot.subplots(
        1, 2, figsize=(10, 1.4 + 0.34 * len(rows)), layout="constrained", sharey=True
    )
    places = list(range(len(rows)))
    style.whiskers(axes[0], places, [row.value for row in rows], (style.COLOURS[0], "o"), "")
    axes[0].set_yticks(places, names)
    axes[0].invert_yaxis()
    axes[0].set_xlabel(NAMES.get(rows[0].score, rows[0].score))
    axes[0].set_xlim(0, 1.02)
    for shift, (name, words, colour, marker) in enumerate(_LEAKS):
        bars = [(place, row.shares[name]) for place, row in enumerate(rows) if name in row.shares]
        shifted = [place + (shift - 1) * 0.2 for place, _ in bars]
        style.whiskers(axes[1], shifted, [share for _, share in bars], (colour, marker), words)
    axes[1].set_xlabel("share of sensitive units")
    axes[1].set_xlim(-0.02, 1.02)
    figure.legend(loc="outside lower center", ncols=len(_LEAKS), fontsize=9)
    figure.suptitle(f"{rows[0].experiment}: {rows[0].task}", fontsize=11)
    return figure


_LEAKS: Final = (
    ("kept", "kept", "#495057", "s"),
    ("recovered_unigram", "recovered, knowing frequencies", "#c2571a", "o"),
    ("floor_unigram", "floor", "#ced4da", "|"),
)


def _overhead(plot: Any, rows: Sequence[SettingRow]) -> Any:
    """Milliseconds per unit, in all and stage by stage, from tens of microseconds to seconds."""
    shown = [row for row in rows if row.seconds]
    if not shown:
        return None
    figure, axis = plot.subplots(figsize=(9, 1.6 + 0.36 * len(shown)), layout="constrained")
    places = list(range(len(shown)))
    totals = [1000 * sum(row.seconds.values()) for row in shown]
    axis.barh(places, totals, color="#e3e7eb", label="in all")
    stages = dict.fromkeys(stage for row in shown for stage in row.seconds)
    for number, stage in enumerate(stages):
        bars = [
            (1000 * row.seconds[stage], place)
            for place, row in enumerate(shown)
            if row.seconds.get(stage)
        ]
        if bars:
            across, up = zip(*bars, strict=True)
            axis.plot(across, up, label=stage, **style.look(number) | {"linestyle": ""})
    axis.set_xscale("log")
    axis.axvline(1000 * SECONDS["polar"], color="#c2571a", linestyle=":", label="paper, polar")
    axis.set_yticks(places, [_named(row, shown) for row in shown])
    axis.invert_yaxis()
    axis.set_xlabel("milliseconds per unit")
    axis.set_title(f"{shown[0].experiment}: {shown[0].task}", fontsize=11)
    axis.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


PICTURES: Final[Mapping[str, Picture]] = {
    "table1": _panels(_over("vector", "budget vector", "mechanism", "metric", "space")),
    "stamp-vs-uniform": _panels(_over("base", "base budget ε₀", "variant")),
    "tau": _panels(_over("tau", "threshold τ", "importance")),
    "mechanisms": _panels(_recovery),
    "overhead": _overhead,
}
"""By experiment; every other one gets bars."""


def _original(axis: Any, rows: Sequence[SettingRow]) -> None:
    """A line at the height of untouched text."""
    originals = (row if row.method == "original" else row.original for row in rows)
    if original := next(filter(None, originals), None):
        height = original.value.number
        axis.axhline(height, color="#212529", linewidth=1, linestyle="--", label="original")


def _named(row: SettingRow, rows: Sequence[SettingRow]) -> str:
    several = len({row.reader for row in rows}) > 1
    return f"{row.condition}, {row.reader}" if several else row.condition


def stem(experiment: str, task: str) -> str:
    """The name of a picture's file."""
    return "".join(c if c.isalnum() else "-" for c in f"{experiment}-{task}").lower()
