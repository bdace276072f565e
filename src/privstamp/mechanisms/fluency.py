"""Fluency: a public language model beside a mechanism. Proof: fluency.md.

The model sees what was released already, never the text, so the promise holds whatever it says. By
decoding, it helps to choose an output that explains what the mechanism drew. By law, it is the base
measure of the draw itself, under the nominal constant.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import ClassVar, Final, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.errors import BudgetError, Incompatible, suggest
from privstamp.mechanisms._discrete import Recent, Weighted, fine_uniforms, fraction, weights
from privstamp.mechanisms.decoded import refuse_units
from privstamp.noise import Float64, Noise
from privstamp.protocols import ExactLaw, LanguageModel, Measure, Mechanism, Space
from privstamp.spaces.hops import outputs_key
from privstamp.types import Epsilons, Ids, Label, Rows

# What a public language model expects next over the outputs of a class, and how it spells them.

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
        self._recent: Recent[tuple[int, int, str], Spelling] = Recent(most)
        large = sum(map(len, space.outputs)) > _SMALL
        self._folder = self._prepared() if large else None

    def of(self, number: int, label: int, lead: str) -> Spelling:
        """The spelling of all outputs of a class."""
        [spelling] = self._recent.get([(number, label, lead)], self._found)
        return spelling

    def _found(self, keys: Sequence[tuple[int, int, str]]) -> list[Spelling]:
        return [self._read(*key) for key in keys]

    def _read(self, number: int, label: int, lead: str) -> Spelling:
        if self._folder is None or (label, lead) not in COMMON:
            return self._spell(number, label, lead)
        file = self._folder / _file(number, label, lead)
        return Spelling(np.load(file, allow_pickle=False))

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


MOST: Final = 1000
"""Power beyond which the model alone would decide, and weights would no longer be numbers."""


@runtime_checkable
class Scored(Protocol):
    """A mechanism whose law is exp(epsilon / 2 * score), the score 1-Lipschitz in the unit."""

    def half_scores(self, row: int, epsilon: float) -> Float64:
        """epsilon / 2 * score of each output of the row's class: holds under any base measure."""
        ...


@runtime_checkable
class Explained(Protocol):
    """A mechanism that knows how well each output explains what it drew."""

    def noisy(self, row: int, epsilon: float, noise: Noise) -> Float64:
        """What is drawn for one unit, a noisy vector or a row: all else is post-processing."""
        ...

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:
        """Of what was drawn, given each output of a class, up to a constant."""
        ...


class WithModel(ABC):
    """A mechanism with a language model beside it. `draw` is one step of a text."""

    decodes: ClassVar[bool] = False
    proof: ClassVar[str] = "fluency.md"
    metrics: ClassVar[tuple[str, ...]] = ()
    by: ClassVar[Literal["law", "decoding"]]
    constant: ClassVar[Literal["nominal", "own"]]

    def __init__(self, space: Space, mechanism: Mechanism, fluency: float) -> None:
        self.name = mechanism.name
        self.metric = mechanism.metric
        self.diameter = mechanism.diameter
        self.bounded = bool(getattr(mechanism, "bounded", True))
        self.shows: tuple[str, ...] = getattr(mechanism, "shows", ())
        self.mechanism = mechanism
        self.fluency = fluency
        self._space = space
        self.guarantee = (
            f"{mechanism.guarantee} This holds at each position given all that was released before "
            "it, whatever the language model, which sees released text and public labels alone "
            f"(power {fluency:g}, {self.constant} constant)."
        )

    def distance(self, ids: Ids, others: Ids) -> Float64:
        return self.mechanism.distance(ids, others)

    def loss(self, number: int, epsilon: float, distance: Float64 | None = None) -> Float64:
        return self.mechanism.loss(number, epsilon, distance)

    def law(self, number: int) -> ExactLaw | None:  # noqa: ARG002
        """Of what `privatize` draws, without a text to go by."""
        return None

    @abstractmethod
    def draw(self, row: int, epsilon: float, base: Measure, noise: Noise) -> int:
        """Place, among the outputs of the row's class, of what one unit becomes."""

    @abstractmethod
    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        """Without a text to go by."""


class FluentScored(WithModel):
    """P(v | w, released) ~ exp(epsilon / 2 * score(w, v)) * m(v | released)^fluency, exactly."""

    by: ClassVar[Literal["law", "decoding"]] = "law"
    constant: ClassVar[Literal["nominal", "own"]] = "nominal"

    def __init__(self, space: Space, mechanism: Mechanism, fluency: float) -> None:
        super().__init__(space, mechanism, fluency)
        if not isinstance(mechanism, Scored):
            raise TypeError("not a scored mechanism")
        self._half_scores = mechanism.half_scores

    def draw(self, row: int, epsilon: float, base: Measure, noise: Noise) -> int:
        """Rejection from a bound that falls with every refusal, so that it ends."""
        ids = np.array([row], dtype=np.int32)
        refuse_units(self._space, ids, np.array([epsilon]), noise)  # C3
        scores = self._half_scores(row, epsilon)
        for attempt in range(len(scores) + 1):
            # Drawn by an upper bound of the law, and accepted with the law's share of the bound:
            # what is accepted has the law itself. A refusal settles its word, so bounds only fall.
            bounds = scores + self.fluency * base.upper
            first, second = fine_uniforms(noise, attempt)
            place = int(Weighted(weights(bounds)).draw(first, second)[0])
            bound, measure = float(base.upper[place]), base.settle(place)
            if math.log(fraction(noise, attempt)) <= self.fluency * (measure - bound):
                return place
        raise AssertionError("every output is settled and none was accepted")  # proof, step 4

    def law_given(self, row: int, epsilon: float, base: Measure) -> Float64:
        """The exact law over the outputs of the class; scores every word, so for small tables."""
        for place in np.flatnonzero(~base.settled).tolist():
            base.settle(place)
        law = weights(self._half_scores(row, epsilon) + self.fluency * base.upper)
        exact: Float64 = law / law.sum()
        return exact

    def channel(self, ids: Ids, epsilon: Epsilons) -> Rows:
        """The law of `privatize`: every word fits alike."""
        refuse_units(self._space, ids, epsilon)
        rows = np.zeros((len(ids), len(self._space.unit)))
        for out, row, strength in zip(rows, ids.tolist(), epsilon.tolist(), strict=True):
            law = weights(self._half_scores(row, strength))
            out[self._space.outputs[self._space.class_of[row]]] = law / law.sum()
        return rows

    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        refuse_units(self._space, ids, epsilon, noise)
        out = np.empty(len(ids), dtype=np.int32)
        first, second = fine_uniforms(noise)
        for place, (row, strength) in enumerate(zip(ids.tolist(), epsilon.tolist(), strict=True)):
            law, here = Weighted(weights(self._half_scores(row, strength))), slice(place, place + 1)
            outputs = self._space.outputs[self._space.class_of[row]]
            out[place] = outputs[law.draw(first[here], second[here])[0]]
        return out


class FluentDecoded(WithModel):
    """The output that best explains what the mechanism drew, and reads best, exactly.

    It reads the draw and not the unit, so a mechanism keeps its own constant, tight or not.
    """

    by: ClassVar[Literal["law", "decoding"]] = "decoding"
    constant: ClassVar[Literal["nominal", "own"]] = "own"

    def __init__(self, space: Space, mechanism: Mechanism, fluency: float) -> None:
        super().__init__(space, mechanism, fluency)
        if not isinstance(mechanism, Explained):
            raise TypeError("not a mechanism that explains its noise")
        self._noisy, self._log_likelihood = mechanism.noisy, mechanism.log_likelihood

    def draw(self, row: int, epsilon: float, base: Measure, noise: Noise) -> int:
        number = int(self._space.class_of[row])
        return self._decode(self._noisy(row, epsilon, noise), number, epsilon, base)

    def _decode(self, noisy: Float64, number: int, epsilon: float, base: Measure) -> int:
        """It is not given the unit, so it cannot cost privacy. Ties go to the lowest row."""
        fit = self._log_likelihood(noisy, number, epsilon)
        while True:
            # The best by upper bounds is the best of all once its own bound is exact.
            place = int(np.argmax(fit + self.fluency * base.upper))
            if base.settled[place]:
                return place
            base.settle(place)

    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        return self.mechanism.privatize(ids, epsilon, noise)


WAYS: Final[dict[str, tuple[type, type[WithModel]]]] = {
    "decoding": (Explained, FluentDecoded),
    "law": (Scored, FluentScored),
}


def fluent(space: Space, mechanism: Mechanism, fluency: float, by: str = "decoding") -> Mechanism:
    """The mechanism with a base measure; as it is if fluency is 0; refused if it can have none."""
    named = isinstance(fluency, int | float) and not isinstance(fluency, bool)
    if not named or not 0 <= fluency <= MOST:  # C4
        raise BudgetError(f"fluency is the power of the language model: 0 (off) to {MOST}")
    if not isinstance(by, str) or by not in WAYS:
        raise BudgetError(f'no way "{by}" of fluency_by.{suggest(str(by), WAYS)}')
    if fluency == 0:
        return mechanism
    needed, kind = WAYS[by]
    if not isinstance(mechanism, needed):  # C5
        raise Incompatible(
            f'mechanism "{mechanism.name}" cannot take a language model by {by}: leave fluency out'
        )
    return kind(space, mechanism, float(fluency))
