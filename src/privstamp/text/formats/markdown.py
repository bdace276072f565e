"""Markdown: marks pass, text is read, and what is fenced is read in its own format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final
from urllib.parse import quote

from privstamp.text.formats import code, json_text, markup, python, settings, toml_text, yaml_text
from privstamp.text.formats.codec import AS_WRITTEN, Malformed
from privstamp.text.formats.literal import read_comment
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.template import FieldSheet

_FENCE: Final = re.compile(
    r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^\s`]*)[^\n`]*$"
)
_PREFIX: Final = re.compile(
    r"(?:[ \t]*>[ \t]?)*[ \t]*(?:\#{1,6}[ \t]+|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?"
)
_RULE: Final = re.compile(
    r"^[ \t]*(?:>[ \t]?)*(?:[-*_=][ \t]*){3,}$|^[ \t|:-]*-[ \t|:-]*$|^=+[ \t]*$"
)
_DEFINITION: Final = re.compile(r"^ {0,3}\[(?P<label>[^\]]+)\]:[ \t]*<?(?P<url>[^\s>]+)")
_INLINE: Final = re.compile(
    r"(?P<ticks>`+)(?P<code>[^`]+?)(?P=ticks)(?!`)|<!--(?P<comment>[\s\S]{0,9999}?)-->"
    r"|\]\(<?(?P<url>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?"
    r"(?:[ \t]+[\"'](?P<title>[^\"'\n]*)[\"'])?\)"
    r"|\]\[(?P<label>[^\]\n]*)\]|<(?:https?://|mailto:)(?P<auto>[^\s<>]+)>|<(?P<box>[^\s<>@:/]+@[^\s<>@]+)>"
    r"|(?P<tag></?[A-Za-z][^<>\n]*>)"
    r"|(?P<mark>\\[!-/:-@\[-`{-~]|[*`~|<>\[\]!]+|(?<!\w)_+|_+(?!\w)|  +$|&\w+;)",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(r" {0,3}<!--[\s\S]{0,9999}?-->")
_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_LIST: Final = re.compile(r"^ {0,3}(?:[-*+]|\d+[.)])[ \t]+\S", re.MULTILINE)
_TABLE: Final = re.compile(r"^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|[ \t|:-]*$", re.MULTILINE)
_BAR: Final = re.compile(r"(?<!\\)\|")
_LINK: Final = re.compile(r"\[[^\]\n]+\]\([^)\s]+\)|\*\*[^*\s][^*\n]*\*\*")
_OPENING: Final = re.compile(r"^(?:(?P<number>\d+)(?P<dot>[.)])|(?P<sign>[-+#>=~]))", re.MULTILINE)


class Marked:
    """Running text: what would be a mark is written with a backslash before it."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        text = AS_WRITTEN.encode(text, raw)
        text = re.sub(r"\n[ \t]*(?=\n)", "\n", text) if "\n" in raw else text
        text = re.sub(r"([\\`*\[\]<|]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|~(?=~)|!(?=$))", r"\\\1", text)
        return _OPENING.sub(_opening, text)


class Title(Marked):
    """The title of a link, in quotes."""

    def encode(self, text: str, raw: str) -> str:
        return re.sub(r"([\"'])", r"\\\1", super().encode(text, raw))


class Box:
    """An e-mail address in angle brackets, which stays one."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        name, _, host = re.sub(r"[^\w.@+-]+", ".", text, flags=re.ASCII).partition("@")
        return f"{name.strip('.') or 'a'}@{host.strip('.@') or 'example.com'}"


class Link:
    """The address of a link."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return quote(text, safe="/:?#@!$&'*+,;=%~-._")


def _opening(match: re.Match[str]) -> str:
    return f"{match['number']}\\{match['dot']}" if match["number"] else f"\\{match['sign']}"


_TEXT, _TITLE, _URL, _BOX = Marked(), Title(), Link(), Box()
_READERS: Final[dict[str, Callable[[FieldSheet, int, int], None]]] = {
    "json": json_text.read,
    "jsonl": json_text.read_lines,
    "python": python.read,
    "py": python.read,
    "xml": markup.read,
    "html": markup.read_html,
    "yaml": yaml_text.read,
    "yml": yaml_text.read,
    "toml": toml_text.read,
    "ini": settings.read,
    "env": settings.read_variables,
    "dotenv": settings.read_variables,
    **{name: code.reader(name) for name in code.LANGUAGES},
    **{alias: code.reader(name) for alias, name in code.ALIASES.items()},
}


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Block by block; a fence without an end reaches to the end of the text."""
    position, paragraph = start, -1
    heads: list[str] = []
    lines = iter(_LINES.findall(sheet.raw[start:end]))
    for line in lines:
        bare = line.rstrip("\r\n")
        fence = _FENCE.match(bare)
        prefix = _PREFIX.match(bare)
        opens = prefix.end() if prefix else 0
        comment = _COMMENT.match(sheet.raw, position, end)
        ends_block = (
            fence or comment or opens or not bare.strip() or _RULE.match(bare) or "|" in bare
        )
        if paragraph >= 0 and (ends_block or _DEFINITION.match(bare)):
            _inline(sheet, paragraph, position)
            paragraph = -1
        if fence:
            first = position + len(line)
            length = _fenced(lines, fence)
            _block(sheet, first, first + length[0], fence["language"].lower())
            position = first + length[1]
            continue
        if comment:
            _inline(sheet, position, comment.end())
            position += len(line)
            while position < comment.end():
                position += len(next(lines))
            _inline(sheet, comment.end(), position)
            continue
        definition = _DEFINITION.match(bare)
        if definition:
            first, last = definition.span("label")
            sheet.key(position + first, position + last)
            first, last = definition.span("url")
            sheet.prose(position + first, position + last, _URL)
            _inline(sheet, position + definition.end(), position + len(bare))
        elif bare.strip() and not _RULE.match(bare):
            if "|" in bare and _TABLE.match(sheet.raw, position + len(line), end):
                heads = [bare[first:last] for first, last in _cells(bare)]
                for first, last in _cells(bare):
                    sheet.key(position + first, position + last)
            elif "|" in bare and heads:
                _row(sheet, position, bare, heads)
            elif opens or "|" in bare:
                _inline(sheet, position + opens, position + len(bare))
            elif paragraph < 0:
                paragraph = position
        heads = heads if "|" in bare else []
        position += len(line)
    if paragraph >= 0:
        _inline(sheet, paragraph, position)


def _fenced(lines: Iterator[str], fence: re.Match[str]) -> tuple[int, int]:
    """Characters inside of a fence, and with its last line."""
    inside = 0
    closing = re.compile(rf"^ {{0,3}}{fence['fence'][0]}{{{len(fence['fence'])},}}[ \t]*$")
    for line in lines:
        if closing.match(line.rstrip("\r\n")):
            return inside, inside + len(line)
        inside += len(line)
    return inside, inside


def _block(sheet: FieldSheet, start: int, end: int, language: str) -> None:
    """What is fenced, in its own format if it fits, else line by line."""
    reader = _READERS.get(language)
    text = sheet.raw[start:end]
    if reader is None and not language:
        reader = json_text.read if text.lstrip()[:1] in ("{", "[") else None
        language = "json"
        if reader is None and python.is_program(text):
            reader, language = python.read, "python"
    if reader is not None:
        mark = sheet.mark()
        try:
            reader(sheet, start, end)
        except Malformed:
            sheet.rewind(mark)
        else:
            sheet.part(code.ALIASES.get(language, "python" if language == "py" else language))
            return
    position = start
    for line in _LINES.findall(text):
        first = position + len(line) - len(line.lstrip())
        sheet.prose(first, position + len(line.rstrip()), before="\n")
        position += len(line)


def _cells(line: str) -> list[tuple[int, int]]:
    """From where to where the text of each cell of a row stands."""
    bars = [-1, *(bar.start() for bar in _BAR.finditer(line)), len(line)]
    cells = [(first + 1, last) for first, last in pairwise(bars)]
    if not line[: cells[0][1]].strip():
        del cells[0]
    if cells and not line[cells[-1][0] :].strip():
        del cells[-1]
    texts = [line[first:last] for first, last in cells]
    return [
        (first + len(text) - len(text.lstrip()), last - len(text) + len(text.rstrip()))
        for (first, last), text in zip(cells, texts, strict=True)
    ]


def _row(sheet: FieldSheet, start: int, line: str, heads: list[str]) -> None:
    """Cells under their heads, each read for itself."""
    for column, (first, last) in enumerate(_cells(line)):
        text = line[first:last]
        head = heads[column] if column < len(heads) else ""
        before = context(head) if head and text[:1].isdigit() else ", " if column else "\n"
        if head and (kind := kind_of(head, text)) and not _INLINE.search(text):
            sheet.prose(start + first, start + last, _TEXT, before, kind)
        else:
            _inline(sheet, start + first, start + last, before)


def _inline(sheet: FieldSheet, start: int, end: int, before: str = "\n") -> None:
    """Text between marks; a blank keeps apart what they part."""
    position = start
    for mark in _INLINE.finditer(sheet.raw, start, end):
        before = _text(sheet, position, mark.start(), before)
        if mark["code"]:
            first, last = mark.span("code")
            if re.fullmatch(r"[\w.\-/()]+", mark["code"]):
                sheet.key(first, last)
            else:
                sheet.prose(first, last, AS_WRITTEN, " ")
        if mark["comment"]:
            read_comment(sheet, *mark.span("comment"))
        if mark["url"]:
            sheet.prose(*mark.span("url"), _URL, " ")
        if mark["title"]:
            sheet.prose(*mark.span("title"), _TITLE, " ")
        if mark["label"]:
            sheet.key(*mark.span("label"))
        if mark["auto"]:
            sheet.prose(*mark.span("auto"), _URL, " ")
        if mark["box"]:
            sheet.prose(*mark.span("box"), _BOX, " ")
        position = mark.end()
    _text(sheet, position, end, before)


def _text(sheet: FieldSheet, start: int, end: int, before: str) -> str:
    text = sheet.raw[start:end]
    if not any(map(str.isalnum, text)):
        return "\n" if "\n" in text else before
    sheet.prose(start + len(text) - len(text.lstrip()), start + len(text.rstrip()), _TEXT, before)
    return " "


def is_markdown(text: str) -> bool:
    """Whether it has a fence, a table, or two sorts of other marks."""
    head = text[:20_000]
    if re.search(r"^ {0,3}(?:```|~~~)", head, re.MULTILINE) or _TABLE.search(head):
        return True
    return sum(bool(sign.search(head)) for sign in (_HEADING, _LIST, _LINK)) > 1
