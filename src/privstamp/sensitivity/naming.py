"""Names and streets told by the words beside them, in the languages that a policy names."""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity.confirm import Hit
from privstamp.sensitivity.languages import Words, listed
from privstamp.text.vocabulary import is_public

CAPITAL: Final = "[A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017f\u0386-\u03ab\u0400-\u042f]"
"""Letters of which a name may begin with one; those without a capital are sorted out later."""
WAY: Final = (
    r"(?:(?:[A-Z]|St|Ste|Sta|Sto|Dr|Dra|Gral|Gen|G\u00e9n|Pr|Prof|Mgr|Cnel|Pte|Av)\.(?= )"
    rf"|{CAPITAL}(?:[\w'\u2019-]|\.(?=\w)){{0,30}})"
)
"""A word of a street's name; other dots may end a sentence."""
NAME: Final = rf"{CAPITAL}(?<![\w@'\u2019.].)"
_REACH: Final = 28
_TAIL: Final = re.compile(r"(?:[^\s,;:!?()\[\]\"<>|=]{1,40})(?: [^\s,;:!?()\[\]\"<>|=]{1,40}){0,4}")
_WORD: Final = re.compile(r"\S+")
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
            score -= 0.1
        elif not self._is_title(said) and not (
            self._is_cue(said) and not _all_public(_TAIL.match(text, start))
        ):
            return None
        end = self._end(text, start)
        return None if end is None else (start, end, score)

    def _is_title(self, said: str) -> bool:
        word = said.rpartition(" ")[2].lstrip("(\"'\u201c\u2018\n")
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
                end = start + word.end()
            elif plain not in self._particles:
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
    return all(map(is_public, capitals))


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


_COMPANY_BEFORE: Final = re.compile(
    rf"(?<!\w)(?:{CAPITAL}[\w'\u2019.-]{{0,30}},? (?:(?:&|and|und|et|y|e|of|de) )?){{1,4}}\Z"
)


def company(match: re.Match[str], score: float) -> Hit | None:
    """The capitalised words before a company's form, and the form."""
    start = match.start()
    before = _COMPANY_BEFORE.search(match.string, max(0, start - 120), start)
    return None if before is None else (before.start(), match.end(), score)
