"""What each rule makes of a match: the span to protect and how sure it is, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from privstamp.sensitivity import checksums
from privstamp.sensitivity.capitals import CAPITAL
from privstamp.sensitivity.checksums import (
    digits_of,
    is_address,
    is_everywhere,
    luhn,
    mod97,
    top_level_domains,
)
from privstamp.sensitivity.languages import listed
from privstamp.text.terms import words
from privstamp.text.vocabulary import all_public, is_public

Hit: TypeAlias = tuple[int, int, float]
"""Start, end, score."""


def whole(match: re.Match[str], score: float) -> Hit | None:
    """All of it."""
    return match.start(), match.end(), score


def trimmed(match: re.Match[str], score: float) -> Hit | None:
    """Less the quotes, brackets and full stops of the sentence around it."""
    start = match.start()
    body = match[0].rstrip(".,;:!?'\")]}>*_~`/\u2019\u201d")
    head = len(body) - len(body.lstrip(".'*_~{|/=&#$%^`!?+-"))
    return (start + head, start + len(body), score) if head < len(body) else None


_ASSIGNED: Final = re.compile(r"([A-Za-z_][\w-]{0,60})=(?=[^=@]{1,80}@)")


def mailbox(match: re.Match[str], score: float) -> Hit | None:
    """An address, less a key of public words before it: ADMIN_EMAIL=x@example.com."""
    hit = trimmed(match, score)
    key = _ASSIGNED.match(match.string, hit[0], hit[1]) if hit else None
    return (key.end(), hit[1], score) if hit and key and all_public(key[1]) else hit


_FILES: Final = frozenset(listed("cc, md, mk, ml, pl, pm, ps, py, rs, sh, so, st, vi"))
"""Endings of files that are top-level domains as well."""


_OBJECTS: Final = frozenset(
    words("self this cls user os app text data obj item model config request response req res args")
)
"""What source code asks for its parts: user.email."""


def domain(match: re.Match[str], score: float) -> Hit | None:
    """A name that ends in a top-level domain; not the missing blank in "over.In", nor a file.

    In app.py:44 the words of the file's name are judged like any others.
    """
    stem, _, last = match["host"].rpartition(".")
    if stem in _OBJECTS and match[0] == match["host"]:
        return None
    if not last.isalpha() or not (last.islower() or match["host"].isupper()):
        return None
    if last in _FILES and "." not in stem and "/" not in match[0]:
        return None
    return trimmed(match, score) if last.lower() in top_level_domains() else None


_DECORATED: Final = re.compile(
    r"[^\n{}]{0,80}\{|(?:\([^\n]{0,200})?[ \t]*\n\s{0,40}(?:@|"
    r"(?:async |public |private |export |static )*"
    r"(?:def|class|function|fun|void|final|[a-z]+\())"
)


def handle(match: re.Match[str], score: float) -> Hit | None:
    """A name after an at sign; not the decorator of a function nor a rule of a style sheet."""
    string, start = match.string, match.start()
    opens = not string[max(0, start - 80) : start].rpartition("\n")[2].strip()
    code = opens and _DECORATED.match(string, match.end()) and all_public(match[0])
    return None if code else whole(match, score)


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
    named = is_address(text) and not is_everywhere(text)
    return whole(match, score) if named else None


_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")


def is_date(groups: list[str]) -> bool:
    """Digits that read as a date or a range of years."""
    sizes = [len(group) for group in groups]
    if len(groups) == 2:
        return all(_YEAR.fullmatch(group) for group in groups)
    if len(groups) != 3:
        return False
    if max(sizes[1:]) <= 2 and sizes[0] == 4:
        return int(groups[1]) <= 12 and int(groups[2]) <= 31
    return max(sizes[:2]) <= 2 and sizes[2] in (2, 4) and max(map(int, groups[:2])) <= 31


def is_dated_hour(groups: list[str], match: re.Match[str]) -> bool:
    """Whether a match is a date and the hour of a time behind it: 2025-03-01 10 of 10:22."""
    return is_date(groups[:3]) and match.string.startswith(":", match.end())


def uk_postcode(match: re.Match[str], score: float) -> Hit | None:
    """One or two letters before the digits, all of one case."""
    text, start = match.string, match.start()
    begin = start
    while begin > max(0, start - 3) and text[begin - 1].isascii() and text[begin - 1].isalpha():
        begin -= 1
    code = text[begin : match.end()]
    if not 1 <= start - begin <= 2 or (begin and (text[begin - 1].isalnum())):
        return None
    return (begin, match.end(), score) if code.isupper() or code.islower() else None


def valued(name: str) -> Callable[[re.Match[str], float], Hit | None]:
    """All of it, if a checksum of `checksums` holds for its letters and digits."""
    check: Callable[[str], bool] = getattr(checksums, name)

    def confirm(match: re.Match[str], score: float) -> Hit | None:
        code = "".join(filter(str.isalnum, match[0]))
        return whole(match, score) if code.isascii() and check(code) else None

    return confirm


_OBJECT: Final = re.compile(r" (?:for|of|to|on)(?: (?:the|my|our|her|his|your))? [\w'-]{1,16}\Z")
"""What a code opens: the PIN of the card is ..."""


class After:
    """A number that follows one of some phrases, with a verb in between if there are any."""

    def __init__(self, phrases: str, verbs: str = "") -> None:
        self._phrases = listed(phrases)
        self._verbs = tuple(f" {verb}" for verb in listed(verbs))

    def __call__(self, match: re.Match[str], score: float) -> Hit | None:
        before = match.string[max(0, match.start() - 48) : match.start()].lower()
        said = before.rstrip(" :=#\u00a0.\t")
        if self._verbs and said.endswith(self._verbs):
            said = _OBJECT.sub("", said.rpartition(" ")[0].rstrip())
        if len(said) == len(before) or not said.endswith(self._phrases):
            return None
        phrase = next(phrase for phrase in self._phrases if said.endswith(phrase))
        inside = len(said) > len(phrase) and said[-len(phrase) - 1].isalnum()
        return None if inside else whole(match, score)


def value(match: re.Match[str], score: float) -> Hit | None:
    """The part of the pattern that is named so."""
    return *match.span("value"), score


def grouped(match: re.Match[str], score: float) -> Hit | None:
    """Nine digits or more that are no date, nor a date and the hour."""
    groups = re.split(r"[ -]", match[0])
    long = sum(map(len, groups)) >= 9
    dated = is_date(groups) or is_dated_hour(groups, match)
    return whole(match, score) if long and not dated else None


_MEASURE: Final = re.compile(r"\d+[a-z]{1,3}")
_JOINTS: Final = "-_/#"
_ORDINARY: Final = re.compile(r"\d{1,4}[a-z]{0,3}|[A-Z]?[a-z]{2,}")


def mixed(match: re.Match[str], score: float) -> Hit | None:
    """Letters and digits that name one thing; not 1000mg, 1990s, Windows-2000.

    The match begins with the first digit; words joined to it stand before.
    """
    string, start = match.string, match.start()
    low = max(0, start - 40)
    while start > low and (string[start - 1].isalpha() or string[start - 1] in _JOINTS):
        start -= 1
    while string[start] in _JOINTS:
        start += 1
    text = string[start : match.end()]
    if string[start - 1 : start] == "/" and "/" in text:  # a path: each name for itself
        return None
    digits = sum(map(str.isdigit, text))
    letters = sum(character.isascii() and character.isalpha() for character in text)
    if digits < 3 or not letters or digits + letters < 6 or _MEASURE.fullmatch(text):
        return None
    parts = re.split(r"[-_/#]", text)
    return None if all(map(_ORDINARY.fullmatch, parts)) else (start, match.end(), score)


_OF_A_CAR: Final = re.compile(
    r"(?i)(?<!\w)(?:cars?|plates?|reg(?:o|istration)?|vehicles?|vans?|trucks?|kennzeichen)\W[^\n.]{0,24}\Z"
)
_SCORED: Final = re.compile(r" ?(?:/ ?\d|\((?:was|prev|from)|out of|->|\u2192|\+/-|\u00b1)")


def plate(match: re.Match[str], score: float) -> Hit | None:
    """A vehicle's, and not the score behind the name of a test: PHQ-A 15, BDI-II 20."""
    string = match.string
    if _OF_A_CAR.search(string, max(0, match.start() - 40), match.start()):
        return whole(match, score)
    points = len(match[0].rpartition(" ")[2]) <= 2 or _SCORED.match(string, match.end())
    return None if points else whole(match, score)


def announced(match: re.Match[str], score: float) -> Hit | None:
    """Groups of capital letters and digits behind a word for a number, with five digits or more."""
    start, end = match.span("value")
    return (start, end, score) if sum(map(str.isdigit, match["value"])) >= 5 else None


_ENCODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_NO_MIXTURE: Final = re.compile(
    r"[\w.-]+#\d+|[A-Z]{0,3}[$\u20ac\u00a3]\d[\d.]*\w{0,8}|\w+!\$?[A-Z]{1,3}\$?\d+|[$%&#].*"
)
"""A numbered issue, an amount, a cell of a sheet, a variable or a format."""
_INSIDE: Final = re.compile(r"[^\W_][!$%^&*~?#]+[^\W_]")


def mixture(match: re.Match[str], score: float) -> Hit | None:
    """Letters, digits and signs without a blank, as passwords have them and sums do not."""
    start = match.start()
    body = match[0].rstrip(".,;:?*_~")
    start, body = start + len(body) - len(body.lstrip("*_~-+")), body.lstrip("*_~-+")
    bare = _ENCODED.sub("", body)
    if len(body) < 7 or _NO_MIXTURE.fullmatch(body) or not _INSIDE.search(bare):
        return None
    parts = re.findall(r"[^\W_]+", bare)
    if not any(not part.isalpha() and not part.isdecimal() for part in parts):
        return None  # a sum, or words with a number
    if not any(sign in bare for sign in "!$#") and (bare.islower() or bare.isupper()):
        return None
    return start, start + len(body), score


_SETTING: Final = re.compile(r"[A-Za-z_][\w-]{0,40}=(?=[^=]{16})")


def token(match: re.Match[str], score: float) -> Hit | None:
    """A long run of small and capital letters and digits: nobody writes that by hand.

    The name of a setting before it is no part of it.
    """
    tests = (str.islower, str.isupper, str.isdigit)
    setting = _SETTING.match(match[0])
    start = setting.end() if setting else 0
    for run in re.finditer(r"[^\W_]{16,}", match[0][start:]):
        if all(any(map(test, run[0])) for test in tests):
            return match.start() + start, match.end(), score
    return None


def secret(match: re.Match[str], score: float) -> Hit | None:
    """What is said to be the secret; after "is" an ordinary word without quotes is none."""
    if match["quoted"]:
        return *match.span("quoted"), score
    value = match["value"].rstrip(".!?)")
    if len(value) < 2 or (match["verb"].isalpha() and value.isalpha()):
        return None
    return match.start("value"), match.start("value") + len(value), score


def username(match: re.Match[str], score: float) -> Hit | None:
    """What is said to be a user name, unless it is a public word: "User: Yes"."""
    if match["value"].isalpha() and is_public(match["value"]):
        return None
    if match["value"].isdecimal():
        return None  # a number's role tells
    return secret(match, score)


# Names of companies, told by the legal form behind them, and where such a name begins.


_STOP: Final = r"(?=\s*(?:[,.;:()\"\u201d\n]|\Z|(?:AND|V|VS)\b))"
FORMS: Final = (
    r"Ltd\.?|Limited|Inc\.?|Incorporated|LLC|LLP|PLC|plc|Corp\.?|Corporation|GmbH|mbH|AG|KG|KGaA|OHG"
    r"|e\.V\.|SARL|S\.A\.R\.L\.|S\.A\.|SAS|S\.L\.|S\.p\.A\.|SpA|S\.r\.l\.|Srl|B\.V\.|BV|N\.V\.|NV|Lda\.?"
    r"|Ltda\.?|Oy|Oyj|ApS|AB|Pty Ltd|Pvt\.? Ltd\.?|FZE|FZCO|Sdn\.? Bhd\.?|Pte\.? Ltd\.?"
    rf"|(?:PTY |PVT\.? |PTE\.? )?LTD\.?|INC\.?|CORP\.?|GMBH|(?:LIMITED|CORPORATION){_STOP}"
)
"""What companies have behind their names, anywhere."""
_LINK: Final = r"(?:&|and|und|et|y|e|of|de) "
_BEFORE: Final = re.compile(
    rf"(?<!\w)(?:{CAPITAL}[\w'\u2019.-]{{0,30}},? (?:{_LINK})?|& ){{1,6}}\Z"
)
_FORM_AT_END: Final = re.compile(rf"(?<!\w)(?:{FORMS})\Z")
_FORM_WORD: Final = re.compile(rf"(?:{FORMS}),?")
_WORD: Final = re.compile(r"\S+")
_MOST: Final = 4
"""Words of a company's name before its form."""
_REACH: Final = 160
_NONE: Final = frozenset(
    words("""
    against among are as at be been being between by for from hereby in is of on or per re than
    that the this to under v v. versus via vs vs. was were with within
""")
)
"""Words in capitals that part a company's name from what stands before it."""
_PARTING: Final = frozenset(
    words("against among between by from hereby that v v. versus vs vs. with")
)
"""The same, where only the first letter is one."""
_TYPED: Final = re.compile(r"(?i)(?:types?|groups?|blood|class|grade|antigens?|plan|part):? \Z")
"""Before letters that are no company's form: blood group AB."""
_PARTY: Final = re.compile(r"(?i)(?<!\w)(?:between|among|by and) [^\n]{0,120}\Z")


def company(match: re.Match[str], score: float) -> Hit | None:
    """The capitalised words before a company's form, and the form."""
    start = outset(match.string, match.start())
    return None if start is None else (start, match.end(), score)


def outset(text: str, form: int) -> int | None:
    """Where the name of a company begins whose form stands at `form`; nowhere if no name stands
    there. In capitals it goes back to the last small word: IN THE MATTER OF ACME LLC."""
    before = _BEFORE.search(text, max(0, form - _REACH), form)
    if _TYPED.search(text, max(0, form - _REACH), form) and text.startswith("AB", form):
        return None
    start, count = None, 0
    for word in reversed(list(_WORD.finditer(text, before.start(), form)) if before else []):
        plain = word[0].rstrip(",").lower()
        capital = word[0][0].isupper()
        parting = _NONE if word[0].isupper() else _PARTING
        if capital and (plain in parting or _FORM_WORD.fullmatch(word[0])):
            break
        if word[0] == "AND" and _PARTY.search(text, max(0, form - _REACH), word.start()):
            break
        count += capital
        if count > _MOST:
            break
        start = word.start() if capital and word[0] != "AND" else start
    return start


def firm_in(text: str, start: int, end: int) -> int | None:
    """Where a company's name begins within what a model takes for one, by the form at its end."""
    form = _FORM_AT_END.search(text, start, end)
    begin = outset(text, form.start()) if form else None
    return None if begin is None else max(start, begin)
