"""What may be a secret after words that announce one, and what is only said of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from privstamp.sensitivity.common_nouns import is_derived
from privstamp.sensitivity.quantities import AFTER
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.terms import words as words_of_text
from privstamp.text.vocabulary import default

Span = tuple[int, int]


def _frozen(listed: str) -> frozenset[str]:
    return frozenset(words_of_text(listed))


QUOTED: Final = re.compile(
    r"\"((?:[^\"\\\n]|\\.){2,200})\"|'((?:[^'\\\n]|\\.){2,200})'|`([^`\n]{2,200})`"
    r"|\u201c([^\u201d\n]{2,200})\u201d|\u2018([^\u2019\n]{2,200})\u2019"
)
"""A secret in quotes ends where the same quotes end."""
CODE: Final = re.compile(
    r"(?:\d{1,3} ?(?:left|right|L|R)(?!\w)(?:,? (?:then |and )?)?){2,6}"
    r"|\d{1,4}(?:[ -]\d{1,4}){2,7}(?![\w*#]|[.:/]\d)|\d{3,5}[ -]\d{3,5}(?![\w*#-]|[.:/]\d)"
    r"|(?=[A-Za-z]{0,3}[\d*#])[A-Za-z]{0,3}(?:[\d*#][A-Za-z]{0,2}){3,12}(?![\w*#-]|[.:/]\d)"
)
"""What is typed on a keypad or turned on a dial: 4410, 7*4410#, 7 3 0 2, 12-30-8, C2914."""
_TOKEN: Final = re.compile(r"[^\s\"']\S{1,200}")
_NEXT: Final = re.compile(r"[,;&|](?=[\w.-]{1,30}=|\Z)|[,;](?=[\"'}\])])|</?[A-Za-z]")
"""Where another setting follows a secret on the same line."""
_KEY: Final = re.compile(r"(?P<parted>[,;&|?\s\"'(]|\A)[\w.-]+[\"']?\s{0,3}(?P<set>[:=])\s{0,3}\Z")
_PAIR: Final = re.compile(r"[\w.-]+=\S+\Z")
_PARTS: Final = (",", ";", "&", "|")
_CLOSING: Final = ("", '"', "'", "}", "]", ")")
_BEFORE_REACH: Final = 100
_SETTINGS: Final = re.compile(r"[^\s\"';=][^\"';=\n]{0,58}[^\s\"';=](?=;[A-Za-z][\w ]{0,30}=)")
_WORDS: Final = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*(?: [^\W_]+(?:[-'\u2019][^\W_]+)*){0,23}")
_ENDED: Final = re.compile(r"\s*(?:[.,;!?)\u2014\u2013\n]|\Z|- )")
_LINE: Final = re.compile(r"[ \t]*(?:\r?\n|\Z)")
CODED: Final = re.compile(
    r"(?i:none|null|nil|true|false|str|string|undefined|optional|bool|int|bytes|secretstr|varchar)"
    r"\b.*|[A-Za-z_]{3,}[\w.]*[(\[][\w\s\"',.=]*[)\]]?[;,)]?"
    r"|(?:self|os|process|config|settings|args|env|request|req|getpass)\..*"
    r"|\$\{.*|\{\{.*|<.*|\*{3,}|%s|\?|[\u2022.x\u00d7X]{4,}"
)
"""What stands for a secret in source code and settings: a call, a name, a hole to fill."""
_TAILS: Final = _frozen("""
    and but so or if please for on at until now today ok okay unless because which then as in btw
    i it again instead still everywhere everyone lol thanks with when
""")
"""Small words with which a sentence goes on behind a secret."""
_STATES: Final = _frozen("""
    required mandatory missing incorrect valid unknown hidden visible given taken theirs yours hers
    mine stale private sensitive always never still today tomorrow yesterday tonight later weekly
    monthly daily reset set lost sent found kept left gone hit made told stolen broken forgotten
    known shown written cut put shut split held bound worth okay down due overdue unchanged history
    characters letters digits signs symbols times days property news nonsense rubbish trouble
    please anyone below above here there none
""")
"""What is said of a secret that is not named, and no rule below tells."""
_UNSAID: Final = _frozen("""
    required optional mandatory missing invalid valid wrong incorrect unknown hidden empty reset
    sent lost see ask contact call check use keep change choose click enter type forgot same new old
    yes no ok okay fail pass high low weak strong medium on off ask tbd pending unset default
""")
"""What stands behind a colon and says that nothing follows."""
COMPOUNDS: Final = _frozen("""
    manager managers field fields box form page screen prompt policy policies rule rules change
    changes file files hash hashes hint hints list lists generator vault database login check entry
    input app based protected safe strength length format reuse expiry reset resets holder
    management age history size type types name names email user username value values
    security auth access store storage request requests link token tokens key keys count limit
""")
"""Nouns that follow a word for a secret and make another thing of it."""
_SHORTEST: Final = 4


def value_at(text: str, start: int, *, sep: bool, lined: bool) -> Span | None:
    """The secret that is said to begin here: in quotes, to the next blank, or plain words.

    `sep` says that a colon or an equals sign stands before it, `lined` that a line opened with it.
    """
    if quoted := QUOTED.match(text, start):
        return quoted.span(quoted.lastindex or 0)
    code = CODE.match(text, start)
    token = _TOKEN.match(text, start)
    if code and (token is None or code.end() > token.end()):
        return None if AFTER.match(text, code.end()) else code.span()
    if token is None or CODED.fullmatch(token[0]):
        return None
    if sep and (setting := _SETTINGS.match(text, start)):
        return setting.span()
    end = trimmed_end(text, start, token.end())
    body = text[start:end]
    if len(body) < 2:
        return None
    if is_plain(body):
        return _assigned(text, start, end, lined=lined) if sep else words_at(text, start)
    asked = body.rstrip("?!")
    if not sep and is_plain(asked) and is_statement([asked]):
        return None  # how many tokens were issued?
    return None if len(body) < _SHORTEST or _is_counted(text, end, body) else (start, end)


def trimmed_end(text: str, start: int, end: int) -> int:
    """Where a secret ends that reaches to a blank: before the signs of the sentence.

    Of several settings on a line only the sign that parts them ends one: a,b=c may be a password.
    """
    body = text[start:end]
    line = text[max(0, start - _BEFORE_REACH) : start].rpartition("\n")[2]
    key = _KEY.search(line)
    parted = key["parted"] if key else ""
    signs = {"?": "&"}.get(parted, parted if parted in ",;&|" else "")
    named = key and key["set"] == ":"  # password: a,b=c
    blanks = key and parted.isspace() and _PAIR.search(line[: key.start()])
    for after in _NEXT.finditer(body):
        pair = after[0] in _PARTS and body[after.end() : after.end() + 1] not in _CLOSING
        if not pair or (not named and not blanks and (not signs or after[0] == signs)):
            body = body[: after.start()]
            break
    return start + len(body.rstrip(".,;:)\"'\u201d\u2019}]"))


def words_at(text: str, start: int) -> Span | None:
    """Plain words after "is": up to where the clause ends, unless they only say something of it."""
    run = _WORDS.match(text, start)
    if run is None:
        return None
    words: list[str] = []
    end = start
    for word in re.finditer(r"[^ ]+", run[0]):
        if words and word[0].lower() in _TAILS:
            break
        words.append(word[0])
        end = start + word.end()
    else:
        if not _ENDED.match(text, end):
            return None
    return None if is_statement(words) else (start, end)


def is_plain(body: str) -> bool:
    """Letters alone, or words with a hyphen: nothing that only a secret has."""
    return body.replace("-", "").replace("\u2019", "").replace("'", "").isalpha()


def is_statement(words: Sequence[str]) -> bool:
    """Whether words say something of a secret instead of being it: too short, case sensitive."""
    small = [part for word in words for part in word.lower().split("-")]
    if not FUNCTION_WORDS.isdisjoint(small) or not _STATES.isdisjoint(small):
        return True
    last = small[-1]
    if len(small) == 1 and len(last) < _SHORTEST:
        return True
    return is_participle(small[0]) or _is_quality(last) or is_participle(last) or is_derived(last)


def is_participle(word: str) -> bool:
    """A form in -ed or -ing of a word that is listed: expired, changing, but not seaweed."""
    for ending in ("ed", "ing"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 2:
            doubled = base[:-1] if base[-1] == base[-2] else base
            ended = f"{base[:-1]}y" if base[-1] == "i" else base
            return any(map(default().has, (base, f"{base}e", doubled, ended)))
    return False


def is_verb(word: str) -> bool:
    """Whether a form in -ing is listed: "reset your password to continue"."""
    base = word.removesuffix("e")
    return default().has(f"{base}ing") or default().has(f"{base}{base[-1:]}ing")


def _is_quality(word: str) -> bool:
    """Whether it is an adjective: one from which English makes a noun in -ness; or an adverb."""
    noun = f"{word[:-1]}iness" if word.endswith("y") else f"{word}ness"
    return default().has(noun) or word.endswith(("able", "ible", "ly"))


def _assigned(text: str, start: int, end: int, *, lined: bool) -> Span | None:
    """A word behind a colon; to the end of the line where that holds nothing else."""
    word = text[start:end].lower()
    if word in _UNSAID or word in FUNCTION_WORDS or is_participle(word):
        return None
    run = _WORDS.match(text, start)
    if run and _LINE.match(text, run.end()) and (lined or run[0].count(" ") < 2):
        if run[0].count(" ") < 6:
            return run.span()
        return None if is_statement(run[0].split(" ")) else run.span()
    return start, end


def _is_counted(text: str, end: int, body: str) -> bool:
    """Whether it is a number with a unit: 12-16 characters."""
    return body[0].isdigit() and not any(map(str.isalpha, body)) and bool(AFTER.match(text, end))


def is_mixed(text: str) -> bool:
    """Digits, letters of both cases or a sign: no word, number or date."""
    cases = any(map(str.islower, text)) + any(map(str.isupper, text))
    signs = any(sign in text for sign in "!@#$%^&*~?+_")
    return any(map(str.isdigit, text)) and cases + signs >= 2
