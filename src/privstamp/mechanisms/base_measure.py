"""What a public language model expects next, over the outputs of a class. Proof: fluency.md.

The measure of an output is the probability of all pieces of it as it would be written. One call of
the model bounds it for every output, by the first piece; further pieces are looked up only where a
draw needs them. It sees the released text and public labels, never a unit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.spelling import Spelling, Spellings
from privstamp.noise import Float64
from privstamp.protocols import LanguageModel


class BaseMeasure:
    """log m(v | context): `upper` bounds it for every output, `settle` finds it for one."""

    def __init__(self, model: LanguageModel, context: str, spelling: Spelling) -> None:
        self._model = model
        self._context = context
        self._spelling = spelling
        self._depth = np.ones(len(spelling.lengths), dtype=np.int32)
        self.upper: Float64 = self._next(())[spelling.pieces[:, 0]]

    @classmethod
    def after(
        cls, model: LanguageModel, released: str, spellings: Spellings, number: int, label: int
    ) -> BaseMeasure:
        """Of a class's outputs under a label; a blank at the end of what is released is theirs."""
        lead = " " if released.endswith(" ") else ""
        context = released[: len(released) - len(lead)]
        return cls(model, context, spellings.of(number, label, lead))

    def _next(self, head: tuple[int, ...]) -> Float64:
        # No piece is likelier than one, also as rounded: bounds only ever fall.
        out: Float64 = np.minimum(self._model.next_logprobs(self._context, head), 0.0)
        return out

    @property
    def settled(self) -> npt.NDArray[np.bool_]:
        """Where the bound is the measure itself."""
        done: npt.NDArray[np.bool_] = self._depth == self._spelling.lengths
        return done

    def settle(self, place: int) -> float:
        """log m of one output. What is learnt on the way lowers the bounds of all that share it."""
        pieces, lengths = self._spelling.pieces, self._spelling.lengths
        while (depth := int(self._depth[place])) < lengths[place]:
            head = pieces[place, :depth]
            alike = np.flatnonzero((pieces[:, :depth] == head).all(axis=1) & (lengths > depth))
            following = self._next(tuple(head.tolist()))
            self.upper[alike] += following[pieces[alike, depth]]
            self._depth[alike] = depth + 1
        return float(self.upper[place])
