"""PRIVATE. One text of a reply, restored as it comes: whole or in pieces, it comes out the same."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, partial
from typing import Any, Final, Protocol

from privstamp.gateway.rules import PATTERNS, Allowed
from privstamp.gateway.subschemas import fits
from privstamp.restore.json_values import is_json
from privstamp.restore.map import SurrogateMap
from privstamp.restore.outcome import PutBack

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_ENDING: Final = 4
"""Letters that a language may put behind a name."""
_LONGEST_BEFORE: Final = 50_000
_PROBES: Final = 50


class Voice(Protocol):
    """Takes pieces, gives what is clear by now; `finish` gives the rest."""

    received: list[str]
    given: list[str]

    def feed(self, piece: str) -> str: ...
    def finish(self) -> str: ...


class _Kept:
    """What all voices keep."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.given: list[str] = []

    def __repr__(self) -> str:
        return f"{type(self).__name__}(private)"


class Unchanged(_Kept):
    """Passed on as it is."""

    def feed(self, piece: str) -> str:
        self.received.append(piece)
        self.given.append(piece)
        return piece

    def finish(self) -> str:
        return ""


class Joined(Unchanged):
    """A part of a reply that nothing is put back into: clients join it to the one before, which
    ends inside of something that a machine may follow."""

    def __init__(self, voices: Voices) -> None:
        super().__init__()
        self._voices = voices

    def finish(self) -> str:
        text = "".join(self.received)
        self._voices.withheld["joined"] += self._voices.plain(text) != text
        return ""


class Spoken(_Kept):
    """Text that a person reads. `lead`: what the client and the upstream have as its beginning."""

    def __init__(self, voices: Voices, lead: tuple[str, str] = ("", "")) -> None:
        super().__init__()
        self._voices = voices
        self._scan = voices.map.stream(kinds=voices.rules.kinds)
        self._awaited, sent = lead  # to be cut off from what comes out
        self._whole = self._scan.feed(sent)

    def feed(self, piece: str) -> str:
        self.received.append(piece)
        return self._out(self._scan.feed(piece))

    def finish(self) -> str:
        rest = self._out(self._scan.finish(), last=True)
        self._voices.count(self._scan.withheld, self.received)
        return rest

    @property
    def put_back(self) -> list[PutBack]:
        return self._scan.put_back

    def _out(self, text: str, *, last: bool = False) -> str:
        if self._awaited:
            self._whole += text
            if len(self._whole) < len(self._awaited) and not last:
                return ""
            text = self._whole[len(self._awaited) :]
            if not self._whole.startswith(self._awaited):  # not as the client has it
                text = self._voices.plain("".join(self.received))
            self._awaited = ""
        self.given.append(text)
        return text


class Held(_Kept):
    """JSON, which is restored when all of it is there: inside values, as the schema allows."""

    def __init__(self, voices: Voices, schema: Any, *, tool: bool) -> None:
        super().__init__()
        self._voices, self._schema, self._tool = voices, schema, tool

    def feed(self, piece: str) -> str:
        self.received.append(piece)
        return ""

    def finish(self) -> str:
        text = "".join(self.received)
        check = None if self._schema is None else partial(fits, self._schema)
        if self._tool and is_json(text):
            outcome = self._voices.map.restored_arguments(text, fits=check)
        else:
            kinds, form = self._voices.rules.kinds, None if self._tool else "json"
            outcome = self._voices.map.restored(text, kinds=kinds, format=form, fits=check)  # type: ignore[arg-type]
        self._voices.count(outcome.withheld, self.received)
        self.given.append(outcome.text)
        return outcome.text


class Voices:
    """Of one reply."""

    def __init__(self, surrogates: SurrogateMap, rules: Allowed, tools: dict[str, Any]) -> None:
        self.map, self.rules = surrogates, rules
        self._tools = tools
        self.structured = False
        """Whether the client asked for JSON."""
        self.schema: Any = None
        """Of the JSON that it asked for."""
        self.lead = ("", "")
        self.withheld: Counter[str] = Counter()
        self.left: set[str] = set()
        """Tools that were called with surrogates in their arguments."""

    def text(self, *, lead: bool = False, after: str = "") -> Voice:
        """For text of the assistant; `lead`: it goes on from a prefill. `after`: the parts of the
        reply before it."""
        if not self.rules.restore:
            return Unchanged()
        if self.structured:
            return Held(self, self.schema, tool=False)
        if after and self._is_ajar(after):
            return Joined(self)
        return Spoken(self, self.lead if lead else ("", ""))

    def aside(self) -> Voice:
        """For text that is no answer: thinking, refusals, titles."""
        return Spoken(self) if self.rules.restore else Unchanged()

    def arguments(self, tool: str) -> Voice:
        if not self.rules.restore or tool not in self.rules.restore_arguments:
            return Unchanged()
        return Held(self, self._tools.get(tool), tool=True)

    def leaves(self, tool: str, arguments: str) -> None:
        """Note a tool that is called with surrogates."""
        if (
            tool not in self.rules.restore_arguments
            and self.plain(arguments, json=True) != arguments
        ):
            named = PATTERNS["name"].fullmatch(tool)  # it becomes a header
            self.left.add(tool if named else "?")

    def _is_ajar(self, before: str) -> bool:
        """Whether what comes next would not be put back as it is alone: a surrogate tells."""
        if len(before) > _LONGEST_BEFORE:
            return True
        surrogates = (entry.surrogate for entry in self.map.entries[:_PROBES])
        probe = next((sent for sent in surrogates if self.plain(f"{sent}.") != f"{sent}."), None)
        if probe is None:
            return bool(self.map.entries)
        ending = self.plain(f"{probe}.")
        gaps = (" ", "/" if before[-1].isalnum() else "")
        return not all(self.plain(f"{before}{gap}{probe}.").endswith(ending) for gap in gaps)

    def plain(self, text: str, *, json: bool = False) -> str:
        if json and is_json(text):
            return self.map.restored(text, format="json").text
        scan = self.map.stream(kinds=self.rules.kinds)
        return scan.feed(text) + scan.finish()

    def count(self, withheld: Any, received: list[str]) -> None:
        """Surrogates that stayed, and words that look like one with an ending."""
        self.withheld.update(each.reason for each in withheld)
        if inflected := sum(map(self._inflected, _WORD.findall("".join(received)))):
            self.withheld["inflected"] += inflected

    def _inflected(self, word: str) -> bool:
        if word in self._stems:
            return False
        return any(word[:-n] in self._stems for n in range(1, 1 + _ENDING))

    @cached_property
    def _stems(self) -> set[str]:
        """Capitalised words of surrogates."""
        words = (word for entry in self.map.entries for word in _WORD.findall(entry.surrogate))
        return {word for word in words if word[0].isupper()}
