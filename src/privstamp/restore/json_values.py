"""JSON: values are put back inside of strings that are values, escaped; keys stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from privstamp.restore.outcome import PutBack, Restored, Withheld

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
