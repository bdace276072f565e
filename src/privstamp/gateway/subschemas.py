"""Parts of a client's JSON schema that speak about a value: where it points to, what it allows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_MOST: Final = 300
"""Schemas that speak about one value."""
_NAMED: Final = ("$defs", "definitions", "properties")
_SINGLE: Final = ("items", "additionalProperties")
_LONGEST_PATTERN: Final = 200
_LONGEST_TEXT: Final = 300
_COSTLY: Final = re.compile(r"[*+?}][*+{]|\)[*+{]|\\\d|\(\?[^:]")
"""Patterns that may take for ever, such as those that repeat a group, or read differently here than
elsewhere."""
_REPEATS: Final = re.compile(r"[*+]|\{\d*,\d*\}")
_MOST_REPEATS: Final = 3
"""Of a pattern; it may begin anywhere unless it says where, which is one more."""
_FORMATS: Final = {
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d\S*"),
    "time": re.compile(r"\d\d:\d\d\S*"),
    "uuid": re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
}


def resolved(schema: Any, root: Any, seen: set[int] | None = None) -> list[Mapping[str, Any]]:
    """A schema and those that it joins, references followed, each once."""
    seen = set() if seen is None else seen
    if not isinstance(schema, Mapping) or id(schema) in seen or len(seen) > _MOST:
        return []
    seen.add(id(schema))
    schemas: list[Mapping[str, Any]] = [schema]
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        schemas += resolved(_target(reference[2:].split("/"), root), root, seen)
    for name in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(name)
        for branch in branches if isinstance(branches, list) else ():
            schemas += resolved(branch, root, seen)
    return schemas


def _target(steps: list[str], root: Any) -> Any:
    """Where a reference leads, among schemas: what stands in a default or an example is data, and
    nobody has checked it."""
    target = root
    while steps and isinstance(target, Mapping):
        room, *rest = steps
        if room in _NAMED and rest:
            named = target.get(room)
            target = named.get(rest[0]) if isinstance(named, Mapping) else None
            steps = rest[1:]
        elif room in _SINGLE:
            target, steps = target.get(room), rest
        else:
            return None
    return target


def below(schemas: list[Mapping[str, Any]], step: str | int, root: Any) -> list[Mapping[str, Any]]:
    """The schemas of a value within."""
    inner: list[Mapping[str, Any]] = []
    for schema in schemas:
        if isinstance(step, int):
            listed = schema.get("prefixItems")
            if isinstance(listed, list) and step < len(listed):
                inner += resolved(listed[step], root)
            else:
                inner += resolved(schema.get("items"), root)
        else:
            properties = schema.get("properties")
            if isinstance(properties, Mapping) and step in properties:
                inner += resolved(properties[step], root)
            else:
                inner += resolved(schema.get("additionalProperties"), root)
    return inner


def names(schemas: list[Mapping[str, Any]], key: str) -> bool:
    """Whether the schemas name that key."""
    maps = (schema.get("properties") for schema in schemas)
    return any(isinstance(each, Mapping) and key in each for each in maps)


def fixes(schemas: list[Mapping[str, Any]], value: Any) -> bool:
    """Whether the schemas list that value."""
    for schema in schemas:
        listed = schema.get("enum")
        if isinstance(listed, list) and value in listed:
            return True
        if "const" in schema and schema["const"] == value:
            return True
    return False


def at(schema: Any, pointer: str) -> list[Mapping[str, Any]]:
    """The schemas of the value that a pointer (RFC 6901) leads to."""
    schemas = resolved(schema, schema)
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        index = name.isdecimal() and any(
            "items" in each or "prefixItems" in each for each in schemas
        )
        schemas = below(schemas, int(name) if index else name, schema)
    return schemas


def fits(schema: Any, pointer: str, text: str) -> bool:
    """Whether nothing that the schema says of that place forbids the text."""
    return all(_allows(each, text) for each in at(schema, pointer))


def _allows(schema: Mapping[str, Any], text: str) -> bool:
    listed = schema.get("enum")
    if (isinstance(listed, list) and text not in listed) or schema.get("const", text) != text:
        return False
    longest, shortest = schema.get("maxLength"), schema.get("minLength")
    if isinstance(longest, int) and len(text) > longest:
        return False
    if isinstance(shortest, int) and len(text) < shortest:
        return False
    shape = _FORMATS.get(str(schema.get("format")))
    if shape is not None and shape.fullmatch(text) is None:
        return False
    pattern = schema.get("pattern")
    return not isinstance(pattern, str) or _matches(pattern, text)


def _matches(pattern: str, text: str) -> bool:
    repeats = len(_REPEATS.findall(pattern)) + (not pattern.startswith("^"))
    long = len(pattern) > _LONGEST_PATTERN or len(text) > _LONGEST_TEXT
    if long or repeats > _MOST_REPEATS or _COSTLY.search(pattern):
        return False
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False
