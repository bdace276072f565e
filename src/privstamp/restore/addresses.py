"""What reaches somebody else: addresses, and what sends.

Addresses are links, hosts, e-mail addresses and encoded strings, whole or broken over lines. From
120 characters before a command, script or call that sends, nothing is put back until its paragraph,
or the block of code that it stands in, is over.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.markup import AHEAD, BEHIND, BLANK_LINE

_SCHEMES: Final = (
    "mailto|data|javascript|vbscript|tel|sms|smsto|callto|blob|cid|mid|file|ftps?|sftp|magnet|geo|"
    "sips?|xmpp|ircs?|ldaps?|news|nntp|urn|view-source|about|intent|market|ms-[a-z]+|whatsapp|"
    "skype|facetime(?:-audio)?|slack|tg|zoommtg|vscode|steam|spotify|webcal|feed|git|ssh|wss?|jar|"
    "chrome|ipfs|ipns|bitcoin|ethereum|nostr|https?|gopher|telnet|rtsp|smb|nfs|dict|hxxps?"
)
_DOT: Final = ".．。｡․﹒"
_UNSEEN: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
_ATTRIBUTES: Final = (
    "src|href|action|formaction|srcset|poster|background|cite|ping|style|on[a-z]{3,20}"
)
_EVIDENCE: Final = re.compile(
    rf"""
    [A-Za-z][\w+.\-{_UNSEEN}]{{1,40}}[:：﹕](?:[/／\\＼]{{2}}|/)
  | [:：﹕][/／\\＼]{{2}}
  | (?<![\w/\\])(?://|\\\\|／／)(?=[\w\[])
  | (?<!\w)(?i:www)\d{{0,3}}[{_DOT}]
  | (?<!\w)(?i:{_SCHEMES})[:：﹕](?=\S)
  | (?<![\w"'])[a-z][a-z0-9+.\-]{{1,30}}::?(?=[A-Za-z0-9/?\#@%\[(])
  | [\w\-][{_UNSEEN}]?[{_DOT}][{_UNSEEN}]?[^\W\d_][\w\-{_UNSEEN}]{{1,62}}
    [{_DOT}]?(?::\d{{1,5}})?[/?\#／？＃]
  | \d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d{{1,5}})?[/?\#]
  | \[[0-9A-Fa-f:.]{{2,40}}\](?::\d{{1,5}})?/
  | [?&][\w.\-\[\]%]{{1,40}}=
  | (?P<tag>)(?<!\w)(?i:{_ATTRIBUTES})=
  | \w[\[(](?:\.|dot)[\])]\w
  | ["”]:(?=[A-Za-z/.\#])
    """,
    re.VERBOSE,
)
_ENCODED: Final = re.compile(
    r"%[0-9A-Fa-f]{2}|&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
    r"|\\(?:u\{?[0-9a-fA-F]{2,6}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|N\{)|=\?[\w-]{2,20}\?[bBqQ]\?"
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_PIECE: Final = re.compile(r"\n|[ \t\r\f\v]+|[^ \t\r\n\f\v]+")
_PREFIX: Final = re.compile(r">+|\||#+|\*|-|//+|%+")
_BLANKS: Final = " \t\r\n\f\v"
_OPEN_END: Final = "=?&+%#\\"
_TAG: Final = re.compile(
    r"(?<!\\)<[A-Za-z][A-Za-z0-9-]*(?:[ \t\n]+[A-Za-z_:][\w.:-]*(?:[ \t\n]*=[ \t\n]*"
    r"(?:[^\s\"'=<>`]+|'[^'<>]*'|\"[^\"<>]*\"))?)*[ \t\n]*/?>",
    re.ASCII,
)

_SIDE: Final = rf"[^\s,;|\"“”()<>\[\]{{}}{'，；（）「」、'}]"
_BACK: Final = 80
_LEFT: Final = re.compile(rf"{_SIDE}*\Z")
_RIGHT: Final = re.compile(rf"{_SIDE}*")
_AT: Final = re.compile(r"[@＠﹫]")
_QUOTED_AT: Final = re.compile(r"(?:[\"')\]>]{1,2}|\([^()\s]{0,40}\))[@＠﹫]")
_REST: Final = re.compile(r"\S*")
_WRAPPED: Final = re.compile(r"[*_'‘’`~.!?:…]*")
_SURE_DOT: Final = _DOT.replace("。", "")  # which also ends a sentence
_HOST_BEFORE: Final = re.compile(
    rf"[^\W_][{_UNSEEN}]?[{_SURE_DOT}][\w\-{_UNSEEN}]*\Z|[a-z0-9]。[\w\-{_UNSEEN}]*\Z"
)
_HOST_AFTER: Final = re.compile(rf"[\w\-{_UNSEEN}]*(?:[{_SURE_DOT}][{_UNSEEN}]?[^\W_]|。[a-z0-9])")
_BREAKS: Final = re.compile(r"[\t\r\n]")
_LEADING: Final = "".join(map(chr, range(33))) + "\u00a0\u200b\ufeff\"'<(["
_LINKS: Final = re.compile(r"://|(?i:www)\.")


class UnbrokenRun:
    """Whether the run of characters so far, without a blank, is a link or is encoded.

    A link that is broken at a line's end goes on in the next line.
    """

    opened: str | None = None

    def __init__(self) -> None:
        self._place: str | None = None  # of the chunk
        self._tag = False  # it may be an attribute, and end with its tag
        self._gap = True  # between two chunks
        self._lines = 0  # line ends in the gap
        self._carried = False  # a link stood before the gap
        self._dangling = False  # and asks for more
        self._mark = False  # the chunk is a mark where a line starts, such as >

    def read(self, text: str, start: int, stop: int) -> None:
        at = start
        while at < stop:
            piece = _PIECE.match(text, at, stop)
            assert piece is not None  # every character is of one of the three kinds
            if piece[0][0] in _BLANKS:
                if not self._gap:
                    self._end(text[at - 1])
                self._lines += piece[0] == "\n"
            else:
                if self._gap:
                    self._start(text, at)
                self._chunk(text, at, piece.end())
            at = piece.end()

    def _start(self, text: str, at: int) -> None:
        broken = self._broken()
        word = _PIECE.match(text, at, at + 8)
        self._gap = False
        self._mark = broken and word is not None and _PREFIX.fullmatch(word[0]) is not None
        self._carried = self._mark
        self._place = "url" if broken and not self._mark else None
        self._tag = False

    def _end(self, last: str) -> None:
        self._carried |= self._place == "url"
        self._lines = int(self._mark)
        self._dangling = last in _OPEN_END
        self._gap, self._place = True, None

    def _chunk(self, text: str, at: int, stop: int) -> None:
        while at < stop:
            if self._place == "url":
                closing = text.find(">", at, stop) if self._tag else -1
                if closing < 0:
                    return
                at = closing + 1
                if _ends_tag(text, at):
                    self._place, self._tag = None, False
            else:
                evidence = _EVIDENCE.search(text, at, stop + AHEAD)
                if evidence is None or evidence.start() >= stop:
                    break
                self._place = "url"
                self._tag = evidence["tag"] == ""
                at = evidence.end()
        for name, pattern in (("encoded", _ENCODED), ("escape", _CONTROL)):
            sign = pattern.search(text, at, stop + AHEAD)
            if sign is not None and sign.start() < stop:
                self._place = name

    def _broken(self) -> bool:
        return self._carried and (self._lines == 1 or (self._lines == 0 and self._dangling))

    def place(self, _text: str, _at: int) -> str | None:
        if self._gap:
            return "url" if self._broken() else None
        return self._place


def _ends_tag(text: str, end: int) -> bool:
    """Whether a whole tag ends here, such that any program takes it for one."""
    low = max(0, end - BEHIND // 2)
    start = text.rfind("<", low, end)
    return start > low and _TAG.fullmatch(text, start, end) is not None


def starts_as_address(value: str) -> bool:
    """Whether a whole value is a link, by its first characters; programs drop breaks in it."""
    head = _BREAKS.sub("", value[:BEHIND].lstrip(_LEADING)).partition(" ")[0]
    return _EVIDENCE.search(head) is not None


def around(text: str, start: int, end: int, limit: int) -> str | None:
    """What the characters beside a string make of it: a part of an address, host or code."""
    left = _LEFT.search(text[max(0, start - _BACK) : start])
    right = _RIGHT.match(text, end, limit)
    assert left is not None and right is not None  # both may be empty
    before, after = left[0], right[0]
    matched = text[start:end]
    cut = (right.end() >= limit, after), (len(before) >= _BACK, before)
    if any(reached and side.isascii() for reached, side in cut):
        return "address"  # it goes on beyond what is looked at
    if _LINKS.search(matched):
        return "url"
    if _AT.search(before) or _AT.search(after) or _QUOTED_AT.match(text, right.end(), limit):
        return "address"
    if _AT.search(matched):
        wrapped = _WRAPPED.fullmatch(before) and _WRAPPED.fullmatch(after)
        return None if wrapped else "address"
    if _HOST_BEFORE.search(before) or _HOST_AFTER.match(after):
        return "address"
    rest = _REST.match(text, end, limit)
    if (rest and _ENCODED.search(rest[0])) or (before[-1:] == "+" and before[-2:-1].isalnum()):
        return "encoded"
    if after[:1] == "+" and after[1:2].isalnum():
        return "encoded"
    return "url" if _GOES_ON.match(after) else None


_GOES_ON: Final = re.compile(r"[\w+.\-]*[:：][/\\／＼]|[\w/.\-]*[?&][\w.]{1,40}=")

QUOTED: Final = rf"(?:[A-Za-z][\w+.\-]{{1,40}}:[/\\]|//(?=[\w\[])|(?i:www\.|(?:{_SCHEMES}):(?=\S)))"
"""How a link starts that stands in quotes: blanks are then a part of it."""


_PROGRAMS: Final = (
    "curl|wget|nc|ncat|netcat|socat|nslookup|scp|sftp|rsync|xdg-open|certutil|bitsadmin|sendmail|"
    "mailx|mutt|msmtp|swaks|httpie|aria2c|lynx|w3m|Invoke-WebRequest|Invoke-RestMethod|iwr|irm|"
    "Send-MailMessage|Start-BitsTransfer|rclone|s3cmd|gsutil|xh|xhs"
)
_WORDS: Final = "ping|dig|ssh|telnet|ftp|openssl|mail"
"""Programs that are words, too: only with what no sentence has after them."""
_FETCHES: Final = (
    r"git (?:push|clone|fetch|pull|remote|ls-remote|submodule|send-email)|"
    r"(?:python[\d.]{0,4} -m )?pip[x\d]? install|"
    r"pip\d? download|uv (?:add|pip)|npm (?:i|install|add|publish|view|exec)|npx|"
    r"(?:yarn|pnpm) (?:add|i|install|dlx)|(?:docker|podman) (?:pull|push|run|login)|gem install|"
    r"cargo (?:add|install)|go (?:get|install)|brew install|apt(?:-get)? install|"
    r"gh (?:gist|issue|pr|api|release|repo)"
)
"""Commands that name what they fetch or send, where a line or a stretch of code starts."""
_ARGUMENT: Final = r"--?\w|[\w\-]{1,60}(?:\.[\w\-]{1,60}){0,6}\.[a-z]{2,20}\b(?!@)|\w{2,12}://"
_LEAD: Final = (
    r"^[ \t>]{0,12}(?:(?:[-*+$#%>]|PS>|\d{1,3}[.)]|\w{1,20}:|[A-Z]{2,10}|sudo|time|env|exec|nohup|"
    r"then|do|\w{1,20}=\S{0,40}|-\w{1,10})[ \t]{1,4}){0,4}(?:[\w.~/\-]{0,40}/)?"
)
_CALLS: Final = (
    r"fetch|sendBeacon|urlopen|urlretrieve|importScripts|requests\.\w{1,12}|httpx\.\w{1,12}|"
    r"aiohttp\.\w{1,20}|axios(?:\.\w{1,8})?|"
    r"(?:new )?(?:Image|WebSocket|EventSource|XMLHttpRequest)|"
    r"\$\.(?:get|post|ajax|getJSON|getScript)|https?\.(?:get|post|put|request|Client|Get|Post)|"
    r"window\.open|location\.\w{1,10}|HYPERLINK|WEBSERVICE|IMPORT\w{2,6}|FILTERXML|RTD|image-set|"
    r"expression|os\.(?:system|popen|exec\w{1,3})|subprocess\.\w{1,14}|system|popen|shell_exec|"
    r"passthru|proc_open|eval|file_get_contents|fsockopen|curl_\w{1,12}|mail|"
    r"send_?(?:e?mail|message|request|file|text|sms)|post_?message|create_connection|"
    r"UploadString|DownloadString|UploadData|Invoke-Expression|iex"
)
_ASIDE: Final = r"[A-Za-z][A-Za-z'’ ]{0,60}(?:\)|\Z)"
"""What a sentence has in brackets, as far as can be seen."""
_NAMES: Final = (
    r"http\.client|urllib\d?\.request|smtplib|socket\.socket|ftplib|XMLHttpRequest|Net\.WebClient|"
    r"HttpClient|HttpWebRequest|TcpClient|URLSession|OkHttpClient|Net::HTTP|LWP::|IO\.popen|"
    r"xp_cmdshell|UTL_HTTP|dblink|TO PROGRAM|/dev/(?:tcp|udp)/|/inet/(?:tcp|udp)/"
)
_KEYS: Final = (
    r"tool|tool_?name|tool_?calls?|tool_?input|tool_?use|function|function_?call|action_?input|"
    r"arguments|parameters|recipient_name"
)
_TRIGGER: Final = "|".join(
    [
        rf"(?<![\w\-])(?:{_PROGRAMS})[ \t]{{1,20}}(?={_ARGUMENT}|[\"'$@<|>\\])",
        rf"(?<![\w\-])(?:{_WORDS})[ \t]{{1,20}}(?={_ARGUMENT})",
        rf"{_LEAD}(?:{_PROGRAMS})[ \t]{{1,20}}(?=[-\"'$.@/{{]|\w[^\n]{{0,80}}(?: -|[\"$|<>=/]))",
        rf"(?:^[ \t>]{{0,8}}(?:[$#%>]\s|sudo\s|PS>\s?)?|[|;&(`][ \t>]{{0,8}}(?:sudo\s)?)"
        rf"(?:(?:{_PROGRAMS}|openssl)(?:\.exe)?[ \t]{{1,20}}(?=[-\w\"'$.])|"
        rf"(?:{_WORDS})[ \t]{{1,20}}(?=[-\"'$.]))",
        rf"(?:{_LEAD}|[`|;&(][ \t]{{0,8}})(?:{_FETCHES})[ \t]{{1,4}}(?=[\w\"'$@./#-])",
        rf"(?:{_LEAD}|[`|;&(][ \t]{{0,8}})git (?:-C \S{{1,60}} )?push[ \t]*(?:$|[#;&|`)])",
        rf"(?:{_LEAD}|[`|;&(][ \t]{{0,8}})git -C \S{{1,60}} (?:push|fetch|pull|clone)\b",
        rf"^[ \t>]{{0,8}}(?:[$#%>]\s|sudo\s)?(?:{_WORDS})(?:[ \t]\S{{1,40}}){{1,2}}[ \t]{{0,3}}$",
        rf"`(?:{_WORDS})[ \t][^`\n]{{1,60}}`",
        r"(?<![\w\-])(?:git (?:push|clone|remote|send-email)|"
        r"gh (?:gist|issue|pr|api|release)(?: \w+)?)"
        r"[ \t]{1,4}(?=\S{0,60}[:/@]|-|[\"'])",
        r"(?<![\w\-])(?:https? (?:GET|POST|PUT|PATCH|DELETE)|"
        r"aws (?:s3|s3api|sns|ses|sqs|lambda|ssm)) ",
        r"\|[ \t]{0,4}mail[ \t]{1,4}\S{1,60}@\w",
        rf"(?<!\w)(?<!def )(?<!function )(?:{_CALLS})(?:\(|\s{{1,3}}\((?!{_ASIDE}))",
        rf"(?<!\w)(?:{_NAMES})",
        r"\.(?:post|patch|(?:send|upload|fetch)\w{0,20})\(",
        r":\s{0,3}[\"'](?:tool_use|tool_call|function_call)[\"']",
        rf"[\"'](?:{_KEYS})[\"']\s{{0,3}}:",
    ]
)
_FENCE: Final = r"^[ \t>]{0,12}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})?(?P<fence>`{3,}|~{3,})"
_CLOSED: Final = re.compile(rf"{_FENCE}|{_TRIGGER}", re.MULTILINE)
_OPEN: Final = re.compile(
    rf"{_FENCE}|(?P<blank>\n(?=[ \t]{{0,40}}\n))|\\.|<<|(?<=\w)'(?=\w)|"
    r"(?P<sign>[\"'()\[\]{}])",
    re.MULTILINE,
)
_FENCED: Final = re.compile(_FENCE, re.MULTILINE)
_AHEAD: Final = re.compile(_TRIGGER, re.MULTILINE)
_ENDS: Final = re.compile(rf"{BLANK_LINE}|\n[ \t>]{{0,12}}(?:`{{3,}}|~{{3,}})")
_NAME: Final = re.compile(
    rf"\s*(?:.{{0,200}}[/\\])?(?:{_PROGRAMS}|ssh|telnet|ftp|openssl|mail)(?:\.exe)?\s*", re.I
)


def is_command(value: str) -> bool:
    """Whether a whole value names a program that sends."""
    return _NAME.fullmatch(value) is not None


class Senders:
    """Whether something that sends stands in this paragraph or block, before or just ahead (but
    in a sentence)."""

    opened: str | None = None

    def __init__(self) -> None:
        self._fence = ""  # what closes the block of code that is open
        self._open = False
        self._depth = 0  # of brackets since it was opened
        self._quote = ""  # the quote that is open, read in order
        self._odd: set[str] = set()  # quotes that came an odd number of times
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            awaited = _CLOSED if not self._open else _FENCED if self._fence else _OPEN
            event = awaited.search(text, at, stop + AHEAD)
            if event is None or event.start() >= stop:
                at = stop
                break
            at = event.end()
            if event["fence"]:
                self._fenced(event["fence"])
            elif not self._open:
                self._begin(event[0])
            else:
                self._inside(event)
        self._over = at - stop

    def _begin(self, trigger: str) -> None:
        self._open, self._quote, self._odd = True, "", set()
        self.opened = "script"
        self._depth = trigger.count("(") - trigger.count(")")

    def _fenced(self, fence: str) -> None:
        if self._fence:
            if fence.startswith(self._fence):
                self._fence, self._open = "", False
        else:
            self._fence = fence
            self._open = self._open and not self._whole()

    def _inside(self, event: re.Match[str]) -> None:
        sign = event[0]
        if event["blank"]:
            self._open = not self._whole()
        elif sign == "<<":
            self._depth += 1  # a text follows that ends by a word of its own
        elif sign in "([{":
            self._depth += 1
        elif sign in ")]}":
            self._depth -= 1
        elif event["sign"]:
            self._odd ^= {sign}
            self._quote = sign if not self._quote else "" if self._quote == sign else self._quote

    def _whole(self) -> bool:
        """Whether no quote or bracket is open, in any reading."""
        return self._depth <= 0 and not self._quote and not self._odd

    def place(self, text: str, at: int) -> str | None:
        if self._open:
            return "script"
        ahead = _AHEAD.search(text, at, at + AHEAD)
        if ahead is None or _ENDS.search(text, at, ahead.start() + 1):
            return None
        return "script"
