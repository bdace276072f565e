"""The public graph of the default space: the table of docs/mechanisms-graph.md.

python benchmarks/graph.py
"""

from __future__ import annotations

import numpy as np

from privstamp.registry import SPACES
from privstamp.spaces.graph import neighbour_graph


def main() -> None:
    space = SPACES.build("glove", {})
    print("| class | words | links (median, most) | steps (mean, most) | parts before linking |")
    print("|---|---|---|---|---|")
    for name, graph in zip(space.classes, neighbour_graph(space).classes, strict=True):
        links = np.diff(graph.start)
        print(
            f"| {name} | {len(links):,} | {np.median(links):.0f}, {links.max()} | "
            f"{graph.mean_distance:.1f}, {graph.diameter} | {graph.islands} |"
        )


if __name__ == "__main__":
    main()
