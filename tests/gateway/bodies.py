"""Requests and replies made from the table's types: the smallest of a type, and one for each
position of it that may hold a string."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from privstamp.gateway.table import Field, Shape, Types

CALL, TOOL = "call_1", "look_up"
NEUTRAL = {
    "model": "gpt-5",
    "name": TOOL,
    "arguments": "{}",
    "call_id": CALL,
    "tool_call_id": CALL,
    "tool_use_id": CALL,
    "input_schema": {"type": "object"},
    "parameters": {"type": "object"},
    "schema": {"type": "object"},
    "store": False,
}
"""What stands in fields whose value must be of some form."""


@dataclass(frozen=True)
class Position:
    """A field of a type, how to get there from the outermost type, and its row."""

    steps: tuple[tuple[str, str], ...]  # type and field, from the outermost on
    row: Field

    @property
    def name(self) -> str:
        return ".".join(f"{kind}.{key}" for kind, key in self.steps[-1:])


def positions(types: Types, roots: tuple[str, ...]) -> Iterator[Position]:
    """Every field of every type, each by the shortest way."""
    seen: set[str] = set()
    queue: list[tuple[str, tuple[tuple[str, str], ...]]] = [(root, ()) for root in roots]
    while queue:
        kind, steps = queue.pop(0)
        if kind in seen:
            continue
        seen.add(kind)
        for key, row in types.by_name[kind].items():
            here = (*steps, (kind, key))
            yield Position(here, row)
            queue += [(inner, here) for inner in named(row.shape)]


def named(shape: Shape) -> list[str]:
    """The types that a shape names, at any depth."""
    inner = [name for each in (shape.item, shape.value) if each is not None for name in named(each)]
    return [*shape.types, *inner]


def smallest(types: Types, kind: str, depth: int = 0) -> dict[str, Any]:
    """A value of a type with what it needs alone."""
    return {
        key: filler(types, key, row.shape, depth)
        for key, row in types.by_name[kind].items()
        if row.needed or (key == "type" and row.shape.fixed)
    }


def filler(types: Types, key: str, shape: Shape, depth: int = 0) -> Any:
    if key in NEUTRAL and not shape.fixed:
        return NEUTRAL[key] if not (key == "arguments" and "str" not in shape.plain) else {}
    if shape.literals:
        return sorted(shape.literals, key=str)[0]
    if "str" in shape.plain:
        return "x"
    if shape.plain & {"int", "float"}:
        return 1
    if "bool" in shape.plain:
        return False
    if "any" in shape.plain or shape.value is not None:
        return {}
    if shape.item is not None:
        return []
    return smallest(types, shape.types[0], depth + 1) if depth < 12 else {}


def body(types: Types, position: Position, value: Any) -> dict[str, Any]:
    """A request that has the value at the position."""
    inner = value
    for number, (kind, key) in reversed(list(enumerate(position.steps))):
        whole = smallest(types, kind)
        if number + 1 < len(position.steps):
            shape = types.by_name[kind][key].shape
            inner = wrapped(shape, position.steps[number + 1][0], inner)
        inner = {**whole, key: inner}
    return inner


def wrapped(shape: Shape, kind: str, value: Any) -> Any:
    """The value where a shape has that type: in a list, in an object, or bare."""
    if kind in shape.types:
        return value
    if shape.item is not None and kind in named(shape.item):
        return [wrapped(shape.item, kind, value)]
    assert shape.value is not None
    return {"key": wrapped(shape.value, kind, value)}


def planted(shape: Shape, canary: str) -> Iterator[Any]:
    """Values of a shape, and some that it does not allow, with the canary in each place."""
    yield canary
    if shape.item is not None or "any" in shape.plain:
        yield [canary]
        yield [[canary]]
    if shape.value is not None or "any" in shape.plain or shape.types:
        yield {"who": canary}
        yield {canary: "x"}
        yield {canary: {canary: [canary]}}
        yield {"properties": {canary: {"description": canary}}}
        yield {"properties": {"who": {"enum": [canary], "description": canary}}}
        yield {"type": "object", "properties": {"who": {"default": canary, "title": canary}}}
        yield [{"who": canary}]
