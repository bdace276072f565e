"""Keys, tokens and passwords that show by themselves; `rules` has those that a word tells."""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity.confirm import Hit, mixture, token, trimmed, value
from privstamp.sensitivity.patterns import rule
from privstamp.spaces.wordlists import FUNCTION_WORDS

_PREFIXES: Final = (
    r"[spr]k[-_][\w-]{16,}+",
    r"[spr]k[-_](?:live|test|prod)[-_][\w!$%&*+~^#@-]{8,}+",
    r"gh[a-z]_\w{20,}+",
    r"github_pat_\w{20,}+",
    r"glpat-[\w-]{16,}+",
    r"xox[a-z]-[\w-]{10,}+",
    r"A[KS]IA[A-Z0-9]{12,}+",
    r"AIza[\w-]{30,}+",
    r"ya29\.[\w-]{20,}+",
    r"(?:hf|npm|pypi|dop_v1|shpat|shpss|whsec|figd|dckr_pat|lin_api|sntrys|tskey)[-_][\w-]{16,}+",
    r"SG\.[\w.-]{30,}+",
    r"(?:AC|SK)[0-9a-f]{32}",
    r"key-[0-9a-f]{32}",
    r"NRAK-[A-Z0-9]{20,}+",
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+",
    r"eyJ[\w-]{8,}+\.[\w-]{4,}+(?:\.[\w-]*+)?",
    r"\$2[abxy]\$\d\d\$[\w./]{20,}+",
    r"\$argon2[id]{1,2}\$[\w=,$+/]{20,}+",
    r"ssh-(?:rsa|ed25519|dss) AAAA[\w+/=]{20,}+",
)
_RUN: Final = r"[^\s\"'`\\(){}<>\[\]=/:,;|]"
_ARGUMENT: Final = r"['\"]?(?P<value>[^\s'\"|;&$-][^\s'\"|;&]{2,100})"
_BASE64: Final = r"[A-Za-z0-9+/=]"


def seed(match: re.Match[str], score: float) -> Hit | None:
    """Twelve words in a row or more, none of them a small one: no sentence is like that."""
    words = match["value"].split()
    plain = len(words) % 3 or not FUNCTION_WORDS.isdisjoint(words)
    return None if plain else value(match, score)


SECRETS: Final = (
    rule("CREDENTIAL", "key prefix", 0.9, rf"(?<![\w-])(?:{'|'.join(_PREFIXES)})"),
    rule(
        "CREDENTIAL",
        "private key",
        0.95,
        rf"-----BEGIN [A-Z0-9 ]{{3,40}}-----(?:(?:(?!-----)[\s\S]){{1,20000}}+"
        rf"-----END [A-Z0-9 ]{{3,40}}-----|(?:\s++{_BASE64}{{16,}}+)*+(?:\s++{_BASE64}++)?+)",
    ),
    rule(
        "CREDENTIAL",
        "password in a link",
        0.95,
        r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://[^\s/:@\"]{1,100}:[^\s/@\"]{1,200}@[^\s\"'<>]++",
        trimmed,
        needs=("://",),
    ),
    rule(
        "CREDENTIAL",
        "authorization",
        0.9,
        r"(?:[Bb]earer|[Bb]asic|BEARER|BASIC) "
        r"(?P<value>(?=[\w.+/=~-]{0,300}[\d=])[\w.+/=~-]{16,}+)",
        value,
        needs=("bearer", "basic"),
    ),
    rule(
        "CREDENTIAL",
        "authorization header",
        0.9,
        r"(?<![\w-])(?i:proxy-)?(?i:authorization)[\"']?\s?[:=]\s?[\"']?(?i:bearer|basic|token|apikey)"
        r"\s(?P<value>[\w.+/=~-]{6,}+)",
        value,
        needs=("authorization",),
    ),
    rule(
        "CREDENTIAL",
        "cookie",
        0.9,
        r"(?<![\w-])(?i:(?:set-)?cookie)[\"']?\s?:\s?[^\n]{0,400}?(?i:sess\w*|sid|auth\w*|token|jwt|csrf\w*"
        r"|[\w-]{1,20}[_-](?:id|sid|token|session))=(?P<value>[^;\s\"']{4,400})",
        value,
        needs=("cookie",),
    ),
    rule(
        "CREDENTIAL",
        "labelled words in a row",
        0.8,
        r"(?<!\w)(?i:seed(?: phrase| words)?|mnemonic|recovery phrase|wallet phrase)\s?[:=]\s?"
        r"(?P<value>[a-z]{3,8}(?: [a-z]{3,8}){11,23})(?!\w)",
        value,
        needs=("seed", "mnemonic", "phrase"),
    ),
    rule(
        "CREDENTIAL",
        "quoted mixture",
        0.7,
        r"(?<![\w\\])(?P<quote>[\"'`])(?P<value>(?=[^\s\"'`]{0,63}\d)(?=[^\s\"'`]{0,63}[a-z])"
        r"(?=[^\s\"'`]{0,63}[A-Z])(?=[^\s\"'`]{0,63}[!@#$%^&*~?+])[^\s\"'`\\(){}<>]{6,64})(?P=quote)",
        value,
    ),
    rule(
        "CREDENTIAL",
        "setting in quotes",
        0.8,
        r"(?<!\w)(?:[A-Z][A-Z0-9]*_)+(?:KEY|TOKEN|SECRET|PASS(?:WORD|PHRASE)?|PWD|CREDENTIALS?)"
        r"[ \t]*[=:][ \t]*(?P<quote>[\"'])(?P<value>(?=[^\"'\n]{0,200}\d)"
        r"(?=[^\"'\n]{0,200}[A-Za-z])[^\"'\n]{6,200})(?P=quote)",
        value,
        needs=("_key", "_token", "_secret", "_pass", "_pwd", "_credential"),
    ),
    rule(
        "CREDENTIAL",
        "a mixture alone",
        0.6,
        r"(?m)^(?=\S{0,63}\d)(?=\S{0,63}[a-z])(?=\S{0,63}[A-Z])(?=\S{0,63}[!@#$%^&*~?])"
        r"[^\s\"'`\\(){}<>\[\]=/:,;|]{8,64}$",
    ),
    rule(
        "CREDENTIAL",
        "name and mixture",
        0.6,
        r"(?<![\w:/])[A-Za-z][\w.-]{1,30}:(?P<value>(?=\S{0,63}\d)(?=\S{0,63}[A-Za-z])"
        rf"(?=\S{{0,63}}[!$%^&*~?#]){_RUN}{{6,64}}+)(?!\S)",
        value,
        needs=(":",),
    ),
    rule(
        "CREDENTIAL",
        "mixture",
        0.6,
        rf"(?<![^\s:(\"'`]){_RUN}{{7,64}}+(?![^\s\"'`).,;:])",
        mixture,
    ),
    rule("CREDENTIAL", "keypad", 0.6, r"[\d*](?<![\w#.,*].)\d{3,8}#(?!\w)", needs=("#",)),
    rule("CREDENTIAL", "long mixed run", 0.5, r"(?<![\w+/=-])[\w+/=-]{20,}+", token),
    rule(
        "CREDENTIAL",
        "words in a row",
        0.6,
        r"(?<![^\s:\"'(])(?<![a-z] )(?P<value>[a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![\w'-]| [a-z])",
        seed,
    ),
    rule(
        "CREDENTIAL",
        "argument of a command",
        0.8,
        rf"(?:(?:-u|-U|--user(?:name)?)[ =]?[^\s-]\S{{0,40}}\s+-p\s?|sshpass\s+-p\s?"
        rf"|redis-cli\s[^\n|;]{{0,60}}?-a\s|(?<!\w)(?:unzip|zip|7za?|rar|unrar)\s[^\n|;]{{0,60}}?-[pP]\s?"
        rf"|/user:\S{{1,40}}\s+){_ARGUMENT}",
        value,
        needs=(" -p", " -a", "/user:"),
    ),
    rule(
        "CREDENTIAL",
        "piped to a command",
        0.8,
        r"(?<!\w)(?:echo|printf)\s+(?:-n\s+)?[\"']?(?P<value>[^\s\"'|$]{3,100})[\"']?\s*\|[^\n]{0,40}?"
        r"(?:sudo -S|passwd|chpasswd|--password-stdin|gpg|base64)",
        value,
        needs=("|",),
    ),
    rule(
        "CREDENTIAL",
        "identified by",
        0.8,
        r"(?<!\w)(?i:identified (?:with \w+ )?by(?: password)?|with(?: encrypted)? password)\s+"
        r"(?P<quote>['\"])(?P<value>[^'\"\n]{2,200})(?P=quote)",
        value,
        needs=("identified", "with "),
    ),
)
