"""Whether a reply is JSON, as far as its first characters tell: lenient, as programs are."""

from __future__ import annotations

import re
from typing import Final

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
            found = _string_or_word(head, at, "key" if kept else expected)
            if found is None:
                return False
            end, text = found
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
