"""The rules that look for words: titles, streets, passwords, telephones, dates, per language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.sensitivity.capitals import CAPITAL, capitals_mean_nothing
from privstamp.sensitivity.confirm import FORMS, After, Hit, company, username, value
from privstamp.sensitivity.given_words import DOTTED, SPELT, initials
from privstamp.sensitivity.languages import Words, listed
from privstamp.sensitivity.patterns import Rule, rule
from privstamp.sensitivity.phones import EXTENSION, PHONE, Phone
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.vocabulary import default, is_public

# Names and streets told by the words beside them, in the languages that a policy names.


WAY: Final = (
    r"(?:(?:[A-Z]|St|Ste|Sta|Sto|Dr|Dra|Gral|Gen|G\u00e9n|Pr|Prof|Mgr|Cnel|Pte|Av)\.(?= )"
    rf"|{CAPITAL}(?:[\w'\u2019-]|\.(?=\w)){{0,30}})"
)
"""A word of a street's name; other dots may end a sentence."""
NAME: Final = rf"{CAPITAL}(?<![\w@'\u2019.].)"
_REACH: Final = 28
_TAIL: Final = re.compile(r"(?:[^\s,;:!?()\[\]\"<>|=]{1,40})(?: [^\s,;:!?()\[\]\"<>|=]{1,40}){0,4}")
_WORD: Final = re.compile(r"\S+")
_ABBREVIATED: Final = 5
"""Letters of a title with its point, at most: Prof."""
_IN_FULL: Final = frozenset({"sir.", "dame.", "lord.", "lady.", "miss.", "aunt.", "judge."})
_PRONOUNS: Final = frozenset(listed("i, it, he, she, we, they, you, that, this, the, is, was"))
_PLACED: Final = frozenset({"of"})
"""Behind a name: where somebody is from."""
_ENDING: Final = re.compile(r"(?:['\u2019]s)?[.'\u2019*_-]*\Z")
PARTICLES: Final = frozenset(
    listed(
        "al, ap, bin, da, das, de, del, den, der, di, dos, du, el, ibn, la, las, le, los, san, st, "
        "ter, van, von, y, zu"
    )
)


class Named:
    """Capitalised words after a title, after a word that announces a name, or below a closing."""

    def __init__(self, words: Words) -> None:
        self._titles = frozenset(listed(words.titles))
        self._cues = listed(words.cues)
        self._closings = listed(words.closings)
        closing = rf"(?:\w+ ){{0,2}}(?:{_either(words.closings)})[,.!]?\s*(?:\n|\Z)"
        self._closes = re.compile(closing, re.IGNORECASE)
        self._particles = PARTICLES | frozenset(listed(words.particles))
        self._none = frozenset(listed(words.addressed) + listed(words.forms)) - self._particles

    def __call__(self, match: re.Match[str], score: float) -> Hit | None:
        text, start = match.string, match.start()
        before = text[max(0, start - _REACH) : start]
        said = before.rstrip()
        gap = before[len(said) :]
        if not said or not gap or not text[start].isupper():
            return None
        said = said.lower()
        if "\n" in gap or said[-1] == ",":
            if not said.rstrip(",.!").endswith(self._closings) or len(gap) > 4:
                return None
            if self._closes.match(text, start):
                return None  # one closing below another: Best, Kind regards
            score -= 0.1
        elif not self._is_title(said) and not (
            self._is_cue(said) and not _all_public(_TAIL.match(text, start))
        ):
            return None
        end = self._end(text, start)
        return None if end is None else (start, end, score)

    def _is_title(self, said: str) -> bool:
        word = said.rpartition(" ")[2].lstrip("(\"'\u201c\u2018\n")
        if word[-1:] == "." and len(word) > _ABBREVIATED and word not in self._titles:
            return False  # "sorry, sir. It was"
        if word in _IN_FULL and said.endswith("."):
            return False
        return word in self._titles or word.rstrip(".") in self._titles

    def _is_cue(self, said: str) -> bool:
        if not said.endswith(self._cues):
            return False
        cue = next(cue for cue in self._cues if said.endswith(cue))
        return len(said) == len(cue) or not said[-len(cue) - 1].isalnum()

    def _end(self, text: str, start: int) -> int | None:
        """Where the name ends: at the last capitalised word, particles in between."""
        tail = _TAIL.match(text, start)
        end = None
        for word in _WORD.finditer(tail[0]) if tail else ():
            plain = word[0].rstrip(".'\u2019").lower()
            if word[0][0].isupper():
                if end is None and (plain in self._none or plain in self._titles):
                    return None
                if end is None and re.split("['\u2019]", plain)[0] in _PRONOUNS:
                    return None
                if end is not None and word[0].isupper() and _is_said(plain):
                    break  # CALL ROSALEE AT
                end = start + word.end()
                if word[0].endswith(("'s", "\u2019s")):
                    break
            elif plain not in self._particles or (end is not None and plain in _PLACED):
                break
            if word[0][-1] == "." and len(word[0]) > 3:
                break
        if end is None:
            return None
        return end - len(_ENDING.search(text[start:end])[0])  # type: ignore[index]


def _all_public(tail: re.Match[str] | None) -> bool:
    """Whether what follows is no name: "Dear Payroll", "Patient: Presents with"."""
    words = tail[0].split() if tail else []
    capitals = [word.strip(".'\u2019*_-") for word in words if word[0].isupper()]
    return all(is_public(word) and not _is_given(word) for word in capitals)


def _is_said(word: str) -> bool:
    """Whether it is an everyday word and nobody's name."""
    everyday = is_public(word) and not default().is_named(word)
    return len(word) > 1 and (word in FUNCTION_WORDS or everyday)


def _is_given(word: str) -> bool:
    """Whether a public word is called so as often as not: hi Will, dear Mark."""
    return word == "Will" or default().is_named(word.lower())


_CAPITALISED_BEFORE: Final = re.compile(
    rf"(?<![\w.])(?:\d{{1,5}}[A-Za-z]?,? )?"
    rf"(?:(?:{CAPITAL}[\w'\u2019-]{{0,30}}|{CAPITAL}[a-z]{{0,2}}\.) ){{1,3}}\Z"
)
_ARTICLES: Final = frozenset(
    listed(
        "the, a, this, that, our, my, your, their, his, her, one, which, every, each, die, der, "
        "das, den, dem, des, diese, dieser, eine, einer, het, een, deze"
    )
)
_COUNTED: Final = frozenset(
    listed(
        "block, blocks, day, days, foot, hour, hours, km, lane, lanes, meter, meters, mile, miles, "
        "minute, minutes, month, months, people, second, seconds, star, story, storey, way, week, "
        "weeks, year, years"
    )
)
_DOUBTFUL: Final = frozenset(
    listed(
        "chase, close, court, croft, ct, dr, drive, green, heights, hill, loop, meadow, meadows, "
        "park, pike, place, pl, rise, row, st, vale, view, walk, way, yard"
    )
)


def numbered(match: re.Match[str], score: float) -> Hit | None:
    """A number, capitalised words and a word for a way; in small letters, if it reads like one."""
    words = match["way"].split()
    if all(not word[0].islower() for word in words):
        return match.start(), match.end(), score
    kind = match["kind"].lower()
    plain = [word.lower() for word in words]
    if len(words) > 2 or kind in _DOUBTFUL or not _COUNTED.isdisjoint(plain):
        return None
    if any(len(word) < 3 for word in words):
        return None
    return match.start(), match.end(), score - 0.1


def unnumbered(match: re.Match[str], score: float) -> Hit | None:
    """A word for a way with a capital, and the capitalised words before it."""
    start = match.start()
    before = _CAPITALISED_BEFORE.search(match.string, max(0, start - 70), start)
    if before is None or before[0].split()[-1].lower() in _ARTICLES:
        return None
    return before.start(), match.end(), score


_NUMBER_BEFORE: Final = re.compile(r"(?<!\w)\d{1,5}(?: ?(?:bis|ter|quater|[A-Za-z]))?,? \Z")


def preceding(match: re.Match[str], score: float) -> Hit | None:
    """A word for a way, its name, and a number on either side."""
    start, text = match.start(), match.string
    if start and text[start - 1].isalnum():
        return None
    number = _NUMBER_BEFORE.search(text, max(0, start - 14), start)
    if number is None and match["number"] is None:
        return start, match.end(), score - 0.1
    return (number.start() if number else start), match.end(), score


class Glued:
    """Words that end in a way, as in Lindenstraße 5; the short endings need the number."""

    def __init__(self, endings: tuple[str, ...]) -> None:
        self._endings = endings
        self._sure = tuple(ending for ending in endings if len(ending) >= 6)

    def __call__(self, match: re.Match[str], score: float) -> Hit | None:
        word = match["word"].lower()
        if not word.endswith(self._endings):
            return None
        start = match.start()
        if word in self._endings:
            before = _CAPITALISED_BEFORE.search(match.string, max(0, start - 70), start)
            if before is None or before[0].split()[-1].lower() in _ARTICLES:
                return None
            start = before.start()
        if match["number"] is not None:
            return start, match.end(), score
        return (start, match.end("word"), score - 0.1) if word.endswith(self._sure) else None


_THERE: Final = re.compile(r"\b(?:in|from|at|near|to|of|outside|around|via|between|and) \Z")


def village(match: re.Match[str], score: float) -> Hit | None:
    """Little, Great or Nether and another word with a capital, where a place may stand."""
    start, end = match.span()
    there = _THERE.search(match.string, max(0, start - 10), start)
    if there is None or capitals_mean_nothing(match.string, start, end):
        return None
    return start, end, score


_SURE: Final = frozenset(
    listed(
        "street, road, avenue, lane, drive, boulevard, square, terrace, crescent, highway, "
        "parkway, gardens, grove, mews"
    )
)
"""Words for a way that tell one without a number, if they have a capital."""
_VILLAGE: Final = (
    rf"(?<!\w)(?:Little|Great|Nether|Upper|Lower|Higher|Over|Much|Chipping|Market|Steeple|Stoke|"
    rf"Temple) {CAPITAL}[a-z]+(?:-[a-z]{{2,5}}-(?:the-)?{CAPITAL}[a-z]+)?(?!\w)"
)
_ORDERED: Final = (
    r"(?<!\w)(?:(?:East|West|North|South|[NSEW]\.?) )?\d{1,3}(?:st|nd|rd|th) "
    r"(?:Street|St|Avenue|Ave|Road|Rd|Place|Terrace|Boulevard|Blvd)(?!\w)"
)
"""Streets that are counted: East 51st Street."""
_DAY: Final = r"\d(?<!\w\d)\d?(?:st|nd|rd|th|er|\u00ba|\u00aa|\.)?"


def word_rules(words: Words) -> tuple[Rule, ...]:
    """The rules for these words; a field without any has no rule."""
    return tuple(_all(words))


def _all(words: Words) -> Iterator[Rule]:
    phone = Phone(listed(words.phones), tuple(listed(words.regions)))
    yield rule("PHONE_NUMBER", "telephone plan", 0.75, PHONE, phone)
    yield rule("PHONE_NUMBER", "extension", 0.75, EXTENSION, value, needs=("ext",))
    yield rule("ORGANIZATION", "company form", 0.6, rf"(?:{FORMS})(?!\w)", company)
    yield from _names(words)
    yield from _ways(words)
    yield from _said(words)
    yield from _times(words)


def _names(words: Words) -> Iterator[Rule]:
    if words.titles or words.cues or words.closings:
        yield rule("PERSON", "title and name", 0.7, NAME, Named(words))
        yield rule("PERSON", "initials", 0.6, DOTTED, initials, needs=(".",))
        yield rule("PERSON", "spelt name", 0.6, SPELT, needs=("-",))
        yield rule("LOCATION", "place of two words", 0.6, _VILLAGE, village)


def _ways(words: Words) -> Iterator[Rule]:
    particles = _either(words.particles)
    if words.ways_after:
        ways = _either(words.ways_after)
        yield rule(
            "LOCATION",
            "street",
            0.6,
            r"\d(?<!\w\d)(?<!\d[.,]\d)\d{0,4}[A-Za-z]?,? (?P<way>(?:[\w'\u2019.-]{1,30} ){1,4}?)"
            rf"(?P<kind>(?i:{ways}))(?!\w)",
            numbered,
        )
        yield rule("LOCATION", "street", 0.9, _ORDERED, needs=("st", "nd", "rd", "th"))
        capitals = "|".join(way.capitalize() for way in listed(words.ways_after) if way in _SURE)
        if capitals:
            yield rule("LOCATION", "street by name", 0.5, rf"(?:{capitals})(?!\w)", unnumbered)
    if words.ways_before:
        inner = rf"(?:(?:{particles})(?:(?<=')| )){{0,3}}" if particles else ""
        yield rule(
            "LOCATION",
            "street",
            0.6,
            rf"(?:{_cased(words.ways_before)})[ \u00a0]{inner}{WAY}(?:[ -]{inner}{WAY}){{0,4}}"
            r"(?P<number>,? (?:n[\u00ba\u00b0o.]{0,2} ?)?\d{1,4}(?: ?[A-Za-z])?(?!\w))?",
            preceding,
        )
    if words.ways_glued:
        yield rule(
            "LOCATION",
            "street",
            0.6,
            rf"(?P<word>{CAPITAL}(?<!\w.)[\w-]{{2,40}}\.?)(?P<number> \d{{1,4}} ?[A-Za-z]?(?!\w))?",
            Glued(listed(words.ways_glued)),
        )
    if words.units:
        number = r"\d(?<!\w\d)\d{0,4}[A-Za-z]?(?!\w)"
        yield rule("LOCATION", "part of a building", 0.45, number, After(words.units))


def _said(words: Words) -> Iterator[Rule]:
    verbs = _either(words.verbs)
    if words.users:
        yield Rule(
            "HANDLE",
            "word for a user name",
            0.6,
            re.compile(
                rf"(?<![^\W_])(?i:{_either(words.users)})\s{{0,2}}"
                rf"(?P<verb>[:=]|(?i:{verbs})(?=\s))\s{{0,2}}(?P<quoted>(?!))?"
                rf"(?!(?i:{_either(words.addressed)})(?!\w))(?P<value>@?\w[\w.-]{{1,39}})"
            ),
            username,
            listed(words.users),
        )
    if words.postcodes:
        yield Rule(
            "POSTCODE",
            "word for a postcode",
            0.8,
            re.compile(
                rf"(?<!\w)(?i:{_either(words.postcodes)})\.?[ :=#\u00a0]{{1,3}}(?:is )?(?P<value>"
                r"(?=[A-Za-z -]{0,8}\d)[A-Za-z0-9]{2,8}"
                r"(?:[ -](?=[A-Za-z]{0,2}\d)[A-Za-z0-9]{2,4})?)(?!\w)"
            ),
            value,
            listed(words.postcodes),
        )


def _times(words: Words) -> Iterator[Rule]:
    if words.months:
        months, of = _either(words.months), "(?:of |de |di )?"
        yield rule(
            "DATE_TIME",
            "day and month",
            0.6,
            rf"{_DAY} {of}(?i:{months})(?:\.?,? (?:de )?\d{{4}})?(?!\w)",
        )
        yield rule(
            "DATE_TIME",
            "month by name",
            0.6,
            rf"(?<!\w)(?i:{months})\.?,? "
            r"(?:(?:de )?\d{4}|\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)(?!\w)",
            needs=listed(words.months),
        )
    if words.ages:
        yield rule("AGE", "age", 0.7, rf"\d(?<!\w\d)\d{{0,2}}[ -]?(?i:{_either(words.ages)})(?!\w)")
    if words.ages_before:
        number = r"\d(?<!\w\d)\d{0,2}(?![\w.,]?\d)"
        yield rule("AGE", "word for an age", 0.7, number, After(words.ages_before))


def _either(phrases: str) -> str:
    return "|".join(map(re.escape, listed(phrases)))


def _cased(phrases: str) -> str:
    """Small, with a capital, or all in capitals: literals, which `re` finds fast."""
    cases = (c for p in listed(phrases) for c in (p, p.capitalize(), p.title(), p.upper()))
    return "|".join(map(re.escape, dict.fromkeys(cases)))
