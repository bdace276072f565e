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
    }
)
"""Kinds whose words have neighbours in meaning: another word can stand for each."""
SPELT: Final = frozenset({"CREDENTIAL", "DATE", "EMAIL_ADDRESS", "HANDLE", "URL"})
"""Kinds that are identifiers also where they look like words."""


def is_identifier(finding: Finding, text: str) -> bool:
    """Whether a span stands for one thing by its characters: a postcode, an account, a password.

    Of the kinds that are not listed here, those of a user too, spans with a digit are.
    """
    if finding.kind in WORDED:
        return False
    return finding.kind in SPELT or any(map(str.isdigit, text[finding.start : finding.end]))
