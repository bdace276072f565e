"""From a private map's entries to a way back, for texts, streams, JSON and arguments of tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from privstamp.errors import InputError
from privstamp.restore.entry import Entry, unbracketed
from privstamp.restore.initials import initials
from privstamp.restore.json_values import is_json, restored_json, unfenced
from privstamp.restore.limits import Limits
from privstamp.restore.names import commands, place_of
from privstamp.restore.outcome import PutBack, Restored, Withheld
from privstamp.restore.scan import Judge, Scan, scanned
from privstamp.restore.schema import has_text
from privstamp.restore.substitution import Match, Substitution, plain
from privstamp.sensitivity.kinds import SECRETS, family


class Back:
    """All strings that were sent, with their kinds."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        entries = tuple(entries)
        kinds: dict[tuple[str, str], str] = {}
        for entry in entries:
            _note(kinds, entry.surrogate, entry.original, entry.kind)
        pairs = list(dict.fromkeys((e.surrogate, e.original) for e in entries if e.returns))
        meanings = Counter(sent for sent, _ in pairs)
        for entry in entries:
            further = unbracketed(entry.surrogate) if meanings[entry.surrogate] == 1 else []
            writings = [(bare, entry.original) for bare in further]
            if entry.kind == "PERSON":
                taken = set(meanings)
                shortened = initials(entry.surrogate, entry.original)
                writings += [pair for pair in shortened if pair[0] not in taken]
            for sent, original in writings:
                _note(kinds, sent, original, entry.kind)
            pairs += writings
        self._kinds = kinds
        self._substitution = Substitution(
            dict.fromkeys(pairs), ((e.surrogate, e.original, e.beside) for e in entries if e.beside)
        )
        self._lost = len({e.surrogate for e in entries if not e.returns and not e.beside})
        self._sent = {plain(e.surrogate) for e in entries}

    @property
    def left_out(self) -> int:
        """Surrogates that cannot be put back."""
        return self._lost + len(self._substitution.ambiguous & self._sent)

    def kind(self, match: Match) -> str:
        return self._kinds.get((match.source, match.target), "UNCLEAR")

    def scan(self, limits: Limits) -> Scan:
        return self._scan(lambda match, place: limits.why(self.kind(match), place))

    def _scan(self, judge: Judge) -> Scan:
        return Scan(self._substitution, self.kind, judge)

    def restored(self, reply: str, limits: Limits, *, trusted: bool, as_json: bool) -> Restored:
        if as_json:
            return self._json(reply, limits, trusted=trusted)
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

    def _json(self, reply: str, limits: Limits, *, trusted: bool) -> Restored:
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
            return scanned(
                text, self._scan(lambda m, place: limits.why(self.kind(m), place or whole))
            )

        return _shifted(restored_json(body, value), head, tail)

    def arguments(self, text: str, schema: Mapping[str, Any] | None, limits: Limits) -> Restored:
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

            return scanned(content, self._scan(judge))

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
        tuple(PutBack(b.start + by, b.end + by, b.kind) for b in outcome.put_back),
        tuple(Withheld(w.start + by, w.end + by, w.kind, w.reason) for w in outcome.withheld),
        outcome.active,
    )
