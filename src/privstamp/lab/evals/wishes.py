"""What a model is asked for when it is to invent a passage: the published prompt in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from privstamp.lab.evals.fantasy import ANSWER_WORDS, KINDS, QUESTIONS, WORDS
from privstamp.types import Prompt

SUBJECTS: Final = ("a historical event", "a city", "an animal or plant species")
FORMS: Final = ("encyclopedia entry", "short narrative", "chronicle", "letter", "report")
LETTERS: Final = "ABDEFGHIKLMNOPRSTUVWYZ"
WRITER: Final = "You invent worlds, and you reply with one JSON object and nothing else."
SHAPE: Final = (
    '{"title": "...", "passage": "...", '
    '"questions": [{"question": "...", "answers": ["..."]}, ...], '
    '"sensitive": [{"text": "...", "kind": "..."}, ...]}'
)


def wish(number: int) -> Prompt:
    """The number turns subject, form and a first letter, so that no two prompts are alike."""
    return Prompt(_wish(number), WRITER)


def again(number: int, reply: str, wrong: Sequence[str]) -> Prompt:
    """The same once more, with what came and what is wrong with it."""
    listed = "\n".join(f"- {fault}" for fault in wrong)
    return Prompt(
        f"{_wish(number)}\n\nYour last reply was:\n{reply.strip()}\n\nIt is refused:\n{listed}\n\n"
        "Reply with the whole JSON object, corrected.",
        WRITER,
    )


def form(number: int) -> str:
    """What kind of writing the passage of a number is."""
    return FORMS[number % len(FORMS)]


def _wish(number: int) -> str:
    low, high = WORDS
    return " ".join(
        (
            f"Write a text about {SUBJECTS[number % len(SUBJECTS)]} that does not exist in the",
            f"real world, in the form of: {form(number)}. It is one paragraph of {low + 15} to",
            f"{high - 20} words. Invent every proper noun, and let the most important one begin",
            f"with {LETTERS[number * 7 % len(LETTERS)]}. People, places, an organisation, dates",
            "and numbers occur in it.",
            f"\nThen write {QUESTIONS} questions that only this text can answer. Each answer is",
            f"copied from the text letter by letter, has at most {ANSWER_WORDS} words, and is not",
            "part of its question. At least one answer is a name, and at least one a date or a",
            "number.",
            "\nThen list everything sensitive in the text and the questions: names, places,",
            "organisations, dates, identifiers and numbers. Every figure written in digits must be",
            "in the list.",
            f"\nReply with this JSON object, number {number} of a series:\n{SHAPE}",
            f"\nA kind is one of {', '.join(sorted(KINDS))}.",
        )
    )
