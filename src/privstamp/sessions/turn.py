"""PRIVATE. One call of a session, from what it began with to what it gave."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Literal, TypedDict

import numpy as np

from privstamp.errors import UsageError
from privstamp.release.certificate import Certificate
from privstamp.release.document import Labelled
from privstamp.release.groups import NO_SPAN
from privstamp.release.replaced import Pseudonyms, one_writing
from privstamp.release.total import Account, Total
from privstamp.release.writer import hidden_keys
from privstamp.restore.entry import Chain, MapEntry, Undo
from privstamp.restore.outcome import Choice
from privstamp.sessions.line import SessionLine
from privstamp.sessions.replies import START
from privstamp.sessions.stretches import REDRAWS
from privstamp.text.wordforms import compared

FOREIGN_NAMES: Final = (50, 200)
"""Distinct names that a message, and all messages, of others may bring and still share surrogates:
each is a guess that whoever wrote them may test."""
_WORD: Final = re.compile(r"[^\W_]+")
KEEP, REOPEN = "keep", "reopen"


class SessionRules(TypedDict, total=False):
    """Of a session. `foreign_names`: how many names of tools and edited replies share surrogates
    with the user's, in a message and in all. `redraws`: how often a word between the same two
    neighbours is drawn. `on_new_task`: whether words that a new task asks for are drawn again with
    more budget, and charged, where they have left with less."""

    foreign_names: tuple[int, int]
    redraws: int
    on_new_task: Literal["keep", "reopen"]


def checked(rules: SessionRules) -> SessionRules:
    """With those that were not given."""
    every: SessionRules = {
        "foreign_names": FOREIGN_NAMES,
        "redraws": REDRAWS,
        "on_new_task": "keep",
    }
    every.update(rules)
    names, redraws = every["foreign_names"], every["redraws"]
    if len(names) != 2 or not all(isinstance(n, int) and n >= 0 for n in names):
        raise UsageError("foreign_names is two whole numbers: a message's and the session's")
    if isinstance(redraws, bool) or not isinstance(redraws, int) or redraws < 1:
        raise UsageError("redraws is a whole number, 1 or more")
    if every["on_new_task"] not in (KEEP, REOPEN):
        raise UsageError(f'on_new_task is "{KEEP}" or "{REOPEN}"')
    return every


@dataclass(frozen=True, repr=False)
class Sent:
    """What a call of `privatize` gave: `messages` are safe to send, `certificate` safe to keep."""

    messages: list[dict[str, Any]]
    certificate: Certificate
    place: bytes = START
    """PRIVATE. Where the conversation stood, for the reply to it."""
    entries: tuple[MapEntry, ...] = ()
    """PRIVATE. What surrogates of these messages stand for, and of no others of the session."""

    def __repr__(self) -> str:
        return f"Sent({len(self.messages)} messages)"

    @property
    def text(self) -> str:
        """The last message."""
        content = self.messages[-1].get("content")
        parts = [{"text": content}] if isinstance(content, str) else content or []
        return "\n\n".join(part["text"] for part in parts)


class Options(Choice, total=False):
    """What a reply gets back, and `to`: the call that it answers, if others came meanwhile."""

    to: Sent | None


@dataclass(frozen=True, repr=False)
class Kept:
    """A message that has left."""

    text: str
    account: Account
    entries: tuple[MapEntry, ...]
    releases: tuple[Undo | Chain, ...]
    apart: bool  # with surrogates of its own


@dataclass(frozen=True, repr=False)
class Prefix:
    """What a conversation adds up to at one place: the next call goes on from there."""

    at: tuple[bytes, str | None]  # the place, and what was asked there
    total: Total
    counts: tuple[int, int]  # of replies, and of messages with surrogates of their own


@dataclass(repr=False)
class Turn:
    """One call, which becomes a part of the session only if all of it succeeds."""

    pseudonyms: Pseudonyms
    foreign: set[str]
    participants: dict[str, str]  # by name, what they are called outside
    asked: str | None = None  # by which importance is judged
    new: dict[bytes, Kept] = field(default_factory=dict)
    late: int = 0

    def called(self, name: str | None) -> str:
        """What somebody who writes is called outside: by number, as names are drawn blind."""
        if name is None:
            return ""
        return self.participants.setdefault(name, f"participant_{len(self.participants) + 1}")


def names_of(document: Labelled) -> set[str]:
    """What was found in a text, as things are compared."""
    text = document.units.text
    spans = (text[finding.start : finding.end] for finding in document.findings)
    return {compared(one_writing(span)) for span in spans}


def guesses(document: Labelled, pseudonyms: Pseudonyms, line: SessionLine) -> set[str]:
    """The strings of another's text that may get the surrogate of something that is the user's:
    what was found, what no list knows, and keys."""
    loose = (document.epsilon == 0) & (document.grouping.spans == NO_SPAN)
    words = (one_writing(document.units.surface(unit)) for unit in np.flatnonzero(loose).tolist())
    names = names_of(document) | hidden_keys(document, line.parts, line.policy)
    names |= {
        compared(word)
        for word in words
        if any(map(str.isalnum, word)) and not pseudonyms.small(word, named=False)
    }
    return {string for name in names for string in strings_of(name)}


def strings_of(name: str) -> set[str]:
    """The strings of a foreign name that are counted as guesses: all of it where it has one or two
    words; of more, every two that stand together, as a list may pass for one long name.

    >>> sorted(strings_of("ann quux")), sorted(strings_of("ann-eve-zork"))
    (['ann quux'], ['ann eve', 'eve zork'])
    """
    words = _WORD.findall(name)
    return {" ".join(pair) for pair in pairwise(words)} or {" ".join(words) or name}


def late(words: str, pseudonyms: Pseudonyms) -> bool:
    """Whether a name that has no surrogate yet was released before as it is."""
    parts = words.split()
    known = any(part in pseudonyms.drawn for part in (words, *parts))
    return not known and all(part in pseudonyms.taken for part in parts)
