"""Names and addresses in programs and settings, where public words are written together."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.vocabulary import all_public
from privstamp.types import Finding

_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "RARE"})
_LINE: Final = 200
"""Characters that are looked at."""
_FILE: Final = re.compile(r"\w+\.(?:zip|mov|sh|py|rs|md)")
_DOTTED: Final = re.compile(r"\w+(?:\.\w+)+")
_GOES_ON: Final = re.compile(r"(?:\.[a-z]\w*)*\.[A-Z]\w+")
_RUN: Final = re.compile(r"\w*")
_HEADER_BEFORE: Final = re.compile(r"(?<![\w-])X-(?:[A-Za-z]{2,20}-){0,4}\Z")
_HEADER_AFTER: Final = re.compile(r"(?:-[A-Za-z]{2,20}){0,4}(?![\w-])")
_RUN_BEFORE: Final = re.compile(r"\w*\Z")


def in_identifier(text: str, finding: Finding) -> bool:
    """Whether it is a word of a name such as API_KEY, all of whose words are public."""
    if finding.kind not in _NAMES:
        return False
    low, high = max(0, finding.start - _LINE), finding.end + _LINE
    if text.find("_", low, high) < 0:
        return False
    before, after = (
        _RUN_BEFORE.search(text[low : finding.start]),
        _RUN.match(text, finding.end, high),
    )
    run = f"{before[0]}{text[finding.start : finding.end]}{after[0]}"  # type: ignore[index]
    return "_" in run and _RUN.fullmatch(run) is not None and all_public(run)


def in_code(text: str, finding: Finding) -> bool:
    """Whether a sign of source code or of settings is joined to it: action=delete, get(width)."""
    before, after = text[max(0, finding.start - 2) : finding.start], text[finding.end :][:2]
    if before[-1:] and before[-1] in "=(._[$@&/<":
        return True
    return after[:1] in ("=", "(", "_", "[") or (after[:1] in (".", "/") and after[1:].isalpha())


def is_header(text: str, finding: Finding) -> bool:
    """Whether it is a word of a header that programs make, all of public words: X-Api-Key."""
    rest = _HEADER_AFTER.match(text, finding.end)
    if rest is None:
        return False
    if text[finding.start : finding.end] == "X":
        return len(rest[0]) > 1 and all_public(rest[0])
    head = _HEADER_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
    run = f"{text[finding.start : finding.end]}{rest[0]}"
    return head is not None and all_public(f"{head[0][2:]}{run}")


def is_attribute(text: str, finding: Finding) -> bool:
    """Whether public words are written together behind a dot or before a bracket, as programs do
    it: decimal.InvalidOperation."""
    word = text[finding.start : finding.end]
    joined = text[max(0, finding.start - 2) : finding.start]
    code = (joined[-1:] == "." and joined[:1].isalnum()) or text[finding.end :][:1] == "("
    return code and not word[1:].islower() and word.isalpha() and all_public(word)


def is_call(text: str, finding: Finding) -> bool:
    """Whether it is a function of a program (log.info) or a file with an ending that domains have
    as well (a.zip), all of public words."""
    name = text[finding.start : finding.end]
    if longer := _GOES_ON.match(text, finding.end):  # java.net.SocketTimeoutException
        return all_public(name + longer[0])
    code = text[finding.end :][:1] == "(" or _FILE.fullmatch(name) is not None
    return code and _DOTTED.fullmatch(name) is not None and all_public(name)
