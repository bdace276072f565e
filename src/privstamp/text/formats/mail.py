"""Letters with headers, RFC 5322: header names pass, each value is a field, quote marks pass.

Bodies that are written in code are opened before (see `mime`).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from email.charset import BASE64, QP, Charset
from email.errors import HeaderParseError
from email.header import Header, decode_header, make_header
from typing import Final

from privstamp.text.formats import csv_table, json_text, markdown, markup
from privstamp.text.formats.codec import AS_WRITTEN, Malformed
from privstamp.text.formats.mime import headers, outline
from privstamp.text.formats.names import names_person
from privstamp.text.formats.template import FieldSheet

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
_SPECIAL: Final = re.compile(r'[()<>\[\]:;@\\,."]')
_CODED: Final = "=?"
_CODED_WORD: Final = re.compile(r"=\?(?P<charset>[\w.:-]+)(?:\*[\w-]+)?\?(?P<by>[bBqQ])\?")


class HeaderText:
    """A value as it is shown; what is not ASCII, or was coded, is coded as headers are."""

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
        coded = _CODED_WORD.search(raw)
        if coded or (raw.isascii() and not line.isascii()):
            return _coded(" ".join(line.split()), coded)
        return line


class Name(HeaderText):
    """A name before an address: in quotes where it has signs that mean something there."""

    def encode(self, text: str, raw: str) -> str:
        line = super().encode(" ".join(text.split()), raw)
        return f'"{_escaped(line)}"' if _CODED not in line and _SPECIAL.search(line) else line


class QuotedName(HeaderText):
    """A name in quotes, where some write codes all the same."""

    def decode(self, raw: str) -> str:
        return super().decode(re.sub(r"\\(.)", r"\1", raw))

    def encode(self, text: str, raw: str) -> str:
        line = " ".join(text.split())
        return super().encode(line, raw) if _CODED_WORD.search(raw) else _escaped(line)


class Address:
    """What stands in angle brackets, or alone: no blank, no bracket."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return re.sub(r'[\s<>",;:]+', ".", text)


def _coded(text: str, before: re.Match[str] | None) -> str:
    """In the charset and code that were there; in UTF-8 what these cannot say."""
    charset = Charset(before["charset"] if before else "utf-8")
    charset.header_encoding = BASE64 if before and before["by"] in "bB" else QP
    try:
        return Header(text, charset).encode(maxlinelen=0)
    except (UnicodeError, LookupError):
        pass
    return Header(text, "utf-8").encode(maxlinelen=0)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


_TEXT, _NAME, _QUOTED, _ADDRESS = HeaderText(), Name(), QuotedName(), Address()
_READERS: Final[dict[str, Callable[[FieldSheet, int, int], None]]] = {
    "text/html": markup.read_html,
    "text/xml": markup.read,
    "application/xml": markup.read,
    "application/xhtml+xml": markup.read,
    "application/json": json_text.read,
    "text/csv": csv_table.read,
    "text/markdown": markdown.read,
}


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Headers up to a blank line, then the body, or parts that have both."""
    first = headers(sheet.raw, start, end)
    if not _TELLING & {field["name"].lower() for field in first.fields}:
        raise Malformed(1, 1)
    ends = {block.start: block.end for block in sheet.blocks}
    for piece in outline(sheet.raw, start, end, sheet.blocks):
        if piece.what == "headers":
            for field in piece.headers.fields:
                _value(sheet, field["name"].lower(), *field.span("value"))
        elif piece.what == "boundary":
            sheet.key(piece.start, piece.end, _ADDRESS)
        else:
            _body(sheet, piece.start, ends.get(piece.start, piece.end), piece.headers.type)


def _value(sheet: FieldSheet, name: str, start: int, end: int) -> None:
    """The value of one header."""
    if name in _PEOPLE:
        for box in _BOX.finditer(sheet.raw, start, end):
            group = box.lastgroup or ""
            codec = {"quoted": _QUOTED, "name": _NAME}.get(group, _ADDRESS)
            before = f"\n{name}: " if group in ("quoted", "name") else " "
            shown = codec.decode(box[group])
            person = group in ("quoted", "name") and names_person(name, shown)
            kind = "PERSON" if person else ""
            sheet.prose(*box.span(group), codec, before, kind)
    elif name in _IDS:
        for part in _ID.finditer(sheet.raw, start, end):
            if group := part.lastgroup or "":
                kind = "EMAIL_ADDRESS" if group == "id" else ""
                sheet.prose(*part.span(group), _ADDRESS if kind else AS_WRITTEN, "\n", kind)
            elif any(map(str.isalnum, part[0])) and not _is_charset(part[0]):
                sheet.key(*part.span(), _ADDRESS)
    else:
        value = sheet.raw[start:end]
        sheet.prose(start + len(value) - len(value.lstrip()), end, _TEXT, f"\n{name}: ")


def _is_charset(word: str) -> bool:
    try:
        codecs.lookup(word)
    except (LookupError, ValueError):
        return False
    return True


def _body(sheet: FieldSheet, start: int, end: int, kind: str) -> None:
    """What is written in another format by its reader, else lines between marks of quotes."""
    if (reader := _READERS.get(kind)) is not None:
        mark = sheet.mark()
        try:
            reader(sheet, start, end)
        except Malformed:
            sheet.rewind(mark)
        else:
            sheet.part(kind.rpartition("/")[2])
            return
    position = start
    marks = [match.span() for match in _QUOTE.finditer(sheet.raw, start, end)]
    for first, last in [*marks, (end, end)]:
        text = sheet.raw[position:first]
        sheet.prose(
            position + len(text) - len(text.lstrip()),
            position + len(text.rstrip()),
            AS_WRITTEN,
            "\n\n" if position == start else "\n",
        )
        position = last


def is_mail(text: str) -> bool:
    """Two headers at least that letters have, on the first lines, and nothing else there."""
    known = headers(text[:20_000], 0, min(len(text), 20_000))
    return len(_TELLING & {field["name"].lower() for field in known.fields}) > 1
