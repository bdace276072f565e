"""Which language a text and its parts are in, told on this machine.

English is told by its small words alone, so that the usual text costs nothing; only what is short
of them is asked of a model (py3langid, 97 languages). Paragraphs with few words are not told.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

ENGLISH: Final = "en"
_SMALL: Final = frozenset(
    """
    the and of to for with that this these those it its he she his her they them their you
    your we our my is was are were be been has have had will would should can could may must
    not from by at or if but than then there what which who when where how why after before
    because please into about over under between during
    """.split()  # noqa: SIM905
)
"""Words that English has many of and other languages in Latin letters few."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=\s*[-*•>]\s)")
_FOREIGN: Final = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff]")
"""Letters that are not Latin."""
_LETTERS: Final = 6
_FEW: Final = 8
"""Words below which nothing is told."""
_SHARE: Final = 0.12
"""Small English words among the words of an English paragraph, at least."""
_SURE: Final = 0.95
_LONG: Final = 4_000
"""Characters of a paragraph that are looked at."""


@dataclass(frozen=True)
class Languages:
    """Shares of a text's words by language, the largest first; what was not told has none."""

    shares: tuple[tuple[str, float], ...] = ()

    @property
    def main(self) -> str | None:
        return self.shares[0][0] if self.shares else None

    def others(self, served: frozenset[str]) -> tuple[str, ...]:
        """Languages of the text or of a part of it that are not among those served."""
        return tuple(language for language, _ in self.shares if language not in served)


def told(text: str) -> Languages:
    """The languages of a text by its paragraphs.

    >>> told("The patient was seen at the clinic and will be back on Monday.").main
    'en'
    >>> told("Le patient a été vu à la clinique et il reviendra lundi avec sa fille.").main
    'fr'
    >>> told("Metformin 500 mg").main
    """
    words: Counter[str] = Counter()
    for paragraph in _PARAGRAPH.split(text):
        beginning = paragraph[:_LONG]
        found = _WORD.findall(beginning)
        language = _script(beginning)
        if language is None and len(found) >= _FEW:
            language = _language(beginning, found)
        if language is not None:
            words[language] += len(found)
    total = words.total()
    return Languages(tuple((language, count / total) for language, count in words.most_common()))


def _script(paragraph: str) -> str | None:
    """The likeliest language of a paragraph in another script, of which few letters are enough."""
    if paragraph.isascii():
        return None
    foreign = len(_FOREIGN.findall(paragraph))
    if foreign < _LETTERS or foreign < len(_WORD.findall(paragraph)):
        return None
    latin = sum(character.isascii() and character.isalpha() for character in paragraph)
    return str(_model().classify(paragraph)[0]) if foreign > latin else None


def _language(paragraph: str, words: list[str]) -> str | None:
    small = sum(word.lower() in _SMALL for word in words)
    if small >= _SHARE * len(words):
        return ENGLISH
    if sum(map(str.islower, words)) < _FEW // 2 and paragraph.isascii():
        return None  # a list of names, a heading, a log: no sentence
    language, share = _model().classify(" ".join(words))
    return str(language) if share >= _SURE else None


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # half a second

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
