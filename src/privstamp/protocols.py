"""The contracts of privstamp's parts, to be read in one sitting.

Everything in a Space is public. A part is made once, refuses then what it cannot do, and keeps
no state about texts. `privstamp.testing` checks any part against its contract.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import ClassVar, Literal, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from privstamp.noise import Float64, Noise, Vectors
from privstamp.types import (
    Epsilons,
    Finding,
    Ids,
    Places,
    Prompt,
    Reply,
    Rows,
    Scope,
    Scores,
    Survey,
    Table,
    Units,
    Usage,
)


@runtime_checkable
class Space(Protocol):
    """Units of a text, and all that is public about them.

    Classes partition the rows; a unit is only ever decoded to an output row of its own class.
    Rows outside `outputs` can be inputs and never leave.
    """

    name: str
    fingerprint: str  # over everything below; part of every metric's name
    source: str  # where the table came from, in words
    unit: Table  # rows x dimensions, every row of length one
    radius: npt.NDArray[np.float32]  # row lengths before they were normalised
    classes: tuple[str, ...]
    class_of: npt.NDArray[np.uint8]  # class of each row
    outputs: tuple[Ids, ...]  # per class, ascending row ids that may leave
    prior: npt.NDArray[np.float64]  # public unigram probability of each row

    def split(self, text: str) -> Units:
        """Cut a text into units; between them lie PASSING characters only."""
        ...

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        """Rows as they are written under these labels."""
        ...

    def words(self, rows: Ids) -> list[str]:
        """The plain names of rows, for reports."""
        ...


class Sensitivity(Protocol):
    """What must be protected."""

    name: str
    scope: Scope
    fingerprint: str  # names, versions and hashes of whatever decides

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document, in any order, overlaps allowed."""
        ...


@runtime_checkable
class Across(Protocol):
    """A `Sensitivity` that looks for the names of one text in another one."""

    def across(
        self, first: tuple[Units, list[Finding]], second: tuple[Units, list[Finding]]
    ) -> tuple[list[Finding], list[Finding]]:
        """Findings of two texts that are read together, in order and without overlaps."""
        ...


@runtime_checkable
class PublicWords(Protocol):
    """A `Sensitivity` that knows words which name nobody, wherever they stand."""

    def is_public(self, word: str) -> bool:
        """Whether a word in lower case is one of them; keys and identifiers are made of such."""
        ...


class Importance(Protocol):
    """What the task needs."""

    name: str
    scope: Scope
    fingerprint: str

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        """One score per unit and document, and the threshold from which a unit is important.

        The threshold depends on the task alone; text and task are scored as two documents.
        """
        ...


class Decoder(Protocol):
    """The output row nearest in direction, inside the unit's class."""

    def decode(self, queries: Vectors, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows of `outputs[class]` with the largest cosine; ties go to the lowest row id."""
        ...


@runtime_checkable
class Neighbours(Decoder, Protocol):
    """A decoder that also knows the runner-up, and the nearest vector of the raw table."""

    def decode_two(self, queries: Vectors, classes: npt.NDArray[np.uint8]) -> Ids:
        """The two rows with the largest cosines, one line per query, the nearer one first."""
        ...

    def decode_points(self, points: npt.NDArray[np.float64], classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows whose raw vector lies nearest; the last column is a weight > 0 to divide by."""
        ...


class ExactLaw(Protocol):
    """P(v | w) over the outputs of one class, which are numbered by place.

    `privstamp.mechanisms.stated` has all of it for whoever knows `rows`.
    """

    swept: ClassVar[bool]  # whether a survey goes through all rows, and takes its time

    def rows(self, places: Places, epsilon: float) -> Table:
        """P(. | w), one row per place."""
        ...

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        """P(keep) of every word, and what the best attacker with each prior gets."""
        ...

    def guesses(self, prior: Float64, epsilon: float) -> tuple[Float64, Places]:
        """For every release the largest prior(w) P(v | w), and whose it is."""
        ...

    def column(self, seen: int, epsilon: float) -> Float64 | None:
        """log P(seen | w) of every word, where that is quicker than all rows."""
        ...


class Mechanism(Protocol):
    """Randomises units under a finite, positive epsilon, and states all that is true of it.

    Made as `M(space, metric=...)`, and where `decodes` is true `M(space, metric=..., decoder=...)`,
    with its options as further keyword arguments. Where its class has `budgets`, these are the
    epsilons worth comparing it at. Where it has `shows`, sentences on what its outputs show,
    certificates list them; where it promises nothing of some units of a class, `bounded` is false.
    """

    name: str
    metric: str  # a name that `privstamp.budget.metric` knows; a new one comes by `register`
    metrics: ClassVar[tuple[str, ...]]  # those it can be made for
    decodes: ClassVar[bool]
    diameter: float  # largest finite distance, in its metric, between two units of one class
    guarantee: str  # exact statement, for the certificate
    proof: ClassVar[str]  # the file beside it that proves the statement

    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        """A random output row for each unit, inside the unit's class."""
        ...

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """Its metric, pair by pair of one class; infinite where nothing is promised."""
        ...

    def loss(self, number: int, epsilon: float, distance: Float64 | None = None) -> Float64:
        """Nats proved for units of a class so far apart; without a distance, for any two."""
        ...

    def law(self, number: int) -> ExactLaw | None:
        """Its exact law over a class, or nothing where draws, or a channel, are all there is."""
        ...


@runtime_checkable
class Discrete(Protocol):
    """A mechanism that also knows its exact distribution."""

    def channel(self, ids: Ids, epsilon: Epsilons) -> Rows:
        """P(row | id), one row of the result per unit, one column per row of the table."""
        ...


@runtime_checkable
class Directional(Protocol):
    """A mechanism that draws a direction and then decodes it: whoever saw it would know more."""

    name: str

    def directions(self, ids: Ids, epsilon: float, noise: Noise) -> tuple[Vectors, float]:
        """Noisy directions, and the kappa of exp(kappa * cosine), by which words explain them."""
        ...


class Measure(Protocol):
    """How well each output of a class reads at a position, in logarithms."""

    @property
    def upper(self) -> Float64: ...  # exact where settled, else a bound from above

    @property
    def settled(self) -> npt.NDArray[np.bool_]: ...

    def settle(self, place: int) -> float:
        """Ask the model about one output; its exact value."""
        ...


@runtime_checkable
class Fluent(Protocol):
    """A mechanism with a language model beside it: drawn in reading order, one unit at a time."""

    mechanism: Mechanism  # the same without a model
    fluency: float  # power of the model
    by: ClassVar[Literal["law", "decoding"]]
    constant: ClassVar[Literal["nominal", "own"]]

    def draw(self, row: int, epsilon: float, base: Measure, noise: Noise) -> int:
        """Place, among the outputs of the row's class, of what one unit becomes."""
        ...


class Replacement(Protocol):
    """The release at epsilon 0: a string that depends on public labels and noise alone.

    Where it has `shows`, sentences on what else a receiver sees, certificates list them.
    """

    name: str
    fingerprint: str  # of pools, and whatever else decides a draw
    shaped: ClassVar[bool]  # whether it takes on the unit's form and case, or stands out

    def whole(self, kind: str) -> bool:
        """Whether a span of this type is replaced as one rather than unit by unit."""
        ...

    def draw(self, kind: str, entity: int, form: str, noise: Noise, attempt: int) -> str:
        """A string for the `entity`-th distinct thing of its kind.

        `form` is the visible shape (see `privstamp.mechanisms.form`); `attempt` counts redraws
        after a collision with something already released.
        """
        ...


class Valued(Protocol):
    """Releases a number or date by its value, not blindly: the certificate says at what cost."""

    name: str
    kind: str  # of findings
    unit: str | None  # the spans of this kind that end so; None: all
    epsilon: float
    proof: ClassVar[str]

    @property
    def distance(self) -> str: ...  # what epsilon is counted by

    @property
    def diameter(self) -> float: ...  # the largest of these distances

    @property
    def guarantee(self) -> str: ...

    def takes(self, kind: str, text: str) -> bool:
        """Whether a span is one of its own."""
        ...

    def draws(self, text: str) -> int:
        """Independent draws that a span takes."""
        ...

    def place(self, index: int) -> int:
        """Whose noise a span reads, by the place of its first unit."""
        ...

    def release(self, text: str, noise: Noise) -> str:
        """The span as it is released."""
        ...


class LanguageModel(Protocol):
    """A public causal language model on this machine. Only what was released is ever shown to it.

    Usable in a `with`; `close()` gives back what the backend holds.
    """

    name: str
    fingerprint: str  # of weights, tokenizer and the rule by which a context is cut

    def pieces(self, text: str) -> list[int]:
        """Piece ids of a string as it continues a text; no markers are added or matched."""
        ...

    def next_logprobs(self, prefix: str, continuation: Sequence[int] = ()) -> Rows:
        """log p(next piece | start, prefix, continuation) over the whole vocabulary; all finite.

        Successive calls that grow a prefix, or return to it, are cheap.
        """
        ...

    def loss(self, text: str) -> tuple[float, int]:
        """Summed negative log probability of a text's pieces in nats, and how many there are."""
        ...

    def close(self) -> None:
        """Free the model; a second call does nothing."""
        ...


class Answerer(Protocol):
    """A model that answers prompts, on this machine or at an endpoint. Usable in a `with`."""

    name: str  # for results
    fingerprint: str  # of all that a reply depends on but the prompt, temperature and length
    place: str  # "this machine", or the host that sees every prompt

    @property
    def usage(self) -> Usage:
        """What it has been asked since it was made."""
        ...

    def complete(
        self, prompts: Sequence[Prompt], *, temperature: float, max_tokens: int
    ) -> list[Reply]:
        """One reply per prompt, in the order given; no error holds a prompt or a reply."""
        ...

    def close(self) -> None:
        """Give back what is held; a second call does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Repair(Protocol):
    """Smooths released text. It is shown windows of what was released, and nothing else.

    What it proposes is checked before it is used. It may raise: the text then stays as released.
    """

    name: str
    fingerprint: str  # of all that a proposal depends on
    place: str  # "this machine", or the host that gets to read the released text
    repeatable: bool  # whether the same window always gets the same proposal

    def rewrite(self, windows: Sequence[str], *, again: bool = False) -> list[str]:
        """A proposal per window, in order. `again`: their first proposals were refused."""
        ...
