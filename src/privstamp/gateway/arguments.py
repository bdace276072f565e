"""Arguments of a tool call: values are privatised, keys and fixed values of the tool's own schema
stay, and JSON in strings is opened as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from privstamp.gateway.body import canonical, compact, parsed
from privstamp.gateway.subschemas import below, fixes, names, resolved
from privstamp.sessions.messages import Text

DEEPEST: Final = 8
"""JSON within strings of JSON."""
_LONG: Final = 10_000
"""Whole numbers from here on may be somebody's."""
_KEEP, _KEY, _STRING, _NUMBER = "k", "f", "s", "n"

Path = tuple[str | int, ...]


class Arguments:
    """PRIVATE. One value taken apart into texts, and put together again."""

    def __init__(self, value: Any, schema: Any = None) -> None:
        self._root = schema
        self._keys: list[str] = []
        self._marks: dict[Path, tuple[str, Any]] = {}
        self._texts = False
        self._document = self._open(value, resolved(schema, schema), (), 0)

    @property
    def texts(self) -> tuple[Text, ...]:
        """What is to be released: the values as JSON, then keys that no schema names."""
        keys = tuple(Text(key) for key in self._keys)
        return (Text(compact(self._document), is_json=True), *keys) if self._texts else keys

    def closed(self, released: list[str]) -> Any:
        """The value with released texts in it."""
        document = json.loads(released[0]) if self._texts else self._document
        return self._close(document, (), released[1:] if self._texts else released)

    def _open(self, value: Any, schemas: list[Mapping[str, Any]], path: Path, depth: int) -> Any:
        if isinstance(value, dict):
            fields: dict[str, Any] = {}
            for key, inner in value.items():
                name = key
                if not names(schemas, key):
                    name = f"field_{len(self._keys)}"
                    while name in value or names(schemas, name):
                        name += "_"
                    self._keys.append(key)
                    self._marks[(*path, name, _KEY)] = _KEY, len(self._keys) - 1
                at = below(schemas, key, self._root)
                fields[name] = self._open(inner, at, (*path, name), depth)
            return fields
        if isinstance(value, list):
            return [
                self._open(inner, below(schemas, n, self._root), (*path, n), depth)
                for n, inner in enumerate(value)
            ]
        if value is not None and fixes(schemas, value):
            self._marks[path] = _KEEP, value
            return None
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._texts = True  # a place, a birthday or a PIN may be all numbers
            if isinstance(value, int) and abs(value) >= _LONG:
                self._marks[path] = _NUMBER, None
                value = str(value)
        if isinstance(value, str):
            return self._string(value, path, depth)
        return value

    def _string(self, value: str, path: Path, depth: int) -> Any:
        if depth < DEEPEST and value.lstrip()[:1] in ("{", "["):
            try:
                inner = parsed(value)
            except (ValueError, RecursionError):
                inner = None
            if inner is not None:
                self._marks[path] = _STRING, None
                return self._open(inner, [], (*path, _STRING), depth + 1)
        self._texts |= bool(value.strip())
        return value

    def _close(self, value: Any, path: Path, keys: list[str]) -> Any:
        mark, content = self._marks.get(path, ("", None))
        if mark == _KEEP:
            return content
        if mark == _STRING:
            return canonical(self._within(value, (*path, _STRING), keys))
        if mark == _NUMBER:
            digits = value.lstrip("-")
            return int(value) if digits.isascii() and digits.isdecimal() else value
        return self._within(value, path, keys)

    def _within(self, value: Any, path: Path, keys: list[str]) -> Any:
        if isinstance(value, dict):
            fields = {}
            for name, inner in value.items():
                _, number = self._marks.get((*path, name, _KEY), ("", None))
                key = name if number is None else keys[number]
                while key in fields:
                    key += "_"
                fields[key] = self._close(inner, (*path, name), keys)
            return fields
        if isinstance(value, list):
            return [self._close(inner, (*path, n), keys) for n, inner in enumerate(value)]
        return value
