"""The one scan over a reply: from left to right, deciding each place from what came before it and
at most 120 characters ahead, so that a text and a stream of its pieces come out the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from privstamp.errors import InputError
from privstamp.restore.json_prefix import starts_as_json
from privstamp.restore.machine import AHEAD, BEHIND
from privstamp.restore.outcome import PutBack, Restored, Withheld
from privstamp.restore.places import Places
from privstamp.restore.substitution import TOKEN, Match, Substitution

LONGEST: Final = AHEAD - 20
"""Characters of a string that can be put back: the rest of the look-ahead shows how it goes on."""

Judge = Callable[[Match, str | None], str | None]
"""Why a match in a place (nothing: plain text) is withheld, if it is."""


class Scan:
    """Feed it the pieces of one reply; what may be given out comes back as soon as it is clear."""

    def __init__(
        self,
        substitution: Substitution,
        kind: Callable[[Match], str],
        judge: Judge,
        *,
        plain: bool = False,
    ) -> None:
        """`plain`: the text is known to be no JSON."""
        self._substitution, self._kind, self._judge = substitution, kind, judge
        self._places = Places()
        self._json: bool | None = False if plain else None
        self._text = ""  # what may still be looked at
        self._given = 0  # up to where it was given out
        self._token = 0  # up to where tokens were looked at
        self._read = 0  # up to where places were read
        self._length = 0  # of all that was given out
        self._done = False
        self.put_back: list[PutBack] = []
        self.withheld: list[Withheld] = []

    def feed(self, piece: str) -> str:
        """Take the next piece of the reply; returns what is clear by now, restored."""
        if self._done:
            raise InputError("this reply is finished: start another scan")
        self._text += piece
        limit = len(self._text) - AHEAD
        given = self._advance(limit)
        if self._given - self._read > BEHIND:  # nothing was found for long: read on all the same
            self._read_to(min(self._given, limit))
        self._forget(min(self._read, self._given) - BEHIND)
        return given

    def finish(self) -> str:
        """The rest of the reply, restored."""
        given = self._advance(len(self._text) + 1)
        self._read_to(len(self._text))
        self._done = True
        return given

    @property
    def active(self) -> bool:
        """Whether the reply so far holds something that computes or sends."""
        return self._places.active

    def _read_to(self, stop: int) -> None:
        if stop > self._read:
            self._places.read(self._text, self._read, stop)
            self._read = stop

    def _forget(self, count: int) -> None:
        if count > 0:
            self._text = self._text[count:]
            self._given -= count
            self._token -= count
            self._read -= count

    def _advance(self, limit: int) -> str:
        """Decide about every token that starts before `limit`."""
        text = self._text
        pieces: list[str] = []
        while (token := TOKEN.search(text, self._token)) and token.start() < limit:
            if self._json is None:  # the first token of all
                self._json = starts_as_json(text[token.start() : token.start() + AHEAD])
            if len(token[0]) < AHEAD and not self._substitution.begins(token[0]):
                self._token = token.end()
                continue
            start = token.start()
            low = max(0, start - BEHIND)
            after, match = self._substitution.match(text[low : start + AHEAD], start - low)
            self._token = low + after
            if match is not None and match.end - match.start <= LONGEST:
                pieces += self._decide(match, start, low + match.end)
        if token is None:
            self._token = len(text)
        pieces.append(self._give(self._token))
        return "".join(pieces)

    def _decide(self, match: Match, start: int, end: int) -> list[str]:
        """What to give out up to the end of a match."""
        self._read_to(start)
        place = "json" if self._json else self._places.of(self._text, start, end)
        why = self._judge(match, place)
        before = self._give(start)
        here, kind = self._length, self._kind(match)
        if why is None and match.value is not None:
            self._length += len(match.value)
            self._given = end
            self.put_back.append(PutBack(here, self._length, kind))
            return [before, match.value]
        self.withheld.append(Withheld(here, here + end - start, kind, why or "unclear"))
        return [before, self._give(end)]

    def _give(self, end: int) -> str:
        piece = self._text[self._given : end]
        self._given = max(self._given, end)
        self._length += len(piece)
        return piece


def scanned(reply: str, scan: Scan) -> Restored:
    """A whole reply at once."""
    text = scan.feed(reply) + scan.finish()
    return Restored(text, tuple(scan.put_back), tuple(scan.withheld), scan.active)
