"""The rules: what each looks for, and how sure a hit is.

Every pattern takes time linear in the text: repeats are bounded or possessive, and a look-behind
lets an unbounded one begin only where its run begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from privstamp.sensitivity.confirm import (
    Hit,
    address,
    card,
    domain,
    grouped,
    iban,
    mixed,
    named,
    phone,
    secret,
    street,
    token,
    trimmed,
    whole,
)


@dataclass(frozen=True)
class Rule:
    """A pattern for one kind of thing, and the second look that its matches get."""

    kind: str
    name: str
    score: float
    pattern: re.Pattern[str]
    confirm: Callable[[re.Match[str], float], Hit | None]


_LOCAL: Final = r"[\w.!#$%&'*+/=?^`{|}~-]"
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_TITLE: Final = (
    r"mr|mrs|ms|miss|mx|dr|prof|professor|doctor|sir|dame|rev|reverend|father|lord|lady|captain"
    r"|capt|sgt|sergeant|lt|lieutenant|col|colonel|gen|general|judge|justice|madam|mme|mlle|herr"
    r"|frau|se\u00f1or|se\u00f1ora|sra|sr|nurse|officer|detective|inspector"
)
_WAY: Final = (
    r"street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|square|sq"
    r"|terrace|close|crescent|highway|hwy|parkway|pkwy|gardens|grove|mews|row|walk|hill"
)
_KEYS: Final = (
    r"(?:[spr]k[-_][\w-]{16,}+|gh[a-z]_\w{20,}+|github_pat_\w{20,}+|glpat-[\w-]{16,}+"
    r"|xox[a-z]-[\w-]{10,}+|A[KS]IA[A-Z0-9]{12,}+|AIza[\w-]{30,}+|(?:hf|npm)_\w{20,}+"
    r"|SG\.[\w.-]{30,}+|eyJ[\w-]{8,}+\.[\w-]{4,}+(?:\.[\w-]*+)?)"
)
_ALNUM: Final = "[A-Za-z0-9]"
_HEX: Final = "[0-9A-Fa-f]"
_BASE64: Final = r"[A-Za-z0-9+/=]"
_NAME: Final = r"[^\W\d_][^\s,;:!?()\[\]\"]{0,40}"
_LINK: Final = r"[^\s<>\"\u201c\u201d]"


def _rule(
    kind: str,
    name: str,
    score: float,
    pattern: str,
    confirm: Callable[[re.Match[str], float], Hit | None] = whole,
) -> Rule:
    return Rule(kind, name, score, re.compile(pattern), confirm)


RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "EMAIL_ADDRESS",
        "name@host",
        0.95,
        rf"(?<!{_LOCAL}){_LOCAL}++@[^\W_][\w-]*+(?:\.[\w-]++)*+",
        trimmed,
    ),
    _rule("URL", "scheme", 0.95, rf"(?<![\w+.-])[A-Za-z][\w+.-]{{1,20}}://{_LINK}++", trimmed),
    _rule("URL", "www", 0.9, rf"(?<![\w.])(?i:www)\d?\.[^\W_]{_LINK}++", trimmed),
    _rule(
        "URL",
        "domain",
        0.6,
        r"(?<![\w@.-])(?P<host>[\w-]++(?:\.[\w-]++)++)(?![@\w])(?::\d{1,5})?"
        rf"(?:/{_LINK}*+)?",
        domain,
    ),
    _rule(
        "IP_ADDRESS",
        "IPv4",
        0.9,
        r"(?<![\w.])(?P<address>\d{1,3}(?:\.\d{1,3}){3})(?:/\d{1,2})?(?::\d{1,5})?"
        r"(?!\w|\.\d)",
        address,
    ),
    _rule(
        "IP_ADDRESS",
        "IPv6",
        0.9,
        rf"(?<![\w:.])(?P<address>(?={_HEX}{{0,4}}:)(?:{_HEX}|:)++(?:(?:\.\d{{1,3}}){{3}})?)(?![\w:])",
        address,
    ),
    _rule(
        "MAC_ADDRESS",
        "six pairs",
        0.9,
        rf"(?<![\w:-]){_HEX}{{2}}(?:[:-]{_HEX}{{2}}){{5}}(?![\w:-])",
    ),
    _rule(
        "MAC_ADDRESS", "three groups", 0.8, rf"(?<![\w.]){_HEX}{{4}}(?:\.{_HEX}{{4}}){{2}}(?![\w.])"
    ),
    _rule(
        "UUID",
        "8-4-4-4-12",
        0.95,
        rf"(?<![\w-]){_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}(?![\w-])",
    ),
    _rule("CREDIT_CARD", "Luhn", 0.95, r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])", card),
    _rule(
        "IBAN_CODE",
        "mod 97",
        0.95,
        rf"(?<!{_ALNUM})[A-Za-z]{{2}}[0-9]{{2}}(?:[ -]?{_ALNUM}{{4}}){{2,7}}"
        rf"(?:[ -]?{_ALNUM}{{1,3}})?(?!{_ALNUM})",
        iban,
    ),
    _rule(
        "US_SSN",
        "3-2-4",
        0.85,
        r"(?<![\w-])(?!000|666|9\d\d)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}(?![\w-])",
    ),
    _rule(
        "PHONE_NUMBER",
        "telephone plan",
        0.75,
        r"(?<![\w+])(?P<number>[+(]{0,2}\d(?:[ ().\-/\u00a0\u2010-\u2013]{0,2}\d){6,14})"
        r"(?: ?(?:x|ext\.?) ?\d{1,5})?(?!\w)",
        phone,
    ),
    _rule(
        "CRYPTO",
        "Bitcoin",
        0.6,
        r"(?<!\w)(?:bc1[a-z0-9]{25,59}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?!\w)",
    ),
    _rule("CRYPTO", "Ethereum", 0.8, rf"(?<!\w)0x{_HEX}{{40}}(?!\w)"),
    _rule("CREDENTIAL", "key prefix", 0.9, rf"(?<![\w-]){_KEYS}"),
    _rule(
        "CREDENTIAL",
        "private key",
        0.95,
        rf"-----BEGIN [A-Z0-9 ]{{3,40}}-----(?:\s++{_BASE64}{{16,}}+)*+(?:\s++{_BASE64}++)?+"
        r"(?:\s*+-----END [A-Z0-9 ]{3,40}-----)?",
    ),
    _rule(
        "CREDENTIAL",
        "word for a secret",
        0.7,
        r"(?<![^\W_])(?i:password|passwd|passcode|passphrase|pwd|secret"
        r"|(?:api|access)[ _-]?key|(?:auth[ _-]?)?token)[\"']?\s{0,3}"
        r"(?P<verb>[:=]|(?i:is)(?=\s))\s{0,3}[\"']?(?P<value>[^\s\"',;]{4,200})",
        secret,
    ),
    _rule("CREDENTIAL", "long mixed run", 0.5, r"(?<![\w+/=-])[\w+/=-]{20,}+", token),
    _rule("HANDLE", "@name", 0.7, r"(?<![\w@])@[^\W\d_]\w{1,30}(?!\w)"),
    _rule("NUMERIC_ID", "five digits", 0.4, r"\d{5,}+"),
    _rule(
        "NUMERIC_ID", "groups of digits", 0.4, r"(?<!\w)\d{2,6}(?:[ -]\d{2,6}){1,6}(?!\w)", grouped
    ),
    _rule(
        "NUMERIC_ID",
        "letters and digits",
        0.45,
        r"(?<![^\W_])(?:[^\W\d_]{1,12}[-_/#]){0,2}[^\W\d_]*+\d[^\W_]*+(?:[-_/#][^\W_]++)*+",
        mixed,
    ),
    _rule(
        "NUMERIC_ID",
        "UK postcode",
        0.6,
        r"(?<!\w)(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})(?!\w)",
    ),
    _rule(
        "PERSON",
        "title and name",
        0.7,
        rf"(?<![\w@])(?i:{_TITLE})\b\.?[ \u00a0]{{1,2}}"
        rf"(?P<name>{_NAME}(?:[ \u00a0]{_NAME}){{0,3}})",
        named,
    ),
    _rule(
        "LOCATION",
        "street",
        0.6,
        r"(?<!\w)\d{1,5}[A-Za-z]?,? (?P<way>(?:[\w'\u2019.-]{1,30} ){1,4})"
        rf"(?i:{_WAY})(?!\w)",
        street,
    ),
    _rule(
        "DATE_TIME",
        "digits",
        0.6,
        r"(?<![\w./-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4})(?![\w/-])",
    ),
    _rule(
        "DATE_TIME",
        "month by name",
        0.6,
        rf"(?<!\w)(?i:(?:{_DAY} (?:of )?{_MONTH}|{_MONTH}\.? {_DAY})"
        rf"(?:,? \d{{4}})?|{_MONTH}\.?,? \d{{4}})(?!\w)",
    ),
    _rule(
        "DATE_TIME",
        "time of day",
        0.6,
        r"(?<![\w:.])\d{1,2}:\d\d(?::\d\d)?(?: ?(?i:[ap]\.?m\.?))?(?![\w:])",
    ),
)

BY_CHOICE: Final = frozenset({"DATE_TIME"})
"""Kinds that are looked for only when asked."""
