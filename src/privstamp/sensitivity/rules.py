"""Sensitive spans by patterns and checksums alone: no model, no list of words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final

from privstamp.errors import PolicyError, suggest
from privstamp.sensitivity import identifiers
from privstamp.sensitivity.categories import FILES, category, terms
from privstamp.sensitivity.languages import WORDS, Words, words_of
from privstamp.sensitivity.patterns import BY_CHOICE, RULES, Rule
from privstamp.sensitivity.people import KINDS as SINGLING_KINDS
from privstamp.sensitivity.people import SINGLING
from privstamp.sensitivity.secret_cues import RULE as SAID
from privstamp.sensitivity.secret_cues import SaidSecrets
from privstamp.sensitivity.secrets import SECRETS
from privstamp.sensitivity.spans import tokens_of
from privstamp.sensitivity.wordrules import word_rules
from privstamp.types import Finding, Scope, Units


def all_rules(words: Words) -> tuple[Rule, ...]:
    """Those without words, and those for the words of some languages."""
    return (*RULES, *SECRETS, *SINGLING, *word_rules(words))


ENTITIES: Final = (
    frozenset(rule.kind for words in WORDS.values() for rule in all_rules(words))
    | identifiers.KINDS
    | FILES.keys()
)
DEFAULT: Final = ENTITIES - BY_CHOICE - FILES.keys() - SINGLING_KINDS
_LISTED: Final = 0.6
_SECRET, _SAID = "CREDENTIAL", 0.7
_LIBRARIES: Final = ("phonenumbers", "tldextract")


class Rules:
    """Contacts, accounts, cards, machine addresses, keys, ids by shape, streets, titled names."""

    name: Final = "rules"
    scope: Final = Scope.context("a pattern may look at neighbouring words and characters")

    def __init__(
        self, *, entities: Sequence[str] | None = None, language: str | Sequence[str] = "en"
    ) -> None:
        self.entities = chosen(entities, DEFAULT, ENTITIES)
        words = words_of(language)
        self._rules = tuple(rule for rule in all_rules(words) if rule.kind in self.entities)
        self._national = identifiers.KINDS & self.entities
        self._said = SaidSecrets(words) if _SECRET in self.entities else None
        languages = [language] if isinstance(language, str) else list(language)
        self._lists = {kind: category(kind, languages) for kind in FILES if kind in self.entities}
        facts = [[r.kind, r.name, r.score, r.pattern.pattern, r.needs] for r in self._rules]
        self.fingerprint = fingerprint(
            self.name,
            facts,
            repr(words),
            sorted(self._national),
            self._said.facts if self._said else None,
            {kind: [*terms(kind, language)] for kind in self._lists for language in languages},
            {name: version(name) for name in _LIBRARIES},
        )

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document; they may overlap."""
        return [list(self.scan(units.text)) for units in batch]

    def scan(self, text: str) -> Iterator[Finding]:
        """Every hit of every rule in one text."""
        lowered = text.lower()
        for rule in self._rules:
            for need in rule.needs:
                if need in lowered:
                    break
            else:
                if rule.needs:
                    continue
            if rule.hint is not None and rule.hint.search(text) is None:
                continue
            for match in rule.pattern.finditer(text):
                hit = rule.confirm(match, rule.score)
                if hit is not None:
                    start, end, score = hit
                    yield Finding(start, end, rule.kind, score, self.name, rule.name)
        if self._said:
            for start, end in self._said.of(text):
                yield Finding(start, end, _SECRET, _SAID, self.name, SAID)
        if self._national:
            yield from self._numbers(text)
        if self._lists:
            yield from self._listed(text)

    def _numbers(self, text: str) -> Iterator[Finding]:
        for match in identifiers.DIGITS.finditer(text):
            known = identifiers.national(match)
            if known is not None and known[0].kind in self._national:
                shape, (start, end, score) = known
                yield Finding(start, end, shape.kind, score, self.name, shape.rule)

    def _listed(self, text: str) -> Iterator[Finding]:
        words = list(tokens_of(text))
        for kind, list_ in self._lists.items():
            for start, end in list_.spans_of(words):
                yield Finding(start, end, kind, _LISTED, self.name, f"list of {kind}")


def chosen(
    entities: Sequence[str] | None, default: frozenset[str], known: frozenset[str]
) -> frozenset[str]:
    """The kinds asked for, or the default; unknown ones are refused."""
    if entities is None:
        return default
    if isinstance(entities, str) or not entities:
        raise PolicyError(f"entities must be a list of kinds.{suggest(str(entities), known)}")
    for entity in entities:
        if entity not in known:
            raise PolicyError(f'no entity "{entity}".{suggest(str(entity), known)}')
    return frozenset(entities)


def fingerprint(*facts: object) -> str:
    """One hash over whatever decides."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
