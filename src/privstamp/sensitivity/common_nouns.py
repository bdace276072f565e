"""English words that a list takes for names, or for rare, and that are neither.

By public numbers alone: a thing has a plural, and its nearest words are no names; a form of a
frequent word is as plain as that word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

import numpy as np

from privstamp.spaces.glove import Glove

PLURAL: Final = 1.0
"""A thing's plural is at most that much rarer, on the Zipf scale: a tenth as frequent."""
NEIGHBOURS: Final = 20
_BLOCK: Final = 64
ENDINGS: Final = ("ness", "less", "ly", "ful", "s", "es", "ing", "ed")
DERIVED: Final = re.compile(
    r"[a-z]{3,}(?:(?:able|ance|ancy|ary|ation|ence|ency|etic|ful|graph(?:ic|y)|ial|ible|ical|ional"
    r"|ious|ism|ist|istic|ity|less|ment|metric|ness|ogist|ology|ous|ship|sion|tion|tive|ular)s?"
    r"|ally|ancies|ed|encies|ies|ing|ities|ly)"
)
"""Words with an ending by which English makes words of others; names and substances rarely have
one."""


def common_nouns(
    words: Collection[str], frequency: Mapping[str, float], names: Collection[str]
) -> set[str]:
    """Those with a plural in use, and with no more `names` among the words nearest to them in the
    default space than among all of its words."""
    space = Glove()
    listed = space.words(np.arange(len(space.unit), dtype=np.int32))
    rows = {word: row for row, word in enumerate(listed)}
    named = np.array([word in names for word in listed])
    asked = sorted(word for word in words if word in rows and _has_plural(word, frequency, names))
    found: set[str] = set()
    for start in range(0, len(asked), _BLOCK):
        block = asked[start : start + _BLOCK]
        own = np.array([rows[word] for word in block])
        cosines = space.unit[own] @ space.unit.T
        cosines[np.arange(len(own)), own] = -2.0
        nearest = np.argpartition(cosines, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS:]
        shares = named[nearest].mean(axis=1)
        found |= {w for w, share in zip(block, shares, strict=True) if share <= named.mean()}
    return found


def _has_plural(word: str, frequency: Mapping[str, float], names: Collection[str]) -> bool:
    """Whether a plural is in use, and is no name itself, as adams is."""
    plurals = [f"{word}es" if word.endswith("s") else f"{word}s"]
    if word.endswith(("o", "x", "z", "ch", "sh")):
        plurals.append(f"{word}es")
    if word.endswith("y"):
        plurals.append(f"{word[:-1]}ies")
    used = [frequency.get(one, 0.0) for one in plurals if one not in names]
    return max(used, default=0.0) >= frequency[word] - PLURAL


def forms_of(frequent: Collection[str], words: Collection[str]) -> set[str]:
    """Those of `words` that are a frequent word with an ending: shortness, pianos."""
    return {word for word in words if any(base in frequent for base in _bases(word))}


def is_derived(word: str) -> bool:
    """Whether it ends as words do that are made of others: photosynthetic, solubility."""
    return DERIVED.fullmatch(word) is not None


def _bases(word: str) -> Iterator[str]:
    for ending in ENDINGS:
        if word.endswith(ending):
            base = word.removesuffix(ending)
            yield base
            if base.endswith("i"):
                yield f"{base[:-1]}y"
            if ending in ("ing", "ed"):
                yield f"{base}e"
