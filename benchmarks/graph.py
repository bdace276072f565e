"""The public graphs of the default space: the tables of docs/concepts/mechanisms.md.

python benchmarks/graph.py
python benchmarks/graph.py --ship     # makes the graph of the default policy again, for the package
"""

from __future__ import annotations

import sys

import numpy as np

from privstamp.policy import Policy
from privstamp.registry import SPACES
from privstamp.spaces.glove import ship
from privstamp.spaces.graph import _build, neighbour_graph, recipe_of


def main() -> None:
    space, options = SPACES.build("glove", {}), Policy.preset("readable").mechanism.options
    for k, alike in ((8, 0), (options["k"], options["alike"])):
        print(f"k = {k}, alike = {alike}\n")
        print(
            "| class | words | links (median, most) | steps (mean, most) | parts before linking |"
        )
        print("|---|---|---|---|---|")
        for name, graph in zip(
            space.classes, neighbour_graph(space, k, alike).classes, strict=True
        ):
            links = np.diff(graph.start)
            print(
                f"| {name} | {len(links):,} | {np.median(links):.0f}, {links.max()} | "
                f"{graph.mean_distance:.1f}, {graph.diameter} | {graph.islands} |"
            )
        print()


def rebuild() -> None:
    """The graph that the preset `readable` names, made from the table alone."""
    space, options = SPACES.build("glove", {}), Policy.preset("readable").mechanism.options
    k, alike = options["k"], options.get("alike", 0)
    place = ship(recipe_of(space, k, alike), list(_build(space, k, alike)))
    print(f"{place.name}: {place.stat().st_size:,} bytes")


if __name__ == "__main__":
    rebuild() if "--ship" in sys.argv else main()
