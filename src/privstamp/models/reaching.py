"""Where an endpoint may be, and how long to wait before it is asked again."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from privstamp.errors import UsageError

KEY_VARIABLE: Final = "PRIVSTAMP_API_KEY"
PATH: Final = "/chat/completions"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


def checked(url: str) -> tuple[str, str]:
    """The full URL and its host; refused unless nobody on the way can read what is sent."""
    try:
        parts = urlsplit(url.strip())
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    if not host or parts.scheme not in ("http", "https"):
        raise UsageError("an endpoint is a URL such as https://example.com/v1")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"a URL must not hold a key or password; set {KEY_VARIABLE} instead")
    if parts.scheme == "http" and not _loopback(host):
        raise UsageError(f"{host} is another machine: its URL must begin with https://")
    path = parts.path.rstrip("/")
    path = path if path.endswith(PATH) else path + PATH
    return parts._replace(path=path, fragment="").geturl(), host


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def pause(attempt: int, after: str) -> float:
    """Seconds to wait: twice as long each time, with jitter, or what the server asks for."""
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt)
    own = longest * (0.5 + secrets.randbelow(1001) / 2000)
    return min(_LONGEST_PAUSE, max(own, _asked_for(after)))


def _asked_for(after: str) -> float:
    """Retry-After in seconds; it is a number or a date."""
    if after.strip().isdecimal():
        return float(after)
    try:
        return (parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0.0
