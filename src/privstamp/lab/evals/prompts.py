"""How a model is asked. The text comes first and the question last, so that texts are read once."""

from __future__ import annotations

from typing import Final

from privstamp.types import Prompt

TEMPERATURE: Final = 0.2
PHRASE_TOKENS: Final = 16
"""For answers that are names of several words, or dates; the paper had 5, for one word."""
ANSWER: Final = (
    "Answer the question about the text. Reply with one word, or with the shortest phrase of the "
    "text that answers it, and nothing else."
)
UNAIDED: Final = (
    "Answer the question from what you know. Reply with one word, or with the shortest phrase "
    "that answers it, and nothing else."
)


def question(text: str, asked: str) -> Prompt:
    """A question about a text."""
    return Prompt(f"Text: {text.strip()}\n\nQuestion: {asked.strip()}\nAnswer:", ANSWER)


def unaided(asked: str) -> Prompt:
    """A question without a text: what a model knows, or guesses."""
    return Prompt(f"Question: {asked.strip()}\nAnswer:", UNAIDED)
