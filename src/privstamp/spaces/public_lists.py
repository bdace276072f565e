"""Public lists that tell names and places from other words; `classes` says who counts as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from privstamp.assets.store import ASSETS, locate
from privstamp.spaces.wordlists import COUNTRIES
from privstamp.text.places import cities, place_hashes

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
