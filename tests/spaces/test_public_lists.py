"""The lists are what they say."""

from __future__ import annotations

import math

from privstamp.spaces.classes import list_hashes, read_lists


def test_shares_are_those_of_the_lists() -> None:
    shares = read_lists().names
    assert len(shares) > 90_000
    assert all(name == name.lower() and share > 0 for name, share in shares.items())
    assert shares["smith"] > shares["garcia"] > shares["nakamura"] > 0
    assert math.isclose(shares["mary"], (2.629 + 0.009 + 0.005) / 300, rel_tol=0.1)
    assert 0.7 < sum(shares.values()) < 1.1


def test_places_are_cities_and_countries_of_one_word() -> None:
    places = read_lists().places
    assert {"lisbon", "sheffield", "portugal", "ohio"} <= places
    assert not {"new york", "doctor", "the"} & places
    assert all(place.isalpha() and place == place.lower() for place in places)


def test_the_hashes_name_every_file() -> None:
    assert set(list_hashes()) == {
        "names last",
        "names female",
        "names male",
        "cities",
        "countries",
        "states",
    }
