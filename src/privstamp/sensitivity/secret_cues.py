"""Secrets that words announce: a noun for one, what joins it to its value, and the value.

A cue (`password`, `gate code`, `mother's maiden name`) tells which values it may have. Between them
stands a colon, a verb with what the secret is for (`for the shed is`), a change (`from ... to`), a
question, or nothing; some values stand before their cue. What only says something of a secret (too
short, was reset) is none: `secret_values` tells.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from privstamp.sensitivity.languages import Words, listed
from privstamp.sensitivity.secret_forms import (
    ABOUT,
    REACH,
    Cue,
    around,
    beside,
    elsewhere,
    is_opening,
    items,
    linked_value,
)
from privstamp.sensitivity.secret_values import CODE, QUOTED, Span, value_at

RULE: Final = "word for a secret"
VERSION: Final = 4
"""Raise it when a form decides another way: releases are comparable only under the same rules."""
_SEPARATED: Final = r"(?::=|=>|::|==(?=\s?[\"'])|[:=])(?![=>])|->|\u2192|(?<= )[-\u2013\u2014](?= )"
_ADVERBS: Final = r"(?: (?:now|still|currently|just|simply|again|probably|actually|literally))?"
_ANOTHER: Final = re.compile(
    r"[\"'`\u201d\u2019]?[,;.]? (?:and |but |so )?the (?:new|old|other|next|current|second|first|"
    r"right|correct) one (?:is|was)(?: now)? (?=\S)"
)
_PARALLEL: Final = re.compile(
    r"(?m)^[^\n=\"']{0,20}?(?P<names>\w{1,40}(?:, ?\w{1,40}){1,5})\)? {0,3}:?= {0,3}\(?"
    r"(?P<set>[\"'`][^\n]{3,300})"
)
_KEYED: Final = re.compile(
    r"(?<!\w)(?i:enter|type(?: in)?|key in|punch in|tap in|dial|press|use|input"
    r"|(?:un)?lock(?:s|ed)? (?:it )?(?:with|by)|opens? (?:with|by)|unlock)(?: code)? (?=[\d*#])"
)
_KEYED_FOR: Final = re.compile(
    r"(?i)(?<!\w)(?:key ?pad|verif\w+|log(?:ging)? ?in|sign(?:ing)? ?in|(?:un)?lock(?:s|ed)?|"
    r"opens?|doors?|gates?|panel|prompted|(?:when|if) asked|alarm|get in|let yourself in|confirm|"
    r"enter (?:the )?(?:building|house))(?!\w)"
)


class SaidSecrets:
    """Finds what words of some languages say to be secret."""

    def __init__(self, words: Words) -> None:
        fields = {
            words.locks: Cue.MIXED,
            words.pins: Cue.CODE,
            words.opened: Cue.OPEN,
            words.answers: Cue.ANSWER,
            f"{words.secrets}, {words.phrases}": Cue.ANY,
        }
        self._kinds = {
            _folded(phrase): kind for field, kind in fields.items() for phrase in listed(field)
        }
        verbs = "|".join(map(re.escape, listed(words.verbs))) or "(?!)"
        self._needs = tuple({phrase[:3] for phrase in self._kinds})
        self._cue = re.compile(_cues(listed(", ".join(fields))))
        self._link = re.compile(
            rf"(?P<key>[\"'`]?){ABOUT}\s{{0,3}}(?:(?P<sep>{_SEPARATED})"
            rf"|(?P<short>['\u2019]s)(?=\s)|(?<=\s)(?P<verb>(?i:{verbs}){_ADVERBS})(?=[\s:]):?)"
            r"\s{0,3}(?=\S)"
        )
        users = "|".join(map(re.escape, listed(words.users))) or "(?!)"
        self._user = re.compile(rf"(?<![^\W_])(?i:un|{users})[ :=]")
        self.facts = [VERSION, self._cue.pattern, self._link.pattern]

    def of(self, text: str) -> Iterator[Span]:
        """Every secret that a cue announces; some twice. One within `marks` ends before them."""
        for start, end in self._of(text):
            marks = text[end - 1] == "`" and text.count("`", text.rfind("\n", 0, start) + 1, start)
            yield start, end - (marks % 2 if end - start > 1 else 0)

    def _of(self, text: str) -> Iterator[Span]:
        lowered = text.lower()
        if any(need in lowered for need in self._needs):
            for cue in self._cue.finditer(text):
                kind = self._kinds.get(_folded(cue["cue"]), Cue.ANY)
                if text[max(0, cue.start() - 5) : cue.start()].lower() == "sort ":
                    continue  # a bank's, and no secret
                if kind is not Cue.OPEN or is_opening(text, cue):
                    yield from self._told(text, cue, kind)
            for line in _PARALLEL.finditer(text):
                yield from self._beside_each_other(text, line)
        for verb in _KEYED.finditer(text):
            code = CODE.match(text, verb.end())
            sure = verb[0].lower().startswith(("unlock", "lock", "open"))
            if code and (sure or _KEYED_FOR.search(around(text, *code.span()))):
                yield code.span()

    def _beside_each_other(self, text: str, line: re.Match[str]) -> Iterator[Span]:
        """Secrets of a line that sets several names at once: user, password = "ana", "..." """
        names = line["names"].split(",")
        strings = [
            match.span(match.lastindex or 0) for match in QUOTED.finditer(text, *line.span("set"))
        ]
        for name, span in zip(names, strings, strict=False):
            cue = self._cue.search(name)
            kind = self._kinds.get(_folded(cue["cue"])) if cue else None
            if len(names) == len(strings) and kind in (Cue.ANY, Cue.MIXED):
                yield span

    def _told(self, text: str, cue: re.Match[str], kind: Cue) -> Iterator[Span]:
        """The secrets of one cue: those of the first form that fits."""
        first = self._linked(text, cue, kind) or beside(text, cue, kind)
        if first is None:
            yield from elsewhere(text, cue, kind)
            return
        yield first
        if cue["more"]:
            yield from items(text, first, kind)
        elif (another := _ANOTHER.match(text, first[1])) and kind is Cue.ANY:
            second = value_at(text, another.end(), sep=False, lined=False)
            if second:
                yield second

    def _linked(self, text: str, cue: re.Match[str], kind: Cue) -> Span | None:
        link = self._link.match(text, cue.end())
        if link is None or (link["key"] and not link["sep"]):
            return None
        if kind is Cue.MIXED and link["sep"] and self._user.search(_line_before(text, cue.start())):
            kind = Cue.ANY  # user: kiosk, pass: kingfisher
        span = linked_value(
            text, link.end(), cue, kind, sep=bool(link["sep"]), short=bool(link["short"])
        )
        counted = span and cue["more"] and text[slice(*span)].isdecimal() and kind is not Cue.CODE
        return None if counted else span  # max_tokens: 4096


def _cues(phrases: tuple[str, ...]) -> str:
    """A pattern for phrases, also as programs write them: door code, DOOR_CODE, doorCode.

    It begins with a set of letters, which `re` skips to, and looks behind only then.
    """
    rests: dict[str, list[str]] = defaultdict(list)
    for phrase in phrases:
        rest = re.sub(r"(?:\\?[ -])+", "[ _-]?", re.escape(phrase[1:]))
        rests[phrase[0]].append(rest.replace("'", "['\u2019]"))
    letters = "".join(letter + letter.upper() for letter in rests)
    named = "|".join(
        f"(?<=[{letter}{letter.upper()}])(?:{'|'.join(rest)})" for letter, rest in rests.items()
    )
    glued = "(?<=[A-Z].)(?=(?:ASSWORD|ASSWD|ECRET|OKEN)=)"  # PGPASSWORD=
    outset = rf"(?:(?<![^\W_].)|(?<=[a-z][A-Z])|{glued})"
    cue = rf"[{letters or 'a'}]{outset}(?i:{named or '(?!)'})"
    return rf"(?P<cue>{cue})(?P<more>e?s)?(?![^\W_])"


def _line_before(text: str, start: int) -> str:
    """What stands before a place on its line, as far as it is near."""
    return text[max(0, start - REACH) : start].rpartition("\n")[2]


def _folded(phrase: str) -> str:
    return re.sub(r"[ _-]+", "", phrase).replace("\u2019", "'").casefold()
