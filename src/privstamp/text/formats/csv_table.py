"""Tables of comma, semicolon, bar or tab separated values. Headers are names, cells are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from privstamp.text.formats.codec import Codec, Malformed, place
from privstamp.text.formats.names import kind_of, words_of
from privstamp.text.formats.template import FieldSheet

_DELIMITERS: Final = ",;\t|"
_LONGEST_HEADER: Final = 40
_FEWEST_ROWS: Final = 3
_LOOKED_AT: Final = 20_000
"""Characters at the start of a text that show whether it is a table."""


class Quoted:
    """What stands between the quotes of a cell."""

    def decode(self, raw: str) -> str:
        return raw.replace('""', '"')

    def encode(self, text: str, raw: str) -> str:
        del raw
        return text.replace('"', '""')


class Bare:
    """A cell without quotes, which gets them if what is put there needs them."""

    def __init__(self, delimiter: str) -> None:
        self._special = re.compile(rf'["\r\n{re.escape(delimiter)}]')

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return '"' + text.replace('"', '""') + '"' if self._special.search(text) else text


_FIGURES: Final = re.compile(r"\d{5,9}")
"""A number that its header may tell of."""
_QUOTED: Final = Quoted()
_BARE: Final[dict[str, Codec]] = {sign: Bare(sign) for sign in _DELIMITERS}


@cache
def _cell(delimiter: str) -> re.Pattern[str]:
    sign = re.escape(delimiter)
    return re.compile(
        rf'(?:"(?P<quoted>[^"]*+(?:""[^"]*+)*+)"|(?!")(?P<bare>[^{sign}\r\n]*+))'
        rf"(?P<end>{sign}|\r\n|\n|\r|\Z)"
    )


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Commas, or what else the first line has most of."""
    delimiter = _delimiter(sheet.raw[start : min(end, start + _LOOKED_AT)])
    _read(sheet, start, end, delimiter, _headers(sheet.raw, start, end, delimiter))


def read_tabs(sheet: FieldSheet, start: int, end: int) -> None:
    """Tabs alone."""
    _read(sheet, start, end, "\t", _headers(sheet.raw, start, end, "\t"))


def reader_below(header: str) -> Callable[[FieldSheet, int, int], None]:
    """Reads further rows of the table that begins with `header`."""
    delimiter = _delimiter(header)
    headers = _headers(header, 0, len(header), delimiter)
    return partial(_read, delimiter=delimiter, headers=headers, first=1)


def _delimiter(text: str) -> str:
    line = re.split(r"[\r\n]", text.lstrip(), maxsplit=1)[0]
    return max(_DELIMITERS, key=line.count)


def _read(
    sheet: FieldSheet, start: int, end: int, delimiter: str, headers: list[str], first: int = 0
) -> None:
    """Cells under their headers; `first` is the number of the first row."""
    pattern, bare = _cell(delimiter), _BARE[delimiter]
    position, row, column = start, first, 0
    while position < end:
        cell = pattern.match(sheet.raw, position, end)
        if cell is None:
            raise Malformed(*place(sheet.raw, position))
        group = "bare" if cell["quoted"] is None else "quoted"
        codec = bare if group == "bare" else _QUOTED
        if row == 0 and headers:
            sheet.key(*cell.span(group), codec)
        else:
            name = headers[column] if column < len(headers) else ""
            kind = kind_of(name, cell[group]) if name else ""
            before = ", " if column else "\n"
            if name and _FIGURES.fullmatch(cell[group]):
                before += f"{' '.join(words_of(name)[-1:]).lower()} "  # salary 61250
            sheet.prose(*cell.span(group), codec, before, kind)
        column += 1
        if cell["end"] != delimiter:
            row, column = row + 1, 0
        position = cell.end()


def _headers(text: str, start: int, end: int, delimiter: str) -> list[str]:
    """The first row, if it can be one of headers: all there, all different, none a number."""
    names = next(_rows(text, start, end, delimiter), [])
    alike = len({name.strip().lower() for name in names}) < len(names)
    if alike or not all(map(_is_header, names)):
        return []
    return names


def _is_header(name: str) -> bool:
    return 0 < len(name.strip()) <= _LONGEST_HEADER and not name.strip()[0].isdigit()


def _rows(text: str, start: int, end: int, delimiter: str) -> Iterator[list[str]]:
    """Cells row by row, up to where no cell fits."""
    pattern, position = _cell(delimiter), start
    row: list[str] = []
    while position < end:
        cell = pattern.match(text, position, end)
        if cell is None:
            return
        row.append(_QUOTED.decode(cell["quoted"] or cell["bare"] or ""))
        if cell["end"] != delimiter:
            yield row
            row = []
        position = cell.end()


def is_table(text: str) -> bool:
    """Whether all rows at the start are as long as a row of headers, as no prose is."""
    line = re.split(r"[\r\n]", text[:_LOOKED_AT], maxsplit=1)[0]
    delimiter = max(_DELIMITERS, key=line.count)
    if delimiter not in line or re.search(rf"{re.escape(delimiter)} |[.!?:]", line):
        return False
    head = text if len(text) <= _LOOKED_AT else text[: text.rfind("\n", 0, _LOOKED_AT) + 1]
    rows = [row for row in _rows(head, 0, len(head), delimiter) if row != [""]]
    if len(rows) < _FEWEST_ROWS or not _headers(head, 0, len(head), delimiter):
        return False
    return len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)
