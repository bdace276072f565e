"""How often words are written: the lists of `wordfreq`, read without importing it."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Final

import msgpack

from privstamp.assets.store import locate
from privstamp.errors import AssetError, PolicyError, suggest
from privstamp.text.terms import fold

SMALL, LARGE = 3.0, 1.0
"""The Zipf frequency (log10 per thousand million words) down to which either list goes."""
FREQUENT: Final = 4.0
"""Ten in a million words: a name spelt like such a word is no name in lower case. English has some
7,500 of them."""
OPENING: Final = 5.8
"""From here on words open sentences so often that a capital tells nothing."""
NOT_BY_WORD: Final = frozenset({"ja", "ko", "zh"})
"""Languages whose lists need a splitter of their own: a run of characters is not one word."""


def languages() -> list[str]:
    """Those that have a list."""
    codes = {path.name.split("_")[1].split(".")[0] for path in _folder().glob("small_*")}
    return sorted(codes - NOT_BY_WORD)


def check_language(language: str, least: float) -> None:
    """Refuse a language without a list, and a frequency that its list does not go down to."""
    known = languages()
    if language not in known:
        raise PolicyError(f'no word list for language "{language}".{suggest(language, known)}')
    lowest = LARGE if _file(language, LARGE).is_file() else SMALL
    if least < lowest:
        raise PolicyError(f'the word list of "{language}" ends at a Zipf frequency of {lowest:g}')


def zipf_frequencies(
    language: str, least: float, asked: set[str] | None = None
) -> dict[str, float]:
    """Every word of the language that is at least so frequent, or those of them that are asked."""
    check_language(language, least)
    content = gzip.decompress(_file(language, least).read_bytes())
    header, *buckets = msgpack.unpackb(content)
    if header != {"format": "cB", "version": 1}:
        raise AssetError("the word lists of wordfreq are of another format than expected")
    frequencies: dict[str, float] = {}
    for step, words in enumerate(buckets):
        zipf = 9 - step / 100  # the n-th bucket holds the words of n centibels below certainty
        if zipf >= least:
            frequencies |= dict.fromkeys(
                words if asked is None else asked.intersection(words), zipf
            )
    return frequencies


@cache
def common_words(language: str) -> dict[str, float]:
    """Frequent words, folded, with their frequency; none where there is no list."""
    if language not in languages():
        return {}
    words: dict[str, float] = {}
    for word, frequency in zipf_frequencies(language, FREQUENT).items():
        words[fold(word)] = max(frequency, words.get(fold(word), 0.0))
    return words


def _file(language: str, least: float) -> Path:
    return _folder() / f"{'small' if least >= SMALL else 'large'}_{language}.msgpack.gz"


def _folder() -> Path:
    return locate("frequencies", "lists")
