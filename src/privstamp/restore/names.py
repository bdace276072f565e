"""Names of arguments and fields whose values programs follow, and lists that are commands."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from privstamp.restore.addresses import starts_as_address
from privstamp.restore.json_values import escaped
from privstamp.restore.senders import is_command

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_URLS: Final = (
    *("href", "url", "urls", "uri", "uris", "src", "srcset", "link", "links", "endpoint"),
    *("webhook", "webhooks", "callback", "redirect", "permalink", "deeplink", "host", "hostname"),
    *("domain", "proxy", "referer", "website", "ip", "avatar", "path", "cwd"),
)
_SCRIPTS: Final = (
    *("command", "commands", "cmd", "cmdline", "shell", "bash", "powershell", "script", "scripts"),
    *("argv", "exec", "javascript", "eval", "formula"),
)
_FOLLOWED: Final = {**dict.fromkeys(_URLS, "url"), **dict.fromkeys(_SCRIPTS, "script")}
_WHOLE: Final = {
    **dict.fromkeys(("server", "site", "icon", "base"), "url"),
    **dict.fromkeys(("code", "expression"), "script"),
}
"""Names that count only by themselves: a postal_code is none."""
_BASES: Final = frozenset({"base", "baseurl", "base_url", "prefix", "origin"})


def place_of(value: str, pointer: str, marked: Mapping[str, str]) -> str | None:
    """The place that a value is by how it starts, by the names on the way, or in a command."""
    if starts_as_address(value):
        return "url"
    steps = pointer.split("/")
    above = ("/".join(steps[:end]) for end in range(1, len(steps) + 1))
    places = [marked[each] for each in above if each in marked] if marked else []
    for step in map(_plain, steps):
        names = {word.lower() for word in (step, *_WORD.findall(step))}
        places += [_FOLLOWED[name] for name in names & _FOLLOWED.keys()]
        places += [_WHOLE[step.lower()]] if step.lower() in _WHOLE else []
    return min(places, default=None)


def _plain(step: str) -> str:
    """A name without the forms of letters that look alike, such as full-width ones."""
    return unicodedata.normalize("NFKC", step)


def commands(text: str) -> dict[str, str]:
    """The place of lists and objects of a JSON text, by pointer, that hold the name of a program
    that sends, or the start of a link that others may be joined to."""
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    marked: dict[str, str] = {}
    for value in values:
        _mark(value, "", marked)
    return marked


def _mark(value: Any, pointer: str, marked: dict[str, str]) -> None:
    if not isinstance(value, dict | list):
        return
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            joined = isinstance(value, list) or _plain(str(step)).lower() in _BASES
            if is_command(inner):
                marked[pointer] = "script"
            elif joined and starts_as_address(inner):
                marked.setdefault(pointer, "url")
        else:
            _mark(inner, f"{pointer}/{escaped(step)}", marked)
