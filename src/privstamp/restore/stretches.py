"""Constructs that simply open and close: a table, one row each, in no order.

Opening and closing patterns are bounded, so that nothing waits for more than the look-ahead.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.machine import BLANK_LINE, Machine, Stretch

_ENVIRONMENTS: Final = (
    "equation|align|alignat|gather|multline|eqnarray|math|displaymath|flalign|split|cases|"
    "tikzpicture|filecontents|luacode|verbatim|lstlisting|minted"
)
_TAGS: Final = "url|img|image|video|audio|media|e?mail|link|youtube|iframe|embed|attach|file"
_CALLS: Final = (
    r"fetch|sendBeacon|urlopen|urlretrieve|importScripts|requests\.\w{1,12}|httpx\.\w{1,12}|"
    r"axios(?:\.\w{1,8})?|new (?:Image|WebSocket|EventSource|XMLHttpRequest)|window\.open|"
    r"location\.\w{1,10}|HYPERLINK|WEBSERVICE|IMPORT\w{2,6}|FILTERXML|RTD|image-set|expression"
)
_COMMANDS: Final = (
    "curl|wget|nc|ncat|netcat|telnet|nslookup|dig|ping|ssh|scp|sftp|rsync|ftp|openssl|xdg-open|"
    "Invoke-WebRequest|Invoke-RestMethod|iwr|irm|certutil|bitsadmin|sendmail"
)


def _quoted(opening: re.Match[str]) -> str:
    return re.escape(opening[0][-1])


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
        Stretch("link", r"\[\[(?![\"'\[\s]|-?[\d.]{1,20}\s?[,\]])", rf"\]\]|{BLANK_LINE}"),
        Stretch(
            "link",
            rf"\[({_TAGS})(?=[\s=\]])",
            lambda tag: rf"\[/{tag[1]}\]|{BLANK_LINE}",
            any_case,
        ),
        Stretch("style", r"\burl\(", r"\)", any_case),
        Stretch("style", r"\burl\(\s{0,20}[\"']", _quoted, any_case),
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
        Stretch("script", rf"(?<!\w)(?:{_CALLS})\s{{0,3}}\(", rf"\)\s{{0,3}}\n|;|{BLANK_LINE}"),
        Stretch(
            "script",
            rf"(?:^|[|;&(`])[ \t>]{{0,8}}(?:[$#%>]\s|sudo\s|PS>\s?)?"
            rf"(?:{_COMMANDS})[ \t]+(?=[-\w\"'$.])",
            r"(?<!\\)\n",
            lines,
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
