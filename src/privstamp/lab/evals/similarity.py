"""How close two texts are in meaning: the cosine of their MiniLM vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from privstamp.errors import AssetError, MissingExtra
from privstamp.importance.encoder import MiniLM
from privstamp.types import Table


class Similarity:
    """Keeps vectors of texts it has met, for originals and gold answers come again and again."""

    def __init__(self, encoder: MiniLM) -> None:
        self._encoder = encoder
        self.fingerprint = encoder.fingerprint
        self.vectors = lru_cache(maxsize=4096)(encoder.sentence)

    def cosines(self, first: Sequence[str], second: Sequence[str]) -> list[float]:
        """One cosine for each pair; of a text without words, 0."""
        return [
            float(self.vectors(one) @ self.vectors(other)) if one.strip() and other.strip() else 0.0
            for one, other in zip(first, second, strict=True)
        ]

    def table(self, texts: Sequence[str]) -> Table:
        """Unit vectors of texts, one row each; these are not kept."""
        return np.stack([self._encoder.sentence(text) for text in texts])

    def best(self, answer: str, gold: Sequence[str]) -> float:
        """The cosine with the gold answer that is nearest."""
        return max(self.cosines([answer] * len(gold), gold), default=0.0)


def open_similarity() -> tuple[Similarity | None, str]:
    """The encoder, or none and why."""
    try:
        return Similarity(MiniLM()), ""
    except (AssetError, MissingExtra) as error:
        return None, str(error)
