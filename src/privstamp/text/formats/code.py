"""Programs in other languages, by a general lexer, and SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final, TypeAlias

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Literal, Name, Number, String, Text, Token

from privstamp.text.formats.codec import NUMBER
from privstamp.text.formats.literal import BARE, DOUBLED, PATTERN, literal, read_comment
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.template import FieldSheet

LANGUAGES: Final = (
    "bash", "c", "cpp", "csharp", "css", "go", "java", "javascript", "kotlin", "php", "ruby",
    "rust", "scala", "sql", "swift", "typescript",
)  # fmt: skip
ALIASES: Final = {
    "sh": "bash", "shell": "bash", "console": "bash", "zsh": "bash", "js": "javascript",
    "jsx": "javascript", "ts": "typescript", "tsx": "typescript", "c++": "cpp", "cs": "csharp",
    "c#": "csharp", "golang": "go", "rs": "rust", "rb": "ruby", "kt": "kotlin", "h": "c",
    "postgres": "sql", "postgresql": "sql", "mysql": "sql", "sqlite": "sql",
}  # fmt: skip
_Token: TypeAlias = tuple[int, object, str]
_QUOTE: Final = re.compile(r"[A-Za-z@$]*(?P<quote>'''|\"\"\"|'|\"|`)")
_SQL: Final = re.compile(
    r"\s*(?:(?:--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+\*/)\s*)*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE|ALTER|DROP|WITH|BEGIN"
    r"|EXPLAIN|GRANT|TRUNCATE|MERGE)\s",
    re.IGNORECASE,
)
_SQL_MORE: Final = re.compile(
    r"\b(?:FROM\s+[\w.\"`\[]+|VALUES\s*\(|SET\s+[\w.\"`]+\s*=|TABLE\s+\w|VIEW\s+\w|INDEX\s+\w)",
    re.IGNORECASE,
)
_SQL_SIGNS: Final = re.compile(r";\s*\Z|=|\*|\(|\b[A-Z]{4,}\b")
_LINE_ENDS: Final = re.compile(r"(?:[;{}]|=>|\*/|\),?)[ \t]*(?://.*)?$", re.MULTILINE)
_SIGNS: Final = (
    ("php", r"<\?php"),
    ("bash", r"\A#!.*\b(?:ba|z|k)?sh\b"),
    ("cpp", r"#include\s*<\w+>|\bstd::|\bcout\b"),
    ("c", r"#include\s*[<\"]|\bint main\("),
    ("csharp", r"^\s*using System|\bnamespace [\w.]+\s*[;{]|\bConsole\.Write"),
    (
        "java",
        r"\b(?:public|private|protected)\s+(?:static\s+|final\s+)*(?:class|interface|void|int|String)\b",
    ),
    ("go", r"^package \w+\s*$|^func .*\{\s*$"),
    ("rust", r"\bfn \w+[(<].*\{|\blet mut\b"),
    ("kotlin", r"^\s*(?:override )?fun \w+\("),
    ("typescript", r"\binterface \w+ \{|: (?:string|number|boolean)\b[^\n]*[;{,)]"),
    ("javascript", r"\bfunction\b[^\n]*\{|=>|^\s*(?:const|let|var) \w+|\bconsole\."),
)
_TELLING: Final = [(name, re.compile(sign, re.MULTILINE)) for name, sign in _SIGNS]
_SYNTAX: Final = (
    *(Comment.Preproc, Comment.PreprocFile, Comment.Hashbang),
    *(String.Char, String.Interpol, String.Affix, String.Delimiter),
)
_RAW: Final = frozenset({("bash", "'"), ("go", "`")})
"""Quotes between which nothing is escaped."""
_TAGS: Final = re.compile(r"`(?:\w+:\"[\w,.=-]*\" ?){1,9}`")
"""Names of a field in other formats, in Go."""
_PATTERN: Final = re.compile(r"/(?P<inside>.+)/[a-z]*\Z", re.DOTALL)
_MAILBOX: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@\w[\w-]{0,62}(?:\.\w[\w-]{0,62}){1,4}")
"""An address outside of literals and comments, as below a patch: Signed-off-by."""
_SHARE: Final = 0.4
_FEWEST: Final = 3
"""Lines that end as those of programs do."""


def reader(language: str) -> Callable[[FieldSheet, int, int], None]:
    """A reader of one language."""

    def read(sheet: FieldSheet, start: int, end: int) -> None:
        _read(sheet, start, end, language)

    return read


def _lexer(language: str) -> Lexer:
    if language == "php":
        return get_lexer_by_name(language, startinline=False)
    return get_lexer_by_name(language)


def _read(sheet: FieldSheet, start: int, end: int, language: str) -> None:
    text = sheet.raw[start:end]
    name = label = pending = ""  # pending: the quote of a literal that a placeholder interrupts
    addresses, read = dict(match.span() for match in _MAILBOX.finditer(text)), 0
    for kind, first, value in _runs(_lexer(language), text):
        at = start + first
        if first < read:
            continue
        if kind in (Name, Literal) and first in addresses:
            read = addresses[first]
            sheet.prose(at, start + read, BARE)
        elif kind is String:
            pending = _string(sheet, at, value, label, pending, language)
        elif kind is Comment:
            read_comment(sheet, at, at + len(value))
        elif kind is Number:
            sheet.prose(at, at + len(value), NUMBER, context(label) if label else "\n")
        elif kind is Name:
            sheet.key(at, at + len(value))
        elif kind is String.Regex:
            within = _PATTERN.match(value)
            first, last = within.span("inside") if within else (0, len(value))
            sheet.prose(at + first, at + last, PATTERN if within else BARE)
        elif kind is Literal and sheet.raw[max(start, at - 1) : at] != "<":  # </li> of JSX
            sheet.prose(at, at + len(value), BARE)
        if not value.isspace():
            label = name if value.strip() in ("=", ":", ":=", "=>") else ""
            name = value.strip("\"'") if kind in (Name, String) else ""


def _runs(lexer: Lexer, text: str) -> Iterator[tuple[object, int, str]]:
    """Tokens of a few sorts; pieces of one literal together, quotes and escapes included."""
    begun, pieces = 0, ""
    for index, token, value in _whole_errors(lexer.get_tokens_unprocessed(text)):
        sort = _sort(token, value)
        if sort is String and not _opens(pieces, value):
            begun = begun if pieces else index
            pieces += value
            continue
        if pieces:
            yield String, begun, pieces
            pieces = ""
        if sort is String:
            begun, pieces = index, value
        else:
            yield sort, index, value
    if pieces:
        yield String, begun, pieces


def _whole_errors(tokens: Iterator[_Token]) -> Iterator[_Token]:
    """Tokens; what a lexer does not know, sign after sign, as one."""
    for unknown, run in groupby(tokens, key=lambda token: token[1] is Token.Error):
        if unknown:
            signs = list(run)
            yield signs[0][0], Token.Error, "".join(value for _, _, value in signs)
        else:
            yield from run


def _opens(pieces: str, value: str) -> bool:
    """Whether a further literal begins, right after one that has ended."""
    if not pieces:
        return False
    opening = _QUOTE.match(pieces)
    if opening is None or len(pieces) <= opening.end():
        return False
    closed = pieces.endswith(opening["quote"]) and not pieces.endswith("\\" + opening["quote"])
    return closed and _QUOTE.match(value) is not None and not value.startswith(opening["quote"])


def _sort(token: object, value: str) -> object:
    """What a token is to us."""
    if not isinstance(token, type(Token)):
        return None
    if any(token in sort for sort in _SYNTAX):
        return None
    for sort in (Comment, Number):
        if token in sort:
            return sort
    if token in String.Symbol and not _QUOTE.match(value):
        return Name
    if token in String:
        return String.Regex if token in String.Regex else String
    if token in Name:
        return Name
    prose = token in Literal or token in Text or token in Token.Error or token in Token.Generic
    return Literal if prose and any(map(str.isalnum, value)) else None


def _string(
    sheet: FieldSheet, start: int, value: str, label: str, pending: str, language: str
) -> str:
    """A literal, or what is left of it; the quote that is still to come, if any."""
    opening = None if pending else _QUOTE.match(value)
    quote = opening["quote"] if opening else pending
    first = opening.end() if opening else 0
    if language == "sql" and opening:  # there a quote is one sign, and doubled inside
        quote, first = quote[:1], opening.start("quote") + 1
    closed = quote and value.endswith(quote) and len(value) >= first + len(quote)
    last = len(value) - len(quote) if closed else len(value)
    sql = language == "sql"
    raw = (language, quote) in _RAW
    codec = DOUBLED[quote or "'"] if sql else literal(quote or '"', raw=raw)
    if language == "go" and quote == "`" and _TAGS.fullmatch(value):
        return ""  # names, as the syntax around them
    if sql and quote in ('"', "`"):  # a name in quotes
        sheet.key(start + first, start + last, codec)
        return ""
    kind = kind_of(label, value[first:last]) if label else ""
    sheet.prose(start + first, start + last, codec, context(label) if label else "\n", kind)
    return "" if closed else quote


def is_sql(text: str) -> bool:
    """Whether it begins as statements do, and goes on as no sentence does."""
    head = text[:4000]
    return bool(_SQL.match(head) and _SQL_MORE.search(head) and _SQL_SIGNS.search(head))


def language_of(text: str) -> str | None:
    """The language of a program with braces; None if it does not look like one."""
    head = text[:20_000]
    if _TELLING[0][1].match(head.lstrip()) or _TELLING[1][1].match(head):
        return "php" if head.lstrip().startswith("<?php") else "bash"
    lines = sum(1 for line in head.split("\n") if line.strip())
    ended = len(_LINE_ENDS.findall(head))
    if ended < _FEWEST or ended < lines * _SHARE:
        return None
    return next((name for name, sign in _TELLING if sign.search(head)), None)
