"""Public classes of words: a unit only ever leaves as a word of its own class.

function: the small words of English, a list of our own. number: anything with a digit. name: a
word that the census lists more often than text uses it, among other such words. place: a listed
place among others. content: the rest. A word list with too few of some class does without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.store import ASSETS, locate
from privstamp.errors import Incompatible
from privstamp.spaces.wordlists import COUNTRIES, FUNCTION_WORDS
from privstamp.text.places import cities, place_hashes
from privstamp.types import Table

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
        for line in locate("names", name).read_text(encoding="ascii").splitlines():
            if fields := line.split():
                word = fields[0].lower()
                percent = max(float(fields[1]), FLOOR)
                shares[word] = shares.get(word, 0.0) + percent / 100 / len(lists)
    return shares


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
    found = {
        "function": np.array([word in FUNCTION_WORDS for word in words], dtype=bool),
        "number": np.array([any(map(str.isdigit, word)) for word in words], dtype=bool),
        "name": listed_names,
        "place": listed_places,
    }
    names, class_of = ["content"], np.zeros(len(words), dtype=np.uint8)
    for name, members in found.items():
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
    """Listed words that have enough of the same list among their neighbours; the closer list wins.

    Both are needed: the census also lists will, may and reading, and GeoNames nice and mobile.
    """
    shares = np.array([lists.names.get(word, 0.0) for word in words])
    listed = np.stack(
        [shares >= np.maximum(prior, 1e-12), [word in lists.places for word in words]], axis=1
    )
    votes = _votes(words, unit, listed)
    enough = listed & (votes >= [NAME_VOTES, PLACE_VOTES])
    place = enough[:, 1] & ~(enough[:, 0] & (votes[:, 0] >= votes[:, 1]))
    return enough[:, 0] & ~place, place


def _votes(
    words: Sequence[str], unit: Table, listed: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """For each listed row, how many of its ten nearest frequent words are on each list."""
    votes = np.zeros(listed.shape)
    voters = np.array([row for row in range(min(VOTERS, len(words))) if words[row].isalpha()])
    if len(voters) <= NEIGHBOURS:
        return votes
    steps = np.rint(unit[voters] * _GRID).astype(np.float32).T.copy()
    ballot = listed[voters].astype(np.float32)
    candidates = np.flatnonzero(listed.any(axis=1))
    for start in range(0, len(candidates), _BLOCK):
        rows = candidates[start : start + _BLOCK]
        close = np.rint(unit[rows] * _GRID).astype(np.float32) @ steps
        close[rows[:, None] == voters[None, :]] = -np.inf
        limit = np.partition(close, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS, None]
        near = (close >= limit).astype(np.float32)
        votes[rows] = near @ ballot / near.sum(axis=1, keepdims=True) * NEIGHBOURS
    return votes
