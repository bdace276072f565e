"""Capitals within sentences of a language that has no recogniser here: what is not frequent there
may be a name, whatever lists of words say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.sensitivity.common import common_words, fold
from privstamp.sensitivity.languages import WORDS, Words, listed
from privstamp.sensitivity.lexicon_table import WITH_CAPITALS
from privstamp.sensitivity.nouns import opens
from privstamp.sensitivity.scripts import capitals_mean_nothing
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

SOURCE: Final = "capitals"
_SCORE: Final = 0.5
_WORD: Final = re.compile(r"(?<![\w@.])[^\W\d_]+(?![\w@])")


class Capitals:
    """Finds them, but for frequent words, titles, terms of subjects and heads of forms."""

    def __init__(self, language: str, vocabulary: Vocabulary) -> None:
        words = WORDS.get(language, Words())
        known = (words.titles, words.addressed, words.forms, words.months)
        self._known = {fold(word) for field in known for word in listed(field)}
        self._known |= common_words(language).keys()
        self._vocabulary = vocabulary
        self._tells = language not in WITH_CAPITALS

    def find(self, text: str) -> Iterator[Finding]:
        for match in _WORD.finditer(text) if self._tells else ():
            word = match[0]
            if not word[0].isupper() or fold(word) in self._known or len(word) == 1:
                continue
            if self._vocabulary.is_term(word.lower()) or opens(text, match.start()):
                continue
            if not capitals_mean_nothing(text, *match.span()):
                yield Finding(*match.span(), "RARE", _SCORE, SOURCE, "capital within a sentence")
