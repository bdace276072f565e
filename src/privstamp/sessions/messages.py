"""Messages of a chat as clients send them, checked, with where each comes from.

The fields are those of OpenAI's chat completions. What may hold text of people is released; what
names tools and calls is kept; anything else is refused before any of it is looked at.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from privstamp.errors import InputError

OWN: Final = "own"
ASSISTANT: Final = "assistant"
TOOL: Final = "tool"
LONGEST: Final = 2_000_000
"""Characters of a text: what is longer is no message."""
ROLES: Final = {
    "user": OWN,
    "system": OWN,
    "developer": OWN,
    "assistant": ASSISTANT,
    "tool": TOOL,
    "function": TOOL,
}
"""Where the text of each role comes from."""
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_EMPTY: Final = {"refusal", "annotations", "audio", "function_call", "tool_calls", "name"}
"""Fields that clients send along with nothing in them."""
_FIELDS: Final = {*_EMPTY, "role", "content", "tool_call_id"}
"""Those that errors may name: any other could be somebody's."""


@dataclass(frozen=True, repr=False)
class Text:
    """PRIVATE. One text of a message: content, a part of it, or arguments of a call as JSON."""

    content: str
    is_json: bool = False

    def digest(self, origin: str) -> bytes:
        """Of origin and text, to know it again."""
        return digest(origin.encode(), self.content.encode(), b"json" if self.is_json else b"")


@dataclass(frozen=True)
class Hole:
    """Where the text of this number stands in a message."""

    number: int


PARTICIPANT: Final = Hole(-1)


@dataclass(frozen=True, repr=False)
class Message:
    """PRIVATE. One message as it came."""

    role: str
    origin: str
    """Whose text it is: equal text of two origins shares no noise."""
    texts: tuple[Text, ...]
    form: Mapping[str, Any]
    """All of it, with holes for the texts."""
    participant: str | None = None

    def __repr__(self) -> str:
        return f"Message(private, {self.role})"

    def released(self, texts: Sequence[str], participant: str) -> dict[str, Any]:
        """As it leaves."""

        def filled(form: Any) -> Any:
            if isinstance(form, Hole):
                return participant if form is PARTICIPANT else texts[form.number]
            if isinstance(form, Mapping):
                return {key: filled(value) for key, value in form.items()}
            return [filled(value) for value in form] if isinstance(form, list) else form

        return {key: filled(value) for key, value in self.form.items()}


def settled(text: str) -> bytes:
    """A text as clients may change it without being asked: blanks around it, line ends, accents."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", lines).strip().encode("utf-8", "surrogatepass")


def digest(*parts: bytes) -> bytes:
    """A digest of several strings that cannot run into each other."""
    state = blake2b(digest_size=32)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


def check_lengths(messages: Sequence[Message]) -> None:
    """Refuse what would take minutes and all memory."""
    for number, message in enumerate(messages, start=1):
        if any(len(text.content) > LONGEST for text in message.texts):
            raise InputError(
                f"message {number} has a text of more than {LONGEST:,} characters; nothing was "
                "released. Release it as a document: privstamp privatize"
            )


def read_messages(given: object) -> list[Message]:
    """Messages of a chat, or one text."""
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    if not isinstance(given, Sequence) or not given:
        raise InputError("give a text, or a list of messages with role and content, not empty")
    calls: dict[str, str] = {}
    return [_Reader(number, calls).message(each) for number, each in enumerate(given, start=1)]


class _Reader:
    """Reads one message; errors name its number and the field, never what stands there."""

    def __init__(self, number: int, calls: dict[str, str]) -> None:
        self._where = f"message {number}"
        self._calls = calls  # the tool of each call so far
        self._texts: list[Text] = []

    def message(self, given: Any) -> Message:
        if not isinstance(given, Mapping) or "role" not in given:
            raise InputError(f"{self._where} is not of the form role, content, ...")
        role = given["role"]
        if not isinstance(role, str) or role not in ROLES:
            raise InputError(f"{self._where} has a role that is none of {', '.join(ROLES)}")
        origin = ROLES[role]
        fields: dict[str, Callable[[Any], Any]] = {"role": str, "content": self._content}
        if origin == ASSISTANT:
            fields["tool_calls"] = self._tool_calls
        if origin == TOOL:
            fields |= {"name": self._tool, "tool_call_id": self._answered}
        else:
            fields["name"] = self._participant
        form = {key: self._field(key, value, fields) for key, value in given.items()}
        if not form.get("tool_calls"):
            self._check("content" in given, "content", "is missing")
            self._check(any(text.content.strip() for text in self._texts), "content", "is empty")
        participant = given.get("name") if origin != TOOL else None
        if origin == TOOL:
            origin += ":" + (form.get("name") or self._calls.get(form.get("tool_call_id", ""), ""))
        return Message(role, origin, tuple(self._texts), form, participant)

    def _field(self, key: Any, value: Any, fields: Mapping[str, Callable[[Any], Any]]) -> Any:
        known = isinstance(key, str) and key in _FIELDS
        if known and key in _EMPTY and (value is None or value == []):
            return value
        right = known and key in fields
        self._check(
            right, key if known else "a field", f"is not known here; {', '.join(fields)} are"
        )
        return fields[key](value)

    def _check(self, right: bool, key: str, trouble: str) -> None:
        if not right:
            raise InputError(f"{self._where}: {key} {trouble}")

    def _text(self, key: str, value: Any, *, is_json: bool = False) -> Any:
        self._check(isinstance(value, str), key, f"must be a string, not {type(value).__name__}")
        try:
            value.encode()
            whole = True
        except UnicodeEncodeError:
            whole = False
        self._check(whole, key, "is not valid Unicode: it has a lone surrogate")
        if not value.strip():
            return value
        self._texts.append(Text(value, is_json))
        return Hole(len(self._texts) - 1)

    def _content(self, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list):
            return self._text("content", value)
        return [self._part(f"content[{n}]", part) for n, part in enumerate(value)]

    def _part(self, key: str, part: Any) -> dict[str, Any]:
        self._check(isinstance(part, Mapping), key, f"must be an object, not {type(part).__name__}")
        self._check(part.get("type") == "text", f"{key}.type", "must be text")
        self._check(
            set(part) == {"type", "text"}, key, "must have a type and a text and nothing else"
        )
        return {"type": "text", "text": self._text(f"{key}.text", part["text"])}

    def _tool_calls(self, value: Any) -> Any:
        self._check(isinstance(value, list), "tool_calls", "must be a list")
        return [self._call(f"tool_calls[{n}]", call) for n, call in enumerate(value)]

    def _call(self, key: str, call: Any) -> dict[str, Any]:
        right = isinstance(call, Mapping) and set(call) <= {"id", "type", "function", "index"}
        self._check(right, key, "must have id, type and function and nothing else")
        self._check(call.get("type", "function") == "function", f"{key}.type", "must be function")
        self._check(isinstance(call.get("index", 0), int), f"{key}.index", "must be a number")
        function = call.get("function")
        right = isinstance(function, Mapping) and set(function) == {"name", "arguments"}
        self._check(right, f"{key}.function", "must have a name and arguments and nothing else")
        name, arguments = function["name"], function["arguments"]
        self._check(_is(_NAME, name), f"{key}.function.name", "must be letters, digits and . _ -")
        if "id" in call:
            self._check(_is(_ID, call["id"]), f"{key}.id", "must be letters, digits and . : _ -")
            self._calls[call["id"]] = name
        where = f"{key}.function.arguments"
        hole = self._text(where, arguments, is_json=True)
        self._check(
            not arguments.strip() or _is_object(arguments), where, "must be an object of JSON"
        )
        return {**call, "function": {"name": name, "arguments": hole}}

    def _tool(self, name: Any) -> Any:
        self._check(
            _is(_NAME, name), "name", "must be that of a tool, of letters, digits and . _ -"
        )
        return name

    def _participant(self, name: Any) -> Any:
        self._check(isinstance(name, str), "name", f"must be a string, not {type(name).__name__}")
        return PARTICIPANT

    def _answered(self, call: Any) -> Any:
        known = isinstance(call, str) and call in self._calls
        self._check(known, "tool_call_id", "is none of a call before it")
        return call


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
