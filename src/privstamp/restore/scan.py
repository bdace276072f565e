"""The one scan over a reply: from left to right, deciding each place from what came before it and
at most 120 characters ahead, in a sentence from the next word, so that a text and a stream of its
pieces come out the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from privstamp.errors import InputError
from privstamp.restore.addresses import Senders, UnbrokenRun, around
from privstamp.restore.json_values import starts_as_json
from privstamp.restore.links import Definitions, Images, Labels, LinkTargets
from privstamp.restore.markup import AHEAD, BEHIND, Contents, Machine, Tags
from privstamp.restore.outcome import PutBack, Restored, Withheld
from privstamp.restore.sentences import Sentences
from privstamp.restore.stretches import formulas, stretches
from privstamp.restore.substitution import TOKEN, Match, Substitution

# Where in a hostile reply a value may stand: in text that a person reads, and nowhere else.


class Places:
    """All machines side by side. Reads on to a string and says what kind of place it stands in."""

    def __init__(self) -> None:
        self._machines: list[Machine] = [
            UnbrokenRun(),
            LinkTargets(),
            Images(),
            Definitions(),
            Labels(),
            Tags(),
            Senders(),
            *formulas(),
            *stretches(),
        ]
        self._contents = Contents()
        self._edge = 0  # characters of an edge beyond the last stop

    @property
    def active(self) -> bool:
        """Whether anything so far computes or sends."""
        opened = {machine.opened for machine in (self._contents, *self._machines)}
        return not opened.isdisjoint(("script", "formula"))

    def read(self, text: str, start: int, stop: int) -> None:
        """Elements are closed only by what stands in plain text, so all others read up to that."""
        read, at = start, start + self._edge
        while at < stop and (edge := self._contents.edge(text, at, stop)) is not None:
            self._contents.read(text, at, edge.start())
            plain = False
            if self._contents.closes(edge):
                self._read(text, read, edge.start())
                read = max(read, edge.start())
                plain = self._other(text, read) is None
            self._contents.take(edge, plain=plain)
            at = edge.end()
        if at < stop:
            self._contents.read(text, at, stop)
        self._edge = max(0, at - stop)
        self._read(text, read, stop)

    def _read(self, text: str, start: int, stop: int) -> None:
        if start < stop:
            for machine in self._machines:
                machine.read(text, start, stop)

    def _other(self, text: str, at: int) -> str | None:
        """The place by all machines but the elements."""
        places = (machine.place(text, at) for machine in self._machines)
        return next((place for place in places if place is not None), None)

    def of(self, text: str, start: int, end: int) -> str | None:
        """The place of text[start:end], where reading stopped at its start; nothing if plain."""
        beside = around(text, start, end, start + AHEAD)
        if beside is not None:
            return beside
        return self._contents.place(text, start) or self._other(text, start)


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
        self._sentences = Sentences()
        self._json: bool | None = False if plain else None
        self._text = ""  # what may still be looked at
        self._given = 0  # up to where it was given out
        self._token = 0  # up to where tokens were looked at
        self._read = 0  # up to where places were read
        self._followed = 0  # up to where sentences were
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
            self._follow(count)
            self._text = self._text[count:]
            self._given -= count
            self._token -= count
            self._read -= count
            self._followed -= count

    def _follow(self, stop: int) -> None:
        if stop > self._followed:
            self._sentences.read(self._text[self._followed : stop])
            self._followed = stop

    def _advance(self, limit: int) -> str:
        """Decide about every token that starts before `limit`, and about those after it with which
        nothing begins."""
        text = self._text
        pieces: list[str] = []
        if self._json is None:
            first = TOKEN.search(text)  # nothing was forgotten yet
            if first is not None and first[0].isalnum():
                self._json = False
            elif first is not None and first.start() < limit:
                self._json = starts_as_json(text[first.start() : first.start() + AHEAD])
        while token := TOKEN.search(text, self._token):
            start = token.start()
            plain = len(token[0]) < AHEAD and not self._substitution.begins(token[0])
            if plain:
                if start >= limit and token.end() + 1 >= len(text):
                    break  # it may go on: 12 as 12,5
                self._token = token.end()
                continue
            low = max(0, start - BEHIND)
            near = text[low : start + AHEAD]
            after, match, sure = self._substitution.look(near, start - low)
            if match is not None and match.end - match.start > LONGEST:
                match = None
            horizon = self._horizon(start, low + match.end) if match and sure else None
            if start >= limit and not (sure if match is None else horizon):
                break
            self._token = low + after
            if match is not None:
                pieces += self._decide(match, start, low + match.end, horizon)
        if token is None:
            self._token = len(text)
        pieces.append(self._give(self._token))
        return "".join(pieces)

    def _horizon(self, start: int, end: int) -> int | None:
        """Up to where text decides about a match, if that is not all of the look-ahead."""
        if self._json is not False:
            return None
        self._follow(start)
        return self._sentences.horizon(self._text, end)

    def _decide(self, match: Match, start: int, end: int, horizon: int | None) -> list[str]:
        """What to give out up to the end of a match."""
        place = "json" if self._json else self._place(start, end, horizon)
        why = self._judge(match, place)
        before = self._give(start)
        here, kind = self._length, self._kind(match)
        if why is None and match.value is not None:
            self._length += len(match.value)
            self._given = end
            self.put_back.append(PutBack(here, self._length, kind, end - start))
            return [before, match.value]
        self.withheld.append(Withheld(here, here + end - start, kind, why or "unclear"))
        return [before, self._give(end)]

    def _place(self, start: int, end: int, horizon: int | None) -> str | None:
        """Beyond a horizon nothing is looked at, however much of the reply is there."""
        if horizon is None:
            self._read_to(start)
            return self._places.of(self._text, start, end)
        low = max(0, min(self._read, start) - BEHIND)
        near = self._text[low:horizon]
        if start > self._read:
            self._places.read(near, self._read - low, start - low)
            self._read = start
        return self._places.of(near, start - low, end - low)

    def _give(self, end: int) -> str:
        piece = self._text[self._given : end]
        self._given = max(self._given, end)
        self._length += len(piece)
        return piece


def scanned(reply: str, scan: Scan) -> Restored:
    """A whole reply at once."""
    text = scan.feed(reply) + scan.finish()
    return Restored(text, tuple(scan.put_back), tuple(scan.withheld), scan.active)
