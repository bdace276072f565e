"""Names of arguments and fields whose values programs follow, and lists that are commands."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from privstamp.restore.addresses import starts_as_address
from privstamp.restore.json_values import escaped
from privstamp.restore.senders import is_command

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_URLS: Final = (
    *("href", "url", "urls", "uri", "uris", "src", "srcset", "link", "links", "endpoint"),
    *("webhook", "webhooks", "callback", "redirect", "permalink", "deeplink", "host", "hostname"),
    *("domain", "proxy", "referer"),
)
_SCRIPTS: Final = (
    *("command", "commands", "cmd", "cmdline", "shell", "bash", "powershell", "script", "scripts"),
    *("argv", "exec", "javascript", "eval"),
)
_FOLLOWED: Final = {**dict.fromkeys(_URLS, "url"), **dict.fromkeys(_SCRIPTS, "script")}


def place_of(value: str, pointer: str, marked: frozenset[str]) -> str | None:
    """The place that a value is by how it starts, by the names on the way, or in a command."""
    if starts_as_address(value):
        return "url"
    steps = pointer.split("/")
    if marked and any("/".join(steps[:end]) in marked for end in range(1, len(steps) + 1)):
        return "script"
    words = {word.lower() for step in steps for word in (step, *_WORD.findall(step))}
    return min((_FOLLOWED[word] for word in words & _FOLLOWED.keys()), default=None)


def commands(text: str) -> frozenset[str]:
    """Pointers to lists and objects of a JSON text that hold the name of a program that sends."""
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    marked: set[str] = set()
    for value in values:
        _mark(value, "", marked)
    return frozenset(marked)


def _mark(value: Any, pointer: str, marked: set[str]) -> None:
    if not isinstance(value, dict | list):
        return
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            if is_command(inner):
                marked.add(pointer)
        else:
            _mark(inner, f"{pointer}/{escaped(step)}", marked)
