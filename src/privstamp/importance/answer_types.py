"""What kind of word answers an English question: a number, a name, a place."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

Wanted: TypeAlias = Literal["time", "amount", "person", "place", "other"]

_CUES: Final[dict[Wanted, str]] = {
    "time": r"when|how (?:long|old)|(?:what|which) (?:year|date|day|month|century|decade|time)",
    "amount": r"how (?:many|much|far|large|big|tall|high|often|fast)"
    r"|(?:what|which) (?:percent|percentage|number|amount|rate|size|price|cost)",
    "person": r"who|whom|whose"
    r"|(?:what|which) (?:person|king|queen|president|team|player|author|company|name)"
    r"|what (?:is|was) the name",
    "place": r"where|(?:what|which) (?:city|country|place|state|region|town|location|area|street"
    r"|river|hospital|school)",
}
_KINDS: Final = {kind: re.compile(rf"\b(?:{cue})\b", re.IGNORECASE) for kind, cue in _CUES.items()}
_NUMBER_WORDS: Final = """
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
    hundred thousand million billion dozen first second third half quarter
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
"""
NUMBER_WORDS: Final = frozenset(_NUMBER_WORDS.split())


def wanted(task: str) -> Wanted:
    """The kind of answer that a question asks for; "other" where no cue says so."""
    return next((kind for kind, cue in _KINDS.items() if cue.search(task)), "other")
