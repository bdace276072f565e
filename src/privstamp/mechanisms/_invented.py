"""What nobody has: words that can be said aloud, addresses of machines, cards and secrets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from privstamp.mechanisms.wordlists import LETTERS, ORDINARY
from privstamp.text.terms import words
from privstamp.text.vocabulary import default

# Invented words that can be said aloud: what an unknown word becomes.
#
# A false meaning misleads a reader more than no meaning, and an invented word is put back without
# doubt. Each is consonants, vowel, consonants, vowel, consonants, so no two choices spell the same.

Pool: TypeAlias = tuple[str, ...]

_VOWELS: Final = tuple("aeiou")
PARTS: Final = (
    words("b br d dr f fl g gl gr h j k kr l m n p pl pr r s sk sl sm sn st str t tr v w z"),
    _VOWELS,
    words("""
        b br d dr f g k l ld lf lm ln lt lv m mb mbr mp n nd ndr ng nk nt ntr p r rb rd rg rk rl
        rm rn rt rv s sk sp st str t tr v z
    """),
    _VOWELS,
    words("b d f k l ld lm m n nd nk nt p r rd rk rn rt s sk st t"),
)
ACRONYM: Final = (LETTERS,) * 3
TRIES: Final = 16
"""Candidates of one draw, of which the first that is no listed word is taken."""


def spell(parts: Sequence[Pool], choices: Iterable[int]) -> str:
    """The word of one choice from each part.

    >>> spell(PARTS, [25, 3, 15, 0, 8])
    'tolvan'
    """
    return "".join(part[choice] for part, choice in zip(parts, choices, strict=True))


def is_listed(word: str) -> bool:
    """Whether a public list has a word, in any case."""
    folded = word.lower()
    return folded in ORDINARY or default().has(folded)


def unlisted(parts: Sequence[Pool]) -> int:
    """How many words can be drawn: all but those of public lists."""
    shape = re.compile("".join(f"({'|'.join(part)})" for part in parts), re.IGNORECASE)
    listed = {word for word in (*ORDINARY, *default()) if shape.fullmatch(word)}
    return math.prod(map(len, parts)) - len(listed)


def first_unlisted(candidates: Iterable[str]) -> str:
    """The first candidate that means nothing; the last, if all do (chance below 2^-64)."""
    word = ""
    for word in candidates:
        if not is_listed(word):
            break
    return word


# Addresses of machines, cards and secrets: valid in form, and nobody's.
#
# Ranges that are set aside for documentation or private use, card numbers with a wrong check digit,
# secrets of one length whatever theirs was.

Pick: TypeAlias = Callable[[int, int], int]
"""The draw of a place in a row: uniform below a limit."""

HEX: Final = "0123456789abcdef"
ALNUM: Final = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
SECRET: Final = 20
"""Characters that stand for any secret."""
_DOCUMENTATION: Final = ("192.0.2", "198.51.100", "203.0.113")
V4, V6 = "v4", "v6"
_PORTS: Final = frozenset(
    words("22 25 53 80 110 143 443 465 587 993 3306 5432 6379 8000 8080 8443")
)
_TAIL: Final = re.compile(r"(/\d{1,3})?(?::(\d{1,5}))?\Z")


def machine_form(surface: str) -> str:
    """What shows of an address of the internet: its version, a range's size, a common port.

    >>> [machine_form(text) for text in ("10.1.2.3:8080", "10.1.2.0/24", "fe80::1", "10.1.2.3:90")]
    ['v4:8080', 'v4/24', 'v6', 'v4:8000']
    """
    if surface.count(":") > 1:
        return V6 + (_TAIL.search(surface)[1] or "")  # type: ignore[index]
    tail = _TAIL.search(surface)
    size, port = (tail[1] or "", tail[2]) if tail else ("", None)
    shown = "" if port is None else f":{port if port in _PORTS else '8000'}"
    return V4 + size + shown


def machine(form: str, pick: Pick, attempt: int) -> str:
    """An address set aside for documentation; from the second try on, for tests of networks."""
    version, tail = form[:2], form[2:] if form[:2] in (V4, V6) else ""
    if version == V6:
        groups = [f"{pick(place, 65536):x}" for place in range(4)]
        return f"2001:db8:{':'.join(groups[:3])}::{groups[3]}{tail}"
    host = 1 + pick(1, 254)
    if attempt == 0:
        return f"{_DOCUMENTATION[pick(0, len(_DOCUMENTATION))]}.{host}{tail}"
    return f"198.{18 + pick(0, 2)}.{pick(2, 256)}.{host}{tail}"


def secret(pick: Pick) -> str:
    """Letters and digits, as many for every secret."""
    return "".join(ALNUM[pick(place, len(ALNUM))] for place in range(SECRET))


def spoilt(card: str, digit: int) -> str:
    """A card number whose last digit fails Luhn's check: one of nine, by a number below 9.

    >>> [spoilt("4000 0000 0000 0000", digit)[-1] for digit in (0, 1, 2, 8)]
    ['0', '1', '3', '9']
    """
    if not any(map(str.isdigit, card)):
        return card
    total = 0
    digits = [int(char) for char in card if char.isdigit()]
    for place, value in enumerate(reversed(digits[:-1])):
        doubled = value * 2 if place % 2 == 0 else value
        total += doubled - 9 if doubled > 9 else doubled
    right = -total % 10
    last = digit if digit < right else digit + 1
    at = max(index for index, char in enumerate(card) if char.isdigit())
    return f"{card[:at]}{last}{card[at + 1 :]}"


def in_hex(kind: str, form: str, pick: Pick) -> str:
    """A network card's address of the kind that nobody is issued, or a random UUID."""
    count = sum(char in "0A" for char in form)
    drawn = [HEX[pick(place, 16)] for place in range(count)]
    if kind == "UUID" and count == 32:
        drawn[12], drawn[16] = "4", "89ab"[pick(16, 4)]
    else:
        drawn[:2] = "02"
    pieces = iter(drawn)
    text = "".join(next(pieces) if char in "0A" else char for char in form)
    return text.upper() if "A" in form else text


def size(kind: str, form: str) -> float:
    """How many strings a first draw chooses from."""
    if kind == "CREDENTIAL":
        return float(len(ALNUM) ** SECRET)
    if kind == "IP_ADDRESS":
        return 65536.0**4 if form.startswith(V6) else float(len(_DOCUMENTATION) * 254)
    places = sum(char in "0A" for char in form)
    if kind == "CREDIT_CARD":
        return 9.0 * 10.0 ** (places - 1)
    return 16.0 ** (places - 2) * (4.0 if kind == "UUID" and places == 32 else 1.0)
