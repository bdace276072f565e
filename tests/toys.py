"""A small space that satisfies the whole contract, for tests that need no real table."""

from __future__ import annotations

import re
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from privstamp.types import PASSING, UNKNOWN, Ids, Kind, Label, Table, Units

_UNIT = re.compile(f"[^{re.escape(''.join(sorted(PASSING)))}]+")


class ToySpace:
    """Words w0, w1, ... on random unit vectors; class of a row is its number modulo the classes.

    Every tenth row of a class is an input only. Words are what lies between PASSING characters.
    """

    def __init__(
        self,
        rows: int = 300,
        dimensions: int = 8,
        classes: tuple[str, ...] = ("a", "b"),
        *,
        seed: int = 0,
        unit: Table | None = None,
    ) -> None:
        random = np.random.default_rng(seed)
        raw = random.standard_normal((rows, dimensions)) if unit is None else unit
        length = np.linalg.norm(raw, axis=1)
        self.name = "toy"
        self.source = f"random vectors, seed {seed}"
        self.unit: Table = (raw / length[:, None]).astype(np.float32)
        self.radius = length.astype(np.float32)
        self.classes = classes
        self.class_of = (np.arange(len(raw)) % len(classes)).astype(np.uint8)
        self.outputs = tuple(self._outputs(number) for number in range(len(classes)))
        weight = 1.0 / np.arange(1.0, len(raw) + 1.0)
        self.prior: npt.NDArray[np.float64] = weight / weight.sum()
        self.fingerprint = blake2b(self.unit.tobytes(), digest_size=16).hexdigest()

    def _outputs(self, number: int) -> Ids:
        mine = np.flatnonzero(self.class_of == number)
        kept: Ids = mine[np.arange(len(mine)) % 10 != 9].astype(np.int32)
        return kept

    def split(self, text: str) -> Units:
        found = list(_UNIT.finditer(text))
        surfaces = [match.group() for match in found]
        return Units(
            text=text,
            starts=np.array([match.start() for match in found], dtype=np.int64),
            ends=np.array([match.end() for match in found], dtype=np.int64),
            rows=np.array([self._row(surface) for surface in surfaces], dtype=np.int32),
            kinds=np.array(
                [Kind.NUMBER if s.isdecimal() else Kind.WORD for s in surfaces], dtype=np.uint8
            ),
            labels=np.array(
                [Label.TITLE if s[:1].isupper() else Label.LOWER for s in surfaces], dtype=np.uint8
            ),
        )

    def _row(self, surface: str) -> int:
        named = re.fullmatch(r"[wW](0|[1-9][0-9]*)", surface, re.ASCII)
        row = int(named.group(1)) if named and len(surface) < 10 else UNKNOWN
        return row if row < len(self.unit) else UNKNOWN

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        pairs = zip(self.words(rows), labels.tolist(), strict=True)
        return [self.dress(word, label) for word, label in pairs]

    def dress(self, word: str, label: int) -> str:
        if label & Label.UPPER:
            return word.upper()
        return word[:1].upper() + word[1:] if label & Label.TITLE else word

    def words(self, rows: Ids) -> list[str]:
        return [f"w{row}" for row in rows.tolist()]
