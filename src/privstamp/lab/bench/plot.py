"""A picture of the benchmark. Needs the extra `plots`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from privstamp.lab.report.plot import pyplot, save

_STYLES: Final = {
    "published": ("#999999", "o", "published approach"),
    "one-shot": ("#d9a441", "v", "one product, argmax"),
    "faiss flat": ("#a86fb5", "s", "faiss flat"),
    "float32": ("#3b6fb6", "D", "privstamp, float32"),
    "packed": ("#5dade2", "d", "privstamp, float32 laid out"),
    "int8": ("#1e8449", "P", "privstamp, certified int8"),
    "noise": ("#000000", "x", "privstamp, noise alone"),
}


def draw(record: Mapping[str, Any], path: Path) -> None:
    """Milliseconds per token by units, by rows and by dimensions, around the first size."""
    plot = pyplot()
    figure, panes = plot.subplots(1, 3, figsize=(12, 4.4), sharey=True, layout="constrained")
    fixed = record["searches"][0]["size"]
    titles = {"units": "units at a time", "rows": "rows of the table", "dimensions": "dimensions"}
    for pane, axis in zip(panes, fixed, strict=True):
        others = {name: value for name, value in fixed.items() if name != axis}
        mine = [
            one
            for one in record["searches"]
            if all(one["size"][name] == value for name, value in others.items())
        ]
        mine.sort(key=lambda one: one["size"][axis])
        for way, (colour, marker, label) in _STYLES.items():
            points = [
                (one["size"][axis], 1e3 * one["seconds"][way] / one["size"]["units"])
                for one in mine
                if way in one["seconds"]
            ]
            if points:
                pane.plot(*zip(*points, strict=True), color=colour, marker=marker, label=label)
        pane.set(xscale="log", yscale="log", xlabel=titles[axis])
        pane.grid(visible=True, alpha=0.3)
    panes[0].set_ylabel("milliseconds per token")
    shown = panes[0].get_legend_handles_labels()
    figure.legend(*shown, loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle(
        f"{fixed['units']:,} units, {fixed['rows']:,} rows, {fixed['dimensions']:,} dimensions: "
        "one of them varied"
    )
    save(figure, path)
    plot.close(figure)
