"""Closed classes of words that dates and figures are written with: a month for a month.

Which class a word belongs to is PUBLIC, as the form of a number is; which word of it, is not.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.terms import words as _words

POOLS: Final = {
    "MONTH": _words("January February April June July August September October November December"),
    "WEEKDAY": _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "WEEKDAYS": _words("Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays"),
    "SEASON": _words("spring summer autumn winter"),
    "PART_OF_DAY": _words("morning afternoon evening night noon midnight dawn dusk"),
    "RELATIVE_DAY": _words("today yesterday tomorrow tonight"),
    "TIME_UNIT": _words("minute hour day week month year decade century"),
    "TIME_UNITS": _words("minutes hours days weeks months years decades centuries"),
    "ADJACENT": _words("last next previous following coming past recent current"),
    "STAGE": _words("early late mid"),
    "MERIDIEM": _words("a.m. p.m."),
    "CLOCK": _words("o'clock sharp"),
    "MEASURE": _words("mile yard inch ounce ton gallon pint acre"),
    "MEASURES": _words("miles yards inches ounces tons gallons pints acres"),
    "EVERY": _words("the every each this that"),
    "AND": _words("and or to until through"),
    "AT": _words("of in on at by from before after since during"),
    "CARDINAL": _words("""
        two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    """),
    "ORDINAL_WORD": _words("""
        first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
        thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
    """),
    "SCALE": _words("hundred thousand million billion"),
    "SCALES": _words("dozens scores hundreds thousands millions billions"),
    "FRACTION": _words("quarter third fifth tenth"),
}
"""What is drawn for a word of a class. March and May mean other things too, as does `one`; a metre
is spelt in two ways."""
_ALSO: Final = {
    "MONTH": _words("march may jan feb mar apr jun jul aug sep sept oct nov dec"),
    "WEEKDAY": _words("mon tue tues wed thu thur thurs fri sat sun"),
    "SEASON": _words("fall"),
    "TIME_UNIT": _words("fortnight generation"),
    "TIME_UNITS": _words("seconds fortnights generations"),
    "MERIDIEM": _words("am pm"),
    "MEASURE": _words("""
        foot pound gram kilogram kilo centimetre metre meter kilometre kilometer litre liter
    """),
    "MEASURES": _words("""
        feet pounds grams kilograms kilos centimetres metres meters kilometres kilometers litres
        liters
    """),
    "EVERY": _words("a an"),
    "CARDINAL": _words("one zero"),
    "ORDINAL_WORD": _words("thirtieth fortieth fiftieth hundredth"),
    "SCALE": _words("trillion dozen"),
    "SCALES": _words("tens trillions"),
    "FRACTION": _words("half"),
}
"""Words that are of a class and never drawn."""
_CLASS: Final = {
    word: name
    for lists in (_ALSO, POOLS)
    for name, words in lists.items()
    for word in map(str.casefold, words)
    if lists is _ALSO or name != "FRACTION" or word == "quarter"  # a third comes after a second
}
_TENS: Final = re.compile(r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty-([a-z]+)")
_TELLING: Final = ("MONTH", "WEEKDAY", "WEEKDAYS")
COMMON_PORTS: Final = frozenset(
    _words("22 25 53 80 110 143 443 465 587 993 3306 5432 6379 8000 8080 8443")
)
"""Of programs that everybody knows."""
SMALL: Final = frozenset({"EVERY", "AND", "AT"})
"""Classes of words that every text is full of."""
DOUBTFUL: Final = frozenset(
    word for name, words in POOLS.items() if name not in _TELLING for word in words
)
"""Words that in a reply may mean something else."""


_FIGURES: Final = {
    word: str(number)
    for words, numbers in (
        (POOLS["CARDINAL"][:18], range(2, 20)),
        (POOLS["CARDINAL"][18:], range(20, 100, 10)),
    )
    for word, number in zip(words, numbers, strict=True)
} | {"hundred": "100", "thousand": "1000"}


def in_words(number: int) -> str:
    """A number from 2 to 99.

    >>> in_words(14), in_words(40), in_words(41)
    ('fourteen', 'forty', 'forty-one')
    """
    cardinals = POOLS["CARDINAL"]
    if number < 20:
        return cardinals[number - 2]
    tens, ones = divmod(number, 10)
    return cardinals[16 + tens] + (
        f"-{'one' if ones == 1 else cardinals[ones - 2]}" if ones else ""
    )


def ordinal_in_words(number: int) -> str:
    """The ordinal of a number from 2 to 99.

    >>> ordinal_in_words(14), ordinal_in_words(40), ordinal_in_words(41)
    ('fourteenth', 'fortieth', 'forty-first')
    """
    head, dash, last = in_words(number).rpartition("-")
    irregular = {"one": "first", "two": "second", "three": "third", "five": "fifth"}
    irregular |= {"eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
    ended = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return head + dash + irregular.get(last, ended)


def in_figures(text: str) -> str:
    """The text with number words as figures.

    >>> in_figures("fifteen days")
    '15 days'
    """
    return " ".join(_FIGURES.get(word.casefold(), word) for word in text.split(" "))


def class_of(word: str) -> str | None:
    """The class of a word, whatever its case.

    >>> [class_of(word) for word in ("July", "Sept.", "forty-two", "FORTY", "harvest")]
    ['MONTH', 'MONTH', 'CARDINAL', 'CARDINAL', None]
    """
    folded = word.casefold()
    name = _CLASS.get(folded) or _CLASS.get(folded.rstrip("."))
    if name is None and (compound := _TENS.fullmatch(folded)):
        name = _CLASS.get(compound[1])
        name = name if name in ("CARDINAL", "ORDINAL_WORD") else None
    return name


def ordinal_ending(digits: str) -> str:
    """st, nd, rd or th.

    >>> [ordinal_ending(digits) for digits in ("1", "12", "23", "1,013")]
    ['st', 'th', 'rd', 'th']
    """
    if digits[-2:-1] == "1":
        return "th"
    return {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1:], "th")
