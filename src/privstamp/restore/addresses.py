"""Addresses: links, hosts, e-mail addresses and encoded strings, whole or broken over lines."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.machine import AHEAD, BEHIND

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


class Chunks:
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
        whole = _WRAPPED.fullmatch(before) and _WRAPPED.fullmatch(after)
        return None if whole else "address"
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
