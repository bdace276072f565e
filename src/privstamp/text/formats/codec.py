"""How a field is written in its format: from raw characters to text, and from new text back.

`encode` is given the field as it was written, so that what is put in its place is written alike.
Whatever text it is given, what it returns is one whole field of the format.
"""

from __future__ import annotations

import json
import re
from typing import Final, Protocol

_LONE: Final = re.compile("[\ud800-\udfff]")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_FIGURES: Final = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_BREAKS: Final = re.compile(r"[\r\n]+")


class Codec(Protocol):
    """Reads and writes one kind of field."""

    def decode(self, raw: str) -> str: ...

    def encode(self, text: str, raw: str) -> str: ...


class AsWritten:
    """Text of one line: nothing is escaped, and no new line may come in."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        if "\n" in raw or "\r" in raw:
            return text
        return _BREAKS.sub(" ", text)


class JsonString:
    """What stands between the quotes of a JSON string."""

    def decode(self, raw: str) -> str:
        if "\\" not in raw:
            return raw
        return _LONE.sub("", json.loads(f'"{raw}"', strict=False))

    def encode(self, text: str, raw: str) -> str:
        return json.dumps(text, ensure_ascii=raw.isascii())[1:-1]


class Number:
    """A number stays one: of what was drawn for it, the figures are written without a leading 0."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        if _NUMBER.fullmatch(text):
            return text
        figures = "".join(_FIGURES.findall(text)[:1]) or "1"
        if "." not in figures and "." not in raw:
            figures = "".join(re.findall(r"[0-9]", text)) or "1"
        whole, point, rest = figures.partition(".")
        sign = "-" if raw.startswith("-") else ""
        return f"{sign}{whole.lstrip('0') or '0'}{point}{rest}"


AS_WRITTEN: Final = AsWritten()
JSON_STRING: Final = JsonString()
NUMBER: Final = Number()
