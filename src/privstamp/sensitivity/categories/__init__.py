"""Words that tell of health, work, gender, origin, belief: lists of our own, opt-in by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from privstamp.errors import PolicyError
from privstamp.sensitivity.custom import Dictionary

FILES: Final = {
    "HEALTH": "health.txt",
    "JOB_TITLE": "job_title.txt",
    "GENDER": "gender.txt",
    "ETHNICITY": "ethnicity.txt",
    "RELIGION": "religion.txt",
    "ORIENTATION": "orientation.txt",
    "POLITICS": "politics.txt",
    "KIN": "kin.txt",
}
"""Kinds and where their terms stand, in a folder per language."""
LANGUAGES: Final = ("en",)


def category(kind: str, languages: Iterable[str]) -> Dictionary:
    """The terms of one kind; a language without a list is refused."""
    for language in languages:
        if language not in LANGUAGES:
            raise PolicyError(
                f'{kind} has no list for language "{language}". Known: {", ".join(LANGUAGES)}; '
                "words of your own go under [[sensitivity.custom]]"
            )
    return _dictionary(kind, tuple(languages))


@cache
def _dictionary(kind: str, languages: tuple[str, ...]) -> Dictionary:
    return Dictionary(
        (t for language in languages for t in terms(kind, language)), f"list of {kind}"
    )


def terms(kind: str, language: str) -> Iterator[str]:
    """The terms of a list, and in English their plurals."""
    text = (files(__package__) / language / FILES[kind]).read_text(encoding="utf-8")
    for line in text.splitlines():
        for term in () if line.startswith("#") else line.split(","):
            yield term.strip()
            if language == "en":
                yield _plural(term.strip())


def _plural(term: str) -> str:
    if term.endswith(("s", "x", "ch", "sh")):
        return f"{term}es"
    return f"{term[:-1]}ies" if term[-1] == "y" and term[-2] not in "aeiou" else f"{term}s"
