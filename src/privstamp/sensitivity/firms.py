"""Names of companies, told by the legal form behind them, and where such a name begins."""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity.confirm import Hit
from privstamp.sensitivity.scripts import CAPITAL
from privstamp.text.terms import words

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
