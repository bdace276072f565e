"""Constructs that open and close, a table; what a spreadsheet or a typesetter computes."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.addresses import QUOTED
from privstamp.restore.markup import AHEAD, BLANK_LINE, Machine, ProgramTemplate, Stretch

# Constructs that simply open and close: a table, one row each, in no order.
#
# Opening and closing patterns are bounded, so that nothing waits for more than the look-ahead.


_NEVER: Final = r"(?!)"
"""Closes nothing: up to the end of the reply."""
_ENVIRONMENTS: Final = (
    "equation|align|alignat|gather|multline|eqnarray|math|displaymath|flalign|split|cases|"
    "tikzpicture|filecontents|luacode|verbatim|lstlisting|minted"
)
_TAGS: Final = "url|img|image|video|audio|media|e?mail|link|youtube|iframe|embed|attach|file"


def _quoted(opening: re.Match[str]) -> str:
    return re.escape(opening[0][-1])


def _as_opened(opening: re.Match[str]) -> str:
    """The quote that closes it, neither escaped nor doubled."""
    quote = {"“": "”", "‘": "’", "«": "»"}.get(opening[1], opening[1])
    sign = re.escape(quote)
    return rf"(?<![\\{sign}]){sign}(?!{sign})" if len(quote) == 1 else sign


def stretches() -> list[Machine]:
    """Fresh machines, one for each row."""
    any_case = re.IGNORECASE
    lines = re.MULTILINE
    return [
        Stretch("markup", r"<!--", r"-->"),
        Stretch("markup", r"<!\[CDATA\[", r"\]\]>"),
        Stretch("markup", r"<!", r">"),
        Stretch("markup", r"<!ENTITY", r"[\"']\s{0,9}>", any_case),
        Stretch("markup", r"</(?![A-Za-z])", r">"),
        Stretch("markup", r"<\?", r"\?>"),
        Stretch("markup", r"<%", r"%>"),
        Stretch("markup", r"<(?=[^\s<>=\-\dA-Za-z/!?%])", r"[>\n]"),  # <./page>, <#part>
        Stretch("markup", r"<(?=\d[^<>\n]{0,60}[^\s<>]>)", r">"),
        Stretch("markup", r"[＜﹤‹](?=\S)", r"[＞﹥›\n]"),
        Stretch("markup", r"`{3,}|~{3,}", r"\n"),  # the language of a block of code
        Stretch("markup", r"\{\{", r"\}\}"),
        Stretch("markup", r"\{%", r"%\}"),
        ProgramTemplate(r"\{\{", r"\}\}"),
        ProgramTemplate(r"\{%", r"%\}"),
        ProgramTemplate(r"<\?(?:php|=)", r"\?>"),
        ProgramTemplate(r"<%", r"%>"),
        ProgramTemplate(r"[$#]\{", r"\}"),
        Stretch("markup", r"\{[:.#](?=[\w \t.#])", r"\}"),  # attributes of Markdown
        Stretch("link", r"^[ \t>]{0,12}#\+\w{1,30}:", r"\n", lines),  # Org
        Stretch("link", r"(?<!\])\[[^\[\]|\n]{1,60}\|(?!\|)", r"[\]\n]"),  # Jira
        Stretch("latex", r"\^\^[0-9a-f]{2}|\^\^[@A-Z\[\\]", BLANK_LINE),
        Stretch("link", r"\[\[(?![\"'\[]|\s{0,3}-?[\d.]{1,20}\s?[,\]])", rf"\]\]|{BLANK_LINE}"),
        Stretch(
            "link",
            rf"\[({_TAGS})(?=[\s=\]])",
            lambda tag: rf"\[/{tag[1]}\]|{BLANK_LINE}",
            any_case,
        ),
        Stretch("style", r"\burl\(", r"\)", any_case),
        Stretch("style", r"\burl\(\s{0,20}[\"']", _quoted, any_case),
        Stretch(
            "style",
            r"(?=\w{0,2}\\)(?:u|\\0{0,4}[57]5\s?)(?:r|\\0{0,4}[57]2\s?)(?:l|\\0{0,4}[46]c\s?)\(",
            r"\)",
            any_case,
        ),
        Stretch("style", r"@(?=[a-z]{0,6}\\[0-9a-f]{1,6})", r"[;\n]", any_case),
        Stretch("style", r"@import\b", r"[;\n]", any_case),
        Stretch("escape", r"\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]", r"\x07|\x1b\\|\x9c"),
        Stretch("escape", r"\x1b\[|\x9b", r"[\x40-\x7e]"),
        Stretch(
            "escape",
            r"\\(?:e|033|x1b|u001b|u\{1b\})(?:\]|\\x5d)",
            r"\\(?:a|0?07|x07|u0007)|\\(?:e|033|x1b|u001b)\\|\n",
            any_case,
        ),
        Stretch("latex", r"\$\$", r"\$\$"),
        Stretch("latex", r"\\\(", r"\\\)"),
        Stretch("latex", r"\\\[", r"\\\]"),
        Stretch(
            "latex",
            r"(?<![\w\\$])\$(?=[^\s$\d](?:[^$\n]{0,100}[^\s$\\])?\$(?!\d))",
            r"\$",
        ),
        Stretch(
            "latex",
            rf"\\begin\s?\{{\s?({_ENVIRONMENTS})\*?\s?\}}",
            lambda begin: rf"\\end\s?\{{\s?{begin[1]}\*?\s?\}}",
        ),
        Stretch("link", r"^[ \t>]{0,12}\.\. ", r"\n", lines),  # reStructuredText
        Stretch(
            "link", r"^[ \t>]{0,12}:(?:target|alt|url|file|image|uri):", r"\n", any_case | lines
        ),
        Stretch(
            "url",
            r"(?<![^\W_])(?:ur[li]s?|href|src|srcset|webhook|endpoint|permalink|deeplink)"
            r"[\"'*`]{0,3}[ \t]{0,4}[:=]",
            r"[\n>]",
            any_case,
        ),
        *(
            Stretch("url", rf"({quote})[ \t\n]{{0,9}}(?={QUOTED})", _as_opened)
            for quote in ('"', "'", "`", r"\+\+", "“", "‘", "«")
        ),
        Stretch("url", r"(?:mailto|sms|smsto|tel):[^\s]{0,80}[?]", r"\n", any_case),
        Stretch("script", r"<[|｜][^|｜<>\n]{1,60}[|｜]>", _NEVER),  # calls of tools
        Stretch("script", r"\[/?(?:TOOL_\w{3,9}|AVAILABLE_TOOLS|ARGS|CALL_ID)\]", _NEVER, any_case),
        Stretch("script", r"✿\w{1,20}✿|(?<!\w)functools\[|(?<!\w)to=functions\.", _NEVER),
        Stretch(
            "script",
            r"^[ \t>*_#-]{0,12}(?:Action|Tool|Function)[ \t]?\d{0,3}[ _]?(?:Input|Args|Arguments)"
            r"[ \t]?\d{0,3}[*_]{0,3}[ \t]?:",
            _NEVER,
            any_case | lines,
        ),
        Stretch(
            "script",
            r"^[ \t>*_#-]{0,12}Action[ \t]?\d{0,3}[*_]{0,3}[ \t]?:[ \t*_`]{0,6}\w{2,40}[\[(]",
            BLANK_LINE,
            any_case | lines,
        ),
        Stretch(
            "script",
            r"^[ \t>`]{0,12}\[\s{0,4}[A-Za-z_][\w.]{0,60}\(\s{0,4}(?:\w{1,40}\s?=(?!=)|\)\s?[,\]])",
            BLANK_LINE,
            lines,
        ),
        Stretch(
            "script",
            r"^[ \t>]{0,12}(?:`{3,}|~{3,})[ \t{.]{0,4}"
            r"(?:tool|function|action|invoke|execut|api_?call)",
            _NEVER,
            any_case | lines,
        ),
        Stretch(
            "script",
            r"(?<!\w)(?:window|document|self|top|parent|location)\.[\w.]{1,40}\s{0,3}=(?!=)",
            r"[;\n]",
        ),
        Stretch("url", r"^[ \t>]{0,8}(?:GET|POST|PUT|HEAD|PATCH|DELETE) (?=[/h])", r"\n", lines),
        Stretch(
            "url", r"^[ \t>]{0,8}(?:Location|Refresh|Referer|Link):[ \t]{0,4}[/<\d]", r"\n", lines
        ),
        Stretch("script", r"(?<!\w)(?:java|vb|live)script\s{0,9}:", BLANK_LINE, any_case),
    ]


# What a spreadsheet or a typesetter computes: formulas in cells, and commands of LaTeX.


_LEAD: Final = (
    r"(?:^|[|,;\t\r\n])[ \u00a0\t\"'\u200b-\u200f\u2060\ufeff]{0,9}"
    r"(?:(?:[-*+>]|\d{1,3}[.)])[ \t]{1,4}[\"']{0,3}){0,3}"
)
"""Where a cell starts: a line, perhaps quoted or in a list, or what divides cells."""
_SIGNED: Final = re.compile(rf"{_LEAD}[-+@＋－＠]{{1,3}}(?=[^\s\-+@|])", re.MULTILINE)
_WORKS: Final = r"[A-Za-z]\(|\|\s{0,3}['\"]|![A-Za-z$]|&[\"'(]|[\"')]&"
"""Calls a function, joins strings, asks another program or another sheet."""
_EVENT: Final = re.compile(rf"\n|{_WORKS}")
_WORKING: Final = re.compile(_WORKS)
_COMMAND: Final = re.compile(r"\\([A-Za-z@]+)\*?")
_PLAIN: Final = frozenset(
    {
        *("textbf", "textit", "emph", "texttt", "textsc", "textrm", "textsf", "underline", "text"),
        *("section", "subsection", "subsubsection", "paragraph", "chapter", "part", "title"),
        *("author", "date", "item", "caption", "footnote", "centering", "large", "Large", "small"),
        *("maketitle", "noindent", "newline", "hline", "toprule", "midrule", "bottomrule"),
        *("multicolumn", "multirow", "begin", "end", "opening", "closing", "signature", "address"),
        *("name", "cc", "ps", "quote", "bf", "it"),
    }
)
"""Commands whose arguments are shown as they are."""


def formulas() -> list[Machine]:
    """Fresh machines."""
    lines = re.MULTILINE
    return [
        Stretch("formula", rf"{_LEAD}[=＝](?![=>~])", r"\n", lines),
        Stretch("formula", rf'{_LEAD}(?<=")[=＝](?![=>~])', r'(?<!")"(?!")', lines),
        Stretch(
            "latex",
            r"\\(?:input|include|includegraphics|write|openin|openout|immediate|special|catcode|"
            r"csname|read|url|href|path|nolinkurl|verb)(?![A-Za-z])",
            r"\n",
        ),
        Signed(),
        Commands(),
    ]


class Signed:
    """A cell that starts with + - or @ is a formula where it calls or joins: no list, no +44."""

    opened: str | None = None

    def __init__(self) -> None:
        self._open = self._works = False
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            awaited = _EVENT if self._open else _SIGNED
            event = awaited.search(text, at, stop + AHEAD)
            if event is None or event.start() >= stop:
                at = stop
            elif self._open and event[0] != "\n":
                self._works, at = True, event.end()
                self.opened = "formula"
            else:
                self._open, self._works, at = not self._open, False, event.end()
        self._over = at - stop

    def place(self, text: str, at: int) -> str | None:
        if not self._open:
            return None
        line = text[at : at + AHEAD].partition("\n")[0]
        return "formula" if self._works or _WORKING.search(line) else None


class Commands:
    """Arguments of every command that is not known to be shown as it is."""

    opened: str | None = None

    def __init__(self) -> None:
        self._awaits = False  # an argument may follow
        self._brackets = ""  # of the argument that is open
        self._depth = 0
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            if not self._awaits and not self._depth:
                command = _COMMAND.search(text, at, stop + AHEAD)
                if command is None or command.start() >= stop:
                    at = stop
                    break
                self._awaits = command[1] not in _PLAIN
                at = command.end()
            elif self._depth:
                at = self._inside(text, at)
            else:
                at = self._between(text, at)
        self._over = max(0, at - stop)

    def _between(self, text: str, at: int) -> int:
        sign = text[at]
        if sign in "[{(" or (sign == "<" and text[at - 1 : at] != " "):
            self._brackets = sign + {"[": "]", "{": "}", "(": ")", "<": ">"}[sign]
            self._depth, self._awaits = 1, False
        elif sign not in " \t\r\n" or _BLANK.match(text, at):
            self._awaits = False
            return at  # it may be the next command
        return at + 1

    def _inside(self, text: str, at: int) -> int:
        sign = text[at]
        if sign == "\\":
            return at + 2
        if _BLANK.match(text, at):
            self._depth = 0
        elif sign in self._brackets:
            self._depth += 1 if sign == self._brackets[0] else -1
            self._awaits = self._depth == 0
        return at + 1

    def place(self, _text: str, _at: int) -> str | None:
        return "latex" if self._depth else None


_BLANK: Final = re.compile(BLANK_LINE)
