"""Pictures of the frontier. Needs the extra `plots`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from privstamp.lab.frontier.measure import Record
from privstamp.lab.frontier.report import BASELINE, Outcome
from privstamp.lab.report.plot import pyplot, save

_STYLES: Final = {
    "polar": ("#000000", "o"),
    "polar-radial": ("#8c8c8c", "o"),
    "laplace-coordinate": ("#b07d2b", "v"),
    "laplace-l2": ("#d9a441", "v"),
    "mahalanobis": ("#a86fb5", "v"),
    "vickrey": ("#c77fa0", "v"),
    "polar-vocabulary": ("#3b6fb6", "s"),
    "exponential": ("#7fa7d9", "s"),
    "tem": ("#9fc5e8", "s"),
    "custext": ("#c0392b", "X"),
    "randomized-response": ("#999999", "X"),
    "neighbourhood": ("#1e8449", "D"),
    "clusters": ("#16a2a2", "P"),
}
_DASHES: Final = ("-", "--", ":", "-.", (0, (6, 1)), (0, (1, 0.5)))
_SHADES: Final = {4: "#e67e22", 5: "#d35400"}
"""Colour of a mechanism's fifth and sixth form, which dashes alone would not tell apart."""


def draw_all(outcome: Outcome, folder: Path) -> list[Path]:
    """Meaning kept against attack success, and both against epsilon: SVG and PNG of each."""
    name = "".join(c if c.isalnum() else "-" for c in outcome.space)
    pictures = {f"frontier-{name}": _frontier, f"frontier-{name}-epsilon": _by_epsilon}
    plot, written = pyplot(), []
    for stem, picture in pictures.items():
        figure = picture(plot, outcome)
        for ending in ("svg", "png"):
            path = folder / f"{stem}.{ending}"
            save(figure, path)
            written.append(path)
        plot.close(figure)
    return written


def _frontier(plot: Any, outcome: Outcome) -> Any:
    figure, axes = plot.subplots(1, 2, figsize=(13, 6), layout="constrained", sharex=True)
    floor = outcome.records[0]["floor_unigram"]
    what = f"{outcome.about['class']} words of {outcome.space}"
    for axis, key in zip(axes, ("n50", "loss_random"), strict=True):
        _lines(axis, outcome, "recovery_unigram", key)
        axis.axvline(floor, color="#cccccc", linewidth=1)
        axis.set_xlim(0, 0.6)
        axis.set_xlabel("recovered by an attacker who knows word frequencies (lower is safer)")
    axes[0].annotate(" sees nothing", (floor, 0.97), fontsize=8, color="#777777", va="top")
    axes[0].set_ylim(0, 1)
    axes[0].set_ylabel("changed words that become one of the 50 nearest (n50)")
    axes[0].set_title(f"Meaning kept: higher is better ({what})", fontsize=10)
    axes[1].set_ylim(0, 80)
    axes[1].set_ylabel("proved loss for a random pair of words, nats")
    axes[1].set_title("What is proved: lower is better (custext proves nothing here)", fontsize=10)
    _legend(figure, axes[0])
    return figure


def _by_epsilon(plot: Any, outcome: Outcome) -> Any:
    figure, axes = plot.subplots(1, 2, figsize=(13, 6), layout="constrained", sharex=True)
    for axis, key in zip(axes, ("recovery_unigram", "n50"), strict=True):
        _lines(axis, outcome, "loss_worst", key)
        axis.set_xscale("log")
        axis.set_ylim(0, 1)
        axis.set_xlabel("ε times the largest distance: nats, the plain LDP bound")
    axes[0].set_ylabel("recovered by an attacker who knows word frequencies")
    axes[1].set_ylabel("changed words that become one of the 50 nearest (n50)")
    _legend(figure, axes[0])
    return figure


def _lines(axis: Any, outcome: Outcome, across: str, up: str) -> None:
    seen: dict[str, int] = {}
    for records in outcome.settings():
        name = records[0]["mechanism"]
        number = seen[name] = seen.get(name, -1) + 1
        colour, marker = _STYLES.get(name, ("#555555", "."))
        points = [(one[across], one[up]) for one in records if _both(one, across, up)]
        axis.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=_SHADES.get(number, colour),
            marker=marker,
            markersize=4,
            linestyle=_DASHES[number % len(_DASHES)],
            linewidth=2.2 if name in (BASELINE, "neighbourhood") else 1.2,
            label=records[0]["setting"],
        )
    axis.grid(color="#eeeeee")
    axis.spines[["top", "right"]].set_visible(False)


def _both(record: Record, across: str, up: str) -> bool:
    return record[across] is not None and record[up] is not None


def _legend(figure: Any, axis: Any) -> None:
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=8, frameon=False)
