"""A language model small enough to be enumerated, for tests that need no model file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from privstamp.models.replies import Closing
from privstamp.types import Rows

WORDS = [f"w{number}" for number in range(8)]
SPLIT = [f"w{number}" for number in range(8, 12)]
"""Words of two pieces; the first piece of the last two is a word of its own, w1."""
PARTS = ["8", "9", "0", "1"]
ORPHANS = [" w", "w", ".", ",", " ", "\n", "?"]
TEXTS = ["<start>", *(f" {word}" for word in WORDS), *WORDS, *PARTS, *ORPHANS]
"""Strings of the pieces; number 0 is the marker every context begins with, and is never text."""
OTHER = TEXTS.index("?")  # stands for any character without a piece


class ToyLM(Closing):
    """Next-piece tables of random numbers that depend on the two pieces before.

    It knows the words w0 ... w11 of `toys.ToySpace`, with and without a blank before them.
    w0 to w7 are one piece; the others are " w", "8" and " w1", "0" and the like.
    `calls` counts forward steps.
    """

    def __init__(self, *, seed: int = 0, spread: float = 2.0) -> None:
        random = np.random.default_rng(seed)
        size = len(TEXTS)
        self.name = "toy"
        self._before = random.normal(scale=spread, size=(size, size))
        self._earlier = random.normal(scale=spread / 2.0, size=(size, size))
        self.fingerprint = blake2b(self._before.tobytes(), digest_size=16).hexdigest()
        self.calls = 0
        self.closed = False
        self._pattern = re.compile(
            "|".join(re.escape(text) for text in sorted(TEXTS[1:], key=len, reverse=True)) + "|.",
            re.DOTALL,
        )

    def close(self) -> None:
        self.closed = True

    def pieces(self, text: str) -> list[int]:
        """Longest piece first, from left to right."""
        found = self._pattern.findall(text)
        return [TEXTS.index(piece) if piece in TEXTS[1:] else OTHER for piece in found]

    def next_logprobs(self, prefix: str, continuation: Sequence[int] = ()) -> Rows:
        self.calls += 1
        return self._next([*self.pieces(prefix), *continuation])

    def loss(self, text: str) -> tuple[float, int]:
        ids = self.pieces(text)
        total = -sum(float(self._next(ids[:at])[piece]) for at, piece in enumerate(ids))
        return total, len(ids)

    def _next(self, ids: list[int]) -> Rows:
        earlier, before = [0, 0, *ids][-2:]
        scores: Rows = self._before[before] + self._earlier[earlier]
        top = scores.max()
        return scores - (top + np.log(np.exp(scores - top).sum()))
