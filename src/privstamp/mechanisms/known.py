"""Known places, peoples and organisations: a country for a country, a bank for a bank.

Which class a name belongs to is PUBLIC, a function of the name alone; which name of it, is not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, TypeAlias

Lists: TypeAlias = dict[str, tuple[str, ...]]


def _read() -> dict[str, Lists]:
    content = (files(__package__) / "data" / "known.toml").read_text(encoding="utf-8")
    return {
        table: {kind: _names(text) for kind, text in lists.items()}
        for table, lists in tomllib.loads(content).items()
    }


def _names(text: str) -> tuple[str, ...]:
    """A list of names of one or several words, separated by commas."""
    return tuple(" ".join(name.split()) for name in text.split(",") if name.strip())


_LISTS: Final = _read()
PLACES: Final = _LISTS["places"]
ORGANISATIONS: Final = _LISTS["organisations"]
_PLACES, _ORGANISATIONS = _LISTS["places_beside"], _LISTS["organisations_beside"]
"""Names that are of a class and never drawn: they mean other things too, or are short."""
_CLASS: Final = {
    name.casefold().replace(".", ""): kind
    for kind in ("CONTINENT", "REGION", "STATE", "COUNTRY", "COUNTRY_WITH_THE")
    for name in PLACES[kind] + _PLACES[kind]
}
_PEOPLE: Final = {
    name.casefold(): kind
    for kind in ("RELIGION", "NATIONALS", "NRP")
    for name in PLACES[kind] + _PLACES[kind]
}


def place_class(name: str) -> str | None:
    """Of a name of a place that is no town: its class.

    >>> [place_class(name) for name in ("U.S.", "North Dakota", "Bavaria", "Leeds")]
    ['COUNTRY_WITH_THE', 'STATE', 'REGION', None]
    """
    plain = name.casefold().replace(".", "").removeprefix("the ")
    return _CLASS.get(plain.replace(" ", "") if len(plain) < 6 else plain) or _CLASS.get(plain)


def people_class(word: str) -> str | None:
    """Of a word for a people: whether it means one of them, many, or a faith.

    >>> [people_class(word) for word in ("Norwegian", "Poles", "Catholic", "Zork")]
    ['NRP', 'NATIONALS', 'RELIGION', None]
    """
    return _PEOPLE.get(word.casefold())


def folded(name: str) -> str:
    """As names are looked up: in any case, without points, hyphens as blanks."""
    plain = name.casefold().replace(".", "").replace("-", " ").replace("\u2019", "'")
    return " ".join(plain.removeprefix("the ").split())


_KINDS: Final[Mapping[str, str]] = {
    folded(name): kind
    for lists in (_ORGANISATIONS, ORGANISATIONS)
    for kind in lists
    for name in lists[kind]
}


def kind_of(name: str) -> str | None:
    """The kind of a known organisation.

    >>> [kind_of(name) for name in ("Deutsche Bank", "the BBC", "Kestrel Logistics")]
    ['ORG_BANK', 'ORG_BROADCASTER', None]
    """
    return _KINDS.get(folded(name))
