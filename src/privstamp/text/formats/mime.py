"""Bodies of letters, RFC 2045: encoded text is opened before it is read and encoded again after.

A part that is no text is refused, or dropped by choice: nobody could read what is in it.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from privstamp.errors import InputError
from privstamp.text.formats.block import Block
from privstamp.text.formats.codec import Malformed, place

_FIELD: Final = re.compile(
    r"(?P<name>[!-9;-~]+)[ \t]*:(?P<value>[^\r\n]*(?:\r?\n[ \t]+\S[^\r\n]*)*)"
)
_END: Final = re.compile(r"\r?\n|\Z")
_BLANK: Final = re.compile(r"\r?\n[ \t]*\r?\n|\s*\Z")
_PARAMETER: Final = re.compile(
    r';\s*(?P<name>[\w-]+)\s*=\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s;]+))'
)
_TYPE: Final = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
_DEPTH: Final = 20
_READ: Final = frozenset({"application/json", "application/xml", "application/xhtml+xml"})
"""Types of text that are not called so."""
_CODED: Final = frozenset({"base64", "quoted-printable"})
_AS_IS: Final = frozenset({"7bit", "8bit", "binary", ""})


class Headers(NamedTuple):
    """The fields of one letter or part, and where its body begins."""

    fields: list[re.Match[str]]
    body: int | None  # None: they do not end as headers do
    end: int

    def value(self, name: str) -> str:
        known = (field["value"] for field in self.fields if field["name"].lower() == name)
        return next(known, "")

    @property
    def type(self) -> str:
        match = _TYPE.match(self.value("content-type"))
        return match[1].lower() if match else "text/plain"

    def parameter(self, name: str) -> str:
        for match in _PARAMETER.finditer(self.value("content-type")):
            if match["name"].lower() == name:
                return match["quoted"] or match["bare"] or ""
        return ""


class LetterPiece(NamedTuple):
    """A stretch of a letter: its headers, a body that is no parts, a boundary, what is between."""

    what: Literal["headers", "body", "boundary", "between"]
    start: int
    end: int
    headers: Headers


def headers(text: str, start: int, end: int) -> Headers:
    """The header fields that a stretch begins with."""
    fields: list[re.Match[str]] = []
    position = start
    while (field := _FIELD.match(text, position, end)) is not None:
        fields.append(field)
        stop = _END.match(text, field.end(), end)
        if stop is None or stop.end() == field.end():
            break
        position = stop.end()
    last = fields[-1].end() if fields else start
    blank = _BLANK.match(text, last, end) if fields else re.compile(r"\r?\n|").match(text, start)
    return Headers(fields, blank.end() if blank else None, last)


def outline(
    text: str, start: int, end: int, blocks: Sequence[Block] = (), depth: int = 0
) -> Iterator[LetterPiece]:
    """The pieces of a letter in order; what is in `blocks` is a body whatever is in it."""
    if depth > _DEPTH:
        raise Malformed(*place(text, start))
    known = headers(text, start, end)
    if known.body is None:
        raise Malformed(place(text, known.end)[0] + 1, 1)
    yield LetterPiece("headers", start, known.end, known)
    is_opened = _within(known.body, blocks)
    if known.type == "message/rfc822" and not is_opened:
        yield from outline(text, known.body, end, blocks, depth + 1)
    elif (boundary := is_multipart(known)) and not is_opened:
        position, inside = known.body, False
        marks = boundaries(boundary).finditer(text, known.body, end)
        for mark in [mark for mark in marks if not _within(mark.start(), blocks)]:
            last = _before(text, position, mark.start())
            if inside:
                yield from outline(text, position, last, blocks, depth + 1)
            else:
                yield LetterPiece("between", position, last, known)
            yield LetterPiece("boundary", *mark.span("name"), known)
            after = _END.match(text, mark.end(), end)
            position, inside = (after.end() if after else mark.end()), not mark["last"]
        yield LetterPiece("between", position, end, known)
    else:
        yield LetterPiece("body", known.body, end, known)


def _within(position: int, blocks: Sequence[Block]) -> bool:
    """Whether a place is in a block, or begins one; they are in order."""
    index = bisect_right(blocks, position, key=lambda block: block.start) - 1
    if index < 0:
        return False
    return position == blocks[index].start or position < blocks[index].end


def is_multipart(known: Headers) -> str:
    """The boundary between the parts, of a letter that has some."""
    return known.parameter("boundary") if known.type.startswith("multipart/") else ""


def boundaries(boundary: str) -> re.Pattern[str]:
    """Lines that part a letter."""
    return re.compile(
        rf"^--(?P<name>{re.escape(boundary)})(?P<last>--)?[ \t]*(?=\r?$)", re.MULTILINE
    )


def _before(text: str, start: int, end: int) -> int:
    """The line end before a boundary belongs to it."""
    if text.endswith("\n", start, end):
        end -= 1
        end -= text.endswith("\r", start, end)
    return end


def opened(text: str, start: int, *, drop: bool) -> tuple[str, tuple[Block, ...]]:
    """A letter with its bodies as they are read, and where these stand in it."""
    pieces: list[str] = []
    blocks: list[Block] = []
    position = length = 0
    for piece in outline(text, start, len(text)):
        encoding = piece.headers.value("content-transfer-encoding").strip().lower()
        kind = piece.headers.type
        if piece.what != "body":
            continue
        if not (kind.startswith("text/") or kind in _READ or kind == "message/rfc822"):
            if not drop:
                raise InputError(
                    "the letter has an attachment that is no text (line "
                    f"{place(text, piece.start)[0]}): nobody can read what is in it. Take it out, "
                    'or let all such parts be emptied: attachments = "drop", on the command line '
                    "--accept attachments"
                )
            encoding, shown = "", ""
        elif encoding in _AS_IS:
            continue
        else:
            shown = _decoded(text, piece, encoding)
        last = _trimmed(text, piece.start, piece.end)
        if last == piece.start:
            continue
        pieces += (text[position : piece.start], shown)
        length += piece.start - position
        charset = piece.headers.parameter("charset") or "utf-8"
        was = text[piece.start : last]
        blocks.append(Block(length, length + len(shown), was, encoding, charset))
        length += len(shown)
        position = last
    return "".join([*pieces, text[position:]]), tuple(blocks)


def _trimmed(text: str, start: int, end: int) -> int:
    """Without the line ends behind a code."""
    while end > start and text[end - 1] in "\r\n":
        end -= 1
    return end


def _decoded(text: str, part: LetterPiece, encoding: str) -> str:
    """The text of a body; a code that is none is refused by place."""
    code = text[part.start : _trimmed(text, part.start, part.end)]
    charset = part.headers.parameter("charset") or "utf-8"
    try:
        if encoding not in _CODED:
            raise ValueError
        content = code.encode("ascii")
        if encoding == "base64":
            return base64.b64decode(b"".join(content.split()), validate=True).decode(charset)
        return quopri.decodestring(content).decode(charset)
    except (ValueError, LookupError, binascii.Error):  # all of Unicode's errors are ValueErrors
        pass
    raise Malformed(*place(text, part.start))
