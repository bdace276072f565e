"""One request, there and back: read, privatise, charge, and only then connect."""

from __future__ import annotations

import asyncio
import json
import re
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NoReturn

import aiohttp
from aiohttp import web

from privstamp.errors import PrivstampError, StageFailed
from privstamp.gateway.answer import Answer, failed
from privstamp.gateway.desk import Question, Ready, StreamLearned, WholeReply
from privstamp.gateway.refused import Refused, as_refused
from privstamp.gateway.routes import (
    Route,
    check_head,
    is_models,
    returned_headers,
    sent_headers,
)
from privstamp.gateway.settings import Settings
from privstamp.gateway.staff import Staff, breath
from privstamp.gateway.streams import Events
from privstamp.gateway.upstream import ERROR, Upstream, pieces, read_bounded
from privstamp.gateway.watch import Visit, Watch

JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
NEAR: Final = 1024
"""First bytes of a body by which turns of one conversation go to one process."""
LAST: Final = re.compile(
    rb"^(?:data: \[DONE\]|event: (?:message_stop|response\.(?:completed|incomplete|failed)))",
    re.MULTILINE,
)
"""What tells a client that it has the whole reply; inside JSON no line begins so."""
_SMALL: Final = 1 << 10
"""Bytes that are restored, or unpacked, while others wait; more in a process or a thread."""


@dataclass(frozen=True)
class House:
    """What all requests share."""

    settings: Settings
    staff: Staff
    upstream: Upstream
    watch: Watch
    show: Callable[[str], None]  # for dry runs

    @property
    def own_key(self) -> str | None:
        """Nothing where clients' keys are passed on."""
        return None if self.settings.pass_key else self.settings.upstream_key or ""


class Exchange:
    """PRIVATE. Holds what came in until it is over."""

    def __init__(
        self, house: House, request: web.BaseRequest, route: Route, principal: str, visit: Visit
    ) -> None:
        self._house, self._request, self._route = house, request, route
        self._principal, self._visit = principal, visit
        self._limits = house.settings.limits
        self._response: web.StreamResponse | None = None  # that has begun
        self._events: Events | None = None
        self._near = 0

    def __repr__(self) -> str:
        return "Exchange(private)"

    async def run(self) -> web.StreamResponse:
        """The response; trouble before its first byte is raised, trouble after that is its end."""
        headers = self._request.headers
        check_head(self._request.query.items(), headers)
        sent = sent_headers(headers, self._route.dialect, self._house.own_key)
        if is_models(self._route):
            return await self._models(sent)
        ready = await self._ready(await self._body())
        self._visit.mark("privatized")
        if self._house.settings.dry_run:
            self._show({"body": json.loads(ready.body)})
        self._visit.sent = len(ready.body)
        ask = self._house.upstream.ask
        try:
            async with await ask("POST", self._path, ready.body, sent) as received:
                self._visit.mark("answered")
                if received.status >= 400:
                    return await self._failed(received, self._headers(ready, received))
                if received.content_type == STREAM and ready.answer.streams:
                    return await self._stream(ready, received)
                return await self._whole(ready, received)
        except PrivstampError as error:
            if self._response is None:
                raise
            refused = error
        except ConnectionError:  # the upstream's are refusals by now
            refused = Refused("client_gone", "", "the client has gone", status=499)
        except asyncio.CancelledError:
            transport = self._request.transport
            if self._response is None or transport is None or transport.is_closing():
                raise
            refused = Refused("ending", "", "the gateway is ending", status=503, retry=True)
        if self._response is None:
            raise refused
        return await self._broken(refused)

    @property
    def _path(self) -> str:
        query = self._request.query_string
        return f"{self._route.path}?{query}" if query else self._route.path

    async def _body(self) -> bytes:
        """What the client sends, bounded in size and time, unpacked."""
        most = self._limits.body
        if self._request.content_type != JSON:
            raise Refused("content_type", "", "a body is application/json", status=415)
        if (self._request.content_length or 0) > most:
            raise too_large(most)
        if self._request.headers.get("expect", "").casefold() == "100-continue":
            assert self._request.transport is not None
            self._request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        content = self._request.content
        body = content.read_nowait() if content.is_eof() else await self._read(most)
        if len(body) > most:
            raise too_large(most)
        packed = self._request.headers.get("content-encoding", "identity").casefold()
        self._visit.received = len(body)
        await breath(len(body))
        if packed == "identity":
            return body
        if packed != "gzip":
            raise Refused("content_encoding", "", "a body is plain or gzip", status=415)
        if len(body) < _SMALL:
            return unpacked(body, most)
        return await asyncio.to_thread(unpacked, body, most)

    async def _read(self, most: int) -> bytes:
        """What comes in several pieces, up to where it is too large."""
        parts, size = [], 0
        try:
            async with asyncio.timeout(self._limits.read):
                async for piece in self._request.content.iter_any():
                    size += len(piece)
                    parts.append(piece)
                    if size > most:
                        break
            return b"".join(parts)
        except TimeoutError:
            pass
        raise Refused("slow", "", "the body came too slowly", status=408, retry=True)

    async def _ready(self, body: bytes) -> Ready:
        given = self._request.headers.get("x-privstamp-session")
        named = (given or "").encode("utf-8", "surrogateescape")
        belongs = blake2b(named or body[:NEAR], digest_size=4)
        belongs.update(self._principal.encode())
        self._near = int.from_bytes(belongs.digest(), "little")
        question = Question(self._route.endpoint, body, self._principal, given)
        answer = await self._house.staff.ask(question, self._near)
        if isinstance(answer, PrivstampError):
            raise answer
        assert isinstance(answer, Ready)
        return answer

    def _show(self, what: dict[str, Any]) -> NoReturn:
        shown = {"url": self._house.settings.upstream + self._path, **what}
        self._house.show(json.dumps(shown, ensure_ascii=False))
        raise Refused("dry_run", "", "a dry run: nothing was sent")

    def _headers(self, ready: Ready, received: aiohttp.ClientResponse) -> dict[str, str]:
        own = {
            "x-privstamp-certificate": ready.certificate or "none",
            "x-privstamp-session": ready.label.partition("/")[2],
            "x-privstamp-request": self._visit.number,
            "cache-control": "no-store",
        }
        return returned_headers(received.headers.items()) | own

    async def _models(self, sent: dict[str, str]) -> web.StreamResponse:
        if self._house.settings.dry_run:
            self._show({})
        async with await self._house.upstream.ask("GET", self._path, None, sent) as received:
            headers = returned_headers(received.headers.items())
            if received.status >= 400:
                return await self._failed(received, headers)
            body = await read_bounded(received, self._limits.reply)
        self._visit.status, self._visit.returned = received.status, len(body)
        return web.Response(status=received.status, body=body, headers=headers, content_type=JSON)

    async def _failed(
        self, received: aiohttp.ClientResponse, headers: dict[str, str]
    ) -> web.StreamResponse:
        """An error of the upstream, which may quote what it was sent."""
        body = await read_bounded(received, self._limits.reply)
        known = body if len(body) <= ERROR else b""
        shown = failed(self._route.dialect, received.status, known)
        self._visit.status, self._visit.code = received.status, "upstream_error"
        self._visit.returned = len(shown)
        return web.Response(status=received.status, body=shown, headers=headers, content_type=JSON)

    async def _whole(self, ready: Ready, received: aiohttp.ClientResponse) -> web.StreamResponse:
        body, answer = await read_bounded(received, self._limits.reply), ready.answer
        if len(body) <= _SMALL and not answer.large:
            restored, told = answer.whole(body), answer.headers
            await self._learn(ready, answer)
        else:
            job = WholeReply(self._principal, ready.label, answer, body)
            found = await self._house.staff.ask(job, self._near)
            if isinstance(found, PrivstampError):
                raise found
            restored, told, learned = found
            if not learned:
                self._house.watch.unlearned()
        self._visit.status, self._visit.returned = received.status, len(restored)
        return web.Response(
            status=received.status,
            body=restored,
            headers=self._headers(ready, received) | told,
            content_type=JSON,
        )

    async def _stream(self, ready: Ready, received: aiohttp.ClientResponse) -> web.StreamResponse:
        """Event by event. What has been received is learned before the client sees its end."""
        answer, learned, held = ready.answer, False, 0
        aside = asyncio.to_thread
        self._events = await aside(answer.events) if answer.large else answer.events()
        async for piece in pieces(received, self._limits.reply):
            held += len(piece)
            if held <= _SMALL and not answer.large:
                restored = self._events.feed(piece)
            else:
                restored = await aside(self._events.feed, piece)
            if restored:
                held = 0
                if not learned and LAST.search(restored):
                    learned = await self._learn(ready, answer)
                await self._write(ready, received, restored)
            if self._events.ended:
                break
        rest = await aside(self._events.finish) if answer.large else self._events.finish()
        if self._events.failed:
            self._visit.code = "bad_reply"
        elif not learned:
            await self._learn(ready, answer)
        await self._write(ready, received, rest)
        assert self._response is not None
        await self._response.write_eof()
        return self._response

    async def _learn(self, ready: Ready, answer: Answer) -> bool:
        if answer.remembered:
            job = StreamLearned(self._principal, ready.label, answer.remembered)
            if await self._house.staff.ask(job, self._near) is not True:
                self._house.watch.unlearned()
        return True

    async def _write(self, ready: Ready, received: aiohttp.ClientResponse, content: bytes) -> None:
        """To the client; whoever takes it too slowly is dropped."""
        self._visit.writing_since = time.monotonic()  # the gateway sees to it
        if self._response is None:
            self._visit.mark("first")
            self._visit.status = received.status
            self._response = web.StreamResponse(
                status=received.status, headers=self._headers(ready, received)
            )
            self._response.content_type = STREAM
            await self._response.prepare(self._request)
        if content:
            await self._response.write(content)
            self._visit.returned += len(content)
        self._visit.writing_since = None

    async def _broken(self, error: PrivstampError) -> web.StreamResponse:
        """The end of a stream that cannot go on, as the SDKs raise it."""
        assert self._response is not None and self._events is not None
        refused = as_refused(error)
        self._visit.code = refused.code
        content = self._events.error(refused.status, refused.code, str(refused))
        self._visit.writing_since = time.monotonic()
        with suppress(ConnectionError):
            await self._response.write(content)
            await self._response.write_eof()
        return self._response


def too_large(most: int) -> Refused:
    return Refused("too_large", "", f"a body has at most {most:,} bytes", status=413)


def unpacked(body: bytes, most: int) -> bytes:
    """What was packed with gzip, as long as it is not too large."""
    opener = zlib.decompressobj(31)
    try:
        plain = opener.decompress(body, most + 1)
    except zlib.error:
        plain = b""
    if len(plain) > most:
        raise too_large(most)
    if not opener.eof or opener.unused_data:
        raise Refused("content_encoding", "", "the body is no gzip")
    return plain


def failure(error: Exception) -> PrivstampError:
    """What nobody thought of, without what it quotes."""
    return StageFailed(f"the gateway failed ({type(error).__name__}); nothing was released")
