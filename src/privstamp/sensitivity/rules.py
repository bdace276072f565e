"""Sensitive spans by patterns, checksums and words that announce a secret: no model."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final

from privstamp.errors import PolicyError, suggest
from privstamp.sensitivity import identifiers
from privstamp.sensitivity.categories import FILES, category, terms
from privstamp.sensitivity.languages import WORDS, Words, listed, words_of
from privstamp.sensitivity.patterns import BY_CHOICE, RULES, Rule
from privstamp.sensitivity.people import KINDS as SINGLING_KINDS
from privstamp.sensitivity.people import SINGLING
from privstamp.sensitivity.secret_forms import (
    ABOUT,
    REACH,
    Cue,
    around,
    beside,
    elsewhere,
    is_opening,
    items,
    linked_value,
)
from privstamp.sensitivity.secret_values import CODE, QUOTED, Span, value_at
from privstamp.sensitivity.secrets import SECRETS
from privstamp.sensitivity.spans import tokens_of
from privstamp.sensitivity.wordrules import word_rules
from privstamp.types import Finding, Scope, Units

# Secrets that words announce: a noun for one, what joins it to its value, and the value.
#
# A cue (`password`, `gate code`, `mother's maiden name`) tells which values it may have. Between
# them stands a colon, a verb with what the secret is for (`for the shed is`), a change (`from ...
# to`), a question, or nothing; some values stand before their cue. What only says something of a
# secret (too short, was reset) is none: `secret_values` tells.


SAID: Final = "word for a secret"
VERSION: Final = 4
"""Raise it when a form decides another way: releases are comparable only under the same rules."""
_SEPARATED: Final = r"(?::=|=>|::|==(?=\s?[\"'])|[:=])(?![=>])|->|\u2192|(?<= )[-\u2013\u2014](?= )"
_ADVERBS: Final = r"(?: (?:now|still|currently|just|simply|again|probably|actually|literally))?"
_ANOTHER: Final = re.compile(
    r"[\"'`\u201d\u2019]?[,;.]? (?:and |but |so )?the (?:new|old|other|next|current|second|first|"
    r"right|correct) one (?:is|was)(?: now)? (?=\S)"
)
_PARALLEL: Final = re.compile(
    r"(?m)^[^\n=\"']{0,20}?(?P<names>\w{1,40}(?:, ?\w{1,40}){1,5})\)? {0,3}:?= {0,3}\(?"
    r"(?P<set>[\"'`][^\n]{3,300})"
)
_KEYED: Final = re.compile(
    r"(?<!\w)(?i:enter|type(?: in)?|key in|punch in|tap in|dial|press|use|input"
    r"|(?:un)?lock(?:s|ed)? (?:it )?(?:with|by)|opens? (?:with|by)|unlock)(?: code)? (?=[\d*#])"
)
_KEYED_FOR: Final = re.compile(
    r"(?i)(?<!\w)(?:key ?pad|verif\w+|log(?:ging)? ?in|sign(?:ing)? ?in|(?:un)?lock(?:s|ed)?|"
    r"opens?|doors?|gates?|panel|prompted|(?:when|if) asked|alarm|get in|let yourself in|confirm|"
    r"enter (?:the )?(?:building|house))(?!\w)"
)


class SaidSecrets:
    """Finds what words of some languages say to be secret."""

    def __init__(self, words: Words) -> None:
        fields = {
            words.locks: Cue.MIXED,
            words.pins: Cue.CODE,
            words.opened: Cue.OPEN,
            words.answers: Cue.ANSWER,
            f"{words.secrets}, {words.phrases}": Cue.ANY,
        }
        self._kinds = {
            _folded(phrase): kind for field, kind in fields.items() for phrase in listed(field)
        }
        verbs = "|".join(map(re.escape, listed(words.verbs))) or "(?!)"
        self._needs = tuple({phrase[:3] for phrase in self._kinds})
        self._cue = re.compile(_cues(listed(", ".join(fields))))
        self._link = re.compile(
            rf"(?P<key>[\"'`]?){ABOUT}\s{{0,3}}(?:(?P<sep>{_SEPARATED})"
            rf"|(?P<short>['\u2019]s)(?=\s)|(?<=\s)(?P<verb>(?i:{verbs}){_ADVERBS})(?=[\s:]):?)"
            r"\s{0,3}(?=\S)"
        )
        users = "|".join(map(re.escape, listed(words.users))) or "(?!)"
        self._user = re.compile(rf"(?<![^\W_])(?i:un|{users})[ :=]")
        self.facts = [VERSION, self._cue.pattern, self._link.pattern]

    def of(self, text: str) -> Iterator[Span]:
        """Every secret that a cue announces; some twice. One within `marks` ends before them."""
        for start, end in self._of(text):
            marks = text[end - 1] == "`" and text.count("`", text.rfind("\n", 0, start) + 1, start)
            yield start, end - (marks % 2 if end - start > 1 else 0)

    def _of(self, text: str) -> Iterator[Span]:
        lowered = text.lower()
        if any(need in lowered for need in self._needs):
            for cue in self._cue.finditer(text):
                kind = self._kinds.get(_folded(cue["cue"]), Cue.ANY)
                if text[max(0, cue.start() - 5) : cue.start()].lower() == "sort ":
                    continue  # a bank's, and no secret
                if kind is not Cue.OPEN or is_opening(text, cue):
                    yield from self._told(text, cue, kind)
            for line in _PARALLEL.finditer(text):
                yield from self._beside_each_other(text, line)
        for verb in _KEYED.finditer(text):
            code = CODE.match(text, verb.end())
            sure = verb[0].lower().startswith(("unlock", "lock", "open"))
            if code and (sure or _KEYED_FOR.search(around(text, *code.span()))):
                yield code.span()

    def _beside_each_other(self, text: str, line: re.Match[str]) -> Iterator[Span]:
        """Secrets of a line that sets several names at once: user, password = "ana", "..." """
        names = line["names"].split(",")
        strings = [
            match.span(match.lastindex or 0) for match in QUOTED.finditer(text, *line.span("set"))
        ]
        for name, span in zip(names, strings, strict=False):
            cue = self._cue.search(name)
            kind = self._kinds.get(_folded(cue["cue"])) if cue else None
            if len(names) == len(strings) and kind in (Cue.ANY, Cue.MIXED):
                yield span

    def _told(self, text: str, cue: re.Match[str], kind: Cue) -> Iterator[Span]:
        """The secrets of one cue: those of the first form that fits."""
        first = self._linked(text, cue, kind) or beside(text, cue, kind)
        if first is None:
            yield from elsewhere(text, cue, kind)
            return
        yield first
        if cue["more"]:
            yield from items(text, first, kind)
        elif (another := _ANOTHER.match(text, first[1])) and kind is Cue.ANY:
            second = value_at(text, another.end(), sep=False, lined=False)
            if second:
                yield second

    def _linked(self, text: str, cue: re.Match[str], kind: Cue) -> Span | None:
        link = self._link.match(text, cue.end())
        if link is None or (link["key"] and not link["sep"]):
            return None
        if kind is Cue.MIXED and link["sep"] and self._user.search(_line_before(text, cue.start())):
            kind = Cue.ANY  # user: kiosk, pass: kingfisher
        span = linked_value(
            text, link.end(), cue, kind, sep=bool(link["sep"]), short=bool(link["short"])
        )
        counted = span and cue["more"] and text[slice(*span)].isdecimal() and kind is not Cue.CODE
        return None if counted else span  # max_tokens: 4096


def _cues(phrases: tuple[str, ...]) -> str:
    """A pattern for phrases, also as programs write them: door code, DOOR_CODE, doorCode.

    It begins with a set of letters, which `re` skips to, and looks behind only then.
    """
    rests: dict[str, list[str]] = defaultdict(list)
    for phrase in phrases:
        rest = re.sub(r"(?:\\?[ -])+", "[ _-]?", re.escape(phrase[1:]))
        rests[phrase[0]].append(rest.replace("'", "['\u2019]"))
    letters = "".join(letter + letter.upper() for letter in rests)
    named = "|".join(
        f"(?<=[{letter}{letter.upper()}])(?:{'|'.join(rest)})" for letter, rest in rests.items()
    )
    glued = "(?<=[A-Z].)(?=(?:ASSWORD|ASSWD|ECRET|OKEN)=)"  # PGPASSWORD=
    outset = rf"(?:(?<![^\W_].)|(?<=[a-z][A-Z])|{glued})"
    cue = rf"[{letters or 'a'}]{outset}(?i:{named or '(?!)'})"
    return rf"(?P<cue>{cue})(?P<more>e?s)?(?![^\W_])"


def _line_before(text: str, start: int) -> str:
    """What stands before a place on its line, as far as it is near."""
    return text[max(0, start - REACH) : start].rpartition("\n")[2]


def _folded(phrase: str) -> str:
    return re.sub(r"[ _-]+", "", phrase).replace("\u2019", "'").casefold()


# The detector.


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
