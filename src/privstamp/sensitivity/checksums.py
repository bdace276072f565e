"""Second looks at what a pattern matched: check digits, known numbers, hosts for examples."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from privstamp.text.vocabulary import all_public

# Second looks at what a pattern matched: checksums, and libraries that know the numbers.


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


def is_everywhere(text: str) -> bool:
    """Whether an address means the same on every machine: loopback, none, a mask.

    >>> [is_everywhere(text) for text in ("127.0.0.1", "0.0.0.0", "255.255.255.0", "10.0.0.1")]
    [True, True, True, False]
    """
    address = ipaddress.ip_address(text)
    return address.is_loopback or address.is_unspecified or text.startswith("255.")


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


_TURN: Final = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _permutations() -> tuple[tuple[int, ...], ...]:
    """Verhoeff's eight permutations: powers of one."""
    rows = [tuple(range(10))]
    for _ in range(7):
        rows.append(tuple(_TURN[digit] for digit in rows[-1]))
    return tuple(rows)


def _dihedral(a: int, b: int) -> int:
    """The product in the group of a pentagon's symmetries."""
    if a < 5:
        return (a + b) % 5 if b < 5 else (a + b - 5) % 5 + 5
    return (a - 5 - b) % 5 + 5 if b < 5 else (a - b) % 5


_PERMUTATIONS: Final = _permutations()


def verhoeff(digits: str) -> bool:
    """The check digit of Aadhaar numbers.

    >>> verhoeff("2363"), verhoeff("2364")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total = _dihedral(total, _PERMUTATIONS[place % 8][int(digit)])
    return total == 0


def weighed(digits: str, weights: Sequence[int]) -> int:
    """Digits times weights, summed; the weights stand under the first digits."""
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def mod11(digits: str) -> bool:
    """Weights that fall to one, as in ISBN-10 and NHS numbers; a last X is ten.

    >>> mod11("9434765919"), mod11("9434765918")
    (True, False)
    """
    values = [10 if digit in "Xx" else int(digit) for digit in digits]
    return sum(value * (len(values) - place) for place, value in enumerate(values)) % 11 == 0


def mod11_10(digits: str) -> bool:
    """ISO 7064, as in German tax numbers.

    >>> mod11_10("86095742719"), mod11_10("86095742718")
    (True, False)
    """
    product = 10
    for digit in digits[:-1]:
        total = (int(digit) + product) % 10 or 10
        product = 2 * total % 11
    return (11 - product) % 10 == int(digits[-1])


def ean(digits: str) -> bool:
    """Weights 1 and 3 in turn, as on goods and in Swiss social security numbers.

    >>> ean("7569217076985"), ean("7569217076986")
    (True, False)
    """
    return (
        sum(int(d) * (3 if place % 2 else 1) for place, d in enumerate(reversed(digits))) % 10 == 0
    )


def cpf(digits: str) -> bool:
    """Two check digits of Brazilian persons; one digit repeated is none.

    >>> cpf("52998224725"), cpf("52998224726")
    (True, False)
    """
    return len(set(digits)) > 1 and all(
        weighed(digits[:size], range(size + 1, 1, -1)) * 10 % 11 % 10 == int(digits[size])
        for size in (9, 10)
    )


def cnpj(digits: str) -> bool:
    """Two check digits of Brazilian companies.

    >>> cnpj("11222333000181"), cnpj("11222333000182")
    (True, False)
    """
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    sums = (weighed(digits[:12], weights[1:]), weighed(digits[:13], weights))
    return digits[12:] == "".join("0" if s % 11 < 2 else str(11 - s % 11) for s in sums)


def pesel(digits: str) -> bool:
    """Polish persons.

    >>> pesel("44051401359"), pesel("44051401358")
    (True, False)
    """
    return weighed(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def bsn(digits: str) -> bool:
    """Dutch persons.

    >>> bsn("111222333"), bsn("111222334")
    (True, False)
    """
    return weighed(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def nir(code: str) -> bool:
    """French persons; in Corsica a letter stands for a digit.

    >>> nir("255081416802538"), nir("255081416802539")
    (True, False)
    """
    number = int(code[:-2].replace("2A", "19").replace("2B", "18"))
    return 97 - number % 97 == int(code[-2:])


def belgian(digits: str) -> bool:
    """Belgian persons, born in this century or the last.

    >>> belgian("85073003328"), belgian("85073003329")
    (True, False)
    """
    return any(97 - int(born + digits[:9]) % 97 == int(digits[9:]) for born in ("", "2"))


def nif(code: str) -> bool:
    """Spanish persons and, with X, Y or Z in front, foreigners.

    >>> nif("12345678Z"), nif("X1234567L"), nif("12345678A")
    (True, True, False)
    """
    number = code[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == code[-1]


def chinese(code: str) -> bool:
    """Chinese persons.

    >>> chinese("11010519491231002X"), chinese("110105194912310021")
    (True, False)
    """
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[weighed(code[:17], weights) % 11] == code[17].upper()


CHECKSUMS: Final[dict[str, Callable[[str], bool]]] = {
    "luhn": luhn,
    "mod97": mod97,
    "verhoeff": verhoeff,
    "mod11": mod11,
    "mod11-10": mod11_10,
    "ean": ean,
}
"""Those that a policy may name. Each reads letters and digits alone."""


# Addresses that RFC 2606 keeps for examples: nobody lives there.


_RESERVED: Final = re.compile(
    r"(?:[a-z][a-z+]{1,9}://)?(?P<host>(?:[\w-]+\.)*)"
    r"(?:example\.(?:com|org|net)|example|test|invalid|localhost)"
    r"(?::\d{1,5})?(?P<path>(?:/[\w.~-]*)*)",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[^\W_]+")
_FIGURES: Final = 4


def is_example(address: str) -> bool:
    """Whether an address is of a reserved host, and every word of it is public.

    >>> is_example("https://api.example.com/v2"), is_example("example.com/~mquillfeather")
    (True, False)
    """
    match = _RESERVED.fullmatch(address)
    if match is None:
        return False
    words = _WORDS.findall(f"{match['host']} {match['path']}")
    return all(len(word) <= _FIGURES if not word.isalpha() else all_public(word) for word in words)
