"""Python: names are names, strings and comments are read, everything else passes."""

from __future__ import annotations

import ast
import io
import re
import token as kinds
import tokenize
import warnings
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from privstamp.text.formats.codec import NUMBER, Malformed, place
from privstamp.text.formats.literal import NESTED, literal, read_comment
from privstamp.text.formats.names import PYTHON, context, kind_of
from privstamp.text.formats.template import FieldSheet

_LITERAL: Final = re.compile(r"(?P<prefix>[A-Za-z]*)(?P<quote>'''|\"\"\"|'|\")", re.DOTALL)
_TELLING: Final = (
    ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For,
    ast.With, ast.Try, ast.While, ast.If, ast.Assign, ast.AugAssign, ast.AnnAssign,
)  # fmt: skip
_SURE: Final = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOK: Final = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]|class[ \t]|import[ \t]|from[ \t]|@|for[ \t]|with[ \t]"
    r"|try:|while[ \t]|if[ \t])|^\w[\w.]*[ \t]*[-+*/]?=",
    re.MULTILINE,
)
_STARTS: Final = frozenset(
    getattr(kinds, name) for name in ("FSTRING_START", "TSTRING_START") if hasattr(kinds, name)
)
_ENDS: Final = frozenset(
    getattr(kinds, name) for name in ("FSTRING_END", "TSTRING_END") if hasattr(kinds, name)
)


def parsed(text: str) -> ast.Module:
    """The tree of a program, or where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        trouble = error.lineno or 1, error.offset or 1
    except (ValueError, RecursionError, MemoryError):
        trouble = 1, 1
    raise Malformed(*trouble)


def is_program(text: str) -> bool:
    """Whether a text is a program and does what no sentence does."""
    if not _LOOK.search(text):
        return False
    try:
        tree = parsed(text)
    except Malformed:
        return False
    statements = [type(node) for node in tree.body]
    telling = [statement for statement in statements if statement in _TELLING]
    return any(statement in _SURE for statement in telling) or len(telling) > 1


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """A whole program."""
    text = sheet.raw[start:end]
    parsed(text)
    if re.search(r"\r(?!\n)", text):
        raise Malformed(*place(text, text.index("\r")))
    _read(sheet, start, text)


def _read(sheet: FieldSheet, start: int, text: str, *, nested: bool = False) -> None:
    lines = io.StringIO(text, newline="").readlines()
    offsets = [0, *accumulate(map(len, lines))]
    opened, depth = 0, 0
    name = label = ""  # what a value is called: x = ..., "x": ..., f(x=...)
    row: list[str] = []  # names that are set together: x, y = ..., ...
    waiting: list[str] = []
    for token in _tokens(text):
        first = start + offsets[token.start[0] - 1] + token.start[1]
        last = (
            start + offsets[token.end[0] - 1] + token.end[1]
            if token.end[0] <= len(lines)
            else first
        )
        if token.type in _STARTS:
            opened = first if depth == 0 else opened
            depth += 1
        elif token.type in _ENDS:
            depth -= 1
            if depth == 0:
                _string(sheet, opened, last, label, nested=nested)
        elif depth:
            continue
        elif token.type == kinds.NAME and token.string not in PYTHON:
            sheet.key(first, last)
        elif token.type == kinds.STRING:
            _string(sheet, first, last, label, nested=nested)
        elif token.type == kinds.COMMENT:
            read_comment(sheet, first, last)
        elif token.type == kinds.NUMBER:
            sheet.prose(first, last, NUMBER, context(label) if label else "\n")
        label = name if token.string in ("=", ":", "==") else ""
        if token.string == "=" and len(row) > 1:
            label, *waiting = row
        elif token.string == "," and waiting:
            label = waiting.pop(0)
        elif token.type == kinds.NEWLINE or token.string in ("(", "[", "{"):
            waiting = []
        if token.type == kinds.NAME:
            row = [*row, token.string] if not name else [token.string]
        elif token.string != ",":
            row = []
        name = token.string.strip("\"'") if token.type in (kinds.NAME, kinds.STRING) else ""


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    trouble = None
    try:
        yield from tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    except tokenize.TokenError as error:
        trouble = error.args[1]
    except (SyntaxError, IndentationError):
        trouble = 1, 1
    if trouble is not None:
        raise Malformed(*trouble)


def _string(sheet: FieldSheet, start: int, end: int, label: str, *, nested: bool) -> None:
    """One literal; of a formatted one the placeholders are read as programs."""
    opening = _LITERAL.match(sheet.raw, start, end)
    if opening is None:
        raise Malformed(*place(sheet.raw, start))
    prefix, quote = opening["prefix"].lower(), opening["quote"]
    formatted = "f" in prefix or "t" in prefix
    codec = literal(quote, raw="r" in prefix, braces=formatted, as_bytes="b" in prefix)
    if nested:
        codec = NESTED["b" in prefix]
    first, last = opening.end(), end - len(quote)
    before = context(label) if label else "\n"
    if not formatted:
        kind = kind_of(label, sheet.raw[first:last]) if label else ""
        sheet.prose(first, last, codec, before, kind)
        return
    for begins, ends, inner in _segments(sheet.raw, first, last, raw="r" in prefix):
        if inner:
            _placeholder(sheet, begins, ends)
        else:
            sheet.prose(begins, ends, codec, before)
            before = " "


def _segments(text: str, start: int, end: int, *, raw: bool) -> Iterator[tuple[int, int, bool]]:
    """Stretches of a formatted literal: text, and what stands in braces."""
    position = begins = start
    while position < end:
        sign = text[position]
        if sign == "\\" and not raw:
            named = text.startswith("\\N{", position)
            position = text.index("}", position) + 1 if named else position + 2
        elif text.startswith(("{{", "}}"), position):
            position += 2
        elif sign == "{":
            yield begins, position, False
            stop = _closing(text, position + 1, end)
            yield position + 1, stop, True
            position = begins = stop + 1
        else:
            position += 1
    yield begins, end, False


def _closing(text: str, position: int, end: int) -> int:
    """The brace that ends a placeholder."""
    depth, quote = 0, ""
    while position < end:
        sign = text[position]
        if quote:
            if sign == "\\":
                position += 1
            elif text.startswith(quote, position):
                position += len(quote) - 1
                quote = ""
        elif sign in "'\"":
            quote = sign * 3 if text.startswith(sign * 3, position) else sign
            position += len(quote) - 1
        elif sign in "([{":
            depth += 1
        elif sign == "}" and depth == 0:
            return position
        elif sign in ")]}":
            depth -= 1
        position += 1
    raise Malformed(*place(text, position))


def _placeholder(sheet: FieldSheet, start: int, end: int) -> None:
    """An expression, and how it is to be written, which may hold further ones."""
    text = sheet.raw[start:end]
    stop = _expression(text)
    expression = text[:stop]
    lead = len(expression) - len(expression.lstrip())
    body = expression.strip().removesuffix("=").rstrip()
    if body:
        _read(sheet, start + lead - 1, f"({body})", nested=True)
    position = start + stop
    while (inner := sheet.raw.find("{", position, end)) >= 0:
        closing = _closing(sheet.raw, inner + 1, end)
        _placeholder(sheet, inner + 1, closing)
        position = closing + 1


def _expression(text: str) -> int:
    """Where the expression of a placeholder ends: before its conversion or its format."""
    depth, quote, position = 0, "", 0
    while position < len(text):
        sign = text[position]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and (
            sign == ":" or (sign == "!" and text[position + 1 : position + 2] != "=")
        ):
            return position
        position += 1
    return len(text)
