"""Constructs that simply open and close: a table, one row each, in no order.

Opening and closing patterns are bounded, so that nothing waits for more than the look-ahead.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.addresses import QUOTED
from privstamp.restore.machine import BLANK_LINE, Machine, Stretch, Template

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
        Template(r"\{\{", r"\}\}"),
        Template(r"\{%", r"%\}"),
        Template(r"<\?(?:php|=)", r"\?>"),
        Template(r"<%", r"%>"),
        Template(r"[$#]\{", r"\}"),
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
