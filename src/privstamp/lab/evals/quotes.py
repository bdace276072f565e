"""A reader without a model: it quotes the sentences that share most words with the question.

It guesses nothing and knows nothing: what it finds in a text and no longer in a release of it was
lost by the release, or by restoring the quotation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import snowballstemmer

from privstamp.spaces.wordlists import FUNCTION_WORDS

QUOTED: Final = 2
"""Sentences in a reply."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORD: Final = re.compile(r"[^\W_]+")


def quote(text: str, question: str) -> str:
    """The sentences, or lines, that a question seems to be about, in the order of the text."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    asked = _stems(question)
    ranked = sorted(range(len(sentences)), key=lambda place: -len(asked & _stems(sentences[place])))
    return "\n".join(sentences[place] for place in sorted(ranked[:QUOTED]))


def says(reply: str, answers: Sequence[str]) -> bool:
    """Whether a reply holds one of the answers, as it is written, and not inside a longer word."""
    return any(re.search(rf"(?<![^\W_]){re.escape(answer)}(?![^\W_])", reply) for answer in answers)


def _stems(text: str) -> set[str]:
    words = [word.lower() for word in _WORD.findall(text)]
    stemmer = snowballstemmer.stemmer("english")
    return {stemmer.stemWord(word) for word in words if word not in FUNCTION_WORDS}
