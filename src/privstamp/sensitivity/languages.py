"""The words that rules look for, per language. Nothing here is shared by default.

`rules` refuses a language that languages.toml has no entry for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Final

from privstamp.errors import PolicyError, suggest

ANY: Final = "any"
"""The rules that need no words at all."""


@dataclass(frozen=True)
class Words:
    """What one language calls things; phrases are separated by commas."""

    titles: str = ""  # before a name
    cues: str = ""  # a name follows, with a capital
    closings: str = ""  # a name follows, on the next line
    addressed: str = ""  # what follows a cue or title and is no name
    forms: str = ""  # labels of forms and openings of letters that small models take for names
    ways_after: str = ""  # 12 Baker STREET
    ways_before: str = ""  # 12 RUE de la Paix, VIA Roma 5
    ways_glued: str = ""  # LindenSTRASSE 5
    particles: str = ""  # inside names of streets and people
    units: str = ""  # flat, suite, box: a number follows
    secrets: str = ""  # a password or key follows
    locks: str = ""  # a mixture of letters, digits and signs after them is secret
    phrases: str = ""  # several words follow that are secret together
    pins: str = ""  # a short number that is secret follows
    opened: str = ""  # the same, if something is there that it opens
    answers: str = ""  # what is asked for when a password is lost
    users: str = ""  # a user name follows
    verbs: str = ""  # "is", between a word for a secret and the secret
    phones: str = ""  # a telephone number follows
    postcodes: str = ""  # a postcode follows
    months: str = ""
    ages: str = ""  # after a number
    ages_before: str = ""  # before a number
    regions: str = ""  # whose telephone plans to ask for numbers without a country

    def __add__(self, other: Words) -> Words:
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return Words(*(", ".join(filter(None, pair)) for pair in pairs))


def listed(phrases: str) -> tuple[str, ...]:
    """The phrases of a field, each once, longest first, so that a pattern prefers the longest."""
    distinct = dict.fromkeys(phrase.strip() for phrase in phrases.split(",") if phrase.strip())
    return tuple(sorted(distinct, key=len, reverse=True))


WORDS: Final = {
    language: Words(**called)
    for language, called in tomllib.loads(
        (files(__package__) / "languages.toml").read_text(encoding="utf-8")
    ).items()
}
"""Of each language, as languages.toml has them."""


def words_of(language: str | Sequence[str]) -> Words:
    """The words of a language, or of several; "any" has none."""
    names = [language] if isinstance(language, str) else list(language)
    if not names:
        raise PolicyError(f"language is a name or a list of names.{suggest('', [*WORDS, ANY])}")
    words = Words()
    for name in names:
        if name not in WORDS and name != ANY:
            raise PolicyError(
                f'rules have no words for language "{name}".{suggest(str(name), [*WORDS, ANY])}; '
                f'"{ANY}" runs those that need no words'
            )
        words += WORDS.get(name, Words())
    return words
