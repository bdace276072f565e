"""How a tokenizer writes pieces in its vocabulary, and the text that each stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

METASPACE: Final = "\u2581"
"""What sentence-piece tokenizers write for a blank."""
_FALLBACK: Final = re.compile(r"<0x([0-9A-F]{2})>")


def _alphabet() -> str:
    """The printable symbol that byte-level tokenizers write for each byte."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return "".join(chr(b if b in printable else next(others)) for b in range(256))


ALPHABET: Final = _alphabet()
_BYTE_OF: Final = {symbol: byte for byte, symbol in enumerate(ALPHABET)}


def reader(
    model: Mapping[str, Any], *, byte_level: bool, metaspace: bool
) -> Callable[[str], str | None]:
    """A function from a name in the vocabulary to its text; None where it is none on its own."""
    prefix = model.get("continuing_subword_prefix") or ""
    suffix = model.get("end_of_word_suffix") or ""
    fallback = bool(model.get("byte_fallback"))

    def read(name: str) -> str | None:
        if fallback and (byte := _FALLBACK.fullmatch(name)):
            code = int(byte[1], 16)
            return chr(code) if code < 0x80 else None
        text = name.removeprefix(prefix).removesuffix(suffix)
        if byte_level:
            return _decoded(text)
        return text.replace(METASPACE, " ") if metaspace else text

    return read


def _decoded(symbols: str) -> str | None:
    try:
        return bytes(_BYTE_OF[symbol] for symbol in symbols).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return None
