"""What a gateway is told when it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from privstamp.errors import UsageError

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Limits:
    """Bytes, counts and seconds."""

    body: int = 32 << 20
    reply: int = 64 << 20
    at_once: int = 256  # requests under way
    connections: int = 1024
    headers: float = 30.0  # seconds for a request's head, and between requests
    read: float = 60.0  # for its body
    privatize: float = 120.0
    connect: float = 10.0
    stall: float = 600.0  # without a byte from upstream
    write: float = 60.0  # without a byte that the client takes
    drain: float = 30.0  # for requests under way when it is told to end


@dataclass(frozen=True)
class Settings:
    """`names`: hosts that clients may call it by, beside loopback's."""

    upstream: str
    host: str = "127.0.0.1"
    port: int = 8686
    names: tuple[str, ...] = ()
    workers: int = 1
    pass_key: bool = False
    upstream_key: str | None = field(default=None, repr=False)
    ca_file: Path | None = None
    trust_environment: bool = False
    dry_run: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def local(self) -> bool:
        """Whether this machine alone can reach it."""
        return is_loopback(self.host)

    @cached_property
    def hosts(self) -> frozenset[str]:
        """What a request's Host may say, without the port."""
        bound = () if self.host in ("0.0.0.0", "::") else (self.host,)  # noqa: S104
        return frozenset(name.casefold() for name in (*LOOPBACK, *bound, *self.names))


def is_loopback(host: str) -> bool:
    if host.casefold() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def check_upstream(url: str, *, plain: bool = False) -> str:
    """The address without what every request adds, or a UsageError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("--upstream is an address: https://api.example.com/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("--upstream has no user, query or fragment: the key has its own place")
    if parts.scheme == "http" and not plain and not is_loopback(parts.hostname):
        raise UsageError(
            "--upstream is http: keys and text could be read on the way. Take https, or "
            "--plain-upstream where the network is yours"
        )
    return url.rstrip("/").removesuffix("/v1")


def read_listen(given: str) -> tuple[str, int]:
    """HOST:PORT, [HOST]:PORT or PORT."""
    host, _, port = given.rpartition(":")
    if not port.isdigit() or not 0 <= int(port) < 65536:
        raise UsageError("--listen is HOST:PORT, say 127.0.0.1:8686")
    return host.strip("[]") or "127.0.0.1", int(port)


def check_exposure(settings: Settings, principals: Sequence[str]) -> None:
    """Others on the network may come in with a key only."""
    if not settings.local and not principals:
        raise UsageError(
            "--listen is open to other machines and there is no key for anybody. Make one "
            "first: privstamp serve key add NAME"
        )
