"""How much of running text each listed word would take up as a name, or as a place."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final, NamedTuple

from privstamp.assets.store import locate
from privstamp.sensitivity.public_names import folded, read_origins
from privstamp.spaces.wordlists import COUNTRIES
from privstamp.text.places import Place, cities, countries, states

NAMES, PLACES = 0.03, 0.02
"""Assumed shares of running words that name a person, or a place."""
ABROAD: Final = 0.1
"""Assumed weight of an origin whose language is not that of the text."""
SHORT: Final = 1000
"""No list of names counts as shorter than that: a short one is a sample, not a census."""
FLOOR: Final = 0.0005  # per cent; the census rounds rare names to zero
WORLD, STATE = 8e9, 6_000_000
"""People, and people of a place whose number is not listed."""
LARGE_CITY: Final = 1e6  # people, or as many for their share of the language's own countries
HOME: Final = 0.5
"""Assumed share of places in a text that lie in countries of its language."""
GIVEN, FAMILY, NAME = "listed given name", "listed family name", "listed name"
PLACE: Final = "listed place"
RULES: Final = (GIVEN, FAMILY, NAME, PLACE)


class Claim(NamedTuple):
    """What a listed word is, and its share of running text as such."""

    rule: str
    share: float


def read_claims(language: str) -> dict[str, Claim]:
    """Every listed word in lower case; `language` is that of the texts."""
    given, family = _names(language)
    places, whole = _places(language)
    claims = {}
    for word in given.keys() | family.keys() | places.keys():
        if len(word) == 1:
            continue
        name = NAMES * (given.get(word, 0.0) + family.get(word, 0.0)) / 2
        listed = word in given, word in family
        if PLACES * whole.get(word, 0.0) > name or not any(listed):
            rule = PLACE
        else:
            rule = NAME if all(listed) else GIVEN if listed[0] else FAMILY
        claims[word] = Claim(rule, max(name, PLACES * places.get(word, 0.0)))
    return claims


def _names(language: str) -> tuple[dict[str, float], dict[str, float]]:
    """Shares of given and of family names, each by the origin in which it is most frequent."""
    given, family = _census(1.0 if language == "en" else ABROAD)
    for locale, origin in read_origins().items():
        weight = 1.0 if locale.split("_")[0] == language else ABROAD
        for shares, names in ((given, origin.given), (family, origin.family)):
            for word in {word for name in names for part in name.split() for word in folded(part)}:
                shares[word] = max(shares[word], weight / max(len(names), SHORT))
    return given, family


def _census(weight: float) -> tuple[dict[str, float], dict[str, float]]:
    given: dict[str, float] = defaultdict(float)
    family: dict[str, float] = defaultdict(float)
    for shares, member, lists in ((given, "female", 2), (given, "male", 2), (family, "last", 1)):
        for line in locate("names", member).read_text(encoding="ascii").splitlines():
            if fields := line.split():
                shares[fields[0].lower()] += weight * max(float(fields[1]), FLOOR) / 100 / lists
    return given, family


def _places(language: str) -> tuple[dict[str, float], dict[str, float]]:
    """Words of places, and places of one word, by the share of people who live there.

    Counted among all people, or among those of the countries whose first language it is, whichever
    makes more of the place. The words of a longer name share its people.
    """
    words: dict[str, float] = defaultdict(float)
    whole: dict[str, float] = defaultdict(float)
    known = list(countries())
    home = [place for place in known if place.others.split(",")[0].split("-")[0] == language]
    codes, people = {place.country for place in home}, sum(place.population for place in home)
    listed = [*cities(), *(replace(place, others="") for place in known)]
    listed += [Place(name, "", STATE, "") for name in (*states(), *COUNTRIES)]
    for place in listed:
        parts = place.name.split()
        near = place.country in codes
        weight = max(1 / WORLD, HOME / people) if near else 1 / WORLD
        share = place.population * weight / len(parts)
        for word in {word for part in parts for word in folded(part)}:
            words[word] += share
            if len(parts) == 1:
                whole[word] += share
        if language != "en" and share * WORLD >= LARGE_CITY:  # the list itself has English names
            for word in {word for name in place.others.split() for word in folded(name)}:
                words[word] = max(words[word], share)
                whole[word] = max(whole[word], share)
    return words, whole
