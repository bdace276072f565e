"""Keys, tokens and passwords that show by themselves; `wordrules` has those that a word tells."""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity.confirm import Hit, mixture, token, value
from privstamp.sensitivity.languages import Words, listed
from privstamp.sensitivity.patterns import Rule, rule
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.terms import words as words_of_text
from privstamp.text.vocabulary import all_public

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
_BASE64: Final = r"[A-Za-z0-9+/=]"

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
        needs=("://",),
    ),
    rule(
        "CREDENTIAL",
        "authorization",
        0.9,
        r"(?:[Bb]earer|[Bb]asic|BEARER|BASIC) (?=[\w.+/=~-]{0,300}[\d=])[\w.+/=~-]{16,}+",
        needs=("bearer", "basic"),
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
)
_QUOTED: Final = (
    r"\"(?P<double>(?:[^\"\\\n]|\\.){2,200})\"|'(?P<single>(?:[^'\\\n]|\\.){2,200})'"
    r"|`(?P<back>[^`\n]{2,200})`|\u201c(?P<curly>[^\u201d\n]{2,200})\u201d"
    r"|\u2018(?P<curl>[^\u2019\n]{2,200})\u2019"
)
"""A secret in quotes ends where the same quotes end."""
_NEXT: Final = re.compile(r"[,;&|](?=[\w.-]{1,30}=|\Z)|[,;](?=[\"'}\])])")
"""Where another setting follows a secret on the same line."""
_CODE: Final = re.compile(
    r"(?i:none|null|nil|true|false|str|string|undefined|optional|bool|int|bytes|secretstr)\b.*"
    r"|[A-Za-z_]{3,}[\w.]*[(\[][\w\s\"',.=]*[)\]]?[;,)]?|(?:self|os|process|config|settings|args|env|request|req)\..*"
    r"|\$\{.*|\{\{.*|<.*|\*{3,}|%s|\?"
)
"""What stands for a secret in source code and settings: a call, a name, a hole to fill."""

_CAPITALS: Final = "(?<=[A-Z])(?:PASSWORD|PASSWD|SECRET|TOKEN)(?==)"
_STATES: Final = frozenset(
    words_of_text("""
        wrong weak invalid incorrect correct strong secure safe missing empty valid unknown there
        here necessary optional mandatory different right short simple unique hidden visible broken
        forgotten known shown given written taken theirs yours hers mine again ready stale enough
        below above public private secret sensitive always never still today tomorrow later
    """)
)
"""What is said of a password that is not named."""
_SHORTEST: Final = 5
_WORDED: Final = ("pass", "pw", "memorable", "security", "safe")
"""Beginnings of words for a secret that is often a word; "the secret is patience" is none."""
_ALSO_PUBLIC: Final = frozenset({"code", "key"})
"""Words for what opens a door, and as often for an entry of a table."""
_CAMEL: Final = "Password|Passwd|Secret|SecretKey|ApiKey|AccessKey|PrivateKey|Passphrase"
"""Ends of names in source code: dbPassword."""


def said_secret(words: Words) -> Rule:
    """What follows a word for a secret: to the closing quote, or to the next blank."""
    named, verbs = (
        "|".join(map(re.escape, listed(field))) for field in (words.secrets, words.verbs)
    )
    return Rule(
        "CREDENTIAL",
        "word for a secret",
        0.7,
        re.compile(
            rf"(?:(?<![^\W_])(?i:{named})|(?<=[a-z])(?:{_CAMEL})|{_CAPITALS})[\"']?"
            r"(?:(?: (?:for|of|to|on|in|at))(?: [\w'.@-]{1,30}){1,4}?)?\s{0,3}"
            rf"(?:(?P<verb>[:=]{{1,2}}>?|->|(?i:{verbs})(?=[\s:]):?)\s{{0,3}}(?:{_QUOTED}"
            rf"|(?P<value>[^\s\"']\S{{3,200}}))|{_QUOTED.replace('?P<', '?P<beside_')}"
            r"|(?<=\s)(?P<bare>(?=\S{0,80}\d)[^\s\"'`]{6,80}))"
        ),
        secret_value,
        listed(words.secrets),
    )


def assigned_mixture(words: Words) -> Rule:
    """A mixture after a word that tells a secret only there: pass=..., the code is ..."""
    words_before = listed(f"{words.locks}, {words.secrets}")
    named, verbs = ("|".join(map(re.escape, one)) for one in (words_before, listed(words.verbs)))
    return Rule(
        "CREDENTIAL",
        "mixture after a word",
        0.6,
        re.compile(
            rf"(?<![^\W_])(?P<word>(?i:{named}))[\"']?\s{{0,3}}"
            rf"(?P<verb>[:=]{{1,2}}>?|->|(?i:{verbs})(?=[\s:]):?)\s{{0,3}}"
            rf"(?:[\w.-]{{1,30}} ?/ ?)?(?:{_QUOTED}|(?P<value>[^\s\"']\S{{3,200}}))"
        ),
        mixture_value,
        words_before,
    )


def said_phrase(words: Words) -> Rule:
    """Words in a row that are said to be a secret, none of them a small one: lamp river orbit."""
    named, verbs = (
        "|".join(map(re.escape, listed(field))) for field in (words.phrases, words.verbs)
    )
    return Rule(
        "CREDENTIAL",
        "words for a secret",
        0.7,
        re.compile(
            rf"(?<![^\W_])(?i:{named})[\"']?\s{{0,3}}(?:[:=]|(?i:{verbs})(?=[\s:]):?)\s{{0,3}}"
            r"(?P<value>[^\W\d_]{2,12}(?:[ -][^\W\d_]{2,12}){2,23})(?!\w)"
        ),
        phrase_value,
        listed(words.phrases),
    )


def phrase_value(match: re.Match[str], score: float) -> Hit | None:
    """All words, if none of them is one that only sentences have."""
    words = re.split("[ -]", match["value"].lower())
    return None if not FUNCTION_WORDS.isdisjoint(words) else (*match.span("value"), score)


def mixture_value(match: re.Match[str], score: float) -> Hit | None:
    """What is assigned, if it is a mixture; a code or key may be public words: Error404."""
    hit = secret_value(match, score)
    if hit is None:
        return None
    said = match.string[hit[0] : hit[1]]
    signs = any(sign in said for sign in "!@#$%^&*~?+")
    plain = match["word"].lower() in _ALSO_PUBLIC and not signs and all_public(said)
    return None if plain or not _is_mixed(said) or re.search(r"\s", said) else hit


def secret_value(match: re.Match[str], score: float) -> Hit | None:
    """What is said to be the secret; after "is" an ordinary word without quotes is none."""
    for name, quoted in match.groupdict().items():
        if quoted and name not in ("word", "verb", "value", "bare"):
            return *match.span(name), score
    bare = match.groupdict().get("bare") is not None
    name = "bare" if bare else "value"
    said, start = match[name], match.start(name)
    if _CODE.fullmatch(said):
        return None
    if end := _NEXT.search(said):
        said = said[: end.start()]
    said = said.rstrip(".,;:)\"'\u201d\u2019}]")
    if len(said) < 2 or (bare and not _is_mixed(said)):
        return None
    verbal = match["verb"] and match["verb"].rstrip(":").isalpha() and said.isalpha()
    named = match[0].lower().startswith(_WORDED) and _is_named(match.string, start, said)
    if verbal and not named:
        return None
    return start, start + len(said), score


def _is_named(text: str, start: int, word: str) -> bool:
    """Whether a word after "is" ends its sentence and is no state: the password is bluebird."""
    end = start + len(word)
    stops = end == len(text) or text[end] in ".;!\n"
    state = word.lower() in _STATES or word.lower().endswith(("ed", "ing", "able", "ible", "ly"))
    return stops and len(word) >= _SHORTEST and not state


def _is_mixed(text: str) -> bool:
    """Digits, letters of both cases or a sign: no word, number or date."""
    cases = any(map(str.islower, text)) + any(map(str.isupper, text))
    signs = any(sign in text for sign in "!@#$%^&*~?+_")
    return any(map(str.isdigit, text)) and cases + signs >= 2
