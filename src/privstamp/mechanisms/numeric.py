"""Noise on a number's value: a whole number of steps along a public grid. Proof: numeric.md.

For a sensitive number whose value matters to the task: an age, a salary, a vital sign. Never for
identifiers, which have no value.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal, InvalidOperation, localcontext
from typing import Any, ClassVar, Final, Literal

from privstamp.errors import PolicyError
from privstamp.noise import Lane, Noise
from privstamp.protocols import Valued

Metric = Literal["absolute", "ratio"]
BITS: Final = 32
"""Probabilities of one step are whole multiples of 2^-32."""
LARGEST: Final = 4096
"""Points of a grid."""
_DIGITS: Final = 50
_EXACT: Final = Context(prec=_DIGITS + 10)
_FIGURE: Final = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f ]\d+)*")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:([.,'\u2019\u00a0\u202f ])\d{3})(?:\1\d{3})*")
_SCALES: Final = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9}
_SCALE: Final = re.compile(r"[ -]?(k|thousand|mn|m|million|bn|billion)(?![^\W_])", re.IGNORECASE)


class Numeric:
    """Metric LDP for values of one kind, and of one unit if it is given.

    `metric` says between which values the loss grows: absolute, epsilon for 1 of the unit; ratio,
    epsilon for a factor of e. `step` is the grid's: an amount, or a share of the value.
    """

    name: Final = "numeric"
    proof: ClassVar[str] = "numeric.md"

    def __init__(
        self,
        *,
        kind: str,
        low: float,
        high: float,
        epsilon: float,
        step: float = 1,
        metric: Metric = "absolute",
        unit: str | None = None,
    ) -> None:
        self.kind, self.unit, self.metric = kind, unit, metric
        self.epsilon = float(_positive("epsilon", epsilon))
        self.grid = _grid(
            _number("low", low), _number("high", high), _positive("step", step), metric
        )
        self._edges = [(a + b) / 2 for a, b in zip(self.grid, self.grid[1:], strict=False)]
        width = _positive("step", step)
        with localcontext(_EXACT):
            length = (1 + width).ln() if metric == "ratio" else width
            self.stay = _stay(_positive("epsilon", epsilon) * length)  # C2
        self._digits = max(0, -int(self.grid[0].as_tuple().exponent))

    @property
    def distance(self) -> str:
        """What epsilon is counted by."""
        return "|x - x'|" if self.metric == "absolute" else "|ln x - ln x'|"

    @property
    def diameter(self) -> float:
        """The largest distance between two values."""
        low, high = self.grid[0], self.grid[-1]
        return float(high - low) if self.metric == "absolute" else float((high / low).ln())

    @property
    def guarantee(self) -> str:
        return (
            f"metric LDP: of two values x, x' of a {self.kind} on the grid from {self.grid[0]} to "
            f"{self.grid[-1]}, nearest to what is written, no output is more than "
            f"exp({self.epsilon:g} {self.distance}) times as likely"
        )

    def takes(self, kind: str, text: str) -> bool:
        """Whether a span of this kind is one of its numbers."""
        fits = self.unit is None or text.rstrip(".").endswith(self.unit)
        return kind == self.kind and fits and _FIGURE.search(text) is not None

    def draws(self, text: str) -> int:
        """How many numbers of a span are moved, each by itself."""
        return len(_FIGURE.findall(text))

    def place(self, index: int) -> int:
        """The unit whose noise is read: the span's first."""
        return index

    def channel(self, index: int) -> list[tuple[int, int]]:
        """The exact law of a grid value: (numerator, denominator) for every point of the grid.

        >>> law = Numeric(kind="AGE", low=18, high=89, epsilon=0.5).channel(40)  # of 58
        >>> [round(sum(a / b for a, b in law[40 - n : 41 + n]), 2) for n in (0, 3)]
        [0.24, 0.83]
        """
        full, step = 1 << BITS, self.stay
        last = len(self.grid) - 1

        def tail(steps: int) -> tuple[int, int]:  # P(noise >= steps)
            if steps <= 0:
                return full, full + step
            return step**steps, (full + step) * full ** (steps - 1)

        law = []
        for point in range(last + 1):
            steps = abs(point - index)
            top, bottom = tail(steps)
            if point not in (0, last):  # both ends take all that would lie beyond them
                top, bottom = top * (full - step), bottom * full
            if point == index and point in (0, last):
                top, bottom = full, full + step
            law.append((top, bottom))
        return law

    def move(self, index: int, noise: Noise, attempt: int = 0) -> int:
        """The point that a point of the grid becomes."""
        last = len(self.grid) - 1
        high, low, *trials = noise.words(2 + (last + 1) // 2, Lane.VALUE, attempt)[0].tolist()
        full = 1 << BITS
        place = ((high << 64) | low) * (full + self.stay) >> 128  # below 2^32 + stay
        if place < full - self.stay:
            return index
        sign = 1 if (place - (full - self.stay)) % 2 else -1
        steps = 1
        for word in trials:
            for half in (word >> BITS, word & (full - 1)):
                if half >= self.stay:
                    return min(max(index + sign * steps, 0), last)
                steps += 1
        return last if sign > 0 else 0

    def release(self, text: str, noise: Noise) -> str:
        """The span with every number in it moved; unit and words around it are labels."""
        pieces, position = [], 0
        for count, match in enumerate(_FIGURE.finditer(text)):
            value, end = _value(text, match)
            index = bisect_right(self._edges, min(max(value, self.grid[0]), self.grid[-1]))
            point = self.grid[self.move(index, noise, count)]
            pieces += [text[position : match.start()], self._written(point, match[0])]
            position = end
        return "".join([*pieces, text[position:]])

    def _written(self, point: Decimal, figures: str) -> str:
        grouped = _THOUSANDS.match(figures)
        written = f"{point:,.{self._digits}f}" if grouped else f"{point:.{self._digits}f}"
        return written.replace(",", grouped[1]) if grouped and grouped[1] not in ".," else written


def _stay(loss: Decimal) -> int:
    """The chance of a further step, times 2^32: exp(-loss) rounded up, and one more (C2)."""
    chance = ((-loss).exp() * (1 << BITS)).to_integral_value(ROUND_CEILING)
    return min(int(chance) + 1, (1 << BITS) - 1)


def _grid(low: Decimal, high: Decimal, step: Decimal, metric: str) -> tuple[Decimal, ...]:
    if metric not in ("absolute", "ratio"):
        raise PolicyError('numeric: metric is "absolute" or "ratio"')
    if metric == "ratio" and low <= 0:
        raise PolicyError("numeric: a ratio needs a low above 0")
    points: list[Decimal] = []
    with localcontext(_EXACT):
        point = low
        while point <= high and len(points) <= LARGEST:
            points.append(point)
            point = point + step if metric == "absolute" else point * (1 + step)
        if metric == "ratio":
            digits = min(int((low * step).adjusted()), 0)
        else:
            digits = min(int(low.as_tuple().exponent), int(step.as_tuple().exponent), 0)
        longest = max((point.adjusted() - digits for point in points), default=0)
        if not 2 <= len(points) <= LARGEST or longest >= _DIGITS:  # C1
            raise PolicyError(
                f"numeric: low, high and step make no grid of 2 to {LARGEST} values with fewer "
                f"than {_DIGITS} digits"
            )
        return tuple(point.quantize(Decimal(1).scaleb(digits)) for point in points)


def _number(name: str, value: Any) -> Decimal:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value):
        raise PolicyError(f"numeric: {name} is a number")
    return Decimal(str(value))


def _positive(name: str, value: Any) -> Decimal:
    number = _number(name, value)
    if number <= 0:
        raise PolicyError(f"numeric: {name} is a number above 0")
    return number


def _value(text: str, match: re.Match[str]) -> tuple[Decimal, int]:
    """What figures are worth with the word for a scale behind them, and where that ends."""
    figures, end = match[0], match.end()
    if grouped := _THOUSANDS.match(figures):
        figures = figures[: grouped.end()].replace(grouped[1], "") + figures[grouped.end() :]
    try:
        value = Decimal(re.sub(r"[^\d.]", "", figures.replace(",", ".")))
    except InvalidOperation:
        value = Decimal(re.sub(r"\D", "", figures)[:30])
    scale = _SCALE.match(text, end)
    if scale is None:
        return value, end
    return value.scaleb(_SCALES[scale[1].lower()]), scale.end()


# The mechanisms of a policy that release numbers and dates by their value.


class Values:
    """Asks each in order; the first that takes a span releases it."""

    def __init__(self, mechanisms: Sequence[Valued] = (), noise: Noise | None = None) -> None:
        """`noise`: of any address, to release them."""
        self._mechanisms, self._noise = mechanisms, noise

    def taking(self, kind: str | None, text: str) -> Valued | None:
        """Whose a span is; None where it is replaced blindly."""
        if kind is None:
            return None
        return next(
            (mechanism for mechanism in self._mechanisms if mechanism.takes(kind, text)), None
        )

    def release(self, kind: str | None, text: str, position: int) -> str | None:
        """A span by its value, with the noise of its place; None where it is no value."""
        mechanism = self.taking(kind, text)
        if mechanism is None or self._noise is None:
            return None
        return mechanism.release(text, self._noise.at(mechanism.place(position)))
