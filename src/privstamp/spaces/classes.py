"""Public classes of words: a unit only ever leaves as a word of its own class.

function: the small words of English, a list of our own. number: anything with a digit. name: a
word that the census lists more often than text uses it, among other such words. place: a listed
place among others. content: the rest. A word list with too few of some class does without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.store import ASSETS, locate
from privstamp.errors import Incompatible
from privstamp.spaces.wordlists import COUNTRIES, FUNCTION_WORDS
from privstamp.text.places import cities, place_hashes
from privstamp.types import Table

Rows = npt.NDArray[np.intp]
FLOOR = 0.0005
"""Per cent. The census rounds to three decimals, so that the rarest names stand there with 0."""


@dataclass(frozen=True)
class PublicLists:
    """Lower-case names with their share of the population, and lower-case places."""

    names: Mapping[str, float]
    places: frozenset[str]


def read_lists() -> PublicLists:
    """Names of the 1990 United States census; cities of GeoNames and our own list of countries."""
    return PublicLists(_census_shares(), _places())


def list_hashes() -> dict[str, str]:
    """What the lists are read from, for a cache's key."""
    return {
        f"names {name}": member.sha256 for name, member in ASSETS["names"].members.items()
    } | place_hashes()


def _census_shares() -> dict[str, float]:
    """Lower-case name to its share, averaged over the three lists."""
    lists = ("last", "female", "male")
    shares: dict[str, float] = {}
    for name in lists:
        for word, percent in census(name):
            shares[word] = shares.get(word, 0.0) + max(percent, FLOOR) / 100 / len(lists)
    return shares


def census(name: str) -> Iterator[tuple[str, float]]:
    """Names of a list, in lower case, and how many of a hundred people have each; of the other two
    columns nothing is read."""
    fields = locate("names", name).read_text(encoding="ascii").lower().split()
    return zip(fields[::4], map(float, fields[1::4]), strict=True)


def _places() -> frozenset[str]:
    names = (city.name.lower() for city in cities())
    return COUNTRIES | frozenset(name for name in names if name.isalpha())


SMALLEST: Final = 100
"""Rows, and output rows, without which a class would tell too much about its units."""
VOTERS: Final = 10_000  # the most frequent words vote on who stands among names, or among places
NEIGHBOURS: Final = 10
NAME_VOTES: Final = 3  # of ten; one frequent word in eleven is a voter for names
PLACE_VOTES: Final = 4  # one in sixteen for places, among them bay, nice and mobile
_GRID: Final = 2048  # coordinates in whole steps: float32 sums are then exact on any machine
_BLOCK: Final = 256


def classify(
    words: Sequence[str],
    unit: Table,
    prior: npt.NDArray[np.float64],
    lists: PublicLists,
    clean: npt.NDArray[np.bool_],
) -> tuple[tuple[str, ...], npt.NDArray[np.uint8]]:
    """Names of the classes, and the class of each row."""
    listed_names, listed_places = _names_and_places(words, unit, prior, lists)
    rows = {
        "function": np.array([word in FUNCTION_WORDS for word in words], dtype=bool),
        "number": np.array([any(map(str.isdigit, word)) for word in words], dtype=bool),
        "name": listed_names,
        "place": listed_places,
    }
    names, class_of = ["content"], np.zeros(len(words), dtype=np.uint8)
    for name, members in rows.items():
        members &= class_of == 0
        if min(members.sum(), (members & clean).sum()) >= SMALLEST:
            class_of[members] = len(names)
            names.append(name)
    if len(names) == 1:
        names = ["word"]
    require_classes(tuple(names), class_of)
    return tuple(names), class_of


def require_classes(classes: tuple[str, ...], class_of: npt.NDArray[np.uint8]) -> None:
    """Refuse classes so small that naming one nearly names its word."""
    for name, rows in zip(classes, np.bincount(class_of, minlength=len(classes)), strict=True):
        if rows < SMALLEST:
            raise Incompatible(
                f'class "{name}" has {rows} words and needs at least {SMALLEST}: '
                "a smaller one would tell too much about its words. Take a longer word list"
            )


def _names_and_places(
    words: Sequence[str],
    unit: Table,
    prior: npt.NDArray[np.float64],
    lists: PublicLists,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Listed words that have enough of the same list among their neighbours."""
    names, places = (np.zeros(len(words), dtype=bool) for _ in range(2))
    voters = Voters(words, unit, prior, lists)
    listed = (word in lists.names or word in lists.places for word in words)
    rows = np.flatnonzero(np.fromiter(listed, dtype=bool, count=len(words)))
    names[rows], places[rows] = voters.ask(rows)
    return names, places


class Voters:
    """Frequent words, who say of others whether they stand among names, or among places."""

    def __init__(
        self,
        words: Sequence[str],
        unit: Table,
        prior: npt.NDArray[np.float64],
        lists: PublicLists,
    ) -> None:
        self._words, self._unit, self._prior, self._lists = words, unit, prior, lists
        first = range(min(VOTERS, len(words)))
        self._rows = np.array([row for row in first if words[row].isalpha()], dtype=np.intp)
        self._steps = _in_steps(unit[self._rows]).T.copy()
        self._ballot = self._listed(self._rows).astype(np.float32)

    def ask(self, rows: Rows) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which rows are names, and which are places; the closer list wins.

        Both are needed, list and neighbours: the census also lists will, may and reading, and
        GeoNames nice and mobile.
        """
        listed = self._listed(rows)
        votes = np.zeros(listed.shape)
        asked = np.flatnonzero(listed.any(axis=1) & (len(self._rows) > NEIGHBOURS))
        for start in range(0, len(asked), _BLOCK):
            block = asked[start : start + _BLOCK]
            votes[block] = self._votes(rows[block])
        enough = listed & (votes >= [NAME_VOTES, PLACE_VOTES])
        place = enough[:, 1] & ~(enough[:, 0] & (votes[:, 0] >= votes[:, 1]))
        return enough[:, 0] & ~place, place

    def _listed(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Whether each row's word is on the list of names, and on that of places."""
        words = [self._words[row] for row in rows.tolist()]
        shares = np.array([self._lists.names.get(word, 0.0) for word in words])
        places = np.array([word in self._lists.places for word in words], dtype=bool)
        return np.stack([shares >= np.maximum(self._prior[rows], 1e-12), places], axis=1)

    def _votes(self, rows: Rows) -> Table:
        """How many of each row's ten nearest frequent words are on each list."""
        close = _in_steps(self._unit[rows]) @ self._steps
        close[rows[:, None] == self._rows[None, :]] = -np.inf
        near = (close >= largest(close, NEIGHBOURS)).astype(np.float32)
        votes: Table = near @ self._ballot / near.sum(axis=1, keepdims=True) * NEIGHBOURS
        return votes


def _in_steps(unit: Table) -> Table:
    steps: Table = np.rint(unit * _GRID).astype(np.float32)
    return steps


def largest(values: Table, count: int) -> Table:
    """The `count`-th largest of each row, as a column.

    As many of the largest of `count` times 16 groups are at least as large, so that few numbers are
    left to compare: three times as fast as to part them all.
    """
    groups = 16 * count
    deep = values.shape[1] // groups
    few = values
    if deep > 1:
        tops = values[:, : groups * deep].reshape(-1, deep, groups).max(axis=1)
        least = np.partition(tops, -count, axis=1)[:, -count, None]
        rows, columns = np.nonzero(values >= least)
        starts = np.searchsorted(rows, np.arange(len(values)))
        few = np.full((len(values), np.bincount(rows).max()), -np.inf, dtype=values.dtype)
        few[rows, np.arange(len(rows)) - starts[rows]] = values[rows, columns]
    found: Table = np.partition(few, -count, axis=1)[:, -count, None]
    return found
