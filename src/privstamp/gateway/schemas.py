"""JSON schemas of tools and of structured output, as they leave: words privatised, names checked,
and whatever a schema cannot have refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Protocol

from privstamp.gateway.refused import Refused

_ONE: Final = frozenset(
    {
        *("additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
        *("additionalItems", "unevaluatedItems", "unevaluatedProperties"),
    }
)
_SEVERAL: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_BY_NAME: Final = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
_WORDS: Final = frozenset({"description", "title", "$comment"})
_VALUES: Final = frozenset({"default", "example", "examples"})
_NUMBERS: Final = frozenset(
    {
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxLength"),
        *("minLength", "maxItems", "minItems", "maxContains", "minContains", "maxProperties"),
        "minProperties",
    }
)
_FLAGS: Final = frozenset(
    {"uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable", "strict"}
)
_PATTERNS: Final = {
    "type": re.compile(r"[a-z]{1,10}"),
    "format": re.compile(r"[a-z0-9-]{1,32}"),
    "contentEncoding": re.compile(r"[A-Za-z0-9-]{1,32}"),
    "contentMediaType": re.compile(r"[a-z]{1,20}/[a-z0-9.+-]{1,40}"),
    "$ref": re.compile(r"#(?:/[A-Za-z0-9_.$~-]{1,64}){0,16}"),
    "$schema": re.compile(r"https?://json-schema\.org/[a-z0-9/-]{1,40}#?"),
}
_NAME: Final = re.compile(r"[A-Za-z0-9_.$-]{1,64}")
DEEPEST: Final = 48


class RequestReader(Protocol):
    """What takes texts out of a request."""

    def text(self, value: Any, path: str) -> Any: ...
    def values(self, value: Any, path: str) -> Any: ...
    def check(self, value: Any, path: str) -> Any: ...


def schema(value: Any, path: str, reader: RequestReader, depth: int = 0) -> Any:
    """A schema with holes for its words."""
    if isinstance(value, bool) or value is None:
        return value
    _demand(isinstance(value, dict) and depth <= DEEPEST, path, "is not a JSON schema")
    out: dict[str, Any] = {}
    for key, inner in value.items():
        known = _NAME.fullmatch(key) is not None
        where = f"{path}.{key}" if known else path
        out[key] = _keyword(key, inner, where, reader, depth)
    return out


def _keyword(key: str, value: Any, path: str, reader: RequestReader, depth: int) -> Any:
    def one(inner: Any, where: str) -> Any:
        return schema(inner, where, reader, depth + 1)

    if key in _ONE or (key == "items" and not isinstance(value, list)):
        return one(value, path)
    if key in _SEVERAL or key == "items":
        return _list(value, path, one)
    if key in _BY_NAME:
        return {name: one(inner, f"{path}.{name}") for name, inner in _named(value, path).items()}
    if key == "patternProperties":
        _demand(isinstance(value, dict), path, "is not an object")
        return {reader.check(name, path): one(inner, path) for name, inner in value.items()}
    if key in _WORDS:
        return reader.text(value, path)
    if key in _VALUES:
        return reader.values(value, path)
    if key in ("enum", "const"):
        return _checked(value, path, reader)
    if key == "pattern":
        return reader.check(value, path)
    if key == "required":
        return _list(value, path, _name)
    if key == "dependentRequired":
        return {name: _list(v, path, _name) for name, v in _named(value, path).items()}
    if key == "discriminator":
        fields = _named(value, path)
        _demand(set(fields) <= {"propertyName", "mapping"}, path, "is not known here")
        mapping = _named(fields.get("mapping", {}), path)
        for target in mapping.values():
            _string(target, "$ref", path)
        _name(fields.get("propertyName", ""), path)
        return value
    if key in _NUMBERS:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        _demand(plain, path, "is not a number")
        return value
    if key in _FLAGS:
        _demand(isinstance(value, bool), path, "is not true or false")
        return value
    _demand(key in _PATTERNS, path, "is not known here")
    if key == "type" and isinstance(value, list):
        return _list(value, path, lambda inner, where: _string(inner, key, where))
    return _string(value, key, path)


def _list(value: Any, path: str, step: Callable[[Any, str], Any]) -> list[Any]:
    _demand(isinstance(value, list), path, "is not a list")
    return [step(inner, f"{path}[{number}]") for number, inner in enumerate(value)]


def _checked(value: Any, path: str, reader: RequestReader) -> Any:
    if isinstance(value, str):
        return reader.check(value, path)
    if isinstance(value, list):
        return [_checked(inner, f"{path}[{n}]", reader) for n, inner in enumerate(value)]
    if isinstance(value, int | float) and not isinstance(value, bool):
        reader.check(str(value), path)
        return value
    _demand(not isinstance(value, dict), path, "is an object, which cannot be checked")
    return value


def _named(value: Any, path: str) -> dict[str, Any]:
    right = isinstance(value, dict) and all(map(_NAME.fullmatch, value))
    _demand(right, path, "has a name that is not letters, digits and _ . $ -")
    fields: dict[str, Any] = value
    return fields


def _name(value: Any, path: str) -> Any:
    right = isinstance(value, str) and _NAME.fullmatch(value) is not None
    _demand(right, path, "is not a name of letters, digits and _ . $ -")
    return value


def _string(value: Any, key: str, path: str) -> Any:
    right = isinstance(value, str) and _PATTERNS[key].fullmatch(value) is not None
    _demand(right, path, "is not a value that passes")
    return value


def _demand(right: bool, path: str, why: str) -> None:
    if not right:
        raise Refused("schema", path, why)
