"""Where a text too large to be read at once may be cut: after a paragraph, a line, a row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from privstamp.errors import InputError
from privstamp.text.formats import json_text, log, markup
from privstamp.text.formats.recognition import read

SIZE: Final = 50_000
"""Characters of a part, about."""
LONGEST: Final = 40 * SIZE
"""Characters without a place to cut at; more of them are refused."""
PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n\s*")
SENTENCE_LINE: Final = re.compile(r"[.!?:;][\"')\]\u2019\u201d]*[^\S\n]*\n")
LINE: Final = re.compile(r"\n")
FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
SENTENCE: Final = re.compile(r"[.!?][\"')\]\u2019\u201d]*[ \t]+(?=[A-Z])")

Places: TypeAlias = Callable[[str], Iterable[Iterable[int]]]
"""Where a text may be cut, the best places first."""


@dataclass(frozen=True, repr=False)
class CutPart:
    """PRIVATE. A part of a text; `header` is the first row of the table that it goes on with."""

    text: str
    format: str
    header: str = ""


def parts(pieces: Iterable[str], name: str) -> Iterator[CutPart]:
    """A text that comes in pieces, in parts that are read each for itself, all in one format."""
    stream = iter(pieces)
    head = ""
    for piece in stream:
        head += piece
        if len(head) > 2 * SIZE:
            break
    else:
        yield CutPart(head, name)  # small enough to be read at once, whatever it is
        return
    kind = format_of(head, name)
    header = ""
    for text in cut(head, stream, PLACES[kind]):
        yield CutPart(text, kind, header)
        if kind in ("csv", "tsv") and not header:
            header = text[: next(iter(_rows(text)), len(text))]


def format_of(head: str, name: str) -> str:
    """The format of a text by its beginning; one that cannot be cut is refused."""
    if name == "auto":
        name = _seen(head)
    if name not in PLACES:
        raise InputError(
            f"{name} is read as a whole, so it cannot be taken in parts. In parts go: "
            f"{', '.join(PLACES)}. Split the file, or name one of these with --format"
        )
    return name


def _seen(head: str) -> str:
    start = head.lstrip("\ufeff \t\r\n")[:1]
    whole = head[: head.rfind("\n") + 1] or head  # the last line goes on
    if start in ("{", "["):
        return "jsonl" if json_text.is_lines(whole) else "json"
    if start == "<" and (markup_name := markup.kind_of_markup(head)):
        return markup_name
    template = read(whole)
    return "plain" if template is None else template.format


def cut(head: str, stream: Iterator[str], places: Places) -> Iterator[str]:
    """The parts of `head` and of what follows it; together they are the text."""
    held, more = head, True
    while more or len(held) > 2 * SIZE:
        if len(held) <= 2 * SIZE:
            piece = next(stream, None)
            more = piece is not None
            held += piece or ""
            continue
        place = _best(held[: 2 * SIZE], places)
        while place is None:  # too long a line: to its end
            place = next((place for best in places(held) for place in best), None)
            if place is None and len(held) > LONGEST:
                raise InputError(
                    f"more than {LONGEST:,} characters stand there without a place to cut at: "
                    "no paragraph, line or row ends. Nothing was released. Put line ends into it"
                )
            if place is None:
                piece = next(stream, None)
                more = piece is not None
                held += piece or ""
                place = None if more else len(held)
        yield held[:place]
        held = held[place:]
    if held:
        yield held


def _best(text: str, places: Places) -> int | None:
    """The last of the best places in the second half."""
    for best in places(text):
        last = max((place for place in best if place > SIZE // 2), default=None)
        if last is not None:
            return last
    return None


def _ends(pattern: re.Pattern[str], text: str) -> Iterator[int]:
    return (match.end() for match in pattern.finditer(text))


def _paragraphs(text: str) -> Iterator[Iterable[int]]:
    return (_ends(one, text) for one in (PARAGRAPH, SENTENCE_LINE, LINE, SENTENCE))


def _blocks(text: str) -> Iterator[Iterable[int]]:
    """Of Markdown: paragraphs outside of fences and comments."""
    yield _outside(text, _ends(PARAGRAPH, text))


def _outside(text: str, ends: Iterable[int]) -> Iterator[int]:
    fence, comments, position = "", 0, 0
    for end in ends:
        for mark in FENCE.finditer(text, position, end):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):  # at least as long, of the same sign
                fence = ""
        comments += text.count("<!--", position, end) - text.count("-->", position, end)
        position = end
        if not fence and not comments:
            yield end


def _lines(text: str) -> Iterator[Iterable[int]]:
    yield _ends(LINE, text)


def _entries(text: str) -> Iterator[Iterable[int]]:
    """Of a log: lines that are followed by one with a time or a level."""
    yield (end for end in _ends(LINE, text) if log.begins(text, end))


def _rows(text: str) -> Iterator[int]:
    """Line ends outside of quotes."""
    quotes = position = 0
    for end in _ends(LINE, text):
        quotes += text.count('"', position, end)
        position = end
        if quotes % 2 == 0:
            yield end


PLACES: Final[dict[str, Places]] = {
    "plain": _paragraphs,
    "markdown": _blocks,
    "jsonl": _lines,
    "csv": lambda text: [_rows(text)],
    "tsv": lambda text: [_rows(text)],
    "log": _entries,
}
