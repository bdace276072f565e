"""Whether a release has the structure of its text: it parses, and names were renamed one to one."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from email import message_from_string
from typing import Any, Final, TypeAlias
from xml.etree import ElementTree

Skeleton: TypeAlias = list[tuple[str, str]]
"""In reading order: what stands there, and its name where it has one that may be exchanged."""
BROKEN: Final = (ValueError, SyntaxError, LookupError, csv.Error)
"""What parsers raise; an encoding that a release invents is a LookupError."""
_STRINGS: Final = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|\'\'|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`|--[^\n]*|(?<!:)//[^\n]*'
)
_LINE: Final = re.compile(r"(\s*)(#{1,6} |[-*+] |\d+[.)] |> ?|```\w*|\|[-:| ]+\|$|\|)?")


def same(form: str, text: str, release: str) -> bool:
    """Whether both have one structure; a text that does not parse itself has none to keep."""
    if not parses(form, text):
        return True
    if not parses(form, release):
        return False
    before, after = READERS[form](text), READERS[form](release)
    if [what for what, _ in before] != [what for what, _ in after]:
        return False
    pairs = {(old, new) for (_, old), (_, new) in zip(before, after, strict=True)}
    return len(pairs) == len({old for old, _ in pairs}) == len({new for _, new in pairs})


def parses(form: str, text: str) -> bool:
    """Whether a text is of that form."""
    try:
        READERS[form](text)
    except BROKEN:
        return False
    return True


def _json(text: str) -> Skeleton:
    return list(_walk(json.loads(text)))


def _walk(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield f"object {len(value)}", ""
        for key, item in value.items():
            yield "key", key
            yield from _walk(item)
    elif isinstance(value, list):
        yield f"list {len(value)}", ""
        for item in value:
            yield from _walk(item)
    else:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        yield "number" if number else type(value).__name__, ""


def _json_lines(text: str) -> Skeleton:
    return [item for line in text.splitlines() if line.strip() for item in _json(line)]


def _csv(text: str) -> Skeleton:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    if not rows:
        raise ValueError("not CSV")
    names = [(f"column {delimiter}", name) for name in rows[0]]
    return names + [(f"row {len(row)}", "") for row in rows[1:]]


def _xml(text: str) -> Skeleton:
    root = ElementTree.fromstring(text.encode())  # noqa: S314
    return [
        item
        for element in root.iter()
        for item in (
            (f"element {len(element)}", element.tag),
            *(("attribute", name) for name in element.attrib),
        )
    ]


def _python(text: str) -> Skeleton:
    return [(type(node).__name__, "") for node in ast.walk(ast.parse(text))]


def _operators(text: str) -> Skeleton:
    """Of code without a parser here: signs outside of strings and comments, line by line."""
    bare = _STRINGS.sub(lambda match: '""' if match[0][0] in "\"'`" else "", text)
    return [(sign, "") for line in bare.split("\n") for sign in (*re.findall(r"[^\w\s]", line), "")]


def _mail(text: str) -> Skeleton:
    message = message_from_string(text)
    headers = [(f"header {name.lower()}", "") for name in message.keys()]  # noqa: SIM118
    if not headers:
        raise ValueError("not mail")
    return headers + _lines(str(message.get_payload()))


def _lines(text: str) -> Skeleton:
    """Lines by their indent and what opens them: headings, items, quotes, fences, tables."""
    found = []
    for line in text.split("\n"):
        opening = _LINE.match(line)
        mark = "".join(part or "" for part in opening.groups()) if opening else ""
        mark = re.sub(r"\d+", "1", mark)
        found.append((f"{mark}{'...' if line.strip() else ''}", ""))
    return found


def _chat(text: str) -> Skeleton:
    """Turns, and who speaks."""
    turns = [re.match(r"(\[[^\]]*\] )?([^:\n]{1,40}):", line) for line in text.split("\n")]
    return [("turn", turn[2]) if turn else ("line", "") for turn in turns]


READERS: Final[Mapping[str, Callable[[str], Skeleton]]] = {
    "json": _json,
    "jsonl": _json_lines,
    "csv": _csv,
    "xml": _xml,
    "python": _python,
    "javascript": _operators,
    "sql": _operators,
    "mail": _mail,
    "chat": _chat,
    "markdown": _lines,
    "log": _lines,
    "trace": _lines,
    "plain": _lines,
}
