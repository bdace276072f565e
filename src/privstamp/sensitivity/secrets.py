"""Keys, tokens and passwords that show by themselves; `wordrules` has those that a word tells."""

from __future__ import annotations

from typing import Final

from privstamp.sensitivity.confirm import token
from privstamp.sensitivity.patterns import rule

_PREFIXES: Final = (
    r"[spr]k[-_][\w-]{16,}+",
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
_BASE64: Final = r"[A-Za-z0-9+/=]"

SECRETS: Final = (
    rule("CREDENTIAL", "key prefix", 0.9, rf"(?<![\w-])(?:{'|'.join(_PREFIXES)})"),
    rule(
        "CREDENTIAL",
        "private key",
        0.95,
        rf"-----BEGIN [A-Z0-9 ]{{3,40}}-----(?:\s++{_BASE64}{{16,}}+)*+(?:\s++{_BASE64}++)?+"
        r"(?:\s*+-----END [A-Z0-9 ]{3,40}-----)?",
    ),
    rule(
        "CREDENTIAL",
        "password in a link",
        0.95,
        r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://[^\s/:@\"]{1,100}:[^\s/@\"]{1,200}@[^\s\"'<>]++",
        needs=("://",),
    ),
    rule(
        "CREDENTIAL",
        "authorization",
        0.9,
        r"(?:[Bb]earer|[Bb]asic|BEARER|BASIC) (?=[\w.+/=~-]{0,300}[\d=])[\w.+/=~-]{16,}+",
        needs=("bearer", "basic"),
    ),
    rule("CREDENTIAL", "long mixed run", 0.5, r"(?<![\w+/=-])[\w+/=-]{20,}+", token),
)
