"""JSON in a reply: told by its first characters, its strings put back, a tool's schema kept to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from privstamp.restore.outcome import PutBack, Restored, Withheld

# JSON: values are put back inside of strings that are values, escaped; keys stay as they are.


_FENCE: Final = re.compile(
    r"(\s*(?:`{3,}|~{3,})[ \t]*(?:json\w*)?[ \t]*\r?\n)(.*?)(\r?\n(?:`{3,}|~{3,})\s*)",
    re.DOTALL | re.IGNORECASE,
)
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
_COLON: Final = re.compile(r"\s*:")

Value = Callable[[str, str, bool], Restored]
"""Restores a string, given its pointer (RFC 6901) and whether it is a key."""


def is_json(text: str) -> bool:
    """Whether it is one JSON text, or one on each line."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        return len(lines) > 1 and all(isinstance(json.loads(line), dict | list) for line in lines)
    except (ValueError, RecursionError):
        return False


def unfenced(reply: str) -> tuple[str, str, str]:
    """What stands before, in and after a code fence around all of it."""
    fence = _FENCE.fullmatch(reply)
    return ("", reply, "") if fence is None else (fence[1], fence[2], fence[3])


def restored_json(text: str, value: Value) -> Restored:
    """A valid JSON text with every string restored by `value`."""
    pieces: list[str] = []
    put_back: list[PutBack] = []
    withheld: list[Withheld] = []
    path: list[str | int] = []  # a key, or how many values came before, for each open bracket
    copied = length = 0
    active = False
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            path.append("" if sign == "{" else 0)
        elif sign in "}]":
            path.pop()
        elif sign == ",":
            if path and isinstance(path[-1], int):
                path[-1] += 1
        else:
            key = bool(path) and isinstance(path[-1], str) and _COLON.match(text, token.end())
            content = json.loads(sign, strict=False)
            if key:
                path[-1] = content
            outcome = value(content, _pointer(path), bool(key))
            active |= outcome.active
            if not outcome.put_back and not outcome.withheld:
                continue
            before = text[copied : token.start()] + '"'
            length += len(before)
            ascii_only = "\\u" in sign

            def at(
                position: int, base: int = length, out: Restored = outcome, plain: bool = ascii_only
            ) -> int:
                return base + len(_escaped(out.text[:position], plain))

            put_back += [replace(b, start=at(b.start), end=at(b.end)) for b in outcome.put_back]
            withheld += [replace(w, start=at(w.start), end=at(w.end)) for w in outcome.withheld]
            written = _escaped(outcome.text, ascii_only) + '"'
            pieces += (before, written)
            length += len(written)
            copied = token.end()
    pieces.append(text[copied:])
    return Restored("".join(pieces), tuple(put_back), tuple(withheld), active)


def _escaped(text: str, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{escaped(step)}" for step in path)


def escaped(step: str | int) -> str:
    """A key or a number as a step of a pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


# Whether a reply is JSON, as far as its first characters tell: lenient, as programs are.


_LEAD: Final = re.compile(
    r"[\s\u200b-\u200f\u2060\ufeff]*(?:(?:`{3,}|~{3,})[ \t]*(?:json\w*)?[ \t]*\r?\n\s*)?", re.I
)
_SKIPPED: Final = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z))+", re.S)
_STRING: Final = re.compile(r"\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'(?:[^'\\]|\\.)*(?:'|\\?\Z)", re.S)
_BARE: Final = re.compile(r"[\w$+.\-]+")
_VALUE: Final = re.compile(r"(?:true|false|null|None|True|False|NaN|-?\d[\d.eE+\-]*)(?!\w)")
_LITERALS: Final = ("true", "false", "null", "None", "True", "False", "NaN", "-0")
"""Values that may be cut off before they can be told."""


def starts_as_json(head: str) -> bool:
    """Whether this, the beginning of a reply, begins an object or a list and nothing in it is
    anything else. A list of numbers alone, as [1], counts as text once other text follows."""
    at = _after(_SKIPPED, head, _after(_LEAD, head, 0))
    if head[at : at + 1] not in ("{", "["):
        return False
    stack: list[str] = []
    telling = False
    expected = "value"
    while True:
        at = _after(_SKIPPED, head, at)
        if at >= len(head):
            return True
        sign = head[at]
        if expected in ("value", "first") and sign in "{[":
            telling |= sign == "{" and bool(stack)
            stack.append(sign)
            expected = "key" if sign == "{" else "first"
            at += 1
        elif sign in "}]" and expected in ("key", "first", "next", "value") and stack:
            if (stack.pop(), sign) not in (("{", "}"), ("[", "]")):
                return False
            expected = "next"
            at += 1
            if not stack:
                rest = head[at:].lstrip()
                return telling or not rest or rest[0] in "{[,`~"
        elif expected == "next" and sign == ",":
            expected = "key" if stack[-1] == "{" else "value"
            at += 1
        elif expected == "colon" and sign == ":":
            expected, telling = "value", True
            at += 1
        else:
            kept = expected == "value" and stack[-1:] == ["{"]
            token = _string_or_word(head, at, "key" if kept else expected)
            if token is None:
                return False
            end, text = token
            telling |= text
            at, expected = end, "colon" if expected == "key" else "next"


def _string_or_word(head: str, at: int, expected: str) -> tuple[int, bool] | None:
    if expected not in ("key", "value", "first"):
        return None
    string = _STRING.match(head, at)
    if string is not None:
        return string.end(), expected != "key"
    if expected != "key" and any(word.startswith(head[at:]) for word in _LITERALS):
        return len(head), False  # cut off
    word = (_BARE if expected == "key" else _VALUE).match(head, at)
    return None if word is None else (word.end(), False)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return at if match is None else match.end()


# Where a tool's JSON schema has room for text that a person wrote.


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
    value: Any = root
    for step in reference[2:].split("/"):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value
