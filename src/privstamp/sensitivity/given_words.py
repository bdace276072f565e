"""Everyday words and letters that are names by what stands beside them: Will said, J. Smith."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Final

from privstamp.sensitivity.capitals import BODIES, opens, writes_capitals
from privstamp.sensitivity.confirm import Hit
from privstamp.sensitivity.lexicon_claims import GIVEN, NAME
from privstamp.sensitivity.quantities import SECTIONS
from privstamp.text.terms import either, words
from privstamp.text.vocabulary import Vocabulary, default, is_word
from privstamp.types import Finding

_SCORE: Final = 0.7
_TIMES: Final = frozenset(words("may june april august summer autumn"))
_ALSO: Final = _TIMES | frozenset(words("will faith hunter pierce ray angel melody"))
"""Words that are names as well, and so frequent that no list has them as such."""
_TITLED_SMALL: Final = re.compile(
    r"\b(?i:uncle|aunt(?:ie|y)?|cousin|mrs?|ms|miss|grandma|grandpa)\.? (?P<name>[a-z]{2,20})\b"
)
_CAPITAL: Final = re.compile(r"(?<![\w.'\u2019@/-])[A-Z][a-z]{1,11}(?![\w@/-])")
_SPEAKS: Final = either(r"""
    said says told tells asked asks replied answered called calls thinks thought wrote writes
    texted emailed phoned rang mentioned insisted insists agreed suggested explained laughed smiled
    nodded knows knew wants wanted
""")
"""What nobody but people do."""
_DOES: Final = either(r"""
    is was has had does did would can could should might must isn't wasn't hasn't hadn't doesn't
    didn't won't can't couldn't wouldn't went came got took gave made left sent lives works needs
    likes and
""")
_SPEAKS_AFTER: Final = re.compile(rf" (?:{_SPEAKS}|(?<=Will )will)(?!\w)")
_DOES_AFTER: Final = re.compile(
    rf"(?:['\u2019]s)? (?:{_DOES}|{_SPEAKS}|will)(?!\w)|['\u2019]s (?=[a-z])|,"
)
_ASKED_BEFORE: Final = re.compile(
    r"(?i)(?<![\w-])(?:thank|thanks to|ask(?:ed)?|tell|told|met|meet|e-?mail(?:ed)?|texted|phoned|"
    r"rang|invited?|married|remind(?:ed)?|hugged|kissed|help(?:ed)?|with) \Z"
)
_TOLD_BEFORE: Final = re.compile(r"(?i)(?<![\w-])(?:thank|ask(?:ed)?|tell|told|texted|phoned) \Z")
_WHO: Final = either(r"""
    thank thanks help helped ask asked asking tell telling told call called met text texted email
    emailed phone phoned ring rang saw seen married remind reminded hugged kissed miss missed
    brother sister son daughter wife husband mum mom dad uncle aunt cousin friend mate neighbou?r
    boss manager colleague partner ex boyfriend girlfriend nurse doctor teacher named
""")
_WHO_BEFORE: Final = re.compile(rf"(?i)(?<![\w-])(?:{_WHO}|name is|i['\u2019]?m|i am) \Z")
"""What is followed by somebody, also where names are written small: ask mark, my brother mark."""
_NOUN_BEFORE: Final = re.compile(
    r"(?i)(?<!\w)(?:the|an?|this|that|these|those|my|your|his|her|its|our|their|each|every|no|any|"
    r"some|in|of|by|since|until|last|next) \Z"
)
_MONTH_AFTER: Final = re.compile(
    r" (?:is|was|has been|will be|came|went)(?: (?:a|the|so|very|too|really|again|unusually|"
    r"rather|quite|my|our|another))* ?(?:cold|warm|hot|wet|dry|mild|sunny|rainy|windy|busy|quiet|"
    r"over|here|gone|long|short|slow|best|worst|better|worse|good|bad|great|record|month|coming|"
    r"and|around|(?:cold|warm|hot|wett|dri)e(?:r|st)|early|late this)(?!\w)"
)
"""What is said of a month."""
_COMPOUND: Final = re.compile(r" [A-Z]|[ ,]{1,2}\d")
"""Behind a word that begins a longer name or a date, which other rules read."""
_REACH: Final = 16
_DONE_TO: Final = re.compile(
    r" (?:your|my|our|its|their|this|that|these|those|it|them|us|me|him|you|I|we|he|she|they|"
    r"there|all|any|every|each|everyone|everything|up|down|off|out)(?![\w-])"
)
"""What follows a verb, and hardly a name."""
_OR_CALLED: Final = re.compile(r" (?:the|an?|his|her|some|both)(?![\w-])")
"""What may tell who somebody is as well: Mark the plumber."""
_MARKED_AS: Final = re.compile(
    r" (?:\w+ ){1,3}as (?:done|read|completed?|paid|resolved|closed|spam|urgent|final)(?!\w)"
)
"""Behind what marks: mark ticket as done."""
_THING_AFTER: Final = re.compile(
    r"(?i) (?P<the>(?:the|an?|this|that|your|our) )?(?:access|permissions?|rights|requests?|leave|"
    r"invoices?|tickets?|suppliers?|clients?|customers?|payments?|clauses?|items?|files?|data|dates?|"
    r"calendars?|box|boxes|page|place|spot|occasion|way|form|[a-z]{3,}(?:tion|ment|ness|ings?))(?!\w)"
)
_WE_DO: Final = re.compile(
    r"(?i)(?<![\w'\u2019-])(?:please|(?:can|could|would|will|did|do) (?:you|we|they|I)|we|they|"
    r"cannot|(?:can|don|didn|won)['\u2019]t|let['\u2019]s|need to|want to|able to|have to) \Z"
)
"""Behind whom something is done: please grant access."""
_DOES_IT: Final = re.compile(
    r"(?i)(?<![\w'\u2019-])(?:please|to|not|can|could|must|should|would|may|might|shall|cannot|I|we|"
    r"they|you|just|also|let['\u2019]s|(?:can|don|didn|doesn|won|couldn|shouldn)['\u2019]t) \Z"
)


_LIKENED_BEFORE: Final = re.compile(
    r"(?:\b(?:look|sound|act|behave)(?:s|ed|ing)? like|\breminds? (?:me|us|you) of|\bfan of|"
    r"\b(?:ft|feat)\.?|\bshout ?out to|\bRIP|\b[Gg]et well soon,?) \Z"
)
_OWN: Final = either(r"""
    mother father mom mum dad brother sister wife husband son daughter kids? parents? cousin uncle
    aunt boyfriend girlfriend face voice hair eyes hands? head birthday funeral wedding
""")
_OWNED: Final = re.compile(rf" ?['\u2019] ?s (?:{_OWN})(?!\w)")
"""What nobody but people have: Link's mother."""
_FOLLOWED: Final = re.compile(r" (?:supporter|voter|fan|impersonator|lookalike)s?(?!\w)")
_OWNERS: Final = frozenset(
    words(
        "everyone everybody nobody someone somebody anyone anybody people today god mother father "
        "mum mom dad sister brother child baby girl boy man woman lady guy dog cat world christmas "
        "easter heaven hell"
    )
)
"""Whose it may be, and nobody's name."""
_ADDRESSED_AFTER: Final = re.compile(
    r",? (?:I(?!\w)|i (?:love|want|miss|am|think|hope|swear)\b|"
    r"(?:you|u)(?: ?['\u2019] ?re| are| were| have| gone?| said| look| should| did| never)\b)"
)
_WISHED: Final = frozenset(words("will may hope bet bless guess grant pray say swear might"))
"""Before you and I, verbs: Hope you are well."""
_OPENS: Final = re.compile(r"(?:\A|(?<=[.!?] )|(?<=\n))([^\W\d_]{3,12})(?=,? (?:[Iiu]|you)\b)")
_ITEM: Final = r"[A-Z][a-z]{1,11}"
_SERIES: Final = re.compile(
    rf"(?<![\w.'\u2019@/-]){_ITEM}(?: ?, {_ITEM})+(?: ?,? (?:and|&) {_ITEM})?"
    r"(?![\w'\u2019@/-]| [A-Z])"
)
"""Names in a row: Vera, Rock, Toni and Faith."""
_FAMILY_AFTER: Final = re.compile(
    r" ([a-z]{3,12})(?=['\u2019]s\b| ?(?:[.,!?;:)\n]|\Z)| (?:and|or|is|was|has|had|said|says|at|in|"
    r"on|from|who|with|for|to|about|so|did|does|told)\b)"
)
_FIRST: Final = frozenset({GIVEN, NAME})
_SURE: Final = 0.7
_AND_BEFORE: Final = re.compile(r"(?<![\w'\u2019-])([a-z]{3,12}) (?:and|&|or) \Z")


def called(
    text: str,
    findings: Sequence[Finding],
    is_named: Callable[[str], bool],
    is_unlisted: Callable[[str], bool],
    is_listed: Callable[[str], bool] = str.isdigit,
    is_title: Callable[[str], bool] = str.isdigit,
) -> Iterator[Finding]:
    """Names in small letters behind a title, and everyday words with a capital that do what people
    do (Will said), or that people are asked by (thank Will); once one is a name so, or a recogniser
    has it for one, it is one before any other verb as well. `is_named` knows everyday words that
    are names, `is_unlisted` names that are no words, `is_title` what is no part of a name."""
    yield from _used(text, is_title)
    for match in _OPENS.finditer(text):
        name = match[1].lower()
        called = is_named(name) or is_unlisted(name)
        if not called or name in _WISHED or is_title(name):
            continue
        if _ADDRESSED_AFTER.match(text, match.end()):
            yield _person(*match.span(1), "somebody addressed")
    yield from _beside_people(text, findings, is_named, is_listed, is_title)
    for match in _TITLED_SMALL.finditer(text):
        if is_named(match["name"]) or is_unlisted(match["name"]):
            yield _person(*match.span("name"), "title and name")
    capitals = [
        match
        for match in _CAPITAL.finditer(text)
        if (match[0].lower() in _ALSO or is_named(match[0].lower()))
        and not _NOUN_BEFORE.search(text, max(0, match.start() - _REACH), match.start())
    ]
    shown = {match[0] for match in capitals if _is_somebody(text, match)}
    people = [text[finding.start : finding.end] for finding in findings if finding.kind == "PERSON"]
    shown |= {name for name in people if name.lower() not in _TIMES}
    for match in capitals:
        does = match[0] in shown and _DOES_AFTER.match(text, match.end()) is not None
        if match[0].lower() in _TIMES and _MONTH_AFTER.match(text, match.end()):
            continue
        if does or _is_somebody(text, match):
            yield _person(*match.span(), "word as a name")


def _used(text: str, is_title: Callable[[str], bool]) -> Iterator[Finding]:
    """Any word with a capital where only somebody's name stands: looks like Whisper, Link's mum."""
    for match in _CAPITAL.finditer(text):
        start, end = match.span()
        word = match[0].lower()
        if _OWNED.match(text, end):
            used = True
        elif _FOLLOWED.match(text, end):
            if not opens(text, start) and not is_title(word):
                yield _person(start, end, "used as a name")
            continue
        else:
            before = _LIKENED_BEFORE.search(text, max(0, start - _REACH), start)
            used = before is not None and _COMPOUND.match(text, end) is None
        used = used and word not in _OWNERS and not is_title(word)
        if used and not _NOUN_BEFORE.search(text, max(0, start - 6), start):
            yield _person(start, end, "used as a name")


def _beside_people(
    text: str,
    findings: Sequence[Finding],
    is_named: Callable[[str], bool],
    is_listed: Callable[[str], bool],
    is_title: Callable[[str], bool],
) -> Iterator[Finding]:
    """Words in a row of names, and family names behind small given ones: martin short."""
    people = {(one.start, one.end) for one in findings if one.kind == "PERSON"}
    taken = {place for one in findings for place in range(one.start, one.end)}
    for match in _SERIES.finditer(text) if people else ():
        items = [item.span() for item in _CAPITAL.finditer(text, *match.span())]
        named = sum(item in people for item in items)
        if named > 1 and 2 * named >= len(items):
            for start, end in items:
                if start not in taken and not is_title(text[start:end].lower()):
                    yield _person(start, end, "among names")
    for finding in findings:
        if finding.source != "lexicon" or not text[finding.start].islower():
            continue
        after = _FAMILY_AFTER.match(text, finding.end)
        before = _AND_BEFORE.search(text, max(0, finding.start - _REACH), finding.start)
        if not (after or before) or writes_capitals(text, finding.start, finding.end):
            continue
        given = finding.rule in _FIRST and finding.score >= _SURE
        if after and given and is_listed(after[1]) and not is_title(after[1]):
            yield _person(*after.span(1), "family name")
        if before and is_named(before[1]):
            yield _person(*before.span(1), "beside a name")


def is_told_of(text: str, start: int) -> bool:
    """Whether what stands before a word says that somebody follows."""
    return _WHO_BEFORE.search(text, max(0, start - _REACH), start) is not None


def is_verb(text: str, start: int, end: int, *, named: bool) -> bool:
    """Whether an everyday word says what is done: Hope you are well, please mark the date. `named`:
    somebody who reads sentences takes it for a name."""
    if text[end : end + 4].lower() == " to:" and opens(text, start):
        return True  # Bill to:
    if _MARKED_AS.match(text, end):
        return (
            opens(text, start) or _DOES_IT.search(text, max(0, start - _REACH), start) is not None
        )
    if thing := _THING_AFTER.match(text, end):
        before = _WE_DO.search(text, max(0, start - _REACH), start)
        if before or (thing["the"] and (opens(text, start) or text[start - 4 : start] == "and ")):
            return True
    if _DONE_TO.match(text, end) is None and (named or _OR_CALLED.match(text, end) is None):
        return False
    return opens(text, start) or _DOES_IT.search(text, max(0, start - _REACH), start) is not None


def _is_somebody(text: str, match: re.Match[str]) -> bool:
    if _SPEAKS_AFTER.match(text, match.end()):
        return True
    if _COMPOUND.match(text, match.end()):
        return False
    if match[0].lower() in _TIMES:
        return _TOLD_BEFORE.search(text, max(0, match.start() - _REACH), match.start()) is not None
    return _ASKED_BEFORE.search(text, max(0, match.start() - _REACH), match.start()) is not None


def _person(start: int, end: int, rule: str) -> Finding:
    return Finding(start, end, "PERSON", _SCORE, "rules", rule)


PAIRS: Final = frozenset(words("R&D Q&A P&L A&E M&A U&E U&Es T&Cs F&B L&D O&M H&S B&B C&S"))
TITLES: Final = frozenset(words("mr mrs ms miss mx dr prof sir dame sr sra herr frau mme mlle"))
CALLS: Final = frozenset(
    words("mr mrs ms miss dr prof sir madam hi hey hello dear thanks cheers ta howdy hiya ciao")
)
"""Words before a name, also before one in small letters."""
SEVERAL: Final = frozenset({"sirs", "messrs", "mesdames"})
"""Titles of several people, and nobody's name."""
MATES: Final = frozenset(words("mate mates buddy pal dude guys folks boss love"))
"""Whom a line may greet."""
RANKS: Final = frozenset(
    words(
        "minister governor general emperor empress king queen prince princess duke duchess count "
        "countess sheikh sultan pope bishop archbishop ambassador chancellor mayor hurricane storm"
    )
)
"""Words before a name that tell what it is of, and are no part of it."""
KIN: Final = frozenset(
    words("mum mummy mom mommy mama dad daddy papa grandma grandpa granny gran grandad granddad s")
)
"""Whom everybody has; s is left of Mum's."""
LETTERED: Final = SECTIONS | frozenset(
    words(
        "blood rh drive form plan type grade class group team phase level category model hall block"
    )
)
"""Before a letter that orders or grades."""
NUMBERED: Final = BODIES | LETTERED
_SIGNS: Final = ("-", "/", "\\", "+", "^")
_SIGNED: Final = re.compile(
    r"\+|:[\\/]|:(?= [A-Z][a-z]+ (?:is|are|was|were|do|does|did)\b)|-\d| \d+[.,]?\d*(?![\w])"
)
"""Behind a letter that is no initial: a drive, a form's number, a value."""
_SIDE: Final = re.compile(
    r"[LR] (?:arm|leg|hand|foot|forearm|thigh|hip|knee|ankle|shoulder|elbow|wrist|eye|ear|breast|"
    r"lung|kidney|flank|heel|calf|shin|toe|finger|thumb|groin|cheek|side|upper|lower|lateral|medial)\b"
)
"""Left or right: L forearm."""
_CITED: Final = re.compile(r"(?<!\w)\d+ (?:[A-Z]\.){2,5} ?(?:\u00a7+ ?)?\d")
"""A law by title, code and section: 18 U.S.C. 1030."""
DOTTED: Final = r"(?<![\w.])(?:[A-Z]\.){2,4}(?!\w|\.\w)"
_SPELT_TERM: Final = re.compile(DOTTED)
SPELT: Final = r"(?<![\w-])[A-Z](?:-[A-Z]){2,19}(?![\w-])|(?<=[A-Z][a-z], )[A-Z]-[A-Z](?![\w-])"
"""A name, letter by letter."""
_CODED: Final = re.compile(r",? (?:No\b|\u00a7|\d)|\d")
"""Behind the letters of a code or a court: R.C. 2925, C.A. No. 7."""
_ABBREVIATED: Final = frozenset(
    words("""
    U.S. U.K. U.N. E.U. D.C. N.Y. L.A. N.J. N.C. S.C. N.D. S.D. N.M. R.I. B.C. A.D. P.M. A.M. M.D.
    B.A. M.A. B.S. M.S. J.D. R.N. D.O. P.A. P.C. P.O. N.A. S.A. N.V. B.V. A.G. K.C. Q.C. J.P. M.P.
    T.V. I.D. I.T. V.A. E.R. O.R. I.V. N.B. P.S. R.I.P. L.P. V.P. G.P. H.R. P.R. I.Q. U.A.E. H.S.
    """)
)
_JOINED: Final = re.compile(r"-([a-z]+)")
_BEFORE: Final = re.compile(r"([^\W\d_]+)\.?[ ,]{1,2}\Z")
_AFTER: Final = re.compile(r"\.?[ ,]{1,2}([^\W\d_]++)(?!\d)")
_NEAR: Final = 16
_LINE: Final = 200


def initials(match: re.Match[str], score: float) -> Hit | None:
    """Somebody's initials: no state, degree or abbreviation, and no code of law before a number."""
    if match[0] in _ABBREVIATED or _CODED.match(match.string, match.end()):
        return None
    if _is_abbreviation(match[0], default()):
        return None
    return match.start(), match.end(), score


def is_letter(text: str, finding: Finding, vocabulary: Vocabulary) -> bool:
    """Whether a capital letter is no initial: C-reactive, hepatitis C, K+, Part B, T 37, R&D, or
    that of a drive or of a species."""
    start = finding.start
    if {text[max(0, start - 2) : start + 1], text[start : start + 3]} & PAIRS:
        return True
    if _SIGNED.match(text, finding.end) or text[start - 1 : start] in _SIGNS:
        return True
    cited = _CITED.search(text, max(0, start - _NEAR), finding.end + _NEAR)
    if cited and cited.start() < start < cited.end():
        return True
    joined = _JOINED.match(text, finding.end)
    if joined:
        return is_word(vocabulary, joined[1])
    spelt = _SPELT_TERM.search(text, max(0, start - _NEAR), finding.end + _NEAR)
    if spelt and spelt.start() <= start < spelt.end() and _is_abbreviation(spelt[0], vocabulary):
        return True  # M.R.I.
    before = _BEFORE.search(text, max(0, start - _LINE), start)
    after = _AFTER.match(text, finding.end)
    beside = [match[1] for match in (before, after) if match]
    if after and after[0].startswith(". ") and after[1].islower() and vocabulary.is_term(after[1]):
        return True  # E. coli
    dotted = text.startswith(".", finding.end) and before is not None
    apart = before is None or len(before[1]) == 1 or text[before.end(1)] == ","
    if apart and not dotted and not any(_may_be_named(word, vocabulary) for word in beside):
        return True  # 25 C, Ctrl+C, y/o M
    alone = after is None or after[1].islower()
    alone |= after is not None and after[0][0] != "." and not _may_be_named(after[1], vocabulary)
    if _SIDE.match(text, start):
        return True
    if before is None or not alone:
        return False
    word = before[1].lower()
    return word in LETTERED or vocabulary.is_term(word)


def _is_abbreviation(dotted: str, vocabulary: Vocabulary) -> bool:
    letters = dotted.replace(".", "").lower()
    return len(letters) > len("us") and vocabulary.is_term(letters)


def _may_be_named(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a letter beside this word may be somebody's: Roth, Mr, patient."""
    if vocabulary.is_role(word.lower()) or word.lower() in TITLES:
        return True
    return word[0].isupper() and not is_word(vocabulary, word)


def is_called(text: str, finding: Finding) -> bool:
    """Whether a title or a greeting stands before it: Mr Welsh."""
    before = _BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
    return before is not None and before[1].lower() in CALLS


def is_beside(text: str, finding: Finding, named: Set[int]) -> bool:
    """Whether a name in small letters ends just before it or begins just behind it, or a title or
    a greeting stands before: a set of ends, and of starts below zero. Who writes the one with a
    capital writes the other so: Drummond rose."""
    before = _BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
    if (before and before.end(1) in named) or is_called(text, finding):
        return True
    after = _AFTER.match(text, finding.end)
    return after is not None and -after.start(1) in named


def is_greeted(text: str, finding: Finding) -> bool:
    """Whether a line begins with what anybody may be called: Mate, can you come?"""
    word = text[finding.start : finding.end].lower()
    return word in MATES and text[finding.end :][:1] in (",", ":") and opens(text, finding.start)
