"""E-mail addresses and links: found first, because they hold what otherwise ends a word."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from privstamp.spaces import characters as c

EMAIL: Final = "\ue000"  # stands for every character of an address; the text's own private-use
URL: Final = "\ue001"  # characters are drawn as control characters, so these two are free

_ALNUM: Final = f"0-9A-Za-z{c.UPPER}{c.LOWER}{c.SPACED}"
_LOCAL: Final = f"{_ALNUM}{c.MARK}._%+=\\-"
_LABEL: Final = f"[{_ALNUM}][{_ALNUM}{c.MARK}\\-]{{0,62}}+"
_BODY: Final = f"{_ALNUM}{c.MARK}_/#&=%+~@$*{c.SYMBOL}\\-"
_PATH: Final = f"(?:[{_BODY}]++|[.,;:!?'()]++(?=[{_BODY}]))"
_DOMAINS: Final = (
    *("com", "org", "net", "edu", "gov", "mil", "info", "biz", "io", "ai", "app", "dev"),
    *("au", "br", "ca", "ch", "cn", "de", "eu", "fr", "jp", "nl", "ru", "uk"),
)
"""Endings that make words joined by dots a host; endings that are English words are left out."""
_ENDING: Final = (
    rf"\.(?:{'|'.join([*_DOMAINS, *(name.upper() for name in _DOMAINS)])})(?![{_ALNUM}{c.MARK}\-])"
)

_EMAILS: Final = re.compile(
    f"(?<![{_LOCAL}])[{_LOCAL}]{{1,256}}+@"
    rf"(?:{_LABEL}(?:\.{_LABEL})++|[A-Za-z{c.UPPER}{c.LOWER}{c.SPACED}][{_ALNUM}{c.MARK}\-]*+)"
)
_LINKS: Final = re.compile(
    rf"(?<![{_ALNUM}])(?:[A-Za-z][A-Za-z0-9+.\-]{{1,20}}+://|www\.|WWW\.){_PATH}++/?+"
)
_HOSTS: Final = re.compile(
    rf"(?<![{_ALNUM}{c.MARK}@.\-]){_LABEL}(?:(?!{_ENDING})\.{_LABEL})*+{_ENDING}(?:{_ENDING})*+"
    rf"(?::[0-9]{{1,5}}+)?+(?:[/?#]{_PATH}*+)?+"
)
_HINT: Final = re.compile(_ENDING)


def cover(sketch: str) -> str:
    """The sketch with every address and link drawn over, at the same length."""
    if "://" in sketch or "www." in sketch or "WWW." in sketch:
        sketch = _LINKS.sub(_with(URL), sketch)
    if "@" in sketch:
        sketch = _EMAILS.sub(_with(EMAIL), sketch)
    if _HINT.search(sketch):
        sketch = _HOSTS.sub(_with(URL), sketch)
    return sketch


def _with(stand_in: str) -> Callable[[re.Match[str]], str]:
    def drawn(match: re.Match[str]) -> str:
        """A last slash stays: what follows it, a field of a program's string, needs it."""
        body = match[0].rstrip("/")
        size = len(match[0]) if body.endswith(":") else len(body)
        return stand_in * size + match[0][size:]

    return drawn
