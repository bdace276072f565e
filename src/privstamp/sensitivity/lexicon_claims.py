"""How much of running text each listed word would take up as a name, or as a place."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

from privstamp.sensitivity.public_names import folded, read_origins
from privstamp.spaces.classes import FLOOR, census
from privstamp.spaces.wordlists import COUNTRIES
from privstamp.text.places import Place, cities, countries, states
from privstamp.text.terms import read_lists

NAMES, PLACES = 0.03, 0.02
"""Assumed shares of running words that name a person, or a place."""
ABROAD: Final = 0.1
"""Assumed weight of an origin whose language is not that of the text."""
SHORT: Final = 1000
"""No list of names counts as shorter than that: a short one is a sample, not a census."""
WORLD, STATE = 8e9, 6_000_000
"""People, and people of a place whose number is not listed."""
LARGE_CITY: Final = 1e6  # people, or as many for their share of the language's own countries
HOME: Final = 0.5
"""Assumed share of places in a text that lie in countries of its language."""
GIVEN, FAMILY, NAME = "listed given name", "listed family name", "listed name"
PLACE: Final = "listed place"
RULES: Final = (GIVEN, FAMILY, NAME, PLACE)


class Claims(NamedTuple):
    """What each listed word is, in lower case, and its share of running text as such."""

    rules: dict[str, str]
    shares: dict[str, float]


_LISTS: Final = read_lists("privstamp.sensitivity", "names.toml")
MISSED: Final = _LISTS["given"] | _LISTS["family"] | _LISTS["places"]
"""Names as frequent as words that the lists lack or hardly have: they were looked for among all
frequent words that no dictionary has. They are names however they are written."""


def read_claims(language: str) -> Claims:
    """Of every listed word; `language` is that of the texts."""
    given, family = _names(language)
    places, totals = _places(language)
    both = given.keys() & family.keys()
    rules = dict.fromkeys(given, GIVEN) | dict.fromkeys(family, FAMILY) | dict.fromkeys(both, NAME)
    shares = {word: NAMES * share / 2 for word, share in (given | family).items()}
    shares |= {word: NAMES * (given[word] + family[word]) / 2 for word in both}
    for word, share in places.items():
        if word not in rules or PLACES * totals.get(word, 0.0) > shares[word]:
            rules[word] = PLACE
        shares[word] = max(shares.get(word, 0.0), PLACES * share)
    for letter in [word for word in rules if len(word) == 1]:
        del rules[letter], shares[letter]
    return Claims(rules, shares)


def _names(language: str) -> tuple[dict[str, float], dict[str, float]]:
    """Shares of given and of family names, each by the origin in which it is most frequent."""
    given, family = _census(1.0 if language == "en" else ABROAD)
    for locale, origin in read_origins().items():
        weight = 1.0 if locale.split("_")[0] == language else ABROAD
        for shares, names in ((given, origin.given), (family, origin.family)):
            share = weight / max(len(names), SHORT)
            for word in folded(names):
                if share > shares[word]:
                    shares[word] = share
    for shares, missed in ((given, "given"), (family, "family")):
        for word in _LISTS[missed]:
            shares[word] = max(shares.get(word, 0.0), ABROAD / SHORT)
    return given, family


def _census(weight: float) -> tuple[dict[str, float], dict[str, float]]:
    given: dict[str, float] = defaultdict(float)
    family: dict[str, float] = defaultdict(float)
    for shares, member, lists in ((given, "female", 2), (given, "male", 2), (family, "last", 1)):
        for word, percent in census(member):
            shares[word] += weight * max(percent, FLOOR) / 100 / lists
    return given, family


def _places(language: str) -> tuple[dict[str, float], dict[str, float]]:
    """Words of places, and places of one word, by the share of people who live there.

    Counted among all people, or among those of the countries whose first language it is, whichever
    makes more of the place. The words of a longer name share its people.
    """
    words: dict[str, float] = defaultdict(float)
    totals: dict[str, float] = defaultdict(float)
    for word in _LISTS["places"]:
        words[word] = totals[word] = STATE / WORLD
    known = list(countries())
    home = [place for place in known if place.others.split(",")[0].split("-")[0] == language]
    codes, people = {place.country for place in home}, sum(place.population for place in home)
    listed = [*cities(), *(place._replace(others="") for place in known)]
    listed += [Place(name, "", STATE, "") for name in (*states(), *COUNTRIES)]
    for place in listed:
        near = place.country in codes
        weight = max(1 / WORLD, HOME / people) if near else 1 / WORLD
        parts = len(place.name.split())
        share = place.population * weight / parts
        for word in folded([place.name]):
            words[word] += share
            if parts == 1:
                totals[word] += share
        if language != "en" and share * WORLD >= LARGE_CITY:  # the list itself has English names
            for word in folded([place.others]):
                words[word] = max(words[word], share)
                totals[word] = max(totals[word], share)
    return words, totals
