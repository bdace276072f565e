"""Names of months and weekdays, and number words of days: what dates are written with."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.terms import words

_MONTHS: Final = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
}
_SHORT_MONTHS: Final = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "jan feb mär apr mai jun jul aug sep okt nov dez",
    "fr": "janv févr mars avr mai juin juil août sept oct nov déc",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
}
_ALSO: Final = {
    "en": {"sept": 9},
    "de": {"jänner": 1, "sept": 9},
    "es": {"sept": 9, "setiembre": 9},
}
_WEEKDAYS: Final = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
}
_SHORT_WEEKDAYS: Final = {"en": "mon tue wed thu fri sat sun", "de": "mo di mi do fr sa so"}
ORDINALS: Final = words("""
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
    twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh
    twenty-eighth twenty-ninth thirtieth thirty-first
""")
"""Days of a month in English words."""
_UNITS: Final = words("one two three four five six seven eight nine")
_TEENS: Final = words("""
    ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
""")
_TENS: Final = words("twenty thirty forty fifty sixty seventy eighty ninety")
_FILLERS: Final = frozenset({"and", "hundred", "oh", "o", "zero"})
YEAR_WORDS: Final = (
    rf"(?:(?:{'|'.join(_TEENS[5:])}|twenty)[ -](?:hundred(?:,? (?:and )?(?=[a-z]))?)?"
    r"|two thousand(?:,? (?:and )?)?)"
    rf"(?:(?:oh?|zero)[ -](?:{'|'.join(_UNITS)})"
    rf"|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS)}))?"
    rf"|{'|'.join(_TEENS)}|{'|'.join(_UNITS)})?(?<! )(?![^\W_])"
)
"""A pattern for years in words: nineteen eighty-four, two thousand and nineteen."""
LANGUAGES: Final = tuple(_MONTHS)

Names = dict[str, tuple[str, bool, int]]
"""A name in lower case to its language, whether it is the short one, and its number."""


def _named(full: dict[str, str], short: dict[str, str], first: int) -> Names:
    names: Names = {}
    for lists, brief in ((full, False), (short, True)):
        for language, listed in lists.items():
            for number, word in enumerate(listed.split(), first):
                names.setdefault(word, (language, brief, number))
    return names


MONTHS: Final = _named(_MONTHS, _SHORT_MONTHS, 1)
MONTHS.update((w, (o, True, n)) for o, also in _ALSO.items() for w, n in also.items())
WEEKDAYS: Final = _named(_WEEKDAYS, _SHORT_WEEKDAYS, 0)
WEEKDAYS.update({"tues": ("en", True, 1), "thur": ("en", True, 3), "thurs": ("en", True, 3)})


def year_in_words(year: int) -> str:
    """A year from 1500 to 2099; others are written in figures.

    >>> year_in_words(1984), year_in_words(2004), year_in_words(2019), year_in_words(1905)
    ('nineteen eighty-four', 'two thousand and four', 'twenty nineteen', 'nineteen oh five')
    """
    century, rest = divmod(year, 100)
    if not 15 <= century <= 20:
        return str(year)
    if century == 20 and rest < 10:
        return f"two thousand and {_UNITS[rest - 1]}" if rest else "two thousand"
    head = "twenty" if century == 20 else _TEENS[century - 10]
    if rest == 0:
        return f"{head} hundred"
    return f"{head} {_below_hundred(rest)}" if rest > 9 else f"{head} oh {_UNITS[rest - 1]}"


def read_year(text: str) -> int | None:
    """The year that words name, however they do it; None if they name none.

    >>> read_year("nineteen hundred and thirty-one"), read_year("Two Thousand Four")
    (1931, 2004)
    """
    parts = [part for part in re.findall("[a-z]+", text.lower()) if part not in _FILLERS]
    if parts[:2] == ["two", "thousand"]:
        century, rest = 20, parts[2:]
    elif parts and parts[0] in (*_TEENS[5:], "twenty"):
        century, rest = (*_TEENS, "twenty").index(parts[0]) + 10, parts[1:]
    else:
        return None
    names = {_below_hundred(number): number for number in range(1, 100)} | {"": 0}
    number = names.get("-".join(rest))
    return None if number is None or parts == ["twenty"] else 100 * century + number


def _below_hundred(number: int) -> str:
    if number < 20:
        return (*_UNITS, *_TEENS)[number - 1]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_UNITS[ones - 1]}" if ones else "")


def month_words(language: str) -> tuple[str, ...]:
    """Every name of a month in one language, the longest first."""
    names = [*_MONTHS[language].split(), *_SHORT_MONTHS[language].split(), *_ALSO.get(language, ())]
    return tuple(sorted(set(names), key=len, reverse=True))


def weekday_words(language: str) -> tuple[str, ...]:
    """Every name of a weekday in one language, the longest first."""
    names = [*_WEEKDAYS[language].split(), *_SHORT_WEEKDAYS.get(language, "").split()]
    names += ["tues", "thur", "thurs"] if language == "en" else []
    return tuple(sorted(names, key=len, reverse=True))


def month_name(language: str, number: int, *, short: bool) -> str:
    """The name of a month from 1 to 12, in lower case.

    >>> month_name("en", 10, short=True)
    'oct'
    """
    return (_SHORT_MONTHS if short else _MONTHS)[language].split()[number - 1]


def weekday_name(language: str, number: int, *, short: bool) -> str:
    """The name of a weekday, Monday is 0, in lower case."""
    lists = _SHORT_WEEKDAYS if short and language in _SHORT_WEEKDAYS else _WEEKDAYS
    return lists[language].split()[number]
