"""The rules that look for words: titles, streets, passwords, telephones, dates, per language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.sensitivity.confirm import After, username, value
from privstamp.sensitivity.languages import Words, listed
from privstamp.sensitivity.naming import (
    CAPITAL,
    NAME,
    WAY,
    Glued,
    Named,
    company,
    numbered,
    preceding,
    unnumbered,
)
from privstamp.sensitivity.patterns import Rule, rule
from privstamp.sensitivity.phones import PHONE, Phone

_SURE: Final = frozenset(
    listed(
        "street, road, avenue, lane, drive, boulevard, square, terrace, crescent, highway, "
        "parkway, gardens, grove, mews"
    )
)
"""Words for a way that tell one without a number, if they have a capital."""
_FORMS: Final = (
    r"Ltd\.?|Limited|Inc\.?|Incorporated|LLC|LLP|PLC|plc|Corp\.?|Corporation|GmbH|mbH|AG|KG|KGaA|OHG"
    r"|e\.V\.|SARL|S\.A\.R\.L\.|S\.A\.|SAS|S\.L\.|S\.p\.A\.|SpA|S\.r\.l\.|Srl|B\.V\.|BV|N\.V\.|NV|Lda\.?"
    r"|Ltda\.?|Oy|Oyj|ApS|AB|Pty Ltd|Pvt\.? Ltd\.?"
)
"""What companies have behind their names, anywhere."""
_DAY: Final = r"\d(?<!\w\d)\d?(?:st|nd|rd|th|er|\u00ba|\u00aa|\.)?"


def word_rules(words: Words) -> tuple[Rule, ...]:
    """The rules for these words; a field without any has no rule."""
    return tuple(_all(words))


def _all(words: Words) -> Iterator[Rule]:
    phone = Phone(listed(words.phones), tuple(listed(words.regions)))
    yield rule("PHONE_NUMBER", "telephone plan", 0.75, PHONE, phone)
    yield rule("ORGANIZATION", "company form", 0.6, rf"(?:{_FORMS})(?!\w)", company)
    yield from _names(words)
    yield from _ways(words)
    yield from _said(words)
    yield from _times(words)


def _names(words: Words) -> Iterator[Rule]:
    if words.titles or words.cues or words.closings:
        yield rule("PERSON", "title and name", 0.7, NAME, Named(words))


def _ways(words: Words) -> Iterator[Rule]:
    particles = _either(words.particles)
    if words.ways_after:
        ways = _either(words.ways_after)
        yield rule(
            "LOCATION",
            "street",
            0.6,
            r"\d(?<!\w\d)\d{0,4}[A-Za-z]?,? (?P<way>(?:[\w'\u2019.-]{1,30} ){1,4}?)"
            rf"(?P<kind>(?i:{ways}))(?!\w)",
            numbered,
        )
        capitals = "|".join(way.capitalize() for way in listed(words.ways_after) if way in _SURE)
        if capitals:
            yield rule("LOCATION", "street by name", 0.5, rf"(?:{capitals})(?!\w)", unnumbered)
    if words.ways_before:
        inner = rf"(?:(?:{particles})(?:(?<=')| )){{0,3}}" if particles else ""
        yield rule(
            "LOCATION",
            "street",
            0.6,
            rf"(?:{_cased(words.ways_before)})[ \u00a0]{inner}{WAY}(?:[ -]{inner}{WAY}){{0,4}}"
            r"(?P<number>,? (?:n[\u00ba\u00b0o.]{0,2} ?)?\d{1,4}(?: ?[A-Za-z])?(?!\w))?",
            preceding,
        )
    if words.ways_glued:
        yield rule(
            "LOCATION",
            "street",
            0.6,
            rf"(?P<word>{CAPITAL}(?<!\w.)[\w-]{{2,40}}\.?)(?P<number> \d{{1,4}} ?[A-Za-z]?(?!\w))?",
            Glued(listed(words.ways_glued)),
        )
    if words.units:
        number = r"\d(?<!\w\d)\d{0,4}[A-Za-z]?(?!\w)"
        yield rule("LOCATION", "part of a building", 0.45, number, After(words.units))


def _said(words: Words) -> Iterator[Rule]:
    verbs = _either(words.verbs)
    if words.users:
        yield Rule(
            "HANDLE",
            "word for a user name",
            0.6,
            re.compile(
                rf"(?<![^\W_])(?i:{_either(words.users)})\s{{0,2}}"
                rf"(?P<verb>[:=]|(?i:{verbs})(?=\s))\s{{0,2}}(?P<quoted>(?!))?"
                rf"(?!(?i:{_either(words.addressed)})(?!\w))(?P<value>@?\w[\w.-]{{1,39}})"
            ),
            username,
            listed(words.users),
        )
    if words.postcodes:
        yield Rule(
            "POSTCODE",
            "word for a postcode",
            0.8,
            re.compile(
                rf"(?<!\w)(?i:{_either(words.postcodes)})\.?[ :=#\u00a0]{{1,3}}(?:is )?(?P<value>"
                r"(?=[A-Za-z -]{0,8}\d)[A-Za-z0-9]{2,8}"
                r"(?:[ -](?=[A-Za-z]{0,2}\d)[A-Za-z0-9]{2,4})?)(?!\w)"
            ),
            value,
            listed(words.postcodes),
        )


def _times(words: Words) -> Iterator[Rule]:
    if words.months:
        months, of = _either(words.months), "(?:of |de |di )?"
        yield rule(
            "DATE_TIME",
            "day and month",
            0.6,
            rf"{_DAY} {of}(?i:{months})(?:\.?,? (?:de )?\d{{4}})?(?!\w)",
        )
        yield rule(
            "DATE_TIME",
            "month by name",
            0.6,
            rf"(?<!\w)(?i:{months})\.?,? "
            r"(?:(?:de )?\d{4}|\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)(?!\w)",
            needs=listed(words.months),
        )
    if words.ages:
        yield rule("AGE", "age", 0.7, rf"\d(?<!\w\d)\d{{0,2}}[ -]?(?i:{_either(words.ages)})(?!\w)")
    if words.ages_before:
        number = r"\d(?<!\w\d)\d{0,2}(?![\w.,]?\d)"
        yield rule("AGE", "word for an age", 0.7, number, After(words.ages_before))


def _either(phrases: str) -> str:
    return "|".join(map(re.escape, listed(phrases)))


def _cased(phrases: str) -> str:
    """Small, with a capital, or all in capitals: literals, which `re` finds fast."""
    cases = (c for p in listed(phrases) for c in (p, p.capitalize(), p.title(), p.upper()))
    return "|".join(map(re.escape, dict.fromkeys(cases)))
