"""From a private map's entries to a way back, for texts, streams, JSON and arguments of tools."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from privstamp.errors import InputError
from privstamp.restore.addresses import is_command, starts_as_address
from privstamp.restore.entry import MapEntry, initials, unbracketed
from privstamp.restore.json_values import escaped, has_text, is_json, restored_json, unfenced
from privstamp.restore.outcome import PutBack, Restored, RestoreLimits, Withheld
from privstamp.restore.scan import Judge, Scan, scanned
from privstamp.restore.substitution import Given, Match, Substitution, plain
from privstamp.sensitivity.spans import SECRETS, family

# Names of arguments and fields whose values programs follow, and lists that are commands.


_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_URLS: Final = (
    *("href", "url", "urls", "uri", "uris", "src", "srcset", "link", "links", "endpoint"),
    *("webhook", "webhooks", "callback", "redirect", "permalink", "deeplink", "host", "hostname"),
    *("domain", "proxy", "referer", "website", "ip", "avatar", "path", "cwd"),
)
_SCRIPTS: Final = (
    *("command", "commands", "cmd", "cmdline", "shell", "bash", "powershell", "script", "scripts"),
    *("argv", "exec", "javascript", "eval", "formula"),
)
_FOLLOWED: Final = {**dict.fromkeys(_URLS, "url"), **dict.fromkeys(_SCRIPTS, "script")}
_WHOLE: Final = {
    **dict.fromkeys(("server", "site", "icon", "base"), "url"),
    **dict.fromkeys(("code", "expression"), "script"),
}
"""Names that count only by themselves: a postal_code is none."""
_BASES: Final = frozenset({"base", "baseurl", "base_url", "prefix", "origin"})


def place_of(value: str, pointer: str, marked: Mapping[str, str]) -> str | None:
    """The place that a value is by how it starts, by the names on the way, or in a command."""
    if starts_as_address(value):
        return "url"
    steps = pointer.split("/")
    above = ("/".join(steps[:end]) for end in range(1, len(steps) + 1))
    places = [marked[pointer] for pointer in above if pointer in marked] if marked else []
    for step in map(_plain, steps):
        names = {word.lower() for word in (step, *_WORD.findall(step))}
        places += [_FOLLOWED[name] for name in names & _FOLLOWED.keys()]
        places += [_WHOLE[step.lower()]] if step.lower() in _WHOLE else []
    return min(places, default=None)


def _plain(step: str) -> str:
    """A name without the forms of letters that look alike, such as full-width ones."""
    return unicodedata.normalize("NFKC", step)


def commands(text: str) -> dict[str, str]:
    """The place of lists and objects of a JSON text, by pointer, that hold the name of a program
    that sends, or the start of a link that others may be joined to."""
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    marked: dict[str, str] = {}
    for value in values:
        _mark(value, "", marked)
    return marked


def _mark(value: Any, pointer: str, marked: dict[str, str]) -> None:
    if not isinstance(value, dict | list):
        return
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            joined = isinstance(value, list) or _plain(str(step)).lower() in _BASES
            if is_command(inner):
                marked[pointer] = "script"
            elif joined and starts_as_address(inner):
                marked.setdefault(pointer, "url")
        else:
            _mark(inner, f"{pointer}/{escaped(step)}", marked)


Fits = Callable[[str, str], bool]
"""Whether a text may be the value at a pointer."""


class Back:
    """All strings that were sent, with their kinds."""

    def __init__(self, entries: Iterable[MapEntry], before: Back | None = None) -> None:
        """`before`: what else there was; of a surrogate that is here, nothing of it counts."""
        alike: dict[str, list[MapEntry]] = {}
        for entry in entries:
            alike.setdefault(entry.surrogate, []).append(entry)
        known: Substitution = Substitution() if before is None else before._substitution
        self._kinds: dict[tuple[str, str], str] = {} if before is None else dict(before._kinds)
        self._lost: set[str] = set() if before is None else before._lost.difference(alike)
        self._sent: set[str] = set() if before is None else set(before._sent)
        given = {surrogate: self._given(surrogate, of) for surrogate, of in alike.items()}
        self._substitution: Substitution = known.more(given)

    def _given(self, surrogate: str, entries: list[MapEntry]) -> Given:
        """What is put back of one surrogate and its further writings; and its kinds are noted."""
        pairs = [(surrogate, original) for original in dict.fromkeys(e.original for e in entries)]
        returns = entries[0].returns
        writings: list[tuple[str, str]] = []
        for entry in entries:
            further = unbracketed(surrogate) if returns and len(pairs) == 1 else []
            more = [(bare, entry.original) for bare in further]
            if entry.kind == "PERSON":
                more += initials(surrogate, entry.original)
            for sent, original in ((surrogate, entry.original), *more):
                _note(self._kinds, sent, original, entry.kind)
            writings += more
        doubtful = tuple((surrogate, e.original, e.beside) for e in entries if e.beside)
        if not (returns or len(doubtful) == len(entries)):
            self._lost.add(surrogate)
        self._sent.add(plain(surrogate))
        return Given(tuple(pairs) if returns else (), tuple(dict.fromkeys(writings)), doubtful)

    @property
    def left_out(self) -> int:
        """Surrogates that cannot be put back."""
        return len(self._lost) + len(self._substitution.ambiguous & self._sent)

    def kind(self, match: Match) -> str:
        return self._kinds.get((match.source, match.target), "UNCLEAR")

    def scan(self, limits: RestoreLimits) -> Scan:
        return self._scan(lambda match, place: limits.why(self.kind(match), place))

    def _scan(self, judge: Judge) -> Scan:
        return Scan(self._substitution, self.kind, judge)

    def restored(
        self,
        reply: str,
        limits: RestoreLimits,
        *,
        trusted: bool,
        as_json: bool,
        fits: Fits | None = None,
    ) -> Restored:
        if as_json:
            return self._json(reply, limits, trusted=trusted, fits=fits)
        return self._trusted(reply) if trusted else scanned(reply, self.scan(limits))

    def _trusted(self, text: str) -> Restored:
        """Everything put back, whatever the place."""
        pieces: list[str] = []
        put_back: list[PutBack] = []
        copied = position = length = 0
        while position <= len(text):
            position, match = self._substitution.match(text, position)
            if match is None or match.value is None:
                continue
            before = text[copied : match.start]
            length += len(before) + len(match.value)
            put_back.append(PutBack(length - len(match.value), length, self.kind(match)))
            pieces += (before, match.value)
            copied = match.end
        return Restored("".join([*pieces, text[copied:]]), tuple(put_back))

    def _json(
        self, reply: str, limits: RestoreLimits, *, trusted: bool, fits: Fits | None = None
    ) -> Restored:
        head, body, tail = unfenced(reply)
        if not is_json(body):
            return scanned(reply, self._scan(lambda *_: "json"))
        marked = commands(body)

        def value(text: str, pointer: str, key: bool) -> Restored:
            if key:
                return scanned(text, self._scan(lambda *_: "key"))
            if trusted:
                return self._trusted(text)
            whole = place_of(text, pointer, marked)
            outcome = scanned(
                text, self._scan(lambda m, place: limits.why(self.kind(m), place or whole))
            )
            return self._fitting(text, pointer, outcome, fits)

        return _shifted(restored_json(body, value), head, tail)

    def _fitting(self, text: str, pointer: str, outcome: Restored, fits: Fits | None) -> Restored:
        """The outcome, or the text as it was, where a value put back may not stand."""
        if fits is None or not outcome.put_back or fits(pointer, outcome.text):
            return outcome
        return scanned(text, self._scan(_always("schema")))

    def arguments(
        self,
        text: str,
        schema: Mapping[str, Any] | None,
        limits: RestoreLimits,
        fits: Fits | None = None,
    ) -> Restored:
        """Values of a tool call; what is no JSON is refused."""
        if not is_json(text):
            raise InputError("arguments: not a JSON text, so nothing was put back")
        marked = commands(text)

        def value(content: str, pointer: str, key: bool) -> Restored:
            judge: Callable[[Match, str | None], str | None]
            if key:
                judge = _always("key")
            elif schema is not None and not has_text(schema, pointer):
                judge = _always("schema")
            else:
                whole = place_of(content, pointer, marked)

                def judge(match: Match, place: str | None) -> str | None:
                    return limits.why_not_tool(self.kind(match), place or whole, pointer)

            outcome = scanned(content, self._scan(judge))
            return self._fitting(content, pointer, outcome, fits)

        return restored_json(text, value)


def _always(reason: str) -> Judge:
    return lambda _match, _place: reason


def _note(kinds: dict[tuple[str, str], str], sent: str, original: str, kind: str) -> None:
    """Of two kinds of one pair the secret one counts."""
    pair = plain(sent), original
    if kinds.get(pair) not in SECRETS:
        kinds[pair] = family(kind)


def _shifted(outcome: Restored, head: str, tail: str) -> Restored:
    """The outcome with text around it."""
    by = len(head)
    return Restored(
        head + outcome.text + tail,
        tuple(replace(b, start=b.start + by, end=b.end + by) for b in outcome.put_back),
        tuple(Withheld(w.start + by, w.end + by, w.kind, w.reason) for w in outcome.withheld),
        outcome.active,
    )
