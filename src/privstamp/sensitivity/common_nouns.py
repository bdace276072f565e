"""English words that a list takes for names, or for rare, and that are neither.

By public numbers alone: a thing has a plural (and its nearest words are no names); a form of a
frequent word is as plain as that word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

PLURAL: Final = 1.0
"""A thing's plural is at most that much rarer, on the Zipf scale: a tenth as frequent."""
ENDINGS: Final = ("ness", "less", "ly", "ful", "s", "es", "ing", "ed")
DERIVED: Final = re.compile(
    r"[a-z]{3,}(?:(?:able|ance|ancy|ary|ation|ence|ency|etic|ful|graph(?:ic|y)|ial|ible|ical|ional"
    r"|ious|ism|ist|istic|ity|less|ment|metric|ness|ogist|ology|ous|ship|sion|tion|tive|ular)s?"
    r"|ally|ancies|ed|encies|ies|ing|ities|ly)"
)
"""Words with an ending by which English makes words of others; names and substances rarely have
one."""


def has_plural(word: str, frequency: Mapping[str, float], names: Collection[str]) -> bool:
    """Whether a plural is in use, and is no name itself, as adams is."""
    plurals = [f"{word}es" if word.endswith("s") else f"{word}s"]
    if word.endswith(("o", "x", "z", "ch", "sh")):
        plurals.append(f"{word}es")
    if word.endswith("y"):
        plurals.append(f"{word[:-1]}ies")
    used = [frequency.get(plural, 0.0) for plural in plurals if plural not in names]
    return max(used, default=0.0) >= frequency[word] - PLURAL


def forms_of(frequent: Collection[str], words: set[str]) -> set[str]:
    """Those of `words` that are a frequent word with an ending: shortness, pianos."""
    return {
        form
        for ending in ENDINGS
        for stems in (frequent, _stems(frequent, ending))
        for form in words.intersection([f"{stem}{ending}" for stem in stems])
    }


def _stems(frequent: Collection[str], ending: str) -> Iterator[str]:
    """What frequent words become before an ending: happi(ness), mak(ing)."""
    for word in frequent:
        if word.endswith("y"):
            yield f"{word[:-1]}i"
        elif word.endswith("e") and ending in ("ing", "ed"):
            yield word[:-1]


def is_derived(word: str) -> bool:
    """Whether it ends as words do that are made of others: photosynthetic, solubility."""
    return DERIVED.fullmatch(word) is not None
