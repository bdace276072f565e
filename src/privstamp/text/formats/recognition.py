"""Which format a text is in: told by whoever sends it, or seen at one look. In doubt, none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from privstamp.errors import InputError, suggest
from privstamp.text.formats import (
    FORMATS,
    chat,
    code,
    contentlines,
    csv_table,
    escaped,
    json_text,
    log,
    mail,
    markdown,
    markup,
    python,
    settings,
    toml_text,
    trace,
    yaml_text,
)
from privstamp.text.formats.codec import Malformed
from privstamp.text.formats.mime import opened
from privstamp.text.formats.template import FieldSheet, Template

Reader: TypeAlias = Callable[[FieldSheet, int, int], None]

READERS: Final[dict[str, Reader]] = {
    "json": json_text.read,
    "jsonl": json_text.read_lines,
    "csv": csv_table.read,
    "tsv": csv_table.read_tabs,
    "xml": markup.read,
    "html": markup.read_html,
    "markdown": markdown.read,
    "mail": mail.read,
    "chat": chat.read,
    "log": log.read,
    "trace": trace.read,
    "escaped": escaped.read,
    "yaml": yaml_text.read,
    "toml": toml_text.read,
    "ini": settings.read,
    "env": settings.read_variables,
    "vcard": contentlines.read,
    "icalendar": contentlines.read,
    "python": python.read,
    **{name: code.reader(name) for name in code.LANGUAGES},
}
_LOOKS: Final = (
    ("mail", mail.is_mail),
    ("log", log.is_log),
    ("trace", trace.is_trace),
    ("env", settings.is_variables),
    ("toml", toml_text.is_toml),
    ("ini", settings.is_settings),
    ("yaml", yaml_text.is_yaml),
    ("csv", csv_table.is_table),
    ("python", python.is_program),
    ("sql", code.is_sql),
    ("markdown", markdown.is_markdown),
    ("chat", chat.is_chat),
    ("escaped", escaped.is_escaped),
)
_ON_ONE_LINE: Final = ("log", "sql", "escaped")
_MARK: Final = "\ufeff"


def read(text: str, name: str = "auto", header: str = "", *, drop: bool = False) -> Template | None:
    """The template of a text; None where it is plain. `header`: the first row of a table of which
    this is a later part. `drop`: empty those parts of letters that are no text, which are refused
    otherwise."""
    if name not in FORMATS:
        raise InputError(f'no format "{name}".{suggest(name, FORMATS)}')
    if name == "plain":
        return None
    if name in ("auto", "xml") and markup.declares_entities(text):
        raise InputError(
            "XML that declares entities is not read: replace them by what they stand for "
            '(xmllint --noent), or let it be read as text (format "plain"), which keeps no tags'
        )
    if name != "auto":
        return _named(text, name, header, drop)
    return next(
        filter(None, (_tried(text, candidate, drop) for candidate in _candidates(text))), None
    )


def _named(text: str, name: str, header: str, drop: bool) -> Template:
    """A format that is named must fit."""
    reader = csv_table.reader_below(header) if header else READERS[name]
    try:
        return _template(text, name, reader, drop)
    except Malformed as error:
        trouble = str(error)
    raise InputError(f"the text is not {name}: {trouble}")


def _tried(text: str, name: str, drop: bool) -> Template | None:
    try:
        return _template(text, name, READERS[name], drop)
    except Malformed:
        return None


def _template(text: str, name: str, reader: Reader, drop: bool) -> Template:
    start = len(_MARK) if text.startswith(_MARK) else 0
    sheet = FieldSheet(*opened(text, start, drop=drop)) if name == "mail" else FieldSheet(text)
    reader(sheet, start, len(sheet.raw))
    return sheet.template(name)


def _candidates(text: str) -> Iterator[str]:
    """Formats that a text may be in, the surest first; each looks only as far as it must."""
    head = text[:200].lstrip(_MARK).lstrip()
    if head[:1] in ("{", "["):
        yield from ["jsonl", "json"] if json_text.is_lines(text) else ["json"]
    if head[:1] == "<" and (name := markup.kind_of_markup(text)):
        yield name
    lines = "\n" in text.strip()
    if lines and contentlines.is_content(text):
        yield "vcard" if "VCARD" in text[:40].upper() else "icalendar"
    for name, look in _LOOKS:
        if (lines or name in _ON_ONE_LINE) and look(text):
            yield name
    if lines and (language := code.language_of(text)):
        yield language
