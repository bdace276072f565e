"""Sensitive spans by patterns and checksums alone: no model, no list of words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final

from privstamp.errors import PolicyError, suggest
from privstamp.sensitivity.patterns import BY_CHOICE, RULES
from privstamp.types import Finding, Scope, Units

ENTITIES: Final = frozenset(rule.kind for rule in RULES)
DEFAULT: Final = ENTITIES - BY_CHOICE
_LIBRARIES: Final = ("phonenumbers", "tldextract")


class Rules:
    """Contacts, accounts, cards, machine addresses, keys, ids by shape, and names after a title."""

    name: Final = "rules"
    scope: Final = Scope.context("a pattern may look at neighbouring words and characters")

    def __init__(self, *, entities: Sequence[str] | None = None) -> None:
        self.entities = chosen(entities, DEFAULT, ENTITIES)
        self._rules = tuple(rule for rule in RULES if rule.kind in self.entities)
        facts = [[r.kind, r.name, r.score, r.pattern.pattern] for r in self._rules]
        self.fingerprint = fingerprint("rules", facts, {name: version(name) for name in _LIBRARIES})

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document; they may overlap."""
        return [list(self.scan(units.text)) for units in batch]

    def scan(self, text: str) -> Iterator[Finding]:
        """Every hit of every rule in one text."""
        for rule in self._rules:
            for match in rule.pattern.finditer(text):
                hit = rule.confirm(match, rule.score)
                if hit is not None:
                    start, end, score = hit
                    yield Finding(start, end, rule.kind, score, self.name, rule.name)


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
