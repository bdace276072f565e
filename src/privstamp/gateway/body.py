"""JSON of a request or a reply, read with suspicion: one object, each key once, plain numbers."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from privstamp.gateway.refused import Refused

DEEPEST: Final = 100
"""Brackets within brackets."""
LARGEST: Final = 2**63
"""Of whole numbers, as other programs read them."""


class _Odd(ValueError):
    """Says which rule the JSON breaks."""


def read_object(body: bytes) -> dict[str, Any]:
    """The object that a body is; anything else is refused, and nothing of it is quoted."""
    trouble = "is not valid JSON in UTF-8"
    try:
        value = parsed(body.decode("utf-8"))
    except _Odd as error:
        value, trouble = None, str(error)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        if value is not None:
            trouble = "is not an object"
        raise Refused("bad_json", "", f"the body {trouble}")
    return value


def parsed(text: str) -> Any:
    """A JSON text by the same rules; ValueError for what breaks them."""
    value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_whole)
    _check(value, 0)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _Odd("has a key twice in one object")
    return fields


def _no_constant(_: str) -> NoReturn:
    raise _Odd("has a number that is none")


def _whole(digits: str) -> int:
    number = int(digits) if len(digits) < 25 else LARGEST
    if not -LARGEST <= number < LARGEST:
        raise _Odd("has a number of more than 64 bits")
    return number


def _check(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise _Odd(f"is nested more than {DEEPEST} deep")
    if isinstance(value, dict):
        for key, inner in value.items():
            _text(key)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)
    elif isinstance(value, str):
        _text(value)
    elif isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise _Odd("has a number that is none")


def _text(text: str) -> None:
    whole = True
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            whole = False
    if not whole:
        raise _Odd("has a lone surrogate, which is no character")


def canonical(value: Any) -> str:
    """One text for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def compact(value: Any) -> str:
    """As it stands, without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
