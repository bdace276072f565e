"""Why a request does not leave, in the words of the client's protocol."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Final

from privstamp.errors import (
    InputError,
    LimitReached,
    PrivstampError,
    StageFailed,
    StoreError,
    UsageError,
    VaultError,
)


class Dialect(StrEnum):
    """Whose protocol a client speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class Refused(PrivstampError):
    """A request that is not sent, or a reply that is not given out. Names a place in it, never a
    value. `retry`: whether the same request may pass another time."""

    def __init__(
        self, code: str, path: str, why: str, *, status: int = 400, retry: bool = False
    ) -> None:
        super().__init__(f"{path}: {why}" if path else why)
        self.status, self.code, self.path, self.retry = status, code, path, retry
        self._why = why

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.code, self.path, self._why, self.status, self.retry)


def _again(code: str, path: str, why: str, status: int, retry: bool) -> Refused:
    return Refused(code, path, why, status=status, retry=retry)


_FAULTS: Final[tuple[tuple[type[PrivstampError], int, str, bool], ...]] = (
    (LimitReached, 429, "limit_reached", False),
    (InputError, 400, "policy", False),
    (UsageError, 400, "policy", False),
    (StoreError, 503, "store", True),
    (VaultError, 503, "store", False),
    (StageFailed, 503, "stage", True),
)
_CODE: Final = re.compile(r"[a-z]+(?:_[a-z]+){0,6}")
_STATUSES: Final = {"overloaded_error": 529, "rate_limit_error": 429, "rate_limit_exceeded": 429}
_TYPES: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def as_refused(error: PrivstampError) -> Refused:
    """Any of our errors as a refusal; none holds text."""
    if isinstance(error, Refused):
        return error
    for kind, status, code, retry in _FAULTS:
        if isinstance(error, kind):
            return Refused(code, "", str(error), status=status, retry=retry)
    return Refused("internal", "", str(error), status=503)


def upstream_error(error: object) -> Refused:
    """An error of the upstream by its code alone: its words may quote what it was sent."""
    code = "upstream_error"
    for key in ("code", "type"):
        value = error.get(key) if isinstance(error, dict) else None
        if isinstance(value, str) and value != "error" and _CODE.fullmatch(value):
            code = value
            break
    status = _STATUSES.get(code, 502)
    return Refused(code, "", "the upstream reported an error", status=status, retry=status != 502)


def bad_reply(why: str, code: str = "bad_reply") -> Refused:
    """What an upstream sent can be no reply."""
    return Refused(code, "", why, status=502)


def odd_status(status: int) -> Refused | None:
    """Why a reply with this status is none that clients get."""
    if 300 <= status < 400:
        why = "the upstream leads elsewhere, which is not followed"
        return Refused("upstream_redirect", "", why, status=502)
    if not 200 <= status < 600:
        return bad_reply("the upstream's status is none of HTTP's")
    return None


def refuse_more(text: str) -> None:
    """Clients join what comes after an end to what came before, and a restorer that began anew
    would not know what it stands in."""
    if text:
        raise bad_reply("a text of the upstream goes on after its end")


def error_body(dialect: Dialect, status: int, code: str, message: str, path: str = "") -> bytes:
    """An error as the client's SDK reads it."""
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "api_error")
    if dialect is Dialect.OPENAI:
        error = {"message": message, "type": kind, "param": path or None, "code": code}
        return json.dumps({"error": error}).encode()
    # no field of theirs holds a code
    said = f"{message} ({code})"
    return json.dumps({"type": "error", "error": {"type": kind, "message": said}}).encode()


def refusal(dialect: Dialect, error: PrivstampError) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of a refusal."""
    refused = as_refused(error)
    body = error_body(dialect, refused.status, refused.code, str(refused), refused.path)
    headers = {
        "content-type": "application/json",
        "x-should-retry": "true" if refused.retry else "false",
        "x-privstamp-refused": refused.code,
    }
    return refused.status, body, headers
