"""The rules that need no words of any language: what each looks for, and how sure a hit is.

Every pattern takes time linear in the text: repeats are bounded or possessive, and a look-behind
lets an unbounded one begin only where its run begins. Where it can, a pattern begins with a set of
characters and looks behind only then: `re` skips to such characters quickly.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from privstamp.sensitivity.confirm import (
    Hit,
    address,
    announced,
    card,
    domain,
    grouped,
    handle,
    iban,
    mailbox,
    mixed,
    plate,
    trimmed,
    uk_postcode,
    valued,
    whole,
)

Confirm: TypeAlias = Callable[[re.Match[str], float], Hit | None]


@dataclass(frozen=True)
class Rule:
    """A pattern for one kind of thing, and the second look that its matches get."""

    kind: str
    name: str
    score: float
    pattern: re.Pattern[str]
    confirm: Confirm
    needs: tuple[str, ...] = ()
    """Strings of which a text in lower case holds at least one, or the rule cannot match."""
    hint: re.Pattern[str] | None = None
    """What is quickly looked for, and stands wherever the pattern matches."""


def rule(
    kind: str,
    name: str,
    score: float,
    pattern: str,
    confirm: Confirm = whole,
    needs: tuple[str, ...] = (),
    hint: str | None = None,
) -> Rule:
    """A rule from the text of its pattern."""
    quick = None if hint is None else re.compile(hint)
    return Rule(kind, name, score, re.compile(pattern), confirm, needs, quick)


_LOCAL: Final = r"[\w.!#$%&'*+/=?^`{|}~-]"
_ALNUM: Final = "[A-Za-z0-9]"
_HEX: Final = "[0-9A-Fa-f]"
_LINK: Final = r"[^\s<>\"`\u201c\u201d]"
_AMOUNT: Final = r"\d(?<![\w.,]\d)[\d.,]{0,15}"
_SCALE: Final = r"(?: ?(?:[kKmM]|bn|million|billion|thousand)(?!\w))?"
_CODES: Final = "USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|BRL|CNY|SEK|NOK|DKK|PLN"
_UNITS: Final = (
    r"mg|mcg|\u00b5g|g|kg|t|ml|cl|l|L|mm|cm|km|m|mi|miles|ft|in|lbs?|oz|mph|km/h|\u00b0C|\u00b0F"
    r"|kWh?|kcal|GB|MB|TB|mmHg|bpm|mmol/[lL]|hours?|hrs?|h|minutes?|mins?|days?|weeks?"
)

CONTACTS: Final = (
    rule(
        "EMAIL_ADDRESS",
        "name@host",
        0.95,
        rf"(?<!{_LOCAL}){_LOCAL}++@[^\W_][\w-]*+(?:\.[\w-]++)*+",
        mailbox,
        needs=("@",),
    ),
    rule(
        "URL",
        "scheme",
        0.95,
        rf"(?<![\w+.-])[A-Za-z][\w+.-]{{1,20}}://{_LINK}++",
        trimmed,
        needs=("://",),
    ),
    rule("URL", "www", 0.9, rf"(?<![\w.])(?i:www)\d?\.[^\W_]{_LINK}++", trimmed, needs=("www",)),
    rule(
        "URL",
        "domain",
        0.6,
        r"(?<![\w@.-])(?P<host>[\w-]++(?:\.[\w-]++)++)(?![@\w])(?::\d{1,5})?"
        rf"(?:/{_LINK}*+)?",
        domain,
        hint=r"\.[\w-]",
    ),
    rule(
        "HANDLE", "@name", 0.7, r"@(?<![\w@]@)[^\W\d_]\w{1,30}(?:[.-]\w{1,30}){0,3}(?!\w)", handle
    ),
)
MACHINES: Final = (
    rule(
        "IP_ADDRESS",
        "IPv4",
        0.9,
        r"(?P<address>\d(?<![\w.]\d)\d{0,2}(?:\.\d{1,3}){3})(?:/\d{1,2})?(?::\d{1,5})?"
        r"(?!\w|\.\d)",
        address,
    ),
    rule(
        "IP_ADDRESS",
        "IPv6",
        0.9,
        rf"(?<![\w:.])(?P<address>(?={_HEX}{{0,4}}:)(?:{_HEX}|:)++(?:(?:\.\d{{1,3}}){{3}})?)"
        r"(?:/\d{1,3})?(?![\w:])",
        address,
        needs=(":",),
    ),
    rule(
        "MAC_ADDRESS",
        "six pairs",
        0.9,
        rf"{_HEX}(?<![\w:-].){_HEX}(?:[:-]{_HEX}{{2}}){{5}}(?![\w:-])",
    ),
    rule(
        "MAC_ADDRESS",
        "three groups",
        0.8,
        rf"{_HEX}(?<![\w.].){_HEX}{{3}}(?:\.{_HEX}{{4}}){{2}}(?![\w.])",
    ),
    rule(
        "UUID",
        "8-4-4-4-12",
        0.95,
        rf"{_HEX}(?<![\w-].){_HEX}{{7}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}(?![\w-])",
    ),
)
ACCOUNTS: Final = (
    rule("CREDIT_CARD", "Luhn", 0.95, r"\d(?<![\w-]\d)(?:[ -]?\d){12,18}(?![\w-])", card),
    rule(
        "IBAN_CODE",
        "mod 97",
        0.95,
        rf"[A-Za-z](?<!{_ALNUM}.)[A-Za-z][0-9]{{2}}(?:[ -]?{_ALNUM}{{4}}){{2,7}}"
        rf"(?:[ -]?{_ALNUM}{{1,3}})?(?!{_ALNUM})",
        iban,
    ),
    rule(
        "US_SSN",
        "3-2-4",
        0.85,
        r"[0-8](?<![\w-].)\d\d(?<!000)(?<!666)([ -])(?!00)\d\d\1(?!0000)\d{4}(?![\w-])",
    ),
    rule("CRYPTO", "Bitcoin", 0.6, r"[13](?<!\w.)[1-9A-HJ-NP-Za-km-z]{25,34}(?!\w)"),
    rule("CRYPTO", "Bitcoin, newer", 0.8, r"bc1(?<!\w...)[a-z0-9]{25,59}(?!\w)"),
    rule("CRYPTO", "Ethereum", 0.8, rf"0x(?<!\w..){_HEX}{{40}}(?!\w)"),
    rule(
        "UK_NINO",
        "AB 12 34 56 C",
        0.8,
        r"[A-CEGHJ-PR-TW-Z](?<!\w.)[A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?!\w)",
    ),
    rule(
        "NUMERIC_ID",
        "announced groups",
        0.7,
        r"(?<!\w)(?i:number|no\.?|nr\.?|num\.?|code|ref\.?|id)(?: is)?:? "
        r"(?P<value>(?=(?:[A-Z]{1,4} )?\d)[A-Z0-9]{1,4}(?: [A-Z0-9]{1,4}){2,6})(?![\w-])",
        announced,
    ),
    rule(
        "UK_VEHICLE_REGISTRATION",
        "AB12 CDE",
        0.6,
        r"[A-HJ-PR-Y](?<![\w-].)[A-HJ-PR-Y][0-9]{2} ?[A-HJ-PR-Z]{3}(?![\w-])",
    ),
    rule("IN_PAN", "AAAAA0000A", 0.7, r"[A-Z](?<!\w.)[A-Z]{2}[ABCFGHLJPT][A-Z]\d{4}[A-Z](?!\w)"),
    rule(
        "IT_FISCAL_CODE",
        "16 signs",
        0.9,
        r"[A-Z](?<!\w.)[A-Z]{5} ?\d\d[ABCDEHLMPRST]\d\d ?[A-Z]\d{3}[A-Z](?!\w)",
    ),
    rule("ES_NIE", "letter mod 23", 0.85, r"[XYZ](?<!\w.)-?\d{7}-?[A-Z](?!\w)", valued("nif")),
    rule("ES_NIF", "letter mod 23", 0.85, r"\d(?<![\w-]\d)\d{7}-?[A-Z](?!\w)", valued("nif")),
    rule("CN_ID", "mod 11", 0.9, r"[1-9](?<![\w-].)\d{16}[\dXx](?!\w)", valued("chinese")),
    rule(
        "FI_PERSONAL_IDENTITY_CODE",
        "6, sign, 4",
        0.7,
        r"[0-3](?<![\w-].)\d[01]\d{3}[-+A]\d{3}[0-9A-FHJ-NPR-Y](?!\w)",
    ),
)
POSTCODES: Final = (
    rule("POSTCODE", "United Kingdom", 0.7, r"\d[A-Za-z\d]? ?\d[A-Za-z]{2}(?!\w)", uk_postcode),
    rule("POSTCODE", "United States", 0.8, r"\d(?<![\w-]\d)\d{4}-\d{4}(?![\w-])"),
    rule("POSTCODE", "state and ZIP", 0.6, r"[A-Z](?<!\w.)[A-Z],? \d{5}(?:-\d{4})?(?![\w-])"),
    rule(
        "POSTCODE",
        "Canada",
        0.7,
        r"[ABCEGHJ-NPRSTVXY](?<!\w.)\d[A-CEGHJ-NPRSTV-Z][ -]?\d[A-CEGHJ-NPRSTV-Z]\d(?!\w)",
    ),
    rule(
        "POSTCODE",
        "Ireland",
        0.7,
        r"[AC-FHKNPRTV-Y](?<!\w.)\d[0-9W] ?(?=[A-Z]*\d)(?=\d*[A-Z])[0-9AC-FHKNPRTV-Y]{4}(?!\w)",
    ),
    rule(
        "POSTCODE",
        "Netherlands",
        0.6,
        r"[1-9](?<![\w.,].)\d{3}(?<!19\d\d)(?<!20\d\d) ?"
        r"(?![AP]M(?! [A-Z][a-z]{2})|AD|BC)[A-Z]{2}(?!\w)",
    ),
    rule("POSTCODE", "Brazil", 0.6, r"\d(?<![\w-]\d)\d{4}-\d{3}(?![\w-])"),
    rule("POSTCODE", "Portugal", 0.5, r"[1-9](?<![\w-].)\d{3}-\d{3}(?![\w-])"),
    rule("POSTCODE", "Poland", 0.5, r"\d(?<![\w-]\d)\d-\d{3}(?= [^\W\d_a-z])"),
    rule("POSTCODE", "country and number", 0.6, r"[ABCDFILNPS](?<!\w.)[A-Z]?-\d{4,5}(?![\w-])"),
    rule("POSTCODE", "Japan", 0.9, r"\u3012 ?\d{3}-?\d{4}(?!\d)"),
)
NUMBERS: Final = (
    rule("LOCATION", "three words", 0.8, r"(?<!\S)///[a-z]{2,20}\.[a-z]{2,20}\.[a-z]{2,20}(?!\w)"),
    rule("NUMERIC_ID", "five digits", 0.4, r"\d{5,}+"),
    rule(
        "NUMERIC_ID",
        "groups of digits",
        0.4,
        r"\d(?<!\w\d)\d{1,5}(?:[ -]\d{2,6}){1,6}(?!\w)",
        grouped,
    ),
    rule(
        "NUMERIC_ID",
        "degrees and minutes",
        0.6,
        r"\d(?<!\w\d)\d{0,2} ?\u00b0 ?\d{1,2}(?:[.,]\d{1,6})? ?['\u2032\u2019]"
        r"(?: ?\d{1,2}(?:[.,]\d{1,4})? ?(?:[\"\u2033\u201d]|''))?(?: ?[NSEWO](?!\w))?",
        needs=("\u00b0",),
    ),
    rule(
        "NUMERIC_ID",
        "plate",
        0.45,
        r"[A-Z](?<![\w-].)[A-Z]{0,2}-[A-Z]{1,2} \d{1,4}(?![\w-])",
        plate,
    ),
    rule(
        "NUMERIC_ID",
        "plate in groups",
        0.6,
        r"[A-Z\d](?<![\w-].)(?:(?<=\d)[A-Z]{2} ?\d[A-Z]{2}"
        r"|(?<=[B-DF-HJ-NP-TV-Z])[B-DF-HJ-NP-TV-Z] ?\d\d ?[B-DF-HJ-NP-TV-Z]{2}"
        r" ?(?:GP|MP|EC|NC|NW|FS|LP|ZN))(?![\w-])",
    ),
    rule(
        "NUMERIC_ID",
        "letters and digits",
        0.45,
        r"\d[^\W_]*+(?:[-_/#][^\W_]++)*+",
        mixed,
    ),
)
DATES: Final = (
    rule(
        "DATE_TIME",
        "digits",
        0.6,
        r"\d(?<![\w./-]\d)(?:\d{3}([-/.])\d{1,2}\1\d{1,2}|\d?([-/.])\d{1,2}\2\d{2,4})(?![\w/-])",
    ),
    rule(
        "DATE_TIME",
        "time of day",
        0.6,
        r"\d(?<![\w:.]\d)\d?:\d\d(?::\d\d)?(?: ?(?i:[ap]\.?m\.?))?(?![\w:])",
    ),
)
AMOUNTS: Final = (
    rule(
        "MONEY", "sign and amount", 0.8, rf"[$\u20ac\u00a3\u00a5\u20b9] ?\d[\d.,]{{0,15}}{_SCALE}"
    ),
    rule(
        "MONEY",
        "amount and currency",
        0.8,
        rf"{_AMOUNT}{_SCALE} ?(?:[$\u20ac\u00a3\u00a5\u20b9]|(?:{_CODES})(?!\w))",
    ),
    rule("MONEY", "currency and amount", 0.8, rf"(?<!\w)(?:{_CODES}) ?\d[\d.,]{{0,15}}{_SCALE}"),
    rule("PERCENT", "per cent", 0.8, rf"{_AMOUNT} ?(?:%|\u2030)"),
    rule("QUANTITY", "number and unit", 0.6, rf"{_AMOUNT} ?(?:{_UNITS})(?!\w)"),
)
RULES: Final = (*CONTACTS, *MACHINES, *ACCOUNTS, *POSTCODES, *NUMBERS, *DATES, *AMOUNTS)
BY_CHOICE: Final = frozenset({"DATE_TIME", "AGE", "MONEY", "PERCENT", "QUANTITY"})
"""Kinds that are looked for only when asked: texts are often about them."""
