"""Words of medicine and of law that name nobody, told by what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from privstamp.sensitivity.lexicon import RARE
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE
from privstamp.sensitivity.public_terms import NAMES, is_eponym
from privstamp.text.places import countries, states
from privstamp.text.vocabulary import all_public, is_public
from privstamp.types import Finding

_LATIN: Final = re.compile(
    r"[a-z]{3,}(?:al|ans|ata|atum|aris|alis|ensis|eum|ic|ica|icum|iform|ilis|is|oid|onic|orum|osa|"
    r"osum|ous|um|us|ia|ea|ae|ar|ata|ate|ide|ine|ol|one|ose|xil|vec|cel|gol)"
)
"""Ends of words that doctors and chemists put beside their terms."""
_WORD_BEFORE: Final = re.compile(r"([a-z]+)[ -]\Z")
_WORD_AFTER: Final = re.compile(r"[ -]([a-z]+)")
_BIOLOGICAL: Final = re.compile(r"(?:[a-z]+ )?([a-z]{5,})-[a-z]{4}(?![\w-])")
"""A drug with four letters that tell those of one name apart: aducanumab-avwa."""
_CONDITION_AFTER: Final = re.compile(
    r"(?: (?:river|valley|forest|[a-z]+ic))? (?:disease|syndrome|fever|virus|encephalitis|anaemia|"
    r"anemia|palsy|dystrophy)s?(?!\w)"
)
"""Behind what a disease is called by, in small letters: lassa fever."""
_TELLING: Final = 5
"""Letters of a term, at least: shorter ones are words of any text."""
_REACH: Final = 32
_LINE: Final = 200
"""Characters that are looked at."""
_UNIT: Final = re.compile(
    r"(?:[mnpk\u00b5\u03bc]?(?:mol|g|[lL]|IU|U|Eq|kat|cells?)|mcg|mmHg)"
    r"(?:/(?:[dmk\u00b5\u03bc]?[lL]|min|h|hr|d|day|kg|m?mol|m2|g|week|dose))+"
)
_VALUES: Final = re.compile(
    r"(?:(?<!\w)(?:Na|K|Ca|Mg|Cl|Cr|Hb|Ur|Fe|Zn|Li|Cu|Alb|Bili|Plt|Neut|Gluc)"
    r"(?::|=| =)? ?[<>]?\d{1,3}(?:\.\d{1,2})?(?![\w/])[,;]? ?){1,9}"
)
_SIZE: Final = 5
_SIZED: Final = re.compile(
    r"(?<!\w)(?:XS|X{1,4}L|[2-6]XL|(?i:sizes?)(?: is| was|:)? [SML]"
    r"(?:,? (?:instead of|and|or|to|not|rather than) [SML]|/[SML]){0,3})\Z"
)
_TOKEN_BEFORE: Final = re.compile(r"[\w/]*\Z")
_TOKEN: Final = re.compile(r"[\w/]*")


def without_clinical(
    text: str, findings: Sequence[Finding], is_term: Callable[[str], bool]
) -> list[Finding]:
    """The findings less names that stand for a disease, not for somebody (Turner syndrome), and
    less unlisted words in small letters beside a medical term that end as such words do (alopecia
    areata, mefenamic acid). `is_term` knows the terms."""
    called = {
        finding.start
        for finding in findings
        if finding.source != "presidio" and finding.rule not in (RARE, FAMILY, PLACE)
    }
    return [
        finding
        for finding in findings
        if not is_eponym(text, finding)
        and not (finding.start not in called and _is_disease(text, finding))
        and not _is_beside(text, finding, is_term)
        and not _is_unit(text, finding)
        and not _is_measured(text, finding)
        and not _is_size(text, finding)
    ]


def _is_size(text: str, finding: Finding) -> bool:
    """Whether it is a size of clothes: XL, size M instead of L."""
    if finding.kind not in NAMES or finding.end - finding.start > _SIZE:
        return False
    near = text[max(0, finding.start - _REACH) : finding.end]
    return _SIZED.search(near) is not None


def _is_measured(text: str, finding: Finding) -> bool:
    """Whether it is what a laboratory measures, before its value: Na 131."""
    values = _VALUES.match(text, finding.start)
    return finding.kind in NAMES and values is not None and values.end() >= finding.end


def _is_unit(text: str, finding: Finding) -> bool:
    """Whether it is a part of a unit such as mIU/L."""
    near = text[max(0, finding.start - _REACH) : finding.end + _REACH]
    if finding.kind not in NAMES or "/" not in near:
        return False
    before = _TOKEN_BEFORE.search(text, max(0, finding.start - _REACH), finding.start)
    after = _TOKEN.match(text, finding.end)
    token = f"{before[0]}{text[finding.start : finding.end]}{after[0]}"  # type: ignore[index]
    return _UNIT.fullmatch(token) is not None


def _is_beside(text: str, finding: Finding, is_term: Callable[[str], bool]) -> bool:
    word = text[finding.start : finding.end]
    if finding.kind not in NAMES or not word.islower():
        return False
    low = max(0, finding.start - _LINE)
    begin = max(
        low, text.rfind(" ", low, finding.start) + 1, text.rfind("\n", low, finding.start) + 1
    )
    biological = _BIOLOGICAL.match(text, begin, finding.end + _LINE)
    if biological and finding.end <= biological.end() and is_term(biological[1]):
        return True
    if " " in word:
        return _are_terms(word, is_term)
    if finding.kind != "RARE":
        return False
    before = _WORD_BEFORE.search(text, max(0, finding.start - _REACH), finding.start)
    after = _WORD_AFTER.match(text, finding.end)
    if after and after[1] == "acid" and word.endswith("ic"):
        return True
    joined = text[finding.start - 1 : finding.start] == "_" or text[finding.end :][:1] == "_"
    beside = [match[1] for match in (before, after) if match and len(match[1]) >= _TELLING]
    return not joined and _LATIN.fullmatch(word) is not None and any(map(is_term, beside))


def _is_disease(text: str, finding: Finding) -> bool:
    """Whether a word in small letters is what a disease is called by, and nobody's given name."""
    word = text[finding.start : finding.end]
    small = finding.kind in NAMES and word.isalpha() and word.islower()
    return small and _CONDITION_AFTER.match(text, finding.end) is not None


def _are_terms(phrase: str, is_term: Callable[[str], bool]) -> bool:
    """Whether a model took terms for a name: ferric carboxymaltose, eczema herpeticum."""
    parts = re.split("[ -]", phrase)
    return any(is_term(part) for part in parts if len(part) >= _TELLING) and all(
        is_term(part) or is_public(part) or _LATIN.fullmatch(part) for part in parts
    )


# Countries and states that a text names as law or court: a legal term, and nobody's address.


_NATIONS: Final = ("England", "Wales", "Scotland", "Northern Ireland", "Great Britain")
_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP"})
_TITLED: Final = _NAMES | {"RARE"}
_WORD: Final = re.compile(r"[^\W\d_]+")
_BODY: Final = r"(?:(?i:the )?(?:State|Commonwealth|Republic|Province|Kingdom) of )?(?:the )?"


@cache
def _pattern() -> re.Pattern[str]:
    known = {*(place.name for place in countries()), *states(), *_NATIONS}
    names = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    place = rf"{_BODY}(?:{names})\b"
    return re.compile(
        r"\b(?:(?i:laws?|legislation|statutes?|courts?|jurisdiction)(?: in force)? (?:of|in) "
        r"(?:the (?:federal |state )?courts (?:of|in) )?|(?i:(?:governing|applicable) law)"
        r"(?:[\"*)]{0,2} ?[:|\u2013-][ \n]| is (?:that of )?| shall be (?:that of )?))"
        rf"(?P<places>{place}(?:(?:, | and |, and | or ){place})*)"
    )


_ACT: Final = re.compile(
    r"(?<!\w)(?:[A-Z][a-z'\u2019-]+,? |\([A-Z][A-Za-z ,'\u2019-]{0,80}\) "
    r"|(?:of|and|the|for|to|in|on) "
    r"){1,12}(?:Act|Acts|Regulations?|Order|Rules|Directive|Convention|Code|Ordinance|Bill)"
    r",? (?:1[5-9]|20)\d\d(?!\d)"
)
"""The title of a law, and its year."""
_SAID: Final = ("law", "legislation", "statute", "court", "jurisdiction")


def jurisdictions(text: str) -> list[tuple[int, int]]:
    """Where a law, a court or a jurisdiction of countries and states is named, and which.

    >>> text = "It is governed by the laws of England and Wales."
    >>> [text[start:end] for start, end in jurisdictions(text)]
    ['England and Wales']
    """
    lowered = text.lower()
    if not any(word in lowered for word in _SAID):
        return []
    return [match.span("places") for match in _pattern().finditer(text)]


def without_laws(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings less names of countries and states that are named as law or court, and less
    public words of a law's title: the County Courts Act 1984."""
    spans = jurisdictions(text)
    acts = [match.span() for match in _ACT.finditer(text)]
    if not spans and not acts:
        return list(findings)
    return [
        finding
        for finding in findings
        if not (finding.kind in _NAMES and _within(finding, spans))
        and not (finding.kind in _TITLED and _within(finding, acts) and _is_plain(text, finding))
    ]


def _within(finding: Finding, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= finding.start and finding.end <= end for start, end in spans)


def _is_plain(text: str, finding: Finding) -> bool:
    words = _WORD.findall(text, finding.start, finding.end)
    return all(is_public(word) or word == "County" for word in words)


# Names and addresses in programs and settings, where public words are written together.


_KINDS: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "RARE"})
_FILE: Final = re.compile(r"\w+\.(?:zip|mov|sh|py|rs|md)")
_ATTRIBUTE: Final = re.compile(
    r"(?:[a-z]|cfg|cli|cls|conf|config|ctx|cursor|db|df|doc|e?vent|err|evt|form|item|job|line|log|"
    r"logger|msg|obj|opts|options|order|params|query|record|req|request|res|response|result|row|self|"
    r"settings|state|task|this|user)"
    r"\.(?:app|id|info|name|total|date|link|page|site|host|group|store|call|map|run|next|zip|email|"
    r"is|it|to|day|events|fit|game|live|media|menu|network|photo|plus|post|report|select|style|"
    r"support|tools|top|type|video|watch|work)"
)
"""What programs call by words that are top-level domains too: o.total, msg.info."""
_DOTTED: Final = re.compile(r"\w+(?:\.\w+)+")
_METHOD_AFTER: Final = re.compile(r"(?:\.[A-Za-z_]\w{0,40}){1,4}[(\[]")
_SHORT: Final = 3
_GOES_ON: Final = re.compile(r"(?:\.[a-z]\w*)*\.[A-Z]\w+")
_RUN: Final = re.compile(r"\w*")
_HEADER_BEFORE: Final = re.compile(r"(?<![\w-])X-(?:[A-Za-z]{2,20}-){0,4}\Z")
_HEADER_AFTER: Final = re.compile(r"(?:-[A-Za-z]{2,20}){0,4}(?![\w-])")
_RUN_BEFORE: Final = re.compile(r"\w*\Z")


def in_identifier(text: str, finding: Finding) -> bool:
    """Whether it is a word of a name such as API_KEY, all of whose words are public."""
    if finding.kind not in _KINDS:
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
    if len(word) <= _SHORT and word.islower() and _METHOD_AFTER.match(text, finding.end):
        return True  # df.groupby("city")
    joined = text[max(0, finding.start - 2) : finding.start]
    code = (joined[-1:] == "." and joined[:1].isalnum()) or text[finding.end :][:1] == "("
    return code and not word[1:].islower() and word.isalpha() and all_public(word)


def is_call(text: str, finding: Finding) -> bool:
    """Whether it is a function of a program (log.info) or a file with an ending that domains have
    as well (a.zip), all of public words."""
    name = text[finding.start : finding.end]
    if longer := _GOES_ON.match(text, finding.end):  # java.net.SocketTimeoutException
        return all_public(name + longer[0])
    if _ATTRIBUTE.fullmatch(name):
        return True
    code = text[finding.end :][:1] == "(" or _FILE.fullmatch(name) is not None
    return code and _DOTTED.fullmatch(name) is not None and all_public(name)
