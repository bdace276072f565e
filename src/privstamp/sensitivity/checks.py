"""Second looks at what a pattern matched: checksums, and libraries that know the numbers."""

from __future__ import annotations

import ipaddress
import re
from functools import cache
from typing import Final

_NOT_DIGIT: Final = re.compile(r"\D+")


def digits_of(text: str) -> str:
    """The decimal digits of a text, of any script, as 0 to 9."""
    return "".join(str(int(digit)) for digit in _NOT_DIGIT.sub("", text))


def luhn(digits: str) -> bool:
    """The check digit of payment cards.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    total = sum(map(int, digits[-1::-2])) + sum(value - 9 * (value > 9) for value in doubled)
    return total % 10 == 0


def mod97(iban: str) -> bool:
    """The check digits of an IBAN without blanks.

    >>> mod97("GB82WEST12345698765432"), mod97("GB82WEST12345698765433")
    (True, False)
    """
    moved = (iban[4:] + iban[:4]).upper()
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def is_address(text: str) -> bool:
    """Whether it is an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_dialled(text: str, regions: tuple[str, ...]) -> bool:
    """Whether it is a number of the telephone plan of one of these regions."""
    import phonenumbers  # here, so that a policy without telephones never loads it

    for region in regions:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(text, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False


@cache
def top_level_domains() -> frozenset[str]:
    """Last labels of the public suffix list, from the copy inside its package: no network."""
    import tldextract

    suffixes = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None).tlds
    return frozenset(suffix.rpartition(".")[2] for suffix in suffixes)
