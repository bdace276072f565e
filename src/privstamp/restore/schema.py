"""Where a tool's JSON schema has room for text that a person wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_FOLLOWED: Final = frozenset(
    {
        *("uri", "uri-reference", "uri-template", "iri", "iri-reference", "url", "hostname"),
        *("idn-hostname", "ipv4", "ipv6", "json-pointer", "relative-json-pointer", "regex", "uuid"),
    }
)
"""Formats of strings that programs act on."""
_FIXED: Final = ("enum", "const", "contentEncoding", "contentMediaType")
_DEEPEST: Final = 64


def has_text(schema: Mapping[str, Any], pointer: str) -> bool:
    """Whether the value at a pointer may be text by the schema; what it does not name may not."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    return _has_text(schema, schema, steps, 0)


def _has_text(schema: Any, root: Mapping[str, Any], steps: list[str], depth: int) -> bool:
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return False
    if "$ref" in schema:
        return _has_text(_target(root, schema["$ref"]), root, steps, depth + 1)
    for name in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(name)
        if isinstance(branches, list) and any(
            _has_text(branch, root, steps, depth + 1) for branch in branches
        ):
            return True
    if not steps:
        types = schema.get("type")
        text = types == "string" or (isinstance(types, list) and "string" in types)
        fixed = any(name in schema for name in _FIXED) or schema.get("format") in _FOLLOWED
        return text and not fixed
    step, *rest = steps
    properties, items = schema.get("properties"), schema.get("items")
    if isinstance(properties, Mapping) and step in properties:
        return _has_text(properties[step], root, rest, depth + 1)
    inner = items if step.isdecimal() and items is not None else schema.get("additionalProperties")
    return _has_text(inner, root, rest, depth + 1)


def _target(root: Mapping[str, Any], reference: Any) -> Any:
    """What a reference within the schema points to."""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    found: Any = root
    for step in reference[2:].split("/"):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found
