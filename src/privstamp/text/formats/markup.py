"""XML and HTML: tags and attributes are names, what stands in and between them is read."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import unescape

from privstamp.text.formats.codec import Codec, Malformed
from privstamp.text.formats.literal import read_comment
from privstamp.text.formats.names import context, kind_of, names_record
from privstamp.text.formats.template import FieldSheet

_TOKEN: Final = re.compile(
    r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<data>.*?)\]\]>"
    r"|(?P<other><!DOCTYPE[^\[>]{0,999}\[[^\]]{0,99999}+\]\s*>|<[?!][^>]*>)"
    r"|</(?P<close>[A-Za-z_:][^\s/>]*)[^>]*>"
    r"|<(?P<open>[A-Za-z_:][^\s/>]*)(?P<attributes>(?:[^<>\"']++|\"[^\"]{0,9999}+\"|'[^']{0,9999}+')*+)>",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    r"(?P<name>[^\s=/\"'<>]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    r"|(?P<bare>[^\s\"'>]+)))?"
)
_PUBLIC: Final = frozenset({"class", "id", "style", "type", "rel", "charset", "lang", "role"})
"""Attributes whose values are names."""
_ENTITY: Final = re.compile(r"&#(?:x([0-9a-fA-F]+)|([0-9]+));")
_PROLOGUE: Final = re.compile(r"<\?xml\s|<!DOCTYPE\s|<!--")
_DECLARED: Final = re.compile(r"<!DOCTYPE\s[^\[>]{1,2000}\[[^\]]*<!ENTITY\s")
_QUOTES: Final = {"&quot;": '"', "&apos;": "'"}
_TAGS: Final = re.compile(
    r"</?(?:p|div|span|a|br|b|i|ul|li|table|tr|td|h[1-6]|img|em|strong)\b", re.I
)
_FEWEST: Final = 3
_INLINE: Final = frozenset(
    {"a", "abbr", "b", "cite", "code", "em", "i", "mark", "q", "s", "small", "span", "strong", "u"}
)


class XmlText:
    """Text between tags, or in an attribute."""

    def __init__(self, quote: str = "", *, loose: bool = False) -> None:
        self._quote, self._loose = quote, loose

    def decode(self, raw: str) -> str:
        if self._loose:
            return html.unescape(_ENTITY.sub(_sign, raw))
        return unescape(_ENTITY.sub(_sign, raw), _QUOTES) if "&" in raw else raw

    def encode(self, text: str, raw: str) -> str:
        text = html.escape(text, quote=False)
        del raw
        if not self._quote:
            return text
        return text.replace(self._quote, "&quot;" if self._quote == '"' else "&#39;")


class Bare(XmlText):
    """The value of an attribute without quotes, which gets them."""

    def encode(self, text: str, raw: str) -> str:
        del raw
        return '"' + html.escape(text) + '"'


class Data:
    """Text of a section that is not parsed."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return text.replace("]]>", "]] >")


def _sign(match: re.Match[str]) -> str:
    point = int(match[1], 16) if match[1] else int(match[2])
    if point == ord("&"):
        return "&amp;"
    if point >= 0x110000 or 0xD800 <= point < 0xE000:
        return "\0"  # it stands for nothing, and does not leave
    return "&lt;" if point == ord("<") else chr(point)


_SIGNS: Final = {"": "", "double": '"', "single": "'"}
_XML: Final[dict[str, Codec]] = {name: XmlText(sign) for name, sign in _SIGNS.items()}
_HTML: Final[dict[str, Codec]] = {name: XmlText(sign, loose=True) for name, sign in _SIGNS.items()}
_BARE, _DATA = Bare(loose=True), Data()


def check(text: str) -> None:
    """Refuse what is not well-formed, or declares entities."""
    parser = expat.ParserCreate(namespace_separator=None)
    trouble = None
    if "<!ENTITY" in text or text.count("<") > 10_000_000:
        raise Malformed(1, 1)
    try:
        parser.Parse(re.sub(r"encoding=(['\"])[^'\"]*\1", "", text, count=1).encode(), True)
    except expat.ExpatError as error:
        trouble = error.lineno, error.offset + 1
    if trouble is not None:
        raise Malformed(*trouble)


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Well-formed XML."""
    check(sheet.raw[start:end])
    _read(sheet, start, end, _XML)


def read_html(sheet: FieldSheet, start: int, end: int) -> None:
    """HTML as it comes."""
    if not _TAGS.search(sheet.raw, start, end) and "<html" not in sheet.raw[start:end].lower():
        raise Malformed(1, 1)
    _read(sheet, start, end, _HTML)


def _read(sheet: FieldSheet, start: int, end: int, codecs: dict[str, Codec]) -> None:
    position, name, seam = start, "", "\n"
    for token in _tokens(sheet.raw, start, end, loose=codecs is _HTML):
        _text(sheet, position, token.start(), name, seam, codecs[""])
        name, seam = "", _seam(token)
        if token["open"]:
            sheet.key(*token.span("open"))
            _attributes(sheet, *token.span("attributes"), token["open"], codecs)
            name = token["open"]
        elif token["close"]:
            sheet.key(*token.span("close"))
        elif token["comment"]:
            read_comment(sheet, *token.span("comment"))
        elif token["data"]:
            sheet.prose(*token.span("data"), _DATA)
        position = token.end()
    _text(sheet, position, end, name, seam, codecs[""])


def _seam(token: re.Match[str]) -> str:
    """What separates texts beside a tag: a blank, if it stands within a line."""
    return " " if (token["open"] or token["close"] or "").lower() in _INLINE else "\n"


def _tokens(text: str, start: int, end: int, *, loose: bool) -> Iterator[re.Match[str]]:
    """Tags and the like; in HTML none inside of scripts and styles."""
    position = start
    while (token := _TOKEN.search(text, position, end)) is not None:
        yield token
        position = token.end()
        name = (token["open"] or "").lower()
        if loose and name in ("script", "style") and not token[0].endswith("/>"):
            closing = re.compile(rf"</{name}\b", re.IGNORECASE).search(text, position, end)
            position = closing.start() if closing else end


def _attributes(
    sheet: FieldSheet, start: int, end: int, element: str, codecs: dict[str, Codec]
) -> None:
    for attribute in _ATTRIBUTE.finditer(sheet.raw, start, end):
        name = attribute["name"]
        sheet.key(*attribute.span("name"))
        for group in ("double", "single", "bare"):
            if attribute[group]:
                codec = _BARE if group == "bare" else codecs[group]
                owned = f"{element}_{name}" if name.lower() == "id" else name  # <patient id="P7">
                record = owned != name and names_record(owned, attribute[group])
                if record:
                    sheet.prose(*attribute.span(group), codec, context(owned), "NUMERIC_ID")
                elif name.lower() in _PUBLIC or name.lower().startswith("xmlns"):
                    sheet.key(*attribute.span(group), codec)
                else:
                    kind = kind_of(name, attribute[group])
                    sheet.prose(*attribute.span(group), codec, context(name), kind)


def _text(sheet: FieldSheet, start: int, end: int, name: str, seam: str, codec: Codec) -> None:
    text = sheet.raw[start:end]
    if not text.strip():
        return
    first, last = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
    if name.lower() in ("script", "style") and codec is _HTML[""]:
        from privstamp.text.formats import code

        code.reader("javascript" if name.lower() == "script" else "css")(sheet, start, end)
        sheet.part("javascript" if name.lower() == "script" else "css")
        return
    plain = not name or _TAGS.match(f"<{name} ") is not None
    before = seam if plain else context(name)
    sheet.prose(first, last, codec, before, kind_of(name, text.strip()) if name else "")


def declares_entities(text: str) -> bool:
    """Whether it begins as XML whose document type says what references stand for."""
    head = text[:400].lstrip("\ufeff \t\r\n")
    return bool(_PROLOGUE.match(head)) and _DECLARED.search(text) is not None


def kind_of_markup(text: str) -> str | None:
    """html, xml, or neither."""
    head = text[:400].lstrip("\ufeff \t\r\n").lower()
    if not head.startswith("<"):
        return None
    if head.startswith(("<!doctype html", "<html")):
        return "html"
    return "html" if len(_TAGS.findall(text[:20_000])) >= _FEWEST else "xml"
