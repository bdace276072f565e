"""Short public lists of our own: what a surrogate may be, and what a name may not be."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Final

from privstamp.assets.cache import derived
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import PolicyError
from privstamp.sensitivity.frequencies import common_words
from privstamp.sensitivity.public_names import read_origins
from privstamp.text.places import cities, countries, place_hashes
from privstamp.text.terms import words

DATA: Final = files(__package__) / "data"
LISTS: Final = {
    name: words(text)
    for name, text in tomllib.loads((DATA / "lists.toml").read_text(encoding="utf-8")).items()
}
INSTITUTIONS: Final = LISTS["INSTITUTIONS"]
"""Kinds of institution and trades: one of them is drawn where a name does not say."""
TIMES: Final = LISTS["TIMES"]
"""For words of a date that are of no closed class."""
CONNECTING: Final = words("de del di van von")
"""For small words inside a name, such as "of" in that of a university: names are read as one."""
LETTERS: Final = tuple("BCDEFGHJKLMNOPRSTVWZ")
"""Initials; `A` and `I` are words."""
CURRENCIES: Final = ("$", "€", "£", "¥")
PERCENTS: Final = ("%", "‰")
SYMBOLS: Final = ("+", "=", "#", "~", "^", "&", "%")
"""Without the marks of emphasis and tables, which answers are full of."""
EMOJI: Final = tuple("😀😊🙂🌟🌈🌻🌲🍀🍎🍋🍉🍇🍪🎈🎉🎁🎨🎵🎲🏀🏡🐝🐢🐬🐧🐼🚀🚲🚂🔑📌📎")

ORDINARY: Final = frozenset((DATA / "ordinary.txt").read_text(encoding="utf-8").split())
"""Names and places that are also ordinary words, belong to other things, or lose a capital."""

# The public lists that surrogates are drawn from: census names, GeoNames cities, our own words.
#
# Names and cities that are ordinary words are left out, because a reply uses such words for other
# things. The lists are picked out of the large source files once and kept in the cache.

Pool = tuple[str, ...]

RULES: Final = {"male": 500, "female": 800, "family": 2300, "either": 6000}
"""How far down the census lists, ordered by frequency, a name is taken."""
ENGLISH: Final = frozenset({"US", "GB", "CA", "AU", "NZ", "IE"})
TOWN, LARGE, HUGE = 40_000, 250_000, 1_000_000
"""People living there: a town of ENGLISH, too well known for a name, a city of any country."""
FEWEST: Final = 50
"""Names of a list that is long enough to draw from."""
_SINGLE: Final = re.compile(r"[A-Z][a-z]{3,}")
_FILES: Final = ("given", "he", "she", "family", "either", "city")


@dataclass(frozen=True, repr=False)
class Pools:
    """Every list sorted, without repeats."""

    given: Pool
    he: Pool  # given names of men alone
    she: Pool
    family: Pool
    either: Pool  # in use as given and as family names
    city: Pool

    def __repr__(self) -> str:
        sizes = ", ".join(f"{len(pool)} {name}" for name, pool in vars(self).items())
        return f"Pools({sizes})"

    @property
    def fingerprint(self) -> str:
        content = json.dumps(vars(self), sort_keys=True).encode()
        return blake2b(content, digest_size=16).hexdigest()


@cache
def pools(language: str = "en") -> Pools:
    """The lists for texts in one language, derived when first asked for."""
    digest = blake2b(" ".join(sorted(ORDINARY)).encode(), digest_size=16).hexdigest()
    sources = {f"names {name}": member.sha256 for name, member in ASSETS["names"].members.items()}
    recipe = {"version": "2", "ordinary": digest, **sources, **place_hashes()}
    build: Callable[[Path], None] = _build
    if language != "en":
        recipe |= {"language": language, "rules": "1"}
        for asset in ("origins", "frequencies"):
            members = ASSETS[asset].members.items()
            recipe |= {f"{asset} {name}": member.sha256 for name, member in members}
        build = partial(_build_abroad, language)
    folder = derived(
        "surrogate-lists", recipe, build, label="preparing lists for surrogates (once)"
    )
    lists = {
        name: tuple((folder / f"{name}.txt").read_text(encoding="ascii").split()) for name in _FILES
    }
    return Pools(**lists)


def _build(folder: Path) -> None:
    male, female, last = (_census(member) for member in ("male", "female", "last"))
    towns = list(cities())
    large = {town.name for town in towns if town.population >= LARGE}
    he, she = set(male[: RULES["male"]]) - large, set(female[: RULES["female"]]) - large
    given = he | she
    he, she = he - set(female), she - set(male)
    family = set(last[: RULES["family"]]) - large
    either = ({*male, *female} & set(last[: RULES["either"]])) - large
    city = {
        town.name
        for town in towns
        if town.population >= (TOWN if town.country in ENGLISH else HUGE)
    }
    city -= given | family
    _write(folder, (given, he, she, family, either, city), ORDINARY)


def _build_abroad(language: str, folder: Path) -> None:
    """Names of the countries that speak a language, and their towns; no ordinary words of it."""
    origins = [origin for code, origin in read_origins().items() if code.split("_")[0] == language]
    if not origins:
        raise PolicyError(f'surrogates have no lists of names for language "{language}"')
    given, family, he, she = (
        frozenset().union(*(getattr(origin, name) for origin in origins))
        for name in ("given", "family", "he", "she")
    )
    home = {
        land.country for land in countries() if land.others.split(",")[0].split("-")[0] == language
    }
    towns = [town for town in cities() if town.country in home]
    large = {town.name for town in towns if town.population >= LARGE}
    given, family = given - large, family - large
    city = {town.name for town in towns if town.population >= TOWN} - given - family
    ordinary = ORDINARY | common_words(language).keys()
    either = given & family
    if len(_readable(either, ordinary)) < FEWEST:
        either = given | family
    _write(folder, (given, he - she, she - he, family, either, city), ordinary)


def _write(folder: Path, lists: Iterable[Set[str]], ordinary: Set[str]) -> None:
    for name, chosen in zip(_FILES, lists, strict=True):
        words = _readable(chosen, ordinary)
        if len(words) < FEWEST:  # frequent words of a language are names as well: Silva
            words = _readable(chosen, ORDINARY)
        (folder / f"{name}.txt").write_text("\n".join(words), encoding="ascii")


def _census(member: str) -> list[str]:
    """Names by falling frequency. `Mc` names are left out: the list has lost their capital."""
    lines = locate("names", member).read_text(encoding="ascii").splitlines()
    names = [line.split()[0].capitalize() for line in lines if line.strip()]
    return [name for name in names if not name.startswith("Mc")]


def _readable(names: Iterable[str], ordinary: Set[str]) -> list[str]:
    """Single plain words of four letters or more that mean nothing else, in order."""
    return sorted(
        name for name in names if _SINGLE.fullmatch(name) and name.lower() not in ordinary
    )
