"""Reads a request by the table of fields: each value gets its treatment, anything else is refused
by its path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from privstamp.gateway.arguments import Arguments
from privstamp.gateway.body import canonical, parsed
from privstamp.gateway.draft import Draft, NamePlace, Sealed, Slot
from privstamp.gateway.refused import Refused
from privstamp.gateway.rules import PATTERNS, Allowed, Api
from privstamp.gateway.schemas import schema
from privstamp.gateway.table import Field, Fields, Shape, table
from privstamp.sessions.messages import ASSISTANT, OWN, TOOL, Text

HISTORY: Final = {"messages", "input"}
"""Fields of a request that hold a conversation, item by item."""
_ROLES: Final = {"assistant": ASSISTANT, "tool": TOOL, "function": TOOL}
_THEIRS: Final = ("_call", "tool_use", "thinking", "reasoning", "compaction", "program")
_RESULTS: Final = ("_output", "tool_result")
_CHOSEN: Final = ("tool_choice", "function_call")
_BORDERS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_.-]+")
"""Between the words of a name of a program's."""
_STORED: Final = {Api.CHAT, Api.RESPONSES}
"""Endpoints whose upstream keeps what it was sent unless told otherwise."""


class _Place(NamedTuple):
    """Where in a request the reading is."""

    path: str = ""
    role: str = "system"
    origin: str = OWN
    item: int = 0
    tool: str = ""

    def at(self, key: str) -> _Place:
        shown = key if PATTERNS["name"].fullmatch(key) else "?"
        return self._replace(path=f"{self.path}.{shown}" if self.path else shown)

    def item_at(self, number: int) -> _Place:
        return self._replace(path=f"{self.path}[{number}]")


def _wrong_type(path: str, why: str = "is of a type that is not known here") -> Refused:
    return Refused("wrong_type", path, why)


class Reading:
    """PRIVATE. One request."""

    def __init__(self, endpoint: Api, rules: Allowed) -> None:
        self.endpoint, self.rules = endpoint, rules
        self._types = table(endpoint.table, "request")
        self._place = _Place()
        self._calls: dict[str, str] = {}
        self._named: set[str] = set()
        self.tools: dict[str, Any] = {}
        """The schema of each tool that the request defines."""
        self.draft = Draft()
        self.checks: list[tuple[str, str]] = []
        """Path and value of what may leave only if it names nobody."""
        self.seen: set[str] = set()
        """Treatments that were needed."""

    def read(self, body: dict[str, Any]) -> Draft:
        self.tools = {name: shape for name, shape in _defined(body) if isinstance(shape, dict)}
        self._named = {name for name, _ in _defined(body)}
        self._calls = dict(_called(body))
        self.draft.tree = self._object(body, self._types.roots, _Place())
        if self.endpoint in _STORED:
            self.draft.tree.setdefault("store", False)
            if self.draft.tree["store"] is None:
                self.draft.tree["store"] = False
        return self.draft

    def _object(self, value: dict[str, Any], names: tuple[str, ...], at: _Place) -> Any:
        fitting = self._types.fitting(names, value)
        if not fitting:
            told = next((key for key in ("type", "role", "stream") if key in value), None)
            path = at.path if told is None else at.at(told).path
            raise Refused("unknown_type", path, "is of no type that is known here")
        fields = self._types.by_name[fitting[0]]
        for key in value:
            if key not in fields:
                raise Refused(
                    "unknown_field",
                    at.at(key).path,
                    "is not a field that is known here: leave it out",
                )
        at = self._entered(value, at)
        if any(row.verb == "sealed" and value.get(key) for key, row in fields.items()):
            return self._sealed(value, fields, at)
        late = HISTORY & value.keys() if not at.path else set()
        order = [*(key for key in value if key not in late), *late]
        out = {key: self._field(value[key], fields[key], at.at(key)) for key in order}
        return {key: out[key] for key in value}

    def _entered(self, value: dict[str, Any], at: _Place) -> _Place:
        """Whose text this is, and of which tool."""
        role, kind, name = value.get("role"), value.get("type"), value.get("name")
        if isinstance(role, str) and at.item:
            at = at._replace(role=role, origin=_ROLES.get(role, OWN))
        if isinstance(kind, str) and at.item:
            if kind.endswith(_RESULTS):
                at = at._replace(role="tool", origin=TOOL)
            elif kind.endswith(_THEIRS):
                at = at._replace(role="assistant", origin=ASSISTANT)
        if at.origin == TOOL:
            at = at._replace(origin=f"{TOOL}:{self._answered(value, at)}")
        return at._replace(tool=name) if isinstance(name, str) else at

    def _answered(self, value: dict[str, Any], at: _Place) -> str:
        for key in ("tool_call_id", "tool_use_id", "call_id"):
            if value.get(key) is not None:
                call = value[key]
                if not isinstance(call, str) or call not in self._calls:
                    raise Refused("unknown_call", at.at(key).path, "is no call in this request")
                return self._calls[call]
        name = value.get("name")
        return name if isinstance(name, str) else ""

    def _field(self, value: Any, row: Field, at: _Place) -> Any:
        self.seen.add(row.treatment)
        if value is None:
            return None
        verb = row.verb
        if verb == "refuse":
            return self._refused(value, row, at)
        if verb == "allow" and row.argument not in self.rules.allow:
            fix = f'is refused unless the policy allows "{row.argument}"'
            raise Refused("not_allowed", at.path, fix)
        if verb == "logprobs" and self.rules.restore and _asks_logprobs(value):
            raise Refused("logprobs", at.path, "cannot be had together with restored text")
        if verb == "schema":
            return schema(value, at.path, _Words(self, at))
        if verb == "arguments":
            return self._arguments(value, at)
        if verb == "participant":
            return self._participant(value, at)
        return self._value(value, row.shape, row, at)

    def _refused(self, value: Any, row: Field, at: _Place) -> Any:
        if value == [] or value == {} or (row.argument == "true" and value is False):
            return value
        raise Refused("refused", at.path, "is refused here: the upstream would hold or show it")

    def _value(self, value: Any, shape: Shape, row: Field, at: _Place) -> Any:
        if value is None:
            return None
        if isinstance(value, str):
            return self._string(value, shape, row, at)
        if isinstance(value, bool | int | float):
            return self._number(value, shape, row, at)
        if isinstance(value, list) and shape.item is not None:
            return [self._item(each, n, shape.item, row, at) for n, each in enumerate(value)]
        if isinstance(value, dict) and shape.types:
            return self._object(value, shape.types, at)
        if isinstance(value, dict) and shape.value is not None:
            return {
                self._key(key, at): self._value(inner, shape.value, row, at.at(key))
                for key, inner in value.items()
            }
        if "any" in shape.plain:
            return self._any(value, row, at)
        raise _wrong_type(at.path)

    def _item(self, value: Any, number: int, shape: Shape, row: Field, at: _Place) -> Any:
        inside = at.item_at(number)
        if at.path in HISTORY:
            inside = inside._replace(item=number + 1, role="user")
        return self._value(value, shape, row, inside)

    def _any(self, value: Any, row: Field, at: _Place) -> Any:
        if row.verb == "allow":
            return value
        if row.verb == "pass":
            anything = Shape(frozenset({"str", "int", "float", "bool", "null", "any"}))
            if isinstance(value, list):
                return [self._value(v, anything, row, at.item_at(n)) for n, v in enumerate(value)]
            return {
                self._key(key, at): self._value(inner, anything, row, at.at(key))
                for key, inner in value.items()
            }
        return self._arguments(value, at)

    def _key(self, key: str, at: _Place) -> str:
        if PATTERNS["name"].fullmatch(key) is None:
            raise Refused("bad_key", at.path, "has a key that is not letters, digits and . _ -")
        return key

    def _number(self, value: Any, shape: Shape, row: Field, at: _Place) -> Any:
        plain = "any" in shape.plain or any(
            each is value or (type(each) is type(value) and each == value)
            for each in shape.literals
        )
        if isinstance(value, bool):
            plain = plain or "bool" in shape.plain
        else:
            plain = plain or "float" in shape.plain
            plain = plain or (isinstance(value, int) and "int" in shape.plain)
            if row.verb == "privatise" and plain and "token_arrays" not in self.rules.allow:
                fix = 'has tokens instead of text, refused unless the policy allows "token_arrays"'
                raise Refused("not_allowed", at.path, fix)
        if not plain:
            raise _wrong_type(at.path)
        return value

    def _string(self, value: str, shape: Shape, row: Field, at: _Place) -> Any:
        if value in shape.literals:
            return value
        if not shape.plain & {"str", "any"}:
            if shape.literals:
                raise Refused("unknown_value", at.path, "is none of the values that are known here")
            raise _wrong_type(at.path)
        if row.verb == "privatise":
            return self.text(value, at)
        if row.verb == "id":
            return self._keyed(value)
        if row.verb == "check":
            return self.check(value, at)
        if row.verb == "allow":
            return value
        pattern = PATTERNS.get(row.argument)
        if pattern is None or (value and pattern.fullmatch(value) is None):
            raise Refused("unknown_value", at.path, "does not look like what may pass here")
        if at.path.endswith(".name") and (at.item or at.path.startswith(_CHOSEN)):
            self._tool(value, at)
        return value

    def _tool(self, name: str, at: _Place) -> None:
        """A tool that this request does not define may not be named after somebody."""
        if name not in self._named | self.rules.public:
            self.checks.append((at.path, _BORDERS.sub(" ", name).casefold()))

    def text(self, value: Any, at: _Place) -> Any:
        """A hole for a text."""
        if not isinstance(value, str):
            raise _wrong_type(at.path, "is not a string")
        if not value.strip():
            return value
        return self._hole(Slot(value, (Text(value),), _first, str, plain=True), at)

    def check(self, value: Any, at: _Place) -> Any:
        if not isinstance(value, str):
            raise _wrong_type(at.path, "is not a string")
        if value.strip() and value not in self.rules.public:
            self.checks.append((at.path, value))
        return value

    def _hole(self, slot: Slot, at: _Place) -> Slot:
        return self.draft.add(slot, at.role, at.origin, at.item)

    def _keyed(self, value: str) -> str:
        key = self.rules.id_key[:64]
        return "id-" + blake2b(value.encode(), key=key, digest_size=16).hexdigest()

    def _participant(self, value: Any, at: _Place) -> Any:
        if not isinstance(value, str):
            raise _wrong_type(at.path, "is not a string")
        part = self.draft.part(at.role, at.origin, at.item)
        if part.participant not in (None, value):
            raise _wrong_type(at.path, "is a second name of one message")
        part.participant = value
        return NamePlace(part)

    def _arguments(self, value: Any, at: _Place) -> Any:
        whole = value
        if isinstance(value, str):
            if not value.strip():
                return value
            try:
                whole = parsed(value)
            except (ValueError, RecursionError):
                return self.text(value, at)
        inside = Arguments(whole, self.tools.get(at.tool))
        if isinstance(value, str):
            slot = Slot(canonical(whole), inside.texts, lambda r: canonical(inside.closed(r)), str)
        else:
            slot = Slot(canonical(whole), inside.texts, inside.closed, json.loads)
        return self._hole(slot, at)

    def values(self, value: Any, at: _Place) -> Any:
        """Examples and defaults of a schema."""
        return self.text(value, at) if isinstance(value, str) else self._arguments(value, at)

    def _sealed(self, value: dict[str, Any], fields: Fields, at: _Place) -> Sealed:
        kept = {
            key: inner
            for key, inner in value.items()
            if fields[key].verb not in ("pass", "allow") and inner is not None
        }
        passed = {
            key: self._field(inner, fields[key], at.at(key))
            for key, inner in value.items()
            if key not in kept
        }
        for key in kept:
            self.seen.add(fields[key].treatment)
        slot = Slot(canonical(kept), (), _first, json.loads, sealed=at.path)
        return Sealed(passed, self._hole(slot, at._replace(role="assistant", origin=ASSISTANT)))


@dataclass(frozen=True)
class _Words:
    """What a schema's reader asks for, at the place of the schema."""

    reading: Reading
    at: _Place

    def text(self, value: Any, path: str) -> Any:
        return self.reading.text(value, self.at._replace(path=path))

    def values(self, value: Any, path: str) -> Any:
        return self.reading.values(value, self.at._replace(path=path))

    def check(self, value: Any, path: str) -> Any:
        return self.reading.check(value, self.at._replace(path=path))


def _first(released: list[str]) -> str:
    return released[0]


def _asks_logprobs(value: Any) -> bool:
    if isinstance(value, list):
        return any("logprobs" in str(each) for each in value)
    return value is not False  # 0 asks for the chosen token's


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from _objects(inner)


def _defined(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Tools and their schemas, where the protocols have them: what looks like one inside an example
    is data."""
    given = [tool for key in ("tools", "functions") for tool in _listed(body.get(key))]
    for tool in given:
        given += _listed(tool.get("tools"))  # of a namespace
        function = tool.get("function") or tool.get("custom")
        shown = function if isinstance(function, dict) else tool
        name, shape = shown.get("name"), shown.get("parameters") or shown.get("input_schema")
        if isinstance(name, str):
            yield name, shape


def _listed(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _called(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The tool of each call."""
    for key in HISTORY:
        for call in _objects(body.get(key)) if isinstance(body.get(key), list) else ():
            function = call.get("function") or call.get("custom")
            name = (function if isinstance(function, dict) else call).get("name")
            kind = str(call.get("type"))
            for identity in (call.get("call_id"), call.get("id")):
                result = kind.endswith(_RESULTS)
                if isinstance(identity, str) and not result and "role" not in call:
                    yield identity, name if isinstance(name, str) else kind
