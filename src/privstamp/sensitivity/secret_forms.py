"""The forms in which a secret stands beside the word for it, and what each word lets follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from privstamp.sensitivity import secret_values as values
from privstamp.sensitivity.secret_values import CODE, QUOTED, Span, value_at
from privstamp.text.terms import words as words_of_text
from privstamp.text.vocabulary import all_public


class Cue(Enum):
    """What a word for a secret lets follow."""

    ANY = "a mixture, or any words"
    MIXED = "a mixture of letters, digits and signs"
    CODE = "what is typed on a keypad, or a mixture"
    OPEN = "as a code, if something is there to open"
    ANSWER = "a name or a few words"


_WORDED: Final = re.compile(
    "(?i)pass|pw|mdp|word|seed|mnemonic|senha|contraseña|phrase|frase|psk|kennwort|losung"
)
"""In cues for a secret that is often a word; "the secret is patience" is none."""
_SMALL: Final = (
    "for|of|to|on|in|at|für|von|vom|zu|zum|zur|am|de|del|di|da|do|dos|pour|du|para|per|voor|van"
)
ABOUT: Final = (
    rf"(?:\s(?:{_SMALL})(?:\s[\w'\u2019.@&-]{{1,30}}){{1,6}}?"
    r"|\s(?:that |which )?(?:we|you|I|they|he|she)(?:\s[\w'\u2019-]{1,20}){1,4}?"
    r"|\s(?:today|now|here|there|again|upstairs|downstairs|inside|outside|tonight|itself|alone))?"
)
"""What a secret is for: for the shared drive, of the card, that we agreed on."""
_OPTION: Final = re.compile(r"(?<![^\s\"'`(])--?(?:\w{1,30}-){0,5}\Z")
"""Before the cue in an option of a command: --db-password."""
_CHANGES: Final = r"changed?|reset|set|updated?|switch(?:ed)?|renewed"
_CHANGED: Final = re.compile(
    rf"{ABOUT}(?: (?:has|have|had|was|is|been|got|just|recently|again|back)){{0,3}}"
    rf"(?P<verb> (?:{_CHANGES}))?(?: from (?P<old>\S{{2,40}}))? to (?=\S)"
)
_TO_CHANGE: Final = re.compile(rf"(?i)(?<!\w)(?:{_CHANGES})(?: [\w'\u2019]{{1,12}}){{0,3}} \Z")
_REPLY: Final = re.compile(
    r"[^.?!\n]{0,40}(?:\?{1,2}[ \t]*|(?=\n))(?:\n[ \t]*(?:\[[^\]\n]{1,24}\][ \t]*)?"
    r"(?:<[\w .-]{1,20}>|[\w.-]{1,20}(?: [\w.-]{1,20})?:)?)?[ \t]*(?:[-\u2013\u2014] ?|A: ?)?"
    r"(?:(?i:it['\u2019]?s|it is|that['\u2019]?s) )?(?=\S)"
)
"""From a cue in a question to the answer: on the same line, or in the next turn of a talk."""
_ASKING: Final = re.compile(
    r"(?i)(?<!\w)(?:what['\u2019]?s|what is|which|send me|tell me)[^\n.!]*\Z"
)
_REPLY_WORDS: Final = re.compile(
    r"(?:[^\W\d_][\w'\u2019]{0,14}(?:,| [-\u2013\u2014])? ){1,7}?"
    r"(?<! in )(?<! on )(?<! at )(?<! by )(?<! of )(?<! for )(?<! from )(?<! since )(?<! until )"
    r"(?=[\d*#])"
)
"""What an answer begins with, before a code: Same as always, ..."""
_COUNTED: Final = re.compile(r"\s?(?:%|[:.,]\d|[^\W\d_])")
_REPLIED: Final = re.compile(r"[^\W_]{5,}(?=[.!]?[ \t]*(?:\n|\Z))")
_NO_REPLY: Final = frozenset({"sorry", "thanks", "maybe", "never", "nobody", "exactly", "which"})
_LATER: Final = re.compile(
    r"(?P<value>\S.{0,60}?\S)[\"'`\u201d\u2019]? (?:is|was|as|=) (?:the|your|my|our|her|his|their)"
    r"(?: [\w-]{1,16}){0,2} \Z"
)
"""A value before its cue: 4410 is your code."""
_ITEM: Final = re.compile(
    r"[\"'`]?(?:\s*[,;/]\s*(?:and |or )?|\s+(?:and|or)\s+|\s*\n\s*(?:[-*\u2022]|\d{1,2}[.)])?\s*)"
)
_FEW: Final = re.compile(r"(?:[^\W\d_]{1,12} ){1,3}?[\"'`]?(?=[^\s\"'`]{0,40}\d)(?=\S{6})")
_GIVEN: Final = re.compile(
    r"(?i)(?<!\w)(?:with|using|use|enter|and|log ?in|login \S{1,30}|user \S{1,30})"
    r"(?: (?:the|this|my|our|as \S{1,20}))? \Z"
)
_APPOSED: Final = re.compile(
    r"(?P<one>, (?P<word>[^\W_]{4,30}), (?:is|was|which|has)(?!\w))"
    r"|\s?\((?:it is|it['\u2019]s|is) (?P<inner>[^()\n]{3,60})\)"
)
_OPENS: Final = re.compile(
    r"(?i)(?<![^\W_])(?:gates?|doors?|alarms?|safes?|locks?|lockers?|lockbox(?:es)?|padlocks?|"
    r"key ?pads?|garages?|sheds?|barns?|entrances?|entry|lifts?|elevators?|barriers?|car park|"
    r"buildings?|lobby|stores?|stockroom|vaults?|cabinets?|gym|pool|annexe?|cottages?|flats?|"
    r"house|bikes?|front|back|side|log ?in|sign ?in|verify|unlock|get in|let (?:your|him|her)self|"
    r"text(?:ed)?|sms|phone|account|bank|card)(?![^\W_])"
)
"""What a code opens, or where it comes from."""
_PUBLIC_CODES: Final = frozenset(
    words_of_text("""
        error status exit return response result reason area country dial dialling dialing zip
        post postal dress source building tax qr bar colour color product item hex unicode currency
        language iso icd cpt diagnosis procedure billing promo discount coupon voucher http morse
        penal civil criminal binary machine python java javascript legacy test sample fault ascii
        key char character gift cost department room course module state station airport region
        stock part model
    """)
)
"""Before "code": what is printed everywhere opens nothing."""
_BEFORE: Final = re.compile(r"([^\W\d_]+)[ _-]?\Z")
_SENTENCE: Final = re.compile(r"[.!?]\s|\n")
REACH: Final = 60
_ENDS: Final = re.compile(r"[.,;!)]?(?:\s*\n|\Z|[.,;!)] )")
_DIGITS: Final = 4
"""Of a code that nobody says is for a lock: 404 is none."""


def linked_value(
    text: str, start: int, cue: re.Match[str], kind: Cue, *, sep: bool, short: bool = False
) -> Span | None:
    """What begins here, if the cue may have it."""
    if kind is Cue.CODE or (kind is Cue.OPEN and _has_lock(text, cue)):
        return _code(text, start)
    if kind is Cue.OPEN and not sep and (code := CODE.match(text, start)):
        return code.span() if sum(map(str.isdigit, code[0])) >= _DIGITS else None
    if kind in (Cue.MIXED, Cue.OPEN):
        return _mixed(text, start, cue, sep=sep)
    worded = kind is Cue.ANSWER or bool(_WORDED.search(cue["cue"]))
    span = value_at(text, start, sep=sep, lined=worded and _opens_line(text, cue.start()))
    if span is None or not values.is_plain(text[slice(*span)].replace(" ", "")):
        return span
    if text[start] in "\"'`\u201c\u2018":
        return span
    ended = re.match(r"\s*(?:[.,;!})\]<\n]|\Z)", text[span[1] : span[1] + 8])
    return span if (worded and not short) or (sep and ended) else None


def _code(text: str, start: int) -> Span | None:
    quoted = QUOTED.match(text, start)
    begin = quoted.start(quoted.lastindex or 0) if quoted else start
    if code := CODE.match(text, begin):
        return begin, begin + len(code[0].rstrip(" ,"))
    token = value_at(text, start, sep=False, lined=False)
    return token if token and values.is_mixed(text[slice(*token)]) else None


def _mixed(text: str, start: int, cue: re.Match[str], *, sep: bool) -> Span | None:
    """A mixture; a code or key may be public words: Error404. After a name and a slash, words."""
    pair = re.compile(r"[\w.@-]{1,40}(?P<slash> ?/ ?)(?=\S)").match(text, start)
    begin = pair.end() if pair and not text.startswith("/", pair.end()) else start
    if setting := re.compile(r"[A-Za-z_][\w-]{0,30}=(?=[^\s=])").match(text, begin):
        begin = start = setting.end()  # Cookie: sid=...
    span = value_at(text, begin, sep=sep, lined=False)
    if span is None:
        return None
    said = text[slice(*span)]
    if begin > start and cue["cue"].lower() not in ("code", "key"):
        return span if pair and (" " in pair["slash"] or values.is_mixed(said)) else None
    signs = any(sign in said for sign in "!@#$%^&*~?+")
    plain = cue["cue"].lower() in ("code", "key") and not signs and all_public(said)
    return None if plain or not values.is_mixed(said) or re.search(r"\s", said) else span


def beside(text: str, cue: re.Match[str], kind: Cue) -> Span | None:
    """A value that follows its cue with nothing but a blank."""
    blank = re.compile(r"['\"]?[ \t]{1,3}#?(?=\S)|=").match(text, cue.end())
    if blank is None:
        return None
    start = blank.end()
    if kind is not Cue.ANY and (near := _near(text, start)):
        return near
    if kind in (Cue.CODE, Cue.OPEN):
        code = None if kind is Cue.OPEN and not _has_lock(text, cue) else CODE.match(text, start)
        return (start, start + len(code[0].rstrip(" ,"))) if code else None
    if kind is Cue.ANSWER:
        name = re.compile(r"[A-Z][a-z]{2,20}(?=[.,;\n]|\Z)").match(text, start)
        return name.span() if name else None
    quoted = QUOTED.match(text, start)
    if quoted and kind is Cue.ANY and blank[0][0] not in "'\"":
        return quoted.span(quoted.lastindex or 0)
    token = re.compile(r"[^\s\"'`]{3,80}").match(text, start)
    if token is None or kind is not Cue.ANY:
        return None
    end = values.trimmed_end(text, start, token.end())
    body = text[start:end]
    if _OPTION.search(text, max(0, cue.start() - 48), cue.start()) and body[:1] != "-":
        return None if values.CODED.fullmatch(body) else (start, end)
    worded = bool(_WORDED.search(cue["cue"]))
    if values.is_mixed(body) and len(body) >= 6:
        return start, end
    if worded and body.isdecimal() and len(body) >= _DIGITS and _ENDS.match(text, end):
        return start, end
    if not worded or cue["more"]:
        return None
    if body.isalnum() and not body.isalpha() and not body.isdigit() and len(body) >= 6:
        return start, end
    if near := _near(text, start):
        return near
    given = _GIVEN.search(text, max(0, cue.start() - 48), cue.start())
    named = given and values.is_plain(body) and body.lower() not in values.COMPOUNDS
    return (start, end) if named and values.words_at(text, start) == (start, end) else None


def _near(text: str, start: int) -> Span | None:
    """A mixture that only a few words part from its cue: password now ..., password \u00e8 ..."""
    few = _FEW.match(text, start)
    token = re.compile(r"[^\s\"'`]{6,80}").match(text, few.end()) if few else None
    if token is None:
        return None
    end = values.trimmed_end(text, token.start(), token.end())
    body = text[token.start() : end]
    signs = any(sign in body for sign in "!@#$%^&*~?+")
    return (token.start(), end) if signs and values.is_mixed(body) and "://" not in body else None


def elsewhere(text: str, cue: re.Match[str], kind: Cue) -> Iterator[Span]:
    """Values after a change or a question, in brackets, or before the cue."""
    change = _CHANGED.match(text, cue.end())
    told = _TO_CHANGE.search(text, max(0, cue.start() - 40), cue.start())
    if change and (change["verb"] or told):
        yield from _changes(text, change, cue, kind)
        return
    if kind is Cue.ANY and (apposed := _APPOSED.match(text, cue.end())):
        start = apposed.start("word") if apposed["word"] else apposed.start("inner")
        if span := value_at(text, start, sep=False, lined=False):
            yield span
            return
    reply = None if kind is Cue.MIXED else _REPLY.match(text, cue.end())
    asked = reply and (
        "?" in reply[0] or _ASKING.search(text[max(0, cue.start() - 48) : cue.start()])
    )
    if reply and asked and (span := _replied(text, reply.end(), kind)):
        yield span
        return
    if kind is not Cue.MIXED and not re.match(r" [^\W\d_]", text[cue.end() : cue.end() + 2]):
        yield from _earlier(text, cue, kind)


def _changes(text: str, change: re.Match[str], cue: re.Match[str], kind: Cue) -> Iterator[Span]:
    ends = [(change.start("old"), change.end("old"))] if change["old"] else []
    for start in [begin for begin, _ in ends] + [change.end()]:
        if kind in (Cue.CODE, Cue.OPEN):
            if code := _code(text, start):
                yield code
            continue
        token = re.compile(r"\S{2,80}").match(text, start)
        if token is None or kind is not Cue.ANY:
            continue
        if quoted := QUOTED.match(text, start):
            yield quoted.span(quoted.lastindex or 0)
            continue
        end = values.trimmed_end(text, start, token.end())
        body = text[start:end]
        small = body.lower()
        said = values.is_plain(body) and (
            values.is_statement([small]) or values.is_verb(small) or small in values.COMPOUNDS
        )
        if not said and len(body) > 3 and bool(_WORDED.search(cue["cue"])):
            yield start, end


def _replied(text: str, start: int, kind: Cue) -> Span | None:
    """An answer to a question for a secret: a code, a mixture, or one word alone."""
    if kind in (Cue.CODE, Cue.OPEN):
        return _code(text, start) or _code_behind_words(text, start)
    token = re.compile(r"\S{3,80}").match(text, start)
    if token is None:
        return None
    end = values.trimmed_end(text, start, token.end())
    if not values.is_plain(text[start:end]):
        return (start, end) if values.is_mixed(text[start:end]) else None
    word = _REPLIED.match(text, start)
    if word is None or word[0].lower() in _NO_REPLY or values.is_statement([word[0]]):
        return None
    return word.span()


def _code_behind_words(text: str, start: int) -> Span | None:
    words = _REPLY_WORDS.match(text, start)
    code = CODE.match(text, words.end()) if words else None
    if code is None or _COUNTED.match(text, code.end()):
        return None
    return code.span() if sum(map(str.isdigit, code[0])) >= _DIGITS else None


def _earlier(text: str, cue: re.Match[str], kind: Cue) -> Iterator[Span]:
    low = max(0, cue.start() - 2 * REACH)
    for sentence in _SENTENCE.finditer(text, low, cue.start()):
        low = sentence.end()
    said = _LATER.search(text, low, cue.start())
    if said is None:
        return
    start, end = said.span("value")
    opening = text[start] in "\"'`\u201c\u2018"
    word = text[start:end].split()[-1] if not opening else text[start + 1 : end].strip("\"'`")
    start = text.rindex(word, start, end) if word else start
    if kind in (Cue.CODE, Cue.OPEN):
        if CODE.fullmatch(word):
            yield start, start + len(word)
    elif kind is Cue.ANY and len(word) > 3:
        plain = values.is_plain(word.replace(" ", ""))
        alone = text[low:start].strip("\"'`\u201c ") == ""
        if (not plain and any(map(str.isdigit, word))) or (
            plain
            and alone
            and (opening or not values.is_statement([word]))
            and bool(_WORDED.search(cue["cue"]))
        ):
            yield start, start + len(word)


def items(text: str, first: Span, kind: Cue) -> Iterator[Span]:
    """What follows the first of several secrets: commas, "and", lines of a list."""
    end = first[1]
    coded = CODE.fullmatch(text, *first) is not None
    for _ in range(24):
        gap = _ITEM.match(text, end)
        if gap is None:
            return
        span = _code(text, gap.end()) if kind in (Cue.CODE, Cue.OPEN) or coded else None
        if span is None:
            token = re.compile(r"[^\s,;]{4,80}").match(text, gap.end())
            body = token[0].rstrip(".)\"'") if token else ""
            plain = values.is_plain(body) and (
                values.is_statement([body])
                or not re.match(r"\s*(?:[.,;\n]|\Z)", text[gap.end() + len(body) :][:3])
            )
            if not body or plain:
                return
            span = gap.end(), gap.end() + len(body)
        yield span
        end = span[1]


def is_opening(text: str, cue: re.Match[str]) -> bool:
    """Whether a code may be one that opens something: not an error code, nor a code of 404."""
    before = _BEFORE.search(text, max(0, cue.start() - 24), cue.start())
    return before is None or before[1].lower() not in _PUBLIC_CODES


def _has_lock(text: str, cue: re.Match[str]) -> bool:
    return _OPENS.search(around(text, *cue.span())) is not None


def around(text: str, start: int, end: int) -> str:
    """The sentence around a span, as far as it is near."""
    low = max(0, start - REACH)
    for sentence in _SENTENCE.finditer(text, low, start):
        low = sentence.end()
    after = _SENTENCE.search(text, end, min(len(text), end + REACH))
    return text[low:start] + " " + text[end : after.start() if after else end + REACH]


def _opens_line(text: str, start: int) -> bool:
    """Whether a line begins with the cue, or with a key that ends in it."""
    return (
        re.search(r"(?:\A|\n)[ \t]*(?:[-*] )?[\w.\"' -]{0,30}\Z", text[max(0, start - 60) : start])
        is not None
    )
