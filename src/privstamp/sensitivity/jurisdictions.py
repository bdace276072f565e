"""Countries and states that a text names as law or court: a legal term, and nobody's address."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from privstamp.text.places import countries, states

_NATIONS: Final = ("England", "Wales", "Scotland", "Northern Ireland", "Great Britain")
_BODY: Final = r"(?:(?i:the )?(?:State|Commonwealth|Republic|Province|Kingdom) of )?(?:the )?"


@cache
def _pattern() -> re.Pattern[str]:
    known = {*(place.name for place in countries()), *states(), *_NATIONS}
    names = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    place = rf"{_BODY}(?:{names})\b"
    return re.compile(
        r"\b(?i:laws?|legislation|statutes?|courts?|jurisdiction)(?: in force)? (?:of|in) "
        rf"(?:the (?:federal |state )?courts (?:of|in) )?"
        rf"(?P<places>{place}(?:(?:, | and |, and | or ){place})*)"
    )


def jurisdictions(text: str) -> list[tuple[int, int]]:
    """Where a law, a court or a jurisdiction of countries and states is named, and which.

    >>> text = "It is governed by the laws of England and Wales."
    >>> [text[start:end] for start, end in jurisdictions(text)]
    ['England and Wales']
    """
    if " of " not in text and " in " not in text:
        return []
    return [match.span("places") for match in _pattern().finditer(text)]
