"""The words of the sample that are attacked, and the things they name. Private."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privstamp.grouping import NO_SPAN
from privstamp.lab.audit.subject import Cell, Subject, perturbed, traced
from privstamp.result import Trace
from privstamp.types import UNKNOWN


@dataclass(frozen=True, repr=False)
class Target:
    """One word: its row, and what it was released as (UNKNOWN where it was replaced)."""

    text: int
    index: int
    cell: Cell
    row: int
    seen: int

    @property
    def sensitive(self) -> bool:
        return self.cell.group <= 2


@dataclass(frozen=True, repr=False)
class Entity:
    """A sensitive thing of one text: for each of its words, the places where it is mentioned."""

    text: int
    words: tuple[tuple[Target, ...], ...]
    whole: bool  # False if a word of it is in no list: nobody here can guess it


def targets(subject: Subject) -> list[Target]:
    """Words that met a mechanism, in reading order."""
    found: list[Target] = []
    for number, result in enumerate(subject.first):
        trace = traced(result)
        met = np.flatnonzero(perturbed(trace)).tolist()
        found += [_target(subject, trace, number, index) for index in met]
    return found


def entities(subject: Subject) -> list[Entity]:
    """Sensitive spans of the first releases, equal ones of a text taken together."""
    found = []
    for number, result in enumerate(subject.first):
        trace, marked = traced(result), subject.texts[number].marked
        mentions: dict[tuple[str, ...], list[list[int]]] = {}
        for span in trace.grouping.findings if marked is None else marked:
            first = int(np.searchsorted(trace.units.ends, span.start, side="right"))
            last = int(np.searchsorted(trace.units.starts, span.end, side="left"))
            inside = list(range(first, last))
            name = tuple(trace.units.surface(index).casefold() for index in inside)
            if inside:
                mentions.setdefault(name, []).append(inside)
        found += [_entity(subject, trace, number, places) for places in mentions.values()]
    return found


def _entity(subject: Subject, trace: Trace, number: int, places: list[list[int]]) -> Entity:
    columns = [
        column for column in zip(*places, strict=True) if trace.units.rows[column[0]] != UNKNOWN
    ]
    words = tuple(
        tuple(_target(subject, trace, number, index) for index in column) for column in columns
    )
    return Entity(number, words, len(columns) == len(places[0]))


def _target(subject: Subject, trace: Trace, number: int, index: int) -> Target:
    row, group = int(trace.units.rows[index]), int(trace.grouping.groups[index])
    cell = Cell(group, int(subject.parts.space.class_of[row]), float(trace.epsilon[index]))
    released = row if np.isinf(cell.epsilon) else int(trace.rows[index])
    return Target(number, index, cell, row, released)


def draws(subject: Subject, mentions: tuple[Target, ...]) -> list[Target]:
    """Mentions that are draws of their own: a word drawn once per document is seen once."""
    met = [one for one in mentions if one.seen != UNKNOWN and 0 < one.cell.epsilon < np.inf]
    if subject.policy.draws == "independent":
        return met
    return list({(one.cell, one.seen): one for one in met}.values())


def spread(items: list[Target], count: int) -> list[Target]:
    """At most so many of them, evenly from first to last."""
    if len(items) <= count:
        return items
    return [items[place] for place in np.linspace(0, len(items) - 1, count).astype(int).tolist()]


class View:
    """A release around its units: what a reader sees before and after each of them."""

    _BLOCK, _BEFORE, _AFTER = 64, 32, 4

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._text = "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        """The release piece by piece, noting where units begin and end."""
        units, position, length = self._trace.units, 0, 0
        for index, surface in enumerate(self._trace.surfaces):
            gap = units.text[position : units.starts[index]] if surface else ""
            self._begins.append(length + len(gap))
            length += len(gap) + len(surface)
            self._ends.append(length)
            position = int(units.ends[index])
            yield gap
            yield surface
        yield units.text[position:]

    def around(self, index: int) -> tuple[str, str]:
        """Before and after a unit; of a replaced span, before and after the whole of it.

        What is before begins at a place shared by neighbours, so that a model reads it once.
        """
        first, last = self._run(index)
        start = max(0, first // self._BLOCK * self._BLOCK - self._BEFORE)
        stop = min(last + self._AFTER, len(self._ends) - 1)
        before = self._text[self._begins[start] : self._begins[first]]
        return before, self._text[self._ends[last] : self._ends[stop]]

    def _run(self, index: int) -> tuple[int, int]:
        span = self._trace.grouping.spans[index]
        if self._trace.epsilon[index] > 0 or span == NO_SPAN:
            return index, index
        inside = np.flatnonzero(self._trace.grouping.spans == span)
        return int(inside[0]), int(inside[-1])
