"""Spans of a text taken out: for masks, and for gaps that a model fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from privstamp.lab.evals.contracts import Span
from privstamp.mechanisms.placeholder import MASK
from privstamp.types import Finding

MARK: Final = MASK


def pieces(text: str, spans: Sequence[Span | Finding]) -> tuple[list[str], list[str]]:
    """What stands around the spans, and what they cover; spans that overlap are one."""
    around, inside = [], []
    position = 0
    for start, end in joined(spans):
        if end <= len(text):
            around.append(text[position:start])
            inside.append(text[start:end])
            position = end
    return [*around, text[position:]], inside


def joined(spans: Sequence[Span | Finding]) -> list[tuple[int, int]]:
    """Ranges in order, those that overlap taken together."""
    ranges: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if ranges and start < ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
        elif start < end:
            ranges.append((start, end))
    return ranges


def filled(around: Sequence[str], fills: Sequence[str]) -> str:
    """The text with something else in the place of each span."""
    texts = [around[0]]
    for fill, after in zip(fills, around[1:], strict=True):
        texts += [fill, after]
    return "".join(texts)


def masked(text: str, spans: Sequence[Span | Finding]) -> str:
    """The text with a bare mark for every span."""
    around, inside = pieces(text, spans)
    return filled(around, [MARK] * len(inside))
