"""Words so frequent that a name spelt like one is no name in lower case."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from privstamp.sensitivity.frequencies import languages, zipf_frequencies

FREQUENT: Final = 4.0
"""A Zipf frequency: ten in a million words. English has some 7,500 such words."""
SMALL: Final = 5.8
"""From here on words open sentences so often that a capital tells nothing."""


@cache
def common_words(language: str) -> dict[str, float]:
    """Frequent words, folded, with their frequency; none where there is no list."""
    if language not in languages():
        return {}
    words: dict[str, float] = {}
    for word, frequency in zipf_frequencies(language, FREQUENT).items():
        words[fold(word)] = max(frequency, words.get(fold(word), 0.0))
    return words


def fold(word: str) -> str:
    """Without case and accents, so that "MULLER" repeats "Müller"."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c))
