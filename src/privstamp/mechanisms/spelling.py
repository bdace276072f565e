"""How the outputs of a class are spelt in the pieces of a language model. All of it is public."""

from __future__ import annotations

from collections import OrderedDict
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.crew.threads import Lock
from privstamp.protocols import LanguageModel, Space
from privstamp.spaces.hops import outputs_key
from privstamp.types import Label

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
        found = [model.pieces(word) for word in written]
        if not all(found):
            raise ValueError("the language model has no pieces for an output")
        pieces = np.full((len(found), max(map(len, found))), _NONE, dtype=np.int32)
        for line, one in zip(pieces, found, strict=True):
            line[: len(one)] = one
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
            made = Spelling(np.load(self._folder / _file(*key), allow_pickle=False))
        else:
            made = self._spell(*key)
        with self._lock:
            self._held[key] = made
            while len(self._held) > 1 and self._bytes() > self._most:
                self._held.popitem(last=False)
        return made

    def _bytes(self) -> int:
        return sum(one.nbytes for one in self._held.values())

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
