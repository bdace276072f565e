"""The texts that an audit runs on: those that come with privstamp, or the user's own."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import Final

from privstamp.errors import InputError
from privstamp.lab.audit.subject import Text
from privstamp.types import Finding

MOST: Final = 30_000
"""Characters of a sample, all texts together."""
_TEXTS: Final = 60
_MARK = re.compile(r"\[\[([^|\]]+)\|([A-Z_]+)\]\]")


def bundled() -> list[Text]:
    """Invented texts of four kinds, with what is sensitive in them marked."""
    source = files("privstamp.lab.audit").joinpath("sample.txt").read_text(encoding="utf-8")
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


def bounded(texts: list[Text]) -> list[Text]:
    """A sample of a size that can be released dozens of times: fewer texts, evenly, and cut."""
    if sum(len(one.text) for one in texts) <= MOST:
        return texts
    taken = texts[:: -(-len(texts) // _TEXTS)]
    return [_cut(one, MOST // len(taken)) for one in taken]


def _cut(one: Text, most: int) -> Text:
    """The beginning of a text, up to a blank."""
    if len(one.text) <= most:
        return one
    end = max(one.text.rfind(" ", 0, most), one.text.rfind("\n", 0, most))
    end = end if end > 0 else most
    marked = one.marked and tuple(span for span in one.marked if span.end <= end)
    return replace(one, text=one.text[:end], marked=marked)


def _entry(line: str, number: int, task: str | None) -> Text:
    try:
        data = json.loads(line)
    except ValueError:
        data = None
    if isinstance(data, dict) and isinstance(data.get("text"), str):
        rest = [data.get(key) for key in ("task", "label")]
        spans = data.get("spans")
        named = all(value is None or isinstance(value, str) for value in rest)
        if named and (spans is None or _are_spans(spans, len(data["text"]))):
            marked = None if spans is None else tuple(_span(*one) for one in spans)
            return Text(data["text"], rest[0] or task, rest[1], marked)
    raise InputError(
        f'line {number} of the sample is not an object with a text, say {{"text": "..."}}; '
        'task and label are strings, spans are [[start, end, "KIND"], ...]'
    )


def _are_spans(spans: object, length: int) -> bool:
    """Whether they are triples of two places in the text and a kind."""
    return isinstance(spans, list) and all(
        isinstance(one, list)
        and [type(part) for part in one] == [int, int, str]
        and 0 <= one[0] < one[1] <= length
        for one in spans
    )


def _span(start: int, end: int, kind: str) -> Finding:
    return Finding(start, end, kind, 1.0, "sample", "marked by hand")


def _marked(source: str, task: str, label: str) -> Text:
    """A text without its marks, and where they were."""
    text, found, at = "", [], 0
    for mark in _MARK.finditer(source):
        text += source[at : mark.start()]
        start = len(text)
        text += mark[1]
        found.append(_span(start, len(text), mark[2]))
        at = mark.end()
    return Text(text + source[at:], task, label, tuple(found))
