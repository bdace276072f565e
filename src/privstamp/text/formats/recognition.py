"""Which format a text is in: told by whoever sends it, or seen at one look. In doubt, none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from privstamp.errors import InputError, suggest
from privstamp.text.formats import FORMATS, json_text
from privstamp.text.formats.malformed import Malformed
from privstamp.text.formats.template import Sheet, Template

Reader: TypeAlias = Callable[[Sheet, int, int], None]

_READERS: Final[dict[str, Reader]] = {
    "json": json_text.read,
    "jsonl": json_text.read_lines,
}
_MARK: Final = "\ufeff"


def read(text: str, name: str = "auto") -> Template | None:
    """The template of a text; None where it is plain."""
    if name not in FORMATS:
        raise InputError(f'no format "{name}".{suggest(name, FORMATS)}')
    if name == "plain":
        return None
    if name != "auto":
        return _named(text, name)
    return next(filter(None, (_tried(text, one) for one in _candidates(text))), None)


def _named(text: str, name: str) -> Template:
    """A format that is named must fit."""
    try:
        return _template(text, name)
    except Malformed as error:
        trouble = str(error)
    raise InputError(f"the text is not {name}: {trouble}")


def _tried(text: str, name: str) -> Template | None:
    try:
        return _template(text, name)
    except Malformed:
        return None


def _template(text: str, name: str) -> Template:
    sheet = Sheet(text)
    _READERS[name](sheet, len(_MARK) if text.startswith(_MARK) else 0, len(text))
    return sheet.template(name)


def _candidates(text: str) -> list[str]:
    """Formats that a text may be in, by its first characters."""
    head = text[:200].lstrip(_MARK).lstrip()
    if head[:1] in ("{", "["):
        return ["jsonl", "json"] if json_text.is_lines(text) else ["json"]
    return []
