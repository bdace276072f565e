"""Reads a reply by the table of fields: texts restored, what is signed kept, the rest as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from privstamp.gateway.body import canonical, compact, parsed
from privstamp.gateway.refused import bad_reply
from privstamp.gateway.rules import PATTERNS
from privstamp.gateway.table import Field, Fields, Types
from privstamp.gateway.voices import Spoken, Voice, Voices
from privstamp.restore.outcome import PutBack

ANSWERS: Final = frozenset(
    {
        ("ChatCompletionMessage", "content"),
        ("CompletionChoice", "text"),
        ("ResponseOutputText", "text"),
        ("ResponseTextDoneEvent", "text"),
        ("TextBlock", "text"),
    }
)
"""Texts that a format or a prefill is about."""
_CHOICES: Final = ("ChatCompletionMessage", "CompletionChoice")
"""Types of which a reply has several that all go on from the same prefill."""
_BESIDE: Final = ("content", "text")
"""Texts that offsets of citations beside them count in."""


class _Dropped(Exception):
    """A citation that points to where nothing can be pointed to."""


class _Spot(NamedTuple):
    """Where in a reply the reading is."""

    tool: str = ""
    put_back: tuple[PutBack, ...] | None = None
    shift: int = 0
    first: bool = True


class Telling:
    """PRIVATE. One reply, in one piece or in events."""

    def __init__(
        self, types: Types, voices: Voices, given: dict[str, Any], documents: Sequence[str]
    ) -> None:
        self._types, self.voices = types, voices
        self._given, self._documents = given, documents
        self._said = ""
        self._known: dict[tuple[str, str], tuple[str, tuple[PutBack, ...]]] = {}
        self.remembered: dict[tuple[str, str], None] = {}
        """Received and restored forms, in order."""
        self.whole = True
        """Whether what is read now is there in full: the start of a block is not."""
        self.dropped = 0
        """Citations, and fields that no table knows."""

    def root(self, value: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.echoed(self.object(value, self._types.roots), self._types.roots[0])
        except _Dropped:
            self.dropped += 1
        return {}

    def knows(self, value: dict[str, Any]) -> bool:
        return bool(self._types.fitting(self._types.roots, value))

    def event(
        self, value: dict[str, Any], tool: str, put_back: tuple[PutBack, ...] | None = None
    ) -> dict[str, Any]:
        """An event about a tool's call, or beside a text; nothing if it is dropped."""
        try:
            return self.object(value, self._types.roots, _Spot(tool, put_back))
        except _Dropped:
            self.dropped += 1
        return {}

    def block(self, received: dict[str, Any], arguments: str, *, first: bool) -> None:
        """Remember a block of a message that came in pieces."""
        if arguments:
            try:
                received["input"] = parsed(arguments)
            except (ValueError, RecursionError):
                received = {}
        if not received:  # said here, where no handler keeps what was read
            raise bad_reply("arguments of the upstream are not JSON")
        names = self._types.by_name["RawContentBlockStartEvent"]["content_block"].shape.types
        self.object(received, names, _Spot(first=first))

    def object(
        self, value: dict[str, Any], names: tuple[str, ...], spot: _Spot | None = None
    ) -> dict[str, Any]:
        fitting = self._types.fitting(names, value)
        if not fitting:
            if has_text(value):
                raise bad_reply("the upstream's reply has a part of no known type", "unknown_reply")
            return value
        name = fitting[0]
        fields = self._types.by_name[name]
        spot = self._entered(value, spot or _Spot())
        out: dict[str, Any] = {}
        for key in sorted(value, key=lambda key: key not in _BESIDE):  # offsets need the text
            inner = value[key]
            if key not in fields:
                if has_text(inner):
                    self.dropped += 1
                else:
                    out[key] = inner
                continue
            answer = (name, key) in ANSWERS
            if answer and isinstance(inner, str) and inner:
                first = spot.first or name in _CHOICES
                out[key], moved = self.text(inner, answer=True, first=first)
                lead = self.voices.lead[0] if first else ""
                spot = spot._replace(put_back=moved, shift=len(lead))
            else:
                out[key] = self._field(inner, fields[key], spot)
        if name == "CitationCharLocation" and self.voices.rules.restore:
            self._relocated(out)
        out = {key: out[key] for key in value if key in out and out[key] is not _GONE}
        self._seal(value, out, fields)
        return out

    def _entered(self, value: dict[str, Any], spot: _Spot) -> _Spot:
        name, kind = value.get("name"), value.get("type")
        if isinstance(name, str):
            spot = spot._replace(tool=name)
        elif isinstance(kind, str) and kind.endswith("_call"):
            spot = spot._replace(tool=kind.removesuffix("_call"))
        return spot

    def _field(self, value: Any, row: Field, spot: _Spot) -> Any:
        verb = row.verb
        if verb == "echo":
            return value
        if verb == "drop":
            return self._without(value, row)
        if value is None or (verb in ("pass", "keep", "sealed") and not row.shape.types):
            return value
        if verb == "arguments" and isinstance(value, dict) and not row.shape.types:
            return self._whole_arguments(value, spot.tool)
        if verb == "offset":
            return self._moved(value, spot)
        return self._value(value, row, row.shape, spot)

    def _without(self, value: Any, row: Field) -> Any:
        if not self.voices.rules.restore and row.shape.plain != {"str", "null"}:
            return value
        if isinstance(value, list) and row.needed:
            return []
        return None if "null" in row.shape.plain and value is None else _GONE

    def _value(self, value: Any, row: Field, shape: Any, spot: _Spot) -> Any:
        if isinstance(value, str):
            if value in shape.literals or not value:
                return value
            if row.verb == "arguments":
                return self.arguments(value, spot.tool)
            return self.text(value)[0] if row.verb == "restore" else value
        if isinstance(value, dict):
            if shape.types:
                return self.object(value, shape.types, spot)
            if shape.value is not None:
                return {k: self._value(v, row, shape.value, spot) for k, v in value.items()}
            return self._whole_arguments(value, spot.tool) if row.verb == "arguments" else value
        if isinstance(value, list) and shape.item is not None:
            out = []
            for number, inner in enumerate(value):
                at = spot._replace(first=spot.first and not number)
                try:
                    out.append(self._value(inner, row, shape.item, at))
                except _Dropped:
                    self.dropped += 1
            return out
        return value

    def text(
        self, received: str, *, answer: bool = False, first: bool = False
    ) -> tuple[str, tuple[PutBack, ...]]:
        """A whole text restored, and where values were put back; remembered for the next turn."""
        lead = first and answer and bool(self.voices.lead[0])
        kind = f"text {answer} {lead}"
        if answer and (kind, received) not in self._known:  # else it came in pieces
            before = "" if first else self._said
            self._said = before + received
            kind = f"{kind} after {before}"
        else:
            before = ""
        if (kind, received) not in self._known:
            voice = self.voices.text(lead=lead, after=before) if answer else self.voices.aside()
            restored = voice.feed(received) + voice.finish()
            put_back = tuple(voice.put_back) if isinstance(voice, Spoken) else ()
            self._known[kind, received] = restored, put_back
        restored, put_back = self._known[kind, received]
        self.remember(received, restored)
        if lead:
            client, sent = self.voices.lead
            self.remember(sent + received, client + restored)
        return restored, put_back

    def heard(self, voice: Voice, *, tool: str | None = None, answer: bool = False,
              first: bool = False) -> None:  # fmt: skip
        """A text that came in pieces: if it comes again as a whole, it is restored already."""
        received, restored = "".join(voice.received), "".join(voice.given)
        put_back = tuple(voice.put_back) if isinstance(voice, Spoken) else ()
        lead = first and answer and bool(self.voices.lead[0])
        kind = f"text {answer} {lead}" if tool is None else f"tool {tool}"
        self._known[kind, received] = restored, put_back
        if tool is not None:
            self.voices.leaves(tool, received)

    def arguments(self, received: str, tool: str) -> str:
        """Arguments of a call, which are JSON, or the text of a tool without a schema."""
        if (f"tool {tool}", received) not in self._known:
            voice = self.voices.arguments(tool)
            restored = voice.feed(received) + voice.finish()
            self.voices.leaves(tool, received)
            self._known[f"tool {tool}", received] = restored, ()
        restored, _ = self._known[f"tool {tool}", received]
        self.remember(received, held(restored))
        return restored

    def _whole_arguments(self, value: Any, tool: str) -> Any:
        return parsed(self.arguments(compact(value), tool))

    def remember(self, received: str, restored: str) -> None:
        if self.whole:
            self.remembered[received, restored] = None

    def _seal(self, value: dict[str, Any], out: dict[str, Any], fields: Fields) -> None:
        """Remember an object that must be given back as it was received."""
        if any(row.verb == "sealed" and value.get(key) for key, row in fields.items()):
            self.remember(compact(_sealed(value, fields)), canonical(_sealed(out, fields)))

    def _moved(self, offset: Any, spot: _Spot) -> Any:
        """An offset into the received text as one into the restored."""
        if not isinstance(offset, int) or not spot.put_back:
            return offset
        received = restored = 0
        for back in spot.put_back:
            start = received + back.start - restored
            received = start + back.stood_for
            restored = back.end
            if offset + spot.shift <= start:
                return offset + (back.start - start) + 0
            if offset + spot.shift < received:
                raise _Dropped
        return offset + restored - received

    def _relocated(self, citation: dict[str, Any]) -> None:
        """A citation's place in the client's own document."""
        number, text = citation.get("document_index"), citation.get("cited_text")
        known = isinstance(number, int) and 0 <= number < len(self._documents)
        document = self._documents[number] if known and isinstance(number, int) else ""
        if not isinstance(text, str) or not text or document.count(text) != 1:
            raise _Dropped
        citation["start_char_index"] = document.index(text)
        citation["end_char_index"] = document.index(text) + len(text)

    def echoed(self, value: dict[str, Any], kind: str) -> dict[str, Any]:
        """A reply in which the client's own fields stand as the client wrote them."""
        fields = self._types.by_name.get(kind, {})
        own = {key for key, row in fields.items() if row.verb == "echo"}
        return {key: self._given.get(key, v) if key in own else v for key, v in value.items()}


class _Gone:
    pass


_GONE: Final = _Gone()


def _sealed(value: dict[str, Any], fields: Fields) -> dict[str, Any]:
    return {
        key: inner
        for key, inner in value.items()
        if inner is not None and key in fields and fields[key].verb != "pass"
    }


def held(arguments: str) -> str:
    """Arguments as a client may write them again."""
    try:
        return canonical(parsed(arguments))
    except (ValueError, RecursionError):
        return arguments


def has_text(value: Any) -> bool:
    """Whether anything in it could be somebody's words."""
    if isinstance(value, str):
        return bool(value.strip()) and PATTERNS["id"].fullmatch(value) is None
    if isinstance(value, dict):
        return any(map(has_text, value.values()))
    return isinstance(value, list) and any(map(has_text, value))
