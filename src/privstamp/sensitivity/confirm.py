"""What each rule makes of a match: the span to protect and how sure it is, or nothing."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from privstamp.sensitivity.checks import (
    digits_of,
    is_address,
    is_dialled,
    luhn,
    mod97,
    top_level_domains,
)

Hit: TypeAlias = tuple[int, int, float]
"""Start, end, score."""


def whole(match: re.Match[str], score: float) -> Hit | None:
    """All of it."""
    return match.start(), match.end(), score


def trimmed(match: re.Match[str], score: float) -> Hit | None:
    """Less the quotes, brackets and full stops of the sentence around it."""
    start = match.start()
    body = match[0].rstrip(".,;:!?'\")]}>*_~\u2019\u201d")
    head = len(body) - len(body.lstrip(".'*_~{|/=&#$%^`!?+-"))
    return (start + head, start + len(body), score) if head < len(body) else None


def domain(match: re.Match[str], score: float) -> Hit | None:
    """A name that ends in a top-level domain; not the missing blank in "over.In"."""
    last = match["host"].rpartition(".")[2]
    if not last.isalpha() or not (last.islower() or match["host"].isupper()):
        return None
    return trimmed(match, score) if last.lower() in top_level_domains() else None


def card(match: re.Match[str], score: float) -> Hit | None:
    """A payment network's first digit and a right check digit."""
    digits = digits_of(match[0])
    return whole(match, score) if digits[0] in "23456" and luhn(digits) else None


def iban(match: re.Match[str], score: float) -> Hit | None:
    """The longest beginning, cut between groups, whose check digits are right."""
    end = len(match[0])
    while end > 14:
        code = re.sub(r"[ -]", "", match[0][:end])
        if 15 <= len(code) <= 34 and mod97(code):
            return match.start(), match.start() + end, score
        end = max(match[0].rfind(" ", 0, end), match[0].rfind("-", 0, end))
    return None


def address(match: re.Match[str], score: float) -> Hit | None:
    """A real address; the shortest IPv6 ones are more often source code."""
    text = match["address"]
    if len(text) > 45 or (":" in text and (text.count(":") < 2 or len(text) < 6)):
        return None
    return whole(match, score) if is_address(text) else None


_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")


def _is_date(groups: list[str]) -> bool:
    """Digits that read as a date or a range of years."""
    sizes = [len(group) for group in groups]
    if len(groups) == 2:
        return all(_YEAR.fullmatch(group) for group in groups)
    if len(groups) != 3:
        return False
    if max(sizes[1:]) <= 2 and sizes[0] == 4:
        return int(groups[1]) <= 12 and int(groups[2]) <= 31
    return max(sizes[:2]) <= 2 and sizes[2] in (2, 4) and max(map(int, groups[:2])) <= 31


_CALLED: Final = re.compile(r"(?i)phone|tel\b|call|mobile|cell|fax|whatsapp|dial|\btext\b|contact")


def phone(match: re.Match[str], score: float) -> Hit | None:
    """Sure in a telephone plan; else believed after a plus, in brackets or beside a word for it."""
    groups = re.findall(r"\d+", match["number"])
    if _is_date(groups) or sum(len(group) == 1 for group in groups) > 2 or len(groups) > 6:
        return None
    start, end = match.span()
    marked = match[0][0] in "+(" or bool(_CALLED.search(match.string[max(0, start - 30) : start]))
    digits = digits_of(match["number"])
    if not marked and (len(groups) == 1 or len(digits) > 11):
        return None
    if is_dialled(match["number"], _regions(digits)):
        return start, end, score
    return (start, end, 0.5) if marked else None


def _regions(digits: str) -> tuple[str, ...]:
    """Plans worth asking: outside North America and India national numbers begin with 0."""
    return ("GB", "DE", "FR", "AU") if digits[0] == "0" else ("US", "IN")


def grouped(match: re.Match[str], score: float) -> Hit | None:
    """Nine digits or more that are no date."""
    groups = re.split(r"[ -]", match[0])
    long = sum(map(len, groups)) >= 9
    return whole(match, score) if long and not _is_date(groups) else None


_MEASURE: Final = re.compile(r"\d+[a-z]{1,3}")
_ORDINARY: Final = re.compile(r"\d{1,4}[a-z]{0,3}|[A-Z]?[a-z]{2,}")


def mixed(match: re.Match[str], score: float) -> Hit | None:
    """Letters and digits that name one thing; not 1000mg, 1990s, Windows-2000."""
    text = match[0]
    digits = sum(map(str.isdigit, text))
    letters = sum(character.isascii() and character.isalpha() for character in text)
    if digits < 3 or not letters or digits + letters < 6 or _MEASURE.fullmatch(text):
        return None
    parts = re.split(r"[-_/#]", text)
    return None if all(map(_ORDINARY.fullmatch, parts)) else whole(match, score)


def token(match: re.Match[str], score: float) -> Hit | None:
    """A long run of small and capital letters and digits: nobody writes that by hand."""
    tests = (str.islower, str.isupper, str.isdigit)
    for run in re.finditer(r"[^\W_]{16,}", match[0]):
        if all(any(map(test, run[0])) for test in tests):
            return whole(match, score)
    return None


def secret(match: re.Match[str], score: float) -> Hit | None:
    """What is said to be the secret; after "is" an ordinary word is none."""
    value = match["value"].rstrip(".!?)")
    if not value or (match["verb"].lower() == "is" and value.isalpha()):
        return None
    return match.start("value"), match.start("value") + len(value), score


_PARTICLE: Final = re.compile(
    "(?i)al|ap|bin|da|das|de|del|den|der|di|dos|du|el|ibn|la|las|le|los|san|st|ter|van|von|y|zu"
)


def named(match: re.Match[str], score: float) -> Hit | None:
    """The capitalised words after a title."""
    start, end = match.start("name"), None
    for word in re.finditer(r"\S+", match["name"]):
        if word[0][0].isupper():
            end = start + word.end()
        elif word.start() == 0 or not _PARTICLE.fullmatch(word[0]):
            break
        if word[0][-1] == "." and len(word[0]) > 3:
            break
    if end is None:
        return None
    body = match.string[start:end]
    return start, start + len(re.sub(r"(['\u2019]s)?[.'\u2019-]*$", "", body)), score


def street(match: re.Match[str], score: float) -> Hit | None:
    """A number, capitalised words, and a word for a way."""
    words = match["way"].split()
    return whole(match, score) if all(not word[0].islower() for word in words) else None
