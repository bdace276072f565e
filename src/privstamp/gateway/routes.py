"""What may pass through a gateway besides bodies: endpoints, queries and headers, as tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from privstamp.gateway.principals import PREFIX
from privstamp.gateway.refused import Dialect, Refused
from privstamp.gateway.rules import Api

CERTIFICATES: Final = "/certificates/"


@dataclass(frozen=True)
class Route:
    """An endpoint that is known; `path` is what the upstream is asked for."""

    endpoint: Api
    path: str

    @property
    def dialect(self) -> Dialect:
        return self.endpoint.dialect


_POSTS: Final = {
    f"/v1/{endpoint.value}": endpoint
    for endpoint in Api
    if endpoint not in (Api.MODELS, Api.CLAUDE_MODELS)
}
_MODEL: Final = re.compile(r"/v1/models(?:/[A-Za-z0-9][A-Za-z0-9._:@/-]{0,99})?")
_QUERY: Final = {"beta": re.compile("true"), "limit": re.compile("[0-9]{1,4}")}
"""Parameters that may pass, and what they may be."""
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")
_SENT: Final = {
    "anthropic-version": re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "openai-organization": _ID,
    "openai-project": _ID,
}
_BETAS: Final = "anthropic-beta"
_KNOWN_BETAS: Final = frozenset(
    {
        "claude-code-20250219",
        "context-1m-2025-08-07",
        "dev-full-thinking-2025-05-14",
        "extended-cache-ttl-2025-04-11",
        "fine-grained-tool-streaming-2025-05-14",
        "interleaved-thinking-2025-05-14",
        "output-128k-2025-02-19",
        "prompt-caching-2024-07-31",
        "token-counting-2024-11-01",
        "token-efficient-tools-2025-02-19",
    }
)
"""Those that neither keep text upstream nor have it run tools of its own."""
_KEYS: Final = ("authorization", "x-api-key")
_RETURNED: Final = re.compile(
    r"retry-after(-ms)?|x-should-retry|(x-)?request-id|openai-(version|processing-ms|model)"
    r"|(x|anthropic)-ratelimit-[a-z-]+"
)
_VALUE: Final = re.compile(r"[\x20-\x7e]{0,200}")
"""Of a header that comes back."""


def route(method: str, path: str, headers: Mapping[str, str]) -> Route | None:
    """The endpoint, or nothing: then it is a 404."""
    if method == "POST" and path in _POSTS:
        return Route(_POSTS[path], path)
    if method == "GET" and _MODEL.fullmatch(path) and ".." not in path:
        theirs = dialect_of(path, headers) is Dialect.ANTHROPIC
        return Route(Api.CLAUDE_MODELS if theirs else Api.MODELS, path)
    return None


def is_models(known: Route) -> bool:
    """Whether it asks for a list, without a body."""
    return known.endpoint in (Api.MODELS, Api.CLAUDE_MODELS)


def dialect_of(path: str, headers: Mapping[str, str]) -> Dialect:
    """Whose client it is; both ask for models at one path."""
    ours = path.startswith("/v1/messages") or "anthropic-version" in headers
    return Dialect.ANTHROPIC if ours else Dialect.OPENAI


def no_endpoint(path: str) -> Refused:
    """For an address that is wrong, or right and for what is not served."""
    if path.startswith("/v1/") and not path.startswith("/v1/v1"):
        served = ", ".join(dict.fromkeys(endpoint.value.partition(" ")[0] for endpoint in Api))
        why = f"this endpoint is not served here. Served are {served}"
    else:
        why = (
            "no such endpoint here. A base URL ends in /v1 for clients of OpenAI, and without it "
            "for those of Anthropic"
        )
    return Refused("not_found", "", why, status=404)


def check_head(query: Iterable[tuple[str, str]], headers: Mapping[str, str]) -> None:
    """What stands beside a body is known, or refused."""
    if wrong_parameter(query):
        raise Refused("query", "", "a parameter of the address is not known here: leave it out")
    if unknown_beta(headers):
        why = "has a beta that is not known to be harmless: leave it out"
        raise Refused("beta", _BETAS, why)


def wrong_parameter(query: Iterable[tuple[str, str]]) -> bool:
    """Whether a query holds what is not known to be public."""
    return any(name not in _QUERY or not _QUERY[name].fullmatch(value) for name, value in query)


def unknown_beta(headers: Mapping[str, str]) -> bool:
    named = headers.get(_BETAS, "").split(",")
    return any(beta.strip() and beta.strip() not in _KNOWN_BETAS for beta in named)


def sent_headers(
    headers: Mapping[str, str], dialect: Dialect, own_key: str | None
) -> dict[str, str]:
    """Headers for the upstream, with the gateway's key if it has one, or for None the client's."""
    sent = {
        name: headers[name]
        for name, allowed in _SENT.items()
        if name in headers and allowed.fullmatch(headers[name])
    }
    if _BETAS in headers:
        sent[_BETAS] = headers[_BETAS]  # none is unknown, see below
    if own_key is None:
        keys = {name: headers[name] for name in _KEYS if name in headers}
        if any(PREFIX in key for key in keys.values()):
            why = "a key of this gateway comes as x-privstamp-key: the upstream must not see it"
            raise Refused("key", "", why, status=401)
        return sent | keys
    if not own_key:
        return sent
    if dialect is Dialect.ANTHROPIC:
        return sent | {"x-api-key": own_key}
    return sent | {"authorization": f"Bearer {own_key}"}


def returned_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers of the upstream that the client gets."""
    return {
        name.casefold(): value
        for name, value in headers
        if _RETURNED.fullmatch(name.casefold()) and _VALUE.fullmatch(value)
    }


def client_key(headers: Mapping[str, str], *, passed: bool) -> str | None:
    """The gateway's key that a client brings; if its own key is passed on, in a header apart."""
    if "x-privstamp-key" in headers:
        return headers["x-privstamp-key"]
    if passed:
        return None
    if "x-api-key" in headers:
        return headers["x-api-key"]
    return headers.get("authorization", "").removeprefix("Bearer ") or None
