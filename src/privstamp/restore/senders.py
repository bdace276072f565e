"""Commands, scripts and calls that send: nothing is put back from 120 characters before one until
its paragraph, or the block of code that it stands in, is over."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.machine import AHEAD, BLANK_LINE

_PROGRAMS: Final = (
    "curl|wget|nc|ncat|netcat|socat|nslookup|scp|sftp|rsync|xdg-open|certutil|bitsadmin|sendmail|"
    "mailx|mutt|msmtp|swaks|httpie|aria2c|lynx|w3m|Invoke-WebRequest|Invoke-RestMethod|iwr|irm|"
    "Send-MailMessage|Start-BitsTransfer|rclone|s3cmd|gsutil|xh|xhs"
)
_WORDS: Final = "ping|dig|ssh|telnet|ftp|openssl|mail"
"""Programs that are words, too: only with what no sentence has after them."""
_FETCHES: Final = (
    r"git (?:push|clone|fetch|pull|remote|ls-remote|submodule|send-email)|pip[x\d]? install|"
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
        rf"(?:(?:{_PROGRAMS}|openssl)[ \t]{{1,20}}(?=[-\w\"'$.])|"
        rf"(?:{_WORDS})[ \t]{{1,20}}(?=[-\"'$.]))",
        rf"(?:{_LEAD}|[`|;&(][ \t]{{0,8}})(?:{_FETCHES})[ \t]{{1,4}}(?=[\w\"'$@./-])",
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
    """Whether something that sends stands in this paragraph or block, before or just ahead."""

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
