"""Words and signs beside a number that tell its role. Public, and short: a few words decide.

Each list is a pattern to be matched right behind a number, or searched right before one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.calendar import (
    LANGUAGES,
    ORDINALS,
    YEAR_WORDS,
    month_words,
    weekday_words,
)
from privstamp.text.dates import read_date
from privstamp.text.formats.names import names_record
from privstamp.text.terms import either, words
from privstamp.text.vocabulary import default

_PREFIXED: Final = (
    r"(?:[munpkMGTh\u00b5\u03bcdc]|mc)?"
    r"(?:g|m|l|L|s|W|Wh|V|A|Hz|Pa|J|B|b|mol|cal|eq|Eq|Osm|U|IU|bit|byte|bps)"
)
_SIGNS: Final = either(r"""
    (?:kg|lb|g)/m(?:2|\u00b2) m/s [kc]?m[23\u00b2\u00b3] sq\.?\x20?(?:ft|m|km|mi) mmHg cmH2O inHg
    hPa psi bar [kM]?mph km/h kph knots? rpm bpm fps dpi px pt em rem vh vw dB[a-zA-Z]{0,3} lux lm
    ppm ppb mEq/L
    mmol/mol \u00b0\x20?[CFK]? degrees? deg \u2103 \u2109 \u2032 \u2033 K kt t tons? tonnes? ha
    acres? hectares? [iI][uU] U/kg inch(?:es)? in\. feet foot ft yards? yds? miles? mi pounds? lbs?
    ounces? oz stone gallons? pints? quarts? gal cc fl\.?\x20?oz
    (?:milli|micro|nano|centi|kilo|deci|mega|giga|tera)?(?:grams?|met(?:er|re)s?|lit(?:er|re)s?)
    (?:milli|micro|nano|kilo|mega|giga|tera)?(?:watts?|volts?|amps?|hertz|joules?|bytes?|bits?)
    (?:milli|micro|nano)?(?:seconds?|mol(?:es?)?) calories times x X \u00d7 -?fold
    percentage\x20points? basis\x20points?
""")
_TIMES: Final = either(r"""
    secs? seconds? mins? minutes? h hrs? hours? hourly d days? nights? wks? weeks? fortnights?
    mos? months? yrs? years? decades? centur(?:y|ies) ms ns \u00b5s us
    (?:minutes|hours|days|weeks|months|years)'
""")
_COUNTED: Final = either(r"""
    units? puffs? tablets? tabs? capsules? caps drops? doses? pills? sprays? sachets? ampoules?
    vials? cigarettes? packs? pack-years? drinks? cups? teaspoons? tablespoons? tsp tbsp pages?
    words? lines? rows? chars? characters? tokens? items? points? pts goals? seats? votes? people
    persons? patients? men women children staff employees drivers customers users members students
    passengers guests rooms? beds? floors? storeys? stories
""")
UNITS: Final = (
    rf"{_PREFIXED}(?:/(?:{_PREFIXED}|min|h|hr|hour|day|d|week|mm|100 ?m[lL]|field|hpf|ha)){{0,3}}"
    rf"|[x\u00d7*] ?10\^?-?\d{{1,2}}(?:/[A-Za-z]{{1,3}})?|{_SIGNS}|{_TIMES}|{_COUNTED}"
)
"""After a number: what is measured or counted."""
_CURRENCY: Final = r"[$\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20b4\u20aa\u00a2]"
_CODES: Final = either(r"""
    USD EUR GBP CHF JPY INR CAD AUD NZD BRL CNY RMB SEK NOK DKK PLN CZK HUF RON TRY ZAR MXN SGD HKD
    KRW THB NGN KES ILS AED SAR RUB UAH BTC ETH US\$ A\$ C\$ R\$ Rs\.? kr\.? Fr\.
""")
_MONEY: Final = (
    r"(?:US |Canadian |Australian )?(?:dollars?|euros?|pounds? sterling|pence|cents?|francs?|yen|"
    r"yuan|rupees?|crowns?|kron(?:er|or|a)|kronur|zlot(?:y|ych|ys)|pesos?|reais|ro?ubles?|bucks|quid|"
    r"grand|cedis?|nairas?|shillings?|rands?|ringgits?|baht|won|dirhams?|dinars?|ri[ya]als?|"
    r"she[kq]els?|liras?|lei|leu|leva?|forints?|koruna|koruny|dong|takas?|kwacha|hryvnias?|birr|"
    r"rupiahs?|tenge|guilders?|soles|bol[ií]vares|quetzales|lempiras?|pulas?|dalasis?|lari)"
)
SCALE: Final = r"(?:[kKmM]|bn|mn|tn|million|billion|trillion|thousand|hundred|dozen|lakh|crore)"
AFTER: Final = re.compile(
    rf"(?P<PERCENT>\s?(?:%|\u2030|per ?cent(?:age)?\b|percent\b|pct\b|p\.c\.))"
    rf"|(?P<MONEY>(?:[ -]?{SCALE})?\s?(?:{_CURRENCY}|(?:{_CODES})(?!\w)|{_MONEY}(?!\w)))"
    r"|(?P<TIME>\s?(?:[ap]\.?m\.?(?!\w)|o['\u2019]clock\b|hrs\b|h\d\d\b|GMT\b|UTC\b"
    r"|(?<![1-9]\d{3} )[AP]M(?!\w)))"
    r"|(?P<AGE>[- ]?(?:(?:years?|yrs?|months?|weeks?|days?)[- ](?:old|of age)|y/?o|y\.o\.)(?!\w))"
    rf"|(?P<QUANTITY>(?:[ -]?{SCALE}(?!\w))?(?! [A-KM-Z](?!\w))[ -]?(?:{UNITS})(?![\w]))"
    rf"|(?P<COUNT>[ -]?{SCALE}(?!\w)|(?:st|nd|rd|th)(?!\w)"
    r"|[- ](?:of|out of)(?= (?:the|them|us|these|those|\d)))"
)
"""The role that the words behind a number give it; named as the kind."""
CURRENCIES: Final = re.compile(rf"(?:{_CURRENCY}|(?<![^\W_])(?:{_CODES})) ?\Z")
"""Right before an amount."""
MONEY_SIGN: Final = re.compile(rf"{_CURRENCY} ?\Z")
"""The same, where no letter can be meant."""


def _set(listed: str) -> frozenset[str]:
    """Words, and their plurals."""
    return frozenset(form for word in words(listed) for form in (word, word + "s", word + "es"))


PAID: Final = _set("salary price wage fee rent cost paid pay earns earn budget worth amount sum")
SECTIONS: Final = _set("""
    clause section sect sec article art paragraph para par chapter chap ch page p pp appendix annex
    schedule exhibit figure fig table tab step rule regulation amendment title part volume vol issue
    line row column col question q answer point note footnote equation eq example lemma theorem
    recital act book verse psalm scene episode ep season lot protocol exercise problem slide sheet
    bullet option resolution directive item track
""")
"""Words before the number of a part of a text."""
GRADES: Final = _set("""
    type stage grade class phase level group category cat tier band round week day month year
    quarter term gate terminal platform lane route exit hall ward score scale index rank ranked
    rated factor vitamin size channel player team match game set trial version ver v release rev
    revision build python java node windows ios android macos ubuntu iphone pixel galaxy gpt claude
    llama http ipv utf code error status signal port timeout attempt retry retrie limit max min
    count total avg mean median average approximately approx about around nearly almost over under
    above below between than least most only further another some first last next past every per by
    times equals plus minus backoff delay sleep width height depth top left right bottom weight
    age temperature temp pressure bp hr pulse rr sats spo2 bmi ph dose ratio rate range offset
    size length priority severity step epoch batch seed
""")
"""Words before a number that counts, measures or grades."""
NAMING: Final = _set("""
    account acct order invoice inv ticket incident booking reservation confirmation tracking claim
    policy contract customer client member membership patient employee staff payroll badge student
    passport visa licence license permit registration reg plate vehicle serial imei vin routing aba
    swift tax vat ssn nino nhs mrn chart record file docket case matter reference ref card user
    device asset parcel shipment container certificate cert subscription loan mortgage cheque
    transaction receipt po locker extension ext id uid uuid guid key pin otp cvv cvc number num
    kundennummer rechnungsnummer aktenzeichen nummer numéro número
""")
"""Words before a number that names one thing or person."""
VERSIONED: Final = frozenset(
    words("""
        version ver v release build firmware kernel tag upgrade update python java node
        windows chrome firefox edge safari openssl glibc gradle npm pip docker postgresql redis
    """)
)
"""Words before a version, however many digits its parts have."""
TALLIES: Final = _set("""
    row line item count total size byte token user hit record max min limit offset elapsed duration
    length width height bytes_sent num n sum steps samples
""")
"""Keys of a log or a setting whose number is a count."""
COUNTERS: Final = frozenset(words("rows lines items bytes tokens count total size steps samples"))
"""The same, where a colon and a blank stand behind it."""
LISTENING: Final = frozenset({"port", "ports", "pid", "process"})
"""Words before a number of up to five digits that a machine gives."""
ENDING: Final = (
    "ending in",
    "ending with",
    "ends in",
    "ending",
    "last four",
    "last four digits",
    "last4",
    "last 4",
    "last_4",
)
"""Phrases before the last digits of a number."""
HASHES: Final = _set("""
    commit committed revert reverted revision rev sha checksum merge merged blob tree pick
    bisect
""")
"""Words before the hash of a public state of a program."""
PUBLIC_CODES: Final = frozenset(
    words("""
        sha aes rsa des iso iec ieee rfc pep utf ucs icd dsm cpt loinc usb hdmi pci http https tls
        ssl tcp udp ipv gpt rtx gtx din en bs astm ansi nist fips cve cwe ecma kb md crc base covid
        sars apollo boeing airbus windows office area form cfr usc
    """)
)
"""What stands before the number of a standard, a public model or a public code."""

_KEY: Final = re.compile(
    r"(?i)(?<![^\W_])(\w{1,40}(?:[ -](?:id|no|nr|number))?)(?:[\"']? ?[:=] ?[\"'#]?|\.? ?#)\Z"
)
"""A key or the head of a field, right before its value."""
_CALLED: Final = frozenset(words("account booking client customer invoice member order"))
_CALLED_CODE: Final = re.compile(r"[A-Z]{1,3}[-_]?\d{2,6}")
_LETTERED: Final = re.compile(
    r"(?<![^\W_])(?i:plates?|registration|reg|vehicle|passport|licen[cs]e|permit|policy|badge|locker)"
    r"(?: (?i:no|number)\.?)?(?i: is| was|:)? [A-Z]{1,4}[ -]\Z"
)
"""Before the figures of a number that has letters apart: plate EQK 8821."""


def is_record(body: str, before: str, said: str) -> bool:
    """Whether a key announces it as the code of a person or a record (patient_id: p12), or a word
    for one does (customer C77), and no public list knows it (B12)."""
    if default().has(body.lower()):
        return False
    if (key := _KEY.search(before)) and names_record(key[1], body):
        return True
    if body.isdecimal() and len(body) > 1 and _LETTERED.search(before):
        return True
    return said in _CALLED and before[-1:] == " " and _CALLED_CODE.fullmatch(body) is not None


# Exact dates, a day and a month: in figures, by the month's name, or in words.


_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_ENDED: Final = rf"{_DAY}(?:st|nd|rd|th|ST|ND|RD|TH|er|\u00ba|\u00aa|\.)?"
_RANGE: Final = rf"(?: ?(?:-|\u2013|/|&|to|and|until|bis|au|al|y|e|et|und) ?{_ENDED})?"
_OF: Final = r"(?:(?:day )?(?:of|OF) |de |di |d['\u2019])?"
_YEAR: Final = r"(?:,? ?(?:de |del )?(?:1[5-9]|20)\d\d(?!\d)|,? ?['\u2019]\d\d(?!\d)|-\d\d(?!\d))"
_CLOCK: Final = r"(?:[Tt]\d\d:?\d\d(?::?\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?"
_NUMERIC: Final = re.compile(
    rf"(?:(?:1[5-9]|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1{_DAY}{_CLOCK}"
    rf"|{_DAY}([-/])(?:{_DAY})\2(?:(?:1[5-9]|20)\d\d|\d\d){_CLOCK}"
    rf"|{_DAY}\.(?:0?[1-9]|1[0-2])\.(?:(?:1[5-9]|20)\d\d)|\d\d\.(?:0[1-9]|1[0-2])\.\d\d"
    rf"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[Tt]\d{{4,6}}Z?)?)(?![\w-]|[./:]\d)"
)
_IN_A_NAME: Final = re.compile(r"[^\W\d_][._-]\Z")
_FILED: Final = re.compile(
    rf"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-{_DAY}(?=[._-][^\W\d]|-\d{{1,3}}(?![\w-])|[^\w-]|\Z)"
)
"""A date in the name of a file: houses_2024-02-29.log."""
_ON: Final = re.compile(r"(?i)(?<!\w)(?:on|dated?|born|dob|d\.o\.b\.|since|until)[: ]{1,2}\Z")
_ALSO_ON: Final = re.compile(
    r"(?i)(?<!\w)(?:on|dated?|since|from|between)[: ]{1,2}"
    r"(?:\d{1,2}/\d{1,2}(?:,? (?:and|or|to|until) | ?[\u2013&-] ?|, )){1,4}\Z"
)
"""Before a further date without a year: on 5/6 and 5/7."""
_WITHOUT_YEAR: Final = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?![\w/-]|\.\w| of)"
)
_SCORED: Final = re.compile(
    r"(?i)(?<!\w)(?:gcs|mmse|moca|scored?|scale|apgar|pain|strength|grade|vision|va|phq\S{0,3}|gad\S{0,3}"
    r"|nihss|was|of|is)[: ]{1,2}\Z"
)
"""Before points out of a number of them: GCS 9/15."""
_AT_CLOCK: Final = re.compile(r" (?:at|@) ?(?:[01]?\d|2[0-3]):?[0-5]\d(?!\w|[./]\d)")
"""Behind a date without a year: 3/23 at 2:40."""
_DONE: Final = re.compile(
    r"(?i)(?<!\w)(?:prior|previous|last(?: seen)?|seen|visit(?:ed)?|admi(?:t|tted|ssion)|labs?|ct"
    r"|mri|discharged?|echo|x-?ray|colonoscopy|mammogram|app(?:oin)?t(?:ment)?|follow[- ]?up|f/u"
    r"|due|as of|started|surgery|scheduled(?: for)?|returned?|thr(?:o)?u(?:gh)?|patient)[: ]{1,2}\Z"
)
"""What is done on a day; behind it only figures that are a month and a day over 12 are a date."""
_DAYS: Final = "|".join(
    sorted((day.replace("-", "[- ]") for day in ORDINALS), key=len, reverse=True)
)
_SEVERAL: Final = rf"(?:(?:{_DAYS})(?:,? (?:to|and|until|till|through|or)|,) (?:the )?)?"
_DAY_BEFORE: Final = re.compile(rf"(?i)(?<![^\W_])(?<!\ba ){_SEVERAL}(?:{_DAYS})\Z")
_DAY_AFTER: Final = re.compile(
    rf"(?i)(?:{_DAYS})(?:,? (?:to|and|until|till|through|or) (?:the )?(?:{_DAYS}))?(?![^\W_])"
)
_IN_WORDS: Final = re.compile(rf"(?i),? (?:in )?(?:the year )?{YEAR_WORDS}")
_IN_FIGURES: Final = re.compile(_YEAR)
_GOES_ON: Final = re.compile(r" ([a-z]+)")
_TAKEN: Final = frozenset({"QUANTITY", "PERCENT", "MONEY"})


class ExactDates:
    """Dates as one language writes them."""

    def __init__(self, language: str) -> None:
        known = language if language in LANGUAGES else "en"
        months, weekdays = "|".join(month_words(known)), "|".join(weekday_words(known))
        month = rf"(?i:{months})"
        self._day_first = re.compile(
            rf"{_ENDED}{_RANGE}[ -]?{_OF}{month}(?![^\W\d_])(?:\.?[ -]?{_YEAR})?(?!\w)"
        )
        self._logged = re.compile(rf"{_DAY}/{month}/(?:19|20)\d\d:\d\d:\d\d:\d\d(?!\w)")
        self._month_before = re.compile(rf"(?<![^\W_]){month}\.?(?: {{1,2}}|-)(?:the )?\Z")
        self._month_first = re.compile(rf"{_ENDED}{_RANGE}(?:{_YEAR})?(?![\w%]|[.,:/]\d)")
        self._weekday = re.compile(rf"(?<![^\W_])(?i:{weekdays})\.?,? (?:the |den |el |le )?\Z")
        self._of_month = re.compile(rf" (?:(?i:day )?(?i:of) {month})(?![^\W_])")
        self._month_the_day = re.compile(rf"(?<![^\W_]){month}\.?,? (?:the )?(?=[^\W\d_])")

    def at(self, text: str, start: int, low: int) -> tuple[int, int] | None:
        """The date of which a first digit stands at `start`; it begins at `low` at the earliest."""
        if start and (text[start - 1].isalnum() or text[start - 1] in "$\u20ac\u00a3"):
            return None
        if _IN_A_NAME.search(text, max(0, start - 2), start):
            filed = _FILED.match(text, start)
            if filed and read_date(filed[0]) is not None:
                return filed.span()
        if start and text[start - 1] == "_":
            return None
        joined = start > 1 and text[start - 1] in "./-:" and text[start - 2].isalnum()
        if joined and not (text[start - 1] == ":" and text[start - 2].isalpha()):  # BDAY:1981-04-09
            return None
        if match := self._logged.match(text, start):
            return start, match.end()
        if match := self._day_first.match(text, start):
            return self._with_weekday(text, start, low), _with_year(text, match.end())
        if month := self._month_before.search(text, max(low, start - 16), start):
            match = self._month_first.match(text, start)
            if match and not _is_counted(text, match.end()):
                return self._with_weekday(text, month.start(), low), match.end()
        if (match := _NUMERIC.match(text, start)) and read_date(match[0]) is not None:
            return self._with_weekday(text, start, low), match.end()
        if (match := _WITHOUT_YEAR.match(text, start)) and (
            _ON.search(text, max(low, start - 12), start)
            or _ALSO_ON.search(text, max(0, start - 40), start)
            or _is_dated(text, match, low)
        ):
            return (start, match.end()) if read_date(match[0]) is not None else None
        return None

    def in_words(self, text: str) -> Iterator[tuple[int, int]]:
        """Dates whose day is a word: the third of May, May the third, May third."""
        for match in self._of_month.finditer(text):
            if day := _DAY_BEFORE.search(text, max(0, match.start() - 44), match.start()):
                yield self._with_weekday(text, day.start(), 0), _with_year(text, match.end())
        for match in self._month_the_day.finditer(text):
            day = _DAY_AFTER.match(text, match.end())
            sure = match[0].endswith("the ") or match[0][0].isupper()
            if day and sure and not _goes_on(text, day.end()):
                yield self._with_weekday(text, match.start(), 0), _with_year(text, day.end())

    def _with_weekday(self, text: str, start: int, low: int) -> int:
        weekday = self._weekday.search(text, max(low, start - 20), start)
        return weekday.start() if weekday else start


def _is_dated(text: str, match: re.Match[str], low: int) -> bool:
    """Whether figures that can be a day have a clock behind them or what was done then before."""
    before = max(low, match.start() - 24)
    scored = _SCORED.search(text, before, match.start()) is not None
    if scored or match[0][0] == "0" or "/0" in match[0]:  # no fraction has a nought: 12/04
        return not scored
    told = _AT_CLOCK.match(text, match.end()) or _DONE.search(text, before, match.start())
    smaller, larger = sorted(map(int, match[0].split("/")))
    return told is not None and smaller <= 12 < larger  # a month and a day alone: 11/22


def _with_year(text: str, end: int) -> int:
    """Where a date ends behind which a year may stand, in figures or in words."""
    year = _IN_WORDS.match(text, end) or _IN_FIGURES.match(text, end)
    return year.end() if year else end


def _goes_on(text: str, end: int) -> bool:
    """Whether a noun follows: "in March the third team won" has no date."""
    word = _GOES_ON.match(text, end)
    return word is not None and word[1] not in FUNCTION_WORDS


def _is_counted(text: str, end: int) -> bool:
    """Whether what follows is a unit: "March 10 miles" is no date."""
    unit = AFTER.match(text, end)
    return unit is not None and unit.lastgroup in _TAKEN and len(unit[0].strip()) > 1
