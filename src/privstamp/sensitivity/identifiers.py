"""Numbers that states give to people: told apart by how they are written, and by check digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from privstamp.sensitivity import checksums as sums
from privstamp.sensitivity.checksums import luhn
from privstamp.sensitivity.confirm import Hit


class National(NamedTuple):
    """A number of one country."""

    kind: str
    rule: str
    score: float
    check: Callable[[str], bool]


NHS: Final = National("UK_NHS", "check digit mod 11", 0.7, sums.mod11)
AADHAAR: Final = National("IN_AADHAAR", "Verhoeff", 0.7, lambda d: d[0] > "1" and sums.verhoeff(d))
TAX_DE: Final = National(
    "DE_TAX_ID", "ISO 7064", 0.6, lambda d: d[0] > "0" and len(set(d[:10])) > 6 and sums.mod11_10(d)
)
NIR: Final = National("FR_NIR", "mod 97", 0.85, lambda d: d[0] in "12" and sums.nir(d))
CPF: Final = National("BR_CPF", "two check digits", 0.85, sums.cpf)
CNPJ: Final = National("BR_CNPJ", "two check digits", 0.85, sums.cnpj)
PESEL: Final = National("PL_PESEL", "check digit", 0.6, sums.pesel)
BSN: Final = National("NL_BSN", "eleven test", 0.5, sums.bsn)
AHV: Final = National(
    "CH_AHV", "756 and check digit", 0.95, lambda d: d[:3] == "756" and sums.ean(d)
)
BELGIAN: Final = National("BE_NRN", "mod 97", 0.9, sums.belgian)
SIN: Final = National("CA_SIN", "Luhn", 0.6, luhn)
PERSON_SE: Final = National("SE_PERSONNUMMER", "Luhn", 0.8, lambda d: luhn(d[-10:]))
ZA: Final = National("ZA_ID_NUMBER", "Luhn", 0.6, lambda d: int(d[2:4]) in range(1, 13) and luhn(d))
KOREAN: Final = National("KR_RRN", "6-7", 0.6, lambda d: int(d[2:4]) in range(1, 13))

SHAPES: Final[dict[str, tuple[National, ...]]] = {
    "000 000 0000": (NHS,),
    "000-000-0000": (NHS,),
    "0000000000": (NHS,),
    "0000 0000 0000": (AADHAAR,),
    "0000-0000-0000": (AADHAAR,),
    "000000000000": (AADHAAR,),
    "00 000 000 000": (TAX_DE,),
    "00000000000": (TAX_DE, CPF, PESEL),
    "000.000.000-00": (CPF,),
    "00.000.000/0000-00": (CNPJ,),
    "0 00 00 00 000 000 00": (NIR,),
    "000000000000000": (NIR,),
    "000000000": (BSN, SIN),
    "0000.00.000": (BSN,),
    "000 000 000": (SIN,),
    "000-000-000": (SIN,),
    "000.0000.0000.00": (AHV,),
    "0000000000000": (AHV, ZA),
    "00.00.00-000.00": (BELGIAN,),
    "00.00.00 000.00": (BELGIAN,),
    "000000-0000": (PERSON_SE,),
    "00000000-0000": (PERSON_SE,),
    "000000-0000000": (KOREAN,),
}
"""How a number is written, each digit as 0, to those that it may be."""
KINDS: Final = frozenset(shape.kind for many in SHAPES.values() for shape in many)
DIGITS: Final = re.compile(r"\d(?<![\w.]\d)(?:[ .\-/]?\d){8,20}(?!\w)")
_AS_ZERO: Final = str.maketrans("123456789", "000000000")


def national(match: re.Match[str]) -> tuple[National, Hit] | None:
    """The first number that it may be whose check digits are right."""
    text = match[0]
    if not text.isascii():
        return None
    for shape in SHAPES.get(text.translate(_AS_ZERO), ()):
        if shape.check("".join(filter(str.isdigit, text))):
            return shape, (match.start(), match.end(), shape.score)
    return None
