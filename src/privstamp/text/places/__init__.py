"""Cities, countries and states of the United States, from GeoNames (CC BY 4.0).

Derived by `python benchmarks/places.py` and shipped: the package they come from is a hundred times
as large.
"""

from __future__ import annotations

import csv
import hashlib
import io
import lzma
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_FILES: Final = ("cities", "countries", "states")


class Place(NamedTuple):
    """A city or a country, its people, and what else it goes by."""

    name: str
    country: str  # two letters
    population: int
    others: str  # of a city: names of one word in other languages; of a country: its languages


def cities() -> Iterator[Place]:
    """Cities of 15,000 and more."""
    return (
        Place(name, code, int(people), others) for name, code, people, others in _rows("cities")
    )


def countries() -> Iterator[Place]:
    """Countries; the first of their languages is the one most spoken."""
    return (Place(name, code, int(people), said) for name, code, people, said in _rows("countries"))


def states() -> tuple[str, ...]:
    """States of the United States."""
    return tuple(name for name, _ in _rows("states"))


@cache
def place_hashes() -> dict[str, str]:
    """Of each table, for the recipes of what is derived from them."""
    return {name: hashlib.sha256(_packed(name)).hexdigest() for name in _FILES}


def _packed(name: str) -> bytes:
    return (files(__package__) / f"{name}.tsv.xz").read_bytes()


def _rows(name: str) -> Iterator[list[str]]:
    content = lzma.decompress(_packed(name)).decode()
    return csv.reader(io.StringIO(content, newline=""), delimiter="\t")
