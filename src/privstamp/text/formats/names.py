"""Names of fields and identifiers: their words, and what a name says about its value."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from privstamp.text.vocabulary import is_public

_PARTS: Final = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[^\W\d_A-Za-z]+", re.UNICODE)

_PERSON: Final = """
first name|last name|given name|family name|middle name|maiden name|full name|surname|forename
firstname|lastname|fullname|patient name|customer name|client name|employee name|contact name
holder name|card holder|cardholder|account holder|next of kin|emergency contact|author name
"""
_PEOPLE: Final = frozenset(
    {"name", "customer", "client", "patient", "contact", "employee", "owner", "author", "sender"}
    | {"recipient", "manager", "assignee", "student", "tenant", "witness", "applicant", "guest"}
    | {"from", "to", "cc", "bcc", "reply to", "attendee", "member", "driver", "beneficiary"}
)
"""Fields that mostly, and not always, hold people."""
_CREDENTIAL: Final = """
password|passwd|pwd|passphrase|secret|secret key|client secret|api key|apikey|access key
private key|auth token|access token|refresh token|session token|bearer token|pin
"""
_ADDRESS: Final = "street|street address|home address|postal address|address line|mailing address"
_DATE: Final = "dob|date of birth|birth date|birthdate|birthday|date of death"
_HANDLE: Final = "username|user name|login|screen name|nickname"
_NUMBER: Final = """
ssn|social security number|nhs number|passport|passport number|national id|tax id|iban|mrn
medical record number|account number|card number|policy number|license number|licence number
employee number|staff number|insurance number|phone|phone number|telephone|mobile|fax
"""
_LOCATION: Final = "city|town|hometown|birthplace|place of birth"
_ORGANIZATION: Final = "company|company name|employer|organisation name|organization name"

_KINDS: Final = {
    name: kind
    for kind, names in (
        ("PERSON", _PERSON),
        ("CREDENTIAL", _CREDENTIAL),
        ("ADDRESS", _ADDRESS),
        ("DATE_TIME", _DATE),
        ("HANDLE", _HANDLE),
        ("NUMERIC_ID", _NUMBER),
        ("LOCATION", _LOCATION),
        ("ORGANIZATION", _ORGANIZATION),
    )
    for name in re.split(r"[|\n]", names.strip())
}
_KEYS: Final = frozenset({"key", "token", "credential", "credentials"})
"""Ends of names whose value is a secret if it looks like one: STRIPE_KEY, not sort_key."""
_MIXED: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d_]).{10,}", re.DOTALL)
_WITH_DIGITS: Final = frozenset({"DATE_TIME", "NUMERIC_ID", "ADDRESS"})
_NOT_A_VALUE: Final = frozenset(
    {
        *("none", "null", "nil", "na", "n/a", "true", "false", "yes", "no", "unknown"),
        *("undefined", "empty", "required", "optional", "missing", "expired", "invalid"),
    }
)
_FULL_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:['\u2019-][^\W\d_]+)*\.?")
LONGEST: Final = 80
"""Characters of a value that its name makes sensitive; a longer one is read for itself."""


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, as written.

    >>> words_of("getHTTPResponse_code2")
    ('get', 'HTTP', 'Response', 'code', '2')
    """
    return tuple(_PARTS.findall(name))


def spans_of(name: str) -> list[tuple[int, int]]:
    """Where the words of a name stand in it."""
    return [match.span() for match in _PARTS.finditer(name)]


def context(name: str) -> str:
    """A name as somebody would say it, before its value."""
    return f"\n{' '.join(words_of(name)).lower()}: "


@lru_cache(maxsize=4096)
def _kind(name: str) -> str:
    words = [word.lower() for word in words_of(name) if not word.isdigit()]
    for size in (len(words), 3, 2, 1):
        if kind := _KINDS.get(" ".join(words[-size:])):
            return kind
    return ""


def kind_of(name: str, value: str) -> str:
    """What a value is by the name of its field; nothing where the name tells nothing.

    >>> kind_of("last_name", "Raghunathan"), kind_of("status", "late")
    ('PERSON', '')
    """
    kind = _kind(name) or ("PERSON" if names_person(name, value) else "")
    last = words_of(name)[-1:]
    if not kind and last and last[0].lower() in _KEYS and _MIXED.fullmatch(value):
        kind = "CREDENTIAL"
    if not kind or len(value) > LONGEST or value.strip().lower() in _NOT_A_VALUE:
        return ""
    if kind in _WITH_DIGITS:
        return kind if any(map(str.isdigit, value)) else ""
    return kind if any(map(str.isalnum, value)) else ""


def names_person(name: str, value: str) -> bool:
    """Whether a field for people holds two to four words with capitals that no public list has.

    >>> names_person("name", "Sunniva Dragset"), names_person("name", "Support Team")
    (True, False)
    """
    if len(value) > LONGEST or " ".join(words_of(name)).lower() not in _PEOPLE:
        return False
    words = value.split()
    if not 2 <= len(words) <= 4 or not all(map(_FULL_NAME.fullmatch, words)):
        return False
    return not any(is_public(word.rstrip(".").lower()) for word in words)
