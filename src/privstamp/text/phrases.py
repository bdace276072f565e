"""Terms of several words, and abbreviations whose letters are a name in another case: Black
Friday, Cox regression, 16 GB RAM. Public facts; what stands around them is not looked at."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from privstamp.text.wordforms import STRAIGHT

_WORD: Final = re.compile(r"[^\W_]+")
_GOES_ON: Final = re.compile(r"\w")


def phrases(text: str) -> list[tuple[int, int]]:
    """Where they stand, the longest at each place, in order and without overlaps.

    Those that are written in capitals alone are met as written, others in any case.

    >>> text = "A Cox regression on Black Friday; Ram Dass bought 16 GB RAM."
    >>> [text[start:end] for start, end in phrases(text)]
    ['Cox regression', 'Black Friday', 'RAM']
    """
    by_word, folded = _by_first_word(), _folded(text)
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(folded):
        start = match.start()
        if spans and start < spans[-1][1]:
            continue
        for phrase, exact in by_word.get(match[0], ()):
            end = start + len(phrase)
            if (
                folded.startswith(phrase, start)
                and not (_GOES_ON.match(folded, end) and phrase[-1].isalnum())
                and not (exact and not text[start:end].isupper())
            ):
                spans.append((start, end))
                break
    return spans


def _folded(text: str) -> str:
    """In small letters, as many as there are: one capital of Turkish would become two."""
    return text.translate(STRAIGHT).replace("\u0130", "i").lower()


def phrases_fingerprint() -> str:
    """Tells one list from another."""
    return sha256(_written().encode()).hexdigest()


def _written() -> str:
    return (files("privstamp.text") / "words" / "phrases.txt").read_text(encoding="utf-8")


@cache
def _by_first_word() -> dict[str, list[tuple[str, bool]]]:
    """Folded phrases, the longest first, by the first word of each; and whether capitals tell."""
    lines = (line for line in _written().splitlines() if not line.startswith("#"))
    by_word: dict[str, list[tuple[str, bool]]] = {}
    for phrase in dict.fromkeys(term.strip() for line in lines for term in line.split(";")):
        folded, exact = _folded(phrase), phrase.isalpha() and phrase.isupper()
        by_word.setdefault(_WORD.findall(folded)[0], []).append((folded, exact))
    for terms in by_word.values():
        terms.sort(key=lambda term: -len(term[0]))
    return by_word
