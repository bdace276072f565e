"""Words brought to their stems, so that "paid" misses "payment" but "payments" finds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import snowballstemmer

from privstamp.errors import PolicyError, suggest

ALGORITHMS: Final = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip


def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word as written to its stem."""
    if language not in ALGORITHMS:
        raise PolicyError(
            f'importance: no stemmer for the language "{language}".{suggest(language, ALGORITHMS)}'
        )
    return _stemmer(language)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    stem = snowballstemmer.stemmer(ALGORITHMS[language]).stemWord

    def stemmed(surface: str) -> str:
        word = surface.strip().casefold().removesuffix("'s").removesuffix("\u2019s")
        return str(stem(word.rstrip(".") or word))

    return stemmed
