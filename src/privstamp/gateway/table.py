"""The table of fields: every field of a protocol's types, what it may hold, and its treatment.

`fields/*.toml` has it, one row per field: `content = ["privatise", "str | [TextPart]", "needed"]`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

_TOKEN: Final = re.compile(r'\s*("[^"]*"|[\w-]+|[\[\]{}|])')
_FEW: Final = 8
_TELLING: Final = frozenset({"type", "role", "object", "stream"})
"""Fields by whose fixed values types are told apart."""
_PLAIN: Final = frozenset({"str", "int", "float", "bool", "null", "any"})


@dataclass(frozen=True)
class Shape:
    """What a value may be: one of several."""

    plain: frozenset[str] = frozenset()
    literals: frozenset[str | bool | int] = frozenset()
    types: tuple[str, ...] = ()
    item: Shape | None = None
    """Of a list."""
    value: Shape | None = None
    """Of an object with any keys."""

    @cached_property
    def fixed(self) -> bool:
        """Whether it holds nothing but values that the protocol names."""
        return bool(self.literals) and not (
            self.plain - {"null"} or self.types or self.item or self.value
        )


@dataclass(frozen=True)
class Field:
    treatment: str
    shape: Shape
    needed: bool = False

    @cached_property
    def verb(self) -> str:
        return self.treatment.partition(" ")[0]

    @cached_property
    def argument(self) -> str:
        return self.treatment.partition(" ")[2]


Fields = dict[str, Field]


@dataclass(frozen=True)
class Types:
    """The types of one direction of one protocol."""

    roots: tuple[str, ...]
    by_name: dict[str, Fields] = field(default_factory=dict)
    _typed: dict[tuple[str, ...], dict[Any, list[str]]] = field(default_factory=dict)

    def fitting(self, names: tuple[str, ...], value: dict[str, Any]) -> list[str]:
        """Types whose fixed fields are as the value has them; the best first: all keys known,
        all that is needed there."""
        if len(names) > _FEW:
            names = self._of_type(names, value.get("type"))
        fits = [name for name in names if self._says(self.by_name[name], value)]

        def badness(name: str) -> tuple[int, int]:
            fields = self.by_name[name]
            unknown = sum(key not in fields for key in value)
            missing = sum(row.needed and key not in value for key, row in fields.items())
            return unknown, missing

        return sorted(fits, key=badness) if len(fits) > 1 else fits

    def _of_type(self, names: tuple[str, ...], kind: Any) -> tuple[str, ...]:
        """Those that may have this type, quickly."""
        if names not in self._typed:
            index: dict[Any, list[str]] = {}
            for name in names:
                row = self.by_name[name].get("type")
                known = row is not None and row.shape.fixed and row.needed
                for literal in row.shape.literals if row is not None and known else (None,):
                    index.setdefault(literal, []).append(name)
            self._typed[names] = index
        index = self._typed[names]
        typed = index.get(kind, []) if isinstance(kind, str) else []
        return (*typed, *index.get(None, ()))

    @staticmethod
    def _says(fields: Fields, value: dict[str, Any]) -> bool:
        if "type" in value and "type" not in fields:
            return False
        for key in _TELLING & fields.keys():
            row = fields[key]
            if not row.shape.fixed:
                continue
            if key not in value:
                if key == "type" and row.needed:
                    return False
            elif value[key] is None:
                if "null" not in row.shape.plain and key != "stream":
                    return False
            elif not isinstance(value[key], str | bool) or value[key] not in row.shape.literals:
                return False
        return True


def parse_shape(text: str) -> Shape:
    """Read a shape as the table writes it."""
    tokens = _TOKEN.findall(text)
    shape, rest = _alternatives(tokens)
    if rest:
        raise ValueError(f"not a shape: {text}")
    return shape


def _alternatives(tokens: list[str]) -> tuple[Shape, list[str]]:
    plain: set[str] = set()
    literals: set[str | bool | int] = set()
    types: list[str] = []
    item = value = None
    while tokens:
        head, *tokens = tokens
        if head == "[":
            inner, tokens = _alternatives(tokens)
            item = inner if item is None else _joined(item, inner)
            tokens = tokens[1:]
        elif head == "{":
            inner, tokens = _alternatives(tokens)
            value = inner if value is None else _joined(value, inner)
            tokens = tokens[1:]
        elif head.startswith('"'):
            literals.add(head[1:-1])
        elif head in ("true", "false"):
            literals.add(head == "true")
        elif head in _PLAIN:
            plain.add(head)
        elif head.isdecimal():
            literals.add(int(head))
        else:
            types.append(head)
        if tokens[:1] != ["|"]:
            break
        tokens = tokens[1:]
    return Shape(frozenset(plain), frozenset(literals), tuple(types), item, value), tokens


def _joined(first: Shape, second: Shape) -> Shape:
    item, value = first.item or second.item, first.value or second.value
    return Shape(
        first.plain | second.plain,
        first.literals | second.literals,
        first.types + second.types,
        item,
        value,
    )


@cache
def table(name: str, direction: str) -> Types:
    """The table of a protocol, for what leaves ("request") or returns ("reply")."""
    content = files("privstamp.gateway").joinpath("fields", f"{name}.toml").read_text("utf-8")
    rows = tomllib.loads(content)[direction]
    by_name = {
        kind: {
            key: Field(treatment, parse_shape(shape), bool(needed))
            for key, (treatment, shape, *needed) in fields.items()
        }
        for kind, fields in rows.items()
        if kind != "roots"
    }
    return Types(tuple(rows["roots"]), by_name)
