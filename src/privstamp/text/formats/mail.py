"""Letters with headers, RFC 5322: header names pass, each value is a field, quote marks pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import Header, decode_header, make_header
from typing import Final

from privstamp.text.formats.codec import AS_WRITTEN
from privstamp.text.formats.malformed import Malformed
from privstamp.text.formats.names import names_person
from privstamp.text.formats.template import Sheet

_FIELD: Final = re.compile(
    r"(?P<name>[!-9;-~]+)[ \t]*:(?P<value>[^\r\n]*(?:\r?\n[ \t]+\S[^\r\n]*)*)"
)
_END: Final = re.compile(r"\r?\n|\Z")
_TELLING: Final = frozenset({"from", "to", "subject", "date", "message-id", "received", "sender"})
_PEOPLE: Final = frozenset(
    {"from", "to", "cc", "bcc", "sender", "reply-to", "delivered-to", "return-path"}
    | {"resent-from", "resent-to", "x-original-to", "envelope-to", "disposition-notification-to"}
)
_IDS: Final = frozenset(
    {"message-id", "in-reply-to", "references", "received", "dkim-signature", "list-id"}
    | {"content-id", "arc-seal", "arc-message-signature", "thread-index", "mime-version"}
    | {"content-type", "content-transfer-encoding", "content-disposition", "thread-topic"}
)
_BOX: Final = re.compile(
    r'"(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"|<(?P<box>[^<>\s]+)>|(?P<alone>[^\s<>",;:]+@[^\s<>",;]+)'
    r'|(?P<name>[^\s<>",;:@][^<>",;:@\r\n]*[^\s<>",;:@]|[^\s<>",;:@])'
)
_ID: Final = re.compile(
    r"\[(?P<address>[0-9a-fA-F.:]+)\]|;(?P<date>[^\r\n]*:\d\d[^\r\n]*)|<(?P<id>[^\s<>]+@[^\s<>]+)>"
    r"|[^\s<>()\[\];,=\"]+"
)
_QUOTE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_BOUNDARY: Final = re.compile(r'boundary="?([^";\s]+)', re.IGNORECASE)
_SPECIAL: Final = re.compile(r'[()<>\[\]:;@\\,."]')
_CODED: Final = "=?"


class HeaderText:
    """A value as it is shown; what is not ASCII is coded as headers are."""

    def decode(self, raw: str) -> str:
        if _CODED not in raw:
            return raw
        try:
            return str(make_header(decode_header(raw)))
        except (HeaderParseError, LookupError, ValueError):
            return raw

    def encode(self, text: str, raw: str) -> str:
        line = (
            " ".join(text.split("\n")) if "\n" not in raw else re.sub(r"\n(?![ \t])", "\n ", text)
        )
        if raw.isascii() and not line.isascii():
            return Header(" ".join(line.split()), "utf-8").encode(maxlinelen=0)
        return line


class Name(HeaderText):
    """A name before an address: in quotes where it has signs that mean something there."""

    def encode(self, text: str, raw: str) -> str:
        line = super().encode(" ".join(text.split()), raw)
        return f'"{_escaped(line)}"' if _CODED not in line and _SPECIAL.search(line) else line


class QuotedName:
    """A name in quotes."""

    def decode(self, raw: str) -> str:
        return re.sub(r"\\(.)", r"\1", raw)

    def encode(self, text: str, raw: str) -> str:
        del raw
        return _escaped(" ".join(text.split()))


class Address:
    """What stands in angle brackets, or alone: no blank, no bracket."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return re.sub(r'[\s<>",;:]+', ".", text)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


_TEXT, _NAME, _QUOTED, _ADDRESS = HeaderText(), Name(), QuotedName(), Address()


def read(sheet: Sheet, start: int, end: int) -> None:
    """Headers up to a blank line, then the body."""
    position, boundaries = start, []
    fields = list(_fields(sheet.raw, start, end))
    if not _TELLING & {field["name"].lower() for field in fields}:
        raise Malformed(1, 1)
    for field in fields:
        _value(sheet, field["name"].lower(), *field.span("value"))
        boundaries += _BOUNDARY.findall(field["value"])
        position = field.end()
    blank = re.compile(r"\r?\n[ \t]*\r?\n|\s*\Z").match(sheet.raw, position, end)
    if blank is None:
        raise Malformed(sheet.raw.count("\n", start, position) + 2, 1)
    _body(sheet, blank.end(), end, boundaries)


def _fields(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    position = start
    while (field := _FIELD.match(text, position, end)) is not None:
        yield field
        if (stop := _END.match(text, field.end(), end)) is None or stop.end() == field.end():
            return
        position = stop.end()


def _value(sheet: Sheet, name: str, start: int, end: int) -> None:
    """The value of one header."""
    if name in _PEOPLE:
        for box in _BOX.finditer(sheet.raw, start, end):
            group = box.lastgroup or ""
            codec = {"quoted": _QUOTED, "name": _NAME}.get(group, _ADDRESS)
            before = f"\n{name}: " if group in ("quoted", "name") else " "
            shown = codec.decode(box[group])  # type: ignore[attr-defined]
            person = group in ("quoted", "name") and names_person(name, shown)
            kind = "PERSON" if person else ""
            sheet.prose(*box.span(group), codec, before, kind)  # type: ignore[arg-type]
    elif name in _IDS:
        for part in _ID.finditer(sheet.raw, start, end):
            if group := part.lastgroup or "":
                kind = "EMAIL_ADDRESS" if group == "id" else ""
                sheet.prose(*part.span(group), _ADDRESS if kind else AS_WRITTEN, "\n", kind)
            elif any(map(str.isalnum, part[0])):
                sheet.key(*part.span(), _ADDRESS)
    else:
        value = sheet.raw[start:end]
        sheet.prose(start + len(value) - len(value.lstrip()), end, _TEXT, f"\n{name}: ")


def _body(sheet: Sheet, start: int, end: int, boundaries: list[str]) -> None:
    """Stretches of lines between marks of quotes and of parts."""
    position = start
    marks = [match.span() for match in _QUOTE.finditer(sheet.raw, start, end)]
    for boundary in boundaries:
        pattern = re.compile(rf"^--{re.escape(boundary)}(?:--)?", re.MULTILINE)
        marks += [match.span() for match in pattern.finditer(sheet.raw, start, end)]
    for first, last in [*sorted(marks), (end, end)]:
        text = sheet.raw[position:first]
        sheet.prose(
            position + len(text) - len(text.lstrip()),
            position + len(text.rstrip()),
            AS_WRITTEN,
            "\n\n" if position == start else "\n",
        )
        if sheet.raw.startswith("--", first):
            sheet.key(first + 2, first + len(sheet.raw[first:last].removesuffix("--")), _ADDRESS)
        position = last


def is_mail(text: str) -> bool:
    """Two headers at least that letters have, on the first lines, and nothing else there."""
    names = [field["name"].lower() for field in _fields(text[:20_000], 0, min(len(text), 20_000))]
    return len(_TELLING & set(names)) > 1
