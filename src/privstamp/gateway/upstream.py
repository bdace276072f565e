"""The other side: one TLS connection pool, no redirects, no proxies unless asked, and every
trouble as a refusal that quotes nothing."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

import aiohttp

from privstamp import __version__
from privstamp.gateway.refused import Refused, odd_status
from privstamp.gateway.settings import Settings
from privstamp.gateway.staff import LARGE

CHUNK: Final = 1 << 16
ERROR: Final = 1 << 16
"""Bytes of an error's body that are looked at."""


class Upstream:
    """Made inside an event loop; closed by who made it."""

    def __init__(self, settings: Settings) -> None:
        self._settings, limits = settings, settings.limits
        context = ssl.create_default_context(
            cafile=None if settings.ca_file is None else str(settings.ca_file)
        )
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=context, limit=limits.at_once),
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=limits.connect, sock_read=limits.stall
            ),
            headers={"user-agent": f"privstamp/{__version__}", "accept-encoding": "identity"},
            trust_env=settings.trust_environment,
            cookie_jar=aiohttp.DummyCookieJar(),
            read_bufsize=CHUNK,
            auto_decompress=False,  # nothing was asked for: what is packed is no JSON
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._client.close()

    async def ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> aiohttp.ClientResponse:
        """A context: whoever leaves it before the response is read closes the connection."""
        sent, data = dict(headers), None
        if body is not None:
            length = str(len(body))
            sent |= {"content-type": "application/json", "content-length": length}
            data = body if len(body) <= LARGE else _portions(body)
        url = self._settings.upstream + path
        with told():
            response = await self._client.request(
                method, url, data=data, headers=sent, allow_redirects=False
            )
        if trouble := odd_status(response.status):
            response.close()
            raise trouble
        return response


async def _portions(body: bytes) -> AsyncIterator[bytes]:
    """A large body, so that others get their turn."""
    for start in range(0, len(body), CHUNK):
        yield body[start : start + CHUNK]


@contextmanager
def told() -> Iterator[None]:
    """Inside, trouble with the upstream is a refusal; nothing of theirs is quoted."""
    try:
        yield
        return
    except (TimeoutError, aiohttp.ClientError, OSError) as error:
        refused = _refusal(error)
    raise refused


def _refusal(error: BaseException) -> Refused:
    if isinstance(error, aiohttp.ClientConnectorCertificateError | ssl.SSLCertVerificationError):
        message = "the upstream's certificate cannot be verified"
        return Refused("upstream_certificate", "", message, status=502)
    if isinstance(error, asyncio.TimeoutError):
        message = "the upstream does not answer"
        return Refused("upstream_timeout", "", message, status=504, retry=True)
    if isinstance(error, aiohttp.ClientConnectorError):
        message = "the upstream cannot be reached"
        return Refused("upstream_unreachable", "", message, status=502, retry=True)
    return Refused("upstream_reset", "", "the upstream broke off", status=502, retry=True)


async def pieces(response: aiohttp.ClientResponse, most: int) -> AsyncIterator[bytes]:
    """The body's bytes as they come, refused where it is larger."""
    size = 0
    with told():
        async for piece in response.content.iter_any():
            size += len(piece)
            if size > most:
                message = f"the upstream's reply has more than {most:,} bytes"
                raise Refused("upstream_size", "", message, status=502)
            yield piece


async def read_bounded(response: aiohttp.ClientResponse, most: int) -> bytes:
    if response.content.is_eof() and response.content.total_bytes <= most:
        with told():
            return response.content.read_nowait()
    return b"".join([piece async for piece in pieces(response, most)])
