"""What a public language model expects next over the outputs of a class, and how it spells them."""

from __future__ import annotations

from collections import OrderedDict
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.crew.threads import Lock
from privstamp.noise import Float64
from privstamp.protocols import LanguageModel, Space
from privstamp.spaces.hops import outputs_key
from privstamp.types import Label

# How the outputs of a class are spelt in the pieces of a language model. All of it is public.

Pieces = npt.NDArray[np.int32]
CACHE_BYTES: Final = 96 << 20
COMMON: Final = tuple(product((int(Label.LOWER), int(Label.TITLE)), (" ", "")))
"""Labels, and what stands before the word, that are spelt before any text is seen."""
_SMALL: Final = 5000  # outputs that are spelt in no time
_FORMAT: Final = "1"
_NONE: Final = -1


class Spelling:
    """The pieces of every output of a class under one label: one line each, filled up with -1."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.lengths = np.asarray((pieces != _NONE).sum(axis=1), dtype=np.int32)
        self.nbytes = pieces.nbytes + self.lengths.nbytes

    @classmethod
    def of(cls, written: list[str], model: LanguageModel) -> Spelling:
        spelt = [model.pieces(word) for word in written]
        if not all(spelt):
            raise ValueError("the language model has no pieces for an output")
        pieces = np.full((len(spelt), max(map(len, spelt))), _NONE, dtype=np.int32)
        for line, spelling in zip(pieces, spelt, strict=True):
            line[: len(spelling)] = spelling
        return cls(pieces)


class Spellings:
    """By class, label, and whether a blank stands before the word.

    Common ones are made when this is, and kept on disk: a file that appears when a text needs it
    would tell something of the text. The others are made when asked for and forgotten.
    """

    def __init__(self, space: Space, model: LanguageModel, most: int = CACHE_BYTES) -> None:
        self._space = space
        self._model = model
        self._most = most
        self._held: OrderedDict[tuple[int, int, str], Spelling] = OrderedDict()
        self._lock = Lock(self._held.clear)
        large = sum(map(len, space.outputs)) > _SMALL
        self._folder = self._prepared() if large else None

    def of(self, number: int, label: int, lead: str) -> Spelling:
        """The spelling of all outputs of a class."""
        key = number, label, lead
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        if self._folder is not None and (label, lead) in COMMON:
            spelling = Spelling(np.load(self._folder / _file(*key), allow_pickle=False))
        else:
            spelling = self._spell(*key)
        with self._lock:
            self._held[key] = spelling
            while len(self._held) > 1 and self._bytes() > self._most:
                self._held.popitem(last=False)
        return spelling

    def _bytes(self) -> int:
        return sum(spelling.nbytes for spelling in self._held.values())

    def _spell(self, number: int, label: int, lead: str) -> Spelling:
        outputs = self._space.outputs[number]
        labels = np.full(len(outputs), label, dtype=np.uint8)
        written = self._space.render(outputs, labels)
        return Spelling.of([lead + word for word in written], self._model)

    def _prepared(self) -> Path:
        space, model = self._space, self._model
        recipe = {
            "space": space.fingerprint,
            "outputs": outputs_key(space),
            "model": model.fingerprint,
            "format": _FORMAT,
        }

        def build(folder: Path) -> None:
            for number in range(len(space.classes)):
                for label, lead in COMMON:
                    pieces = self._spell(number, label, lead).pieces
                    np.save(folder / _file(number, label, lead), pieces)

        return derived("spellings", recipe, build, label=f"spelling words for {model.name} (once)")


def _file(number: int, label: int, lead: str) -> str:
    return f"{number}-{label}-{len(lead)}.npy"


# What a public language model expects next, over the outputs of a class. Proof: fluency.md.
#
# The measure of an output is the probability of all pieces of it as it would be written. One call
# of the model bounds it for every output, by the first piece; further pieces are looked up only
# where a draw needs them. It sees the released text and public labels, never a unit.


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
