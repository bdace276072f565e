"""What singles a person out, or dates a text, without a name: closed lists, by choice."""

from __future__ import annotations

from typing import Final

from privstamp.sensitivity.patterns import rule

_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
_DAYS: Final = (
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tues|Tue|Wed|Thurs|Thu|Fri"
    "|Sat|Sun"
)
_SPANS: Final = "hour|night|day|weekend|week|fortnight|month|quarter|term|season|year|decade"
_PARTS: Final = "morning|afternoon|evening|spring|summer|autumn|fall|winter|christmas|easter"
_COUNTS: Final = (
    r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several"
    "|some|a few|a couple of"
)
_RARE: Final = (
    "only|sole|youngest|oldest|eldest|tallest|richest|longest[- ]serving|last surviving"
    "|first (?:female|male|black|asian|deaf|blind|openly gay|transgender)"
)

SINGLING: Final = (
    rule("DATE_ELEMENT", "month or weekday", 0.6, rf"(?<!\w)(?:{_MONTHS}|{_DAYS})(?!\w)"),
    rule(
        "RELATIVE_DATE",
        "a day told from another",
        0.6,
        r"(?<!\w)(?i:yesterday|today|tonight|tomorrow"
        rf"|(?:last|next|this|past|coming|previous|following) "
        rf"(?:{_SPANS}|{_PARTS}|{_MONTHS}|{_DAYS})"
        rf"|(?:{_COUNTS}) (?:{_SPANS})s? (?:ago|earlier|later|before|after|from now|since)"
        rf"|the (?:{_SPANS}|{_PARTS}) (?:before|after)(?: (?:last|next|yesterday|tomorrow))?)"
        r"(?!\w)",
    ),
    rule(
        "SINGULAR",
        "the only one",
        0.6,
        rf"(?i:(?<=\bthe )|(?<=\bour )|(?<=\bhis )|(?<=\bher )|(?<=\btheir )|(?<=\bits ))"
        rf"(?i:{_RARE}) [a-z-]++(?!\w)",
    ),
)
KINDS: Final = frozenset(one.kind for one in SINGLING)
