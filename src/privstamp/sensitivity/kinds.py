"""Which kinds are made of words that mean something, and which are identifiers."""

from __future__ import annotations

from typing import Final

from privstamp.types import Finding

WORDED: Final = frozenset(
    {
        *("PERSON", "LOCATION", "ORGANIZATION", "NRP", "DATE_TIME", "MONEY", "PERCENT", "QUANTITY"),
        *("CARDINAL", "ORDINAL", "EVENT", "LANGUAGE", "LAW", "MISC", "PRODUCT", "WORK_OF_ART"),
        *("AGE", "HEALTH", "JOB_TITLE", "GENDER", "ETHNICITY", "RELIGION", "ORIENTATION"),
        *("POLITICS", "DENIED", "CODE", "NUMBER", "RARE"),
        *("TIME", "COUNT", "SECTION", "VERSION", "YEAR", "ADDRESS"),
        *("KIN", "DATE_ELEMENT", "RELATIVE_DATE", "SINGULAR"),
    }
)
"""Kinds whose words have neighbours in meaning: another word can stand for each."""
SPELT: Final = frozenset({"CREDENTIAL", "DATE", "EMAIL_ADDRESS", "HANDLE", "URL"})
"""Kinds that are identifiers also where they look like words."""
SECRETS: Final = frozenset(
    {"CREDENTIAL", "CREDIT_CARD", "CRYPTO", "PASSWORD", "API_KEY", "PIN", "CVV"}
)
"""Kinds that open something: they come back only on request, by kind."""
_NUMBERED: Final = frozenset(
    {"IBAN_CODE", "ABA_ROUTING_NUMBER", "MEDICAL_LICENSE", "MEDICAL_RECORD", "NUMERIC_ID", "ID"}
)
_HARMLESS: Final = ("_POSTCODE", "_POSTAL_CODE", "_ZIP")
_PARTS: Final = ("_GIVEN", "_FAMILY", "_INITIAL", "_PART")


def family(kind: str) -> str:
    """The kind of which a part has a name of its own: PERSON for PERSON_GIVEN."""
    for part in _PARTS:
        kind = kind.removesuffix(part)
    return kind


def is_official(kind: str) -> bool:
    """Whether it numbers a person or an account: no tool gets it unasked."""
    national = len(kind) > 3 and kind[2] == "_" and not kind.endswith(_HARMLESS)
    return kind in SECRETS or kind in _NUMBERED or national


def is_identifier(finding: Finding, text: str) -> bool:
    """Whether a span stands for one thing by its characters: a postcode, an account, a password.

    Of the kinds that are not listed here, those of a user too, spans with a digit are.
    """
    if finding.kind in WORDED:
        return False
    return finding.kind in SPELT or any(map(str.isdigit, text[finding.start : finding.end]))
