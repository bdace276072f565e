"""An output drawn by steps along the public graph of neighbours. Proof: neighbourhood.md.

A draw has two parts: the number of steps, by the exact sizes of the shells around the unit, and
then any member of that shell. So no pass over the vocabulary is needed to weigh it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from privstamp.errors import BudgetError, suggest
from privstamp.mechanisms._discrete import DiscreteMechanism, Index, Recent, fine_uniforms
from privstamp.mechanisms._geometry import (
    CONSTANTS,
    SLACK,
    counted,
    log_normalisers,
    proved,
    scores,
    tight_scale,
)
from privstamp.mechanisms.decoded import refuse_units
from privstamp.mechanisms.stated import Steps
from privstamp.noise import Float64, Noise
from privstamp.protocols import ExactLaw, Space
from privstamp.spaces.graph import Graph, neighbour_graph
from privstamp.spaces.hops import Steps as Hops
from privstamp.types import Epsilons, Ids

_UNITS = 8192
"""Units that are worked on at a time."""


class Neighbourhood(DiscreteMechanism):
    """P(v | w) ~ exp(-s * max(steps(w, v) - plateau, 0)) with epsilon / 2 <= s < epsilon.

    With a plateau of r a unit is no likelier to stay than to become any row within r steps; in the
    classes named `sharp` there is none. With a reach of c all that is more than r + c steps away is
    equally likely. With `alike` the graph links words of like frequency.
    """

    name = "neighbourhood"
    metrics: ClassVar[tuple[str, ...]] = ("hops",)
    proof: ClassVar[str] = "neighbourhood.md"

    def __init__(
        self,
        space: Space,
        *,
        metric: str = "hops",
        k: int = 8,
        plateau: int = 0,
        sharp: Sequence[str] = (),
        reach: int | None = None,
        alike: int = 0,
        constant: str = "tight",
    ) -> None:
        if isinstance(plateau, bool) or not isinstance(plateau, int) or plateau < 0:
            raise BudgetError("plateau is a number of steps: 0, 1, 2, ...")
        if reach is not None and (
            isinstance(reach, bool) or not isinstance(reach, int) or reach < 1
        ):
            raise BudgetError("reach is a number of steps: 1, 2, ...; leave it out to count all")
        if constant not in CONSTANTS:
            raise BudgetError(f'no constant "{constant}".{suggest(constant, CONSTANTS)}')
        for name in sharp:
            if name not in space.classes:
                raise BudgetError(
                    f'sharp: no class "{name}" in {space.name}.{suggest(name, space.classes)}'
                )
        super().__init__(space, metric)
        self.graph: Graph = neighbour_graph(space, k, alike)  # C4: connected by construction
        self.plateaus = tuple(0 if name in sharp else plateau for name in space.classes)
        self.reach = reach
        self.constant = constant
        most = max(map(self.counted, range(len(space.classes))))
        self.diameter = float(max(most, 1))
        self.scale = lru_cache(maxsize=4096)(self._scale)
        self._balls: Recent[tuple[int, int], Hops] = Recent()
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon * d) times as likely for one as for the other, where d is the number of "
            f"steps between them (or the outputs nearest to them) along the public graph of {k} "
            f"{'near neighbours of like frequency' if alike else 'nearest neighbours'} "
            f"({self.graph.fingerprint[:12]}) of {space.name} ({space.fingerprint[:12]}), "
            f"{'at most' if reach is None else 'counted up to'} {most}."
        )

    def counted(self, number: int) -> int:
        """Steps up to which a distance counts in a class: its diameter, or less by `reach`."""
        return counted(self.graph.classes[number], self.reach)

    def _scale(self, number: int, epsilon: float) -> float:
        """The multiplier s of the score that epsilon buys in a class: a public number."""
        if self.constant == "nominal":
            return epsilon / 2.0
        return tight_scale(self.graph.classes[number], self.plateaus[number], epsilon, self.reach)

    def proved(self, number: int, epsilon: float) -> float:
        """The loss per step that is proved for a class at this epsilon: epsilon or a bit less."""
        graph = self.graph.classes[number]
        return proved(graph, self.plateaus[number], self.scale(number, epsilon), self.reach)

    def nominal(self, number: int, epsilon: float) -> float:
        """The loss per step that the general argument alone would state for the same noise."""
        return 2.0 * self.scale(number, epsilon)

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """Steps along the graph, pair by pair."""
        nodes, goals = self.graph.nodes(ids).astype(np.int64), self.graph.nodes(others)
        apart = np.empty(len(ids))
        for number in np.unique(self._space.class_of[ids]).tolist():
            here = np.flatnonzero(self._space.class_of[ids] == number)
            steps = self.graph.classes[number].sweeps.hops(nodes[here])
            apart[here] = steps[np.arange(len(here)), goals[here]]
        return apart

    def loss(self, number: int, epsilon: float, distance: Float64 | None = None) -> Float64:
        """Most that an output can tell two units this far apart, in nats: epsilon * steps or less.

        Far apart it is less: normalisers differ by no more than their range over the class.
        """
        graph, scale = self.graph.classes[number], self.scale(number, epsilon)
        steps = np.minimum(graph.diameter if distance is None else distance, self.counted(number))
        log_z = log_normalisers(graph, self.plateaus[number], scale, self.reach)
        spread = float(log_z.max() - log_z.min()) + SLACK
        moved = scale * np.minimum(steps, float(self.scores(number)[-1]))
        proved: Float64 = np.minimum(epsilon * steps, moved + spread)
        return proved

    def law(self, number: int) -> ExactLaw | None:
        graph, paid = self.graph.classes[number], self.scores(number)
        return Steps(graph, paid, lambda epsilon: self.scale(number, epsilon))

    def _log_weights(self, row: int, epsilon: float) -> Float64:
        return self.scale(int(self._space.class_of[row]), epsilon) * self._score(row)

    def half_scores(self, row: int, epsilon: float) -> Float64:
        """For a base measure: a tight constant would not hold under any that moves."""
        return 0.5 * epsilon * self._score(row)

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:
        """log P(drawn row | v) of each output v, normalisers and all."""
        graph, plateau = self.graph.classes[number], self.plateaus[number]
        normalisers = log_normalisers(graph, plateau, self.scale(number, epsilon), self.reach)
        return self._log_weights(int(noisy[0]), epsilon) - normalisers

    def _score(self, row: int) -> Float64:
        number = int(self._space.class_of[row])
        node = int(self.graph.nodes(np.array([row], dtype=np.int32))[0])
        [steps] = self._balls.get([(number, node)], self._hops)
        return -self.scores(number)[steps]

    def _hops(self, nodes: Sequence[tuple[int, int]]) -> list[Hops]:
        """Steps from nodes to all others of their class."""
        return [self.graph.classes[n].sweeps.hops(np.array([node]))[0] for n, node in nodes]

    def scores(self, number: int) -> Float64:
        """What an output of a class pays at each number of steps."""
        return scores(self.graph.classes[number], self.plateaus[number], self.reach)

    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        """A random output row for each unit, inside the unit's class."""
        refuse_units(self._space, ids, epsilon, noise)  # C3
        out = np.empty(len(ids), dtype=np.int32)
        nodes, classes = self.graph.nodes(ids).astype(np.int64), self._space.class_of[ids]
        # Equal units together, so that a block meets each once; noise is addressed.
        order = np.lexsort((nodes, classes))
        for start in range(0, len(ids), _UNITS):
            block = order[start : start + _UNITS]
            first, second = fine_uniforms(noise.take(block))
            for number in np.unique(classes[block]).tolist():
                here = classes[block] == number
                unit, member = nodes[block[here]], self._space.outputs[number]
                shell = self._shells(number, unit, epsilon[block[here]], first[here])
                out[block[here]] = member[self._members(number, unit, shell, second[here])]
        return out

    def _shells(self, number: int, nodes: Index, epsilon: Epsilons, uniform: Float64) -> Index:
        """How many steps away each unit's output lies; rare shells first, as in `_laws`."""
        graph = self.graph.classes[number]
        values, which = np.unique(epsilon, return_inverse=True)
        scale = np.array([self.scale(number, strength) for strength in values.tolist()])[which]
        weights = graph.shells[nodes] * np.exp(-scale[:, None] * self.scores(number))
        order = np.argsort(weights, axis=1, kind="stable")
        sums = np.take_along_axis(weights, order, axis=1).cumsum(axis=1)
        place = (sums <= (uniform * sums[:, -1])[:, None]).sum(axis=1)
        place = np.minimum(place, order.shape[1] - 1)
        shell: Index = np.take_along_axis(order, place[:, None], axis=1)[:, 0]
        return shell

    def _members(self, number: int, nodes: Index, shell: Index, uniform: Float64) -> Index:
        """A uniform member of each unit's shell."""
        return self.graph.classes[number].sweeps.pick(nodes, shell, uniform)
