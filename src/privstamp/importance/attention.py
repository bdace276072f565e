"""Importance by attention: how much a network looks at each word while it reads the task."""

from __future__ import annotations

from typing import Final

from privstamp.importance.saliency import Saliency
from privstamp.importance.shares import Raw

SINK: Final = 1
"""Pieces at the beginning at which networks look when there is nothing to look at."""


class Attention(Saliency):
    """A word is important if the network attends to it.

    From the pieces of the task, or with a classifier from all pieces; mean over heads and layers.
    """

    name = "attention"

    def _values(self, ids: list[int], offsets: list[tuple[int, int]]) -> Raw:
        torch, module = self._network.torch, self._network.module
        with torch.inference_mode():
            seen = module(torch.tensor([ids]), output_attentions=True).attentions
        looks = torch.stack(seen).mean(dim=(0, 1, 2))
        if not self._network.classifies:
            looks = looks[[place for place, (low, high) in enumerate(offsets) if low == high]]
        values: Raw = looks.mean(dim=0).numpy().copy()
        values[:SINK] = 0
        return values
