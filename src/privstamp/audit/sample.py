"""The texts that an audit runs on: those that come with privstamp, or the user's own."""

from __future__ import annotations

import json
import re
from importlib.resources import files

from privstamp.audit.subject import Text
from privstamp.errors import InputError
from privstamp.types import Finding

_MARK = re.compile(r"\[\[([^|\]]+)\|([A-Z_]+)\]\]")


def bundled() -> list[Text]:
    """Invented texts of four kinds, with what is sensitive in them marked."""
    source = files("privstamp.audit").joinpath("sample.txt").read_text(encoding="utf-8")
    texts = []
    for entry in source.split("\n= "):
        head, _, body = entry.removeprefix("= ").partition("\n")
        label, _, task = head.partition(" | ")
        texts.append(_marked(body.strip(), task, label))
    return texts


def read(source: str, name: str, task: str | None) -> list[Text]:
    """The user's own texts: one file is one text; a .jsonl file has one in each line."""
    if not name.endswith(".jsonl"):
        return [Text(source, task)] if source.strip() else []
    texts = []
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip():
            texts.append(_entry(line, number, task))
    return texts


def _entry(line: str, number: int, task: str | None) -> Text:
    try:
        data = json.loads(line)
    except ValueError:
        data = None
    keys = ("text", "task", "label")
    if isinstance(data, dict) and isinstance(data.get("text"), str):
        rest = [data.get(key) for key in keys[1:]]
        if all(value is None or isinstance(value, str) for value in rest):
            return Text(data["text"], rest[0] or task, rest[1])
    raise InputError(
        f'line {number} of the sample is not an object with a text, say {{"text": "..."}}; '
        "task and label are strings"
    )


def _marked(source: str, task: str, label: str) -> Text:
    """A text without its marks, and where they were."""
    text, found, at = "", [], 0
    for mark in _MARK.finditer(source):
        text += source[at : mark.start()]
        start = len(text)
        text += mark[1]
        found.append(Finding(start, len(text), mark[2], 1.0, "sample", "marked by hand"))
        at = mark.end()
    return Text(text + source[at:], task, label, tuple(found))
