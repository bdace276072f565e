"""Versions of programs, and the hashes, colours and codes that are as public as they are."""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity import quantities as q
from privstamp.text.vocabulary import default

_VERSION: Final = re.compile(
    r"[vV]?\d{1,4}\.\d{1,4}(?:\.\d{1,6}){0,2}(?:[-.]?(?:rc|alpha|beta|dev|post|pre|snapshot|lts)"
    r"[-.]?\d{0,4})|[vV]\d{1,4}(?:\.\d{1,6}){0,3}",
    re.IGNORECASE,
)
_RELEASED: Final = re.compile(r"[vV]?\d{1,6}(?:\.\d{1,6}){1,3}(?!\.?\d)")
_PIECE: Final = re.compile(r"\d+|[^\W\d_]+")
_OCTET: Final = 255
"""The largest part of an internet address."""
HASH: Final = re.compile(r"(?=[a-f]*\d)[0-9a-f]{7,64}")
"""The hash of a commit, or its beginning."""
_COLOUR: Final = re.compile(r"(?=\d*[A-Fa-f])(?:[0-9A-Fa-f]{3,4}){1,2}")
_HEX_CODE: Final = re.compile(r"0x[0-9A-Fa-f]{1,8}")
_DIGEST: Final = re.compile(r"(?:sha\d{1,3}|md5)[:-][0-9a-f]{7,128}")
_PAINTED: Final = re.compile(
    r"(?:colou?r|background|border|fill|stroke)[\w-]{0,9}[\"']? ?[:=][^;#\n]{0,20}#\Z"
)
_WORD: Final = re.compile(r"([^\W\d_]+)[^\w,;)\]!?\n]{0,4}\Z")


def is_version(body: str, said: str) -> bool:
    """Figures with dots, then words that are public, short letters and more figures.

    Groups of three digits are what numbers of persons and accounts have: 12.345.678-9.
    """
    if _VERSION.fullmatch(body):
        return True
    match = _RELEASED.match(body)
    if match is None or (body[0] == "0" and body[1:2].isdigit()):
        return False
    parts = re.findall(r"\d+", match[0])
    if said in q.VERSIONED and match.end() == len(body):
        return True
    if sum(len(part) <= 2 for part in parts) < 2 or len(parts) < 3:
        return False
    if match.end() == len(body):
        return len(parts) == 4 and max(map(int, parts)) > _OCTET
    rest = _PIECE.findall(body[match.end() :])
    return all(
        len(piece) <= 4 if piece.isdigit() else len(piece) <= 2 or default().knows(piece.lower())
        for piece in rest
    )


def is_calendar_version(text: str, match: re.Match[str]) -> bool:
    """Whether what looks like a date is a version: release 2024.3.1."""
    word = _WORD.search(text, max(0, match.start() - 24), match.start())
    dotted = re.fullmatch(r"(?:19|20)\d\d\.\d{1,2}\.\d{1,2}", match[0])
    return dotted is not None and word is not None and word[1].lower() in q.VERSIONED


def is_public_hex(body: str, before: str, said: str) -> bool:
    """Whether it is a colour, or the hash that a word for one announces: commit 3f2a9bc."""
    if _DIGEST.fullmatch(body):
        return True
    if _HEX_CODE.fullmatch(body):
        return True
    if before.endswith("#"):
        if _PAINTED.search(before) and len(body) in (3, 6) and body.isdigit():
            return True
        return not before[-2:-1].isalnum() and _COLOUR.fullmatch(body) is not None
    return said in q.HASHES and HASH.fullmatch(body) is not None
