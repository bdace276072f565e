"""Texts for timing the whole line: the shipped passages, invented and each its own prose."""

from __future__ import annotations

from typing import Final

from privstamp.lab.evals import fantasy

TASK: Final = "What does the writer ask for?"


def note() -> str:
    """A short note, of 180 words."""
    return " ".join(" ".join(documents(2)).split()[:180])


def documents(count: int) -> list[str]:
    """So many passages of 120 to 180 words, no two alike; there are 120."""
    return [passage.text for passage in fantasy.load()[:count]]
