"""Words that are written in one with others, as German and Dutch do: Wasserrohrbruch."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

LINKS: Final = {"de": ("", "s", "es", "n", "en", "er"), "nl": ("", "s", "e", "en")}
"""What may stand between two words, by language."""
_SHORTEST, _LAST = 4, 3
"""Letters of a part, and of the last one."""
_LONGEST: Final = 60


def is_compound(word: str, words: Container[str], language: str) -> bool:
    """Whether a word in lower case is made of two or more of the words given.

    >>> is_compound("wasserrohrbruch", {"wasser", "rohr", "bruch"}, "de")
    True
    >>> is_compound("wojcikbruch", {"wasser", "rohr", "bruch"}, "de")
    False
    """
    links = LINKS.get(language, ())
    if not links or not word.isalpha() or len(word) > _LONGEST:
        return False
    open_ends = {0}  # where a further part may begin
    for end in range(_SHORTEST, len(word) + 1):
        begins = {start for start in open_ends if end - start >= _SHORTEST}
        if any(word[start:end] in words for start in begins):
            open_ends |= {end + len(link) for link in links if word.startswith(link, end)}
    tails = (start for start in open_ends if start and len(word) - start >= _LAST)
    return any(word[start:] in words for start in tails)
