"""What is sensitive by the word alone: listed names and places, words that no public list knows,
digits, identifiers.

The map is public. It reads a unit's letters, its kind and its case, and never its neighbours.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from privstamp.errors import PolicyError
from privstamp.sensitivity.frequencies import common_words
from privstamp.sensitivity.lexicon_claims import PLACE, RULES
from privstamp.sensitivity.lexicon_table import WITH_CAPITALS, table
from privstamp.sensitivity.misspelling import VERSION as MISSPELT
from privstamp.sensitivity.misspelling import Slips
from privstamp.sensitivity.own_words import read_vocabulary
from privstamp.spaces.splitter import split
from privstamp.text.vocabulary import WordTable, is_code
from privstamp.text.wordforms import is_compound, is_formula
from privstamp.types import UNKNOWN, Finding, Kind, Label, Scope, Units

Ambiguous = Literal["capital", "always", "never"]
INITIAL, RARE, SCRIPT = "initial", "unlisted word", "unknown script"
CAPITAL: Final = "rare word with a capital"
"""Public in small letters; with a capital it may be a name, unless every word there has one."""
_JOINTS: Final = re.compile(r"[-'.&/\u2010-\u2015\u2018\u2019\u00ad\u200c\u200d]+")
_LONGEST: Final = 128
"""No list has longer words: those are not looked up."""
_CAPITAL: Final = int(Label.TITLE | Label.UPPER)
_SPLIT, _POSSESSIVE = int(Label.SPLIT), int(Label.POSSESSIVE)  # flags are slow in a loop
_PIECE: Final = int(Kind.PIECE)
_WORDY: Final = (Kind.WORD, Kind.FOREIGN)


class Verdict(NamedTuple):
    """Why a word is sensitive, as what, and how sure that is."""

    rule: str
    kind: str
    score: float


BY_KIND: Final = {
    Kind.NUMBER: Verdict("digits", "NUMBER", 0.9),
    Kind.ORDINAL: Verdict("digits", "NUMBER", 0.9),
    Kind.CODE: Verdict("letters and digits", "CODE", 0.9),
    Kind.EMAIL: Verdict("e-mail address", "EMAIL_ADDRESS", 1.0),
    Kind.URL: Verdict("web address", "URL", 1.0),
}
"""Units that are sensitive by their shape."""
_LISTED, _DOUBTFUL, _UNLISTED = 0.9, 0.6, 0.5


@cache
def _listed(path: Path) -> tuple[str, frozenset[str]]:
    """A list as it is written, and its words; kept once, however many maps are made of it."""
    written = path.read_text(encoding="utf-8")
    return written, frozenset(written.split())


_table: Final = cache(WordTable)


class Lexicon:
    """A public map from words to what they are; `privstamp.sensitivity.lexicon_table` derives it.

    `rare` is a Zipf frequency: 3.0 is one word in a million. `ambiguous` says when a listed name
    that is also a word (bill, rose) counts: with a capital letter, always, or never. `vocabulary`
    names the public lists whose words are ordinary however rare, and files of one's own.
    """

    name: Final = "lexicon"
    scope: Final = Scope.unit_type("a public list of words; a unit's letters, kind and case decide")

    def __init__(
        self,
        *,
        language: str = "en",
        rare: float = 3.0,
        ambiguous: Ambiguous = "capital",
        vocabulary: Sequence[str] | None = None,
    ) -> None:
        if isinstance(rare, bool) or not isinstance(rare, int | float) or not 1 <= rare <= 7:
            raise PolicyError("sensitivity: rare is a Zipf frequency from 1 to 7; 3 is usual")
        if ambiguous not in get_args(Ambiguous):
            raise PolicyError('sensitivity: ambiguous is "capital", "always" or "never"')
        if not isinstance(language, str):
            raise PolicyError('sensitivity: language is a code such as "en"')
        self.languages: Final = frozenset({language})
        folder = table(language, float(rare))
        lists = [_listed(folder / f"{name}.txt") for name in ("ordinary", "capital", "forms")]
        written = [words for words, _ in lists]
        ordinary, capital, self._forms = (words for _, words in lists)
        self._language = language
        self._nouns: frozenset[str] = frozenset()
        if language in WITH_CAPITALS:
            words, self._nouns = _listed(folder / "nouns.txt")
            written.append(words)
        self._words = ordinary | self._nouns  # that compounds are made of
        self._alphabet = frozenset("".join(ordinary))
        self._ordinary = ordinary | capital if ambiguous == "never" else ordinary
        self._capital = capital if ambiguous == "capital" else frozenset()
        self._listed = _table(folder)
        self._rules: list[int] = np.load(folder / "rules.npy").tolist()
        self._vocabulary = read_vocabulary(vocabulary, language)
        self._slips = Slips(self._ordinary, self._vocabulary.has, common_words(language))
        facts = [self.name, language, float(rare), ambiguous, written, self._rules]
        facts += [self._vocabulary.fingerprint, MISSPELT]
        fingerprint = hashlib.sha256(json.dumps(facts).encode())  # the words in use, no source file
        fingerprint.update(self._listed.joined() + self._listed.index())
        self.fingerprint = fingerprint.hexdigest()

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """One finding for each sensitive unit. Pieces are read as the words they make up."""
        return [list(self._document(units)) for units in batch]

    def _document(self, units: Units) -> Iterator[Finding]:
        if (units.kinds == _PIECE).any():
            units = split(units.text, self)
        ordinary, text = self._ordinary, units.text
        columns = (units.starts, units.ends, units.kinds, units.labels)
        known: dict[tuple[str, int, int], Verdict | None] = {}  # of this document, no longer
        for start, end, kind, label in zip(*(c.tolist() for c in columns), strict=True):
            written = text[start:end]
            word = written.lower()
            if word in ordinary or (word != written and _is_code(written)):
                continue
            asked = word, kind, label
            if asked not in known:
                known[asked] = self.verdict(word, Kind(kind), label)
            if (verdict := known[asked]) is not None:
                yield Finding(start, end, verdict.kind, verdict.score, self.name, verdict.rule)

    def get(self, word: str, default: int, /) -> int:
        """Whether a word is ordinary, as a splitter asks it."""
        return 0 if word in self._ordinary else default

    def is_public(self, word: str) -> bool:
        """Whether a word in lower case is ordinary."""
        return self._word(folded(word), capital=False) is None

    def is_listed(self, word: str) -> bool:
        """Whether a word stands in a list of names or places."""
        return self._listed.get(folded(word), UNKNOWN) != UNKNOWN

    def verdict(self, word: str, kind: Kind, label: int) -> Verdict | None:
        """Why a unit of this type is sensitive; None if it is not. Depends on nothing else."""
        if kind not in _WORDY:
            return BY_KIND.get(kind)
        if label & _SPLIT:
            return None  # an ending such as n't: one of a handful
        word = folded(word[:-2] if label & _POSSESSIVE else word).rstrip(".")
        capital = bool(label & _CAPITAL)
        whole = self._word(word, capital)
        if whole is None or word.isalpha():
            return whole
        parts = [part for part in _JOINTS.split(word) if part]
        if not parts:
            return whole
        verdicts = [self._word(part, capital and len(part) > 1) for part in parts]
        return max(filter(None, verdicts), key=lambda verdict: verdict.score, default=None)

    def _word(self, word: str, capital: bool) -> Verdict | None:
        if word in self._ordinary:
            return None
        if not capital and (word in self._capital or word in self._forms):
            return None
        if len(word) > _LONGEST:
            return Verdict(RARE, "RARE", _UNLISTED)
        if not capital and self._vocabulary.has(word):
            return None
        doubtful = word in self._capital
        row = self._listed.get(word, UNKNOWN)
        if row != UNKNOWN:
            rule = RULES[self._rules[row]]
            kind = "LOCATION" if rule == PLACE else "PERSON"
            return Verdict(rule, kind, _DOUBTFUL if doubtful else _LISTED)
        if doubtful:
            return Verdict(INITIAL, "PERSON", _DOUBTFUL)
        if self._vocabulary.knows(word, capital=capital):
            if not capital or self._vocabulary.is_term(word):
                return None
            return Verdict(CAPITAL, "RARE", _UNLISTED)
        if not capital and word in self._slips:
            return None
        if word in self._nouns:
            return None
        if (self._nouns or not capital) and is_compound(word, self._words, self._language):
            return None
        if capital and self._language != "en" and word in self._forms:
            return Verdict(CAPITAL, "RARE", _UNLISTED)
        rule = RARE if self._alphabet.issuperset(word) else SCRIPT
        return Verdict(rule, "RARE", _UNLISTED)


def _is_code(word: str) -> bool:
    return is_code(word) or is_formula(word)


def folded(word: str) -> str:
    """A word as it is looked up."""
    return word if word.isascii() else unicodedata.normalize("NFKC", word).casefold()
