"""The gateway without a server: a client for SDKs whose requests leave privatised.

`openai.OpenAI(http_client=privstamp.gateway.client(policy))`
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

try:
    import httpx2 as httpx  # what the SDKs of today take
except ImportError:
    import httpx  # type: ignore[no-redef]

from privstamp.errors import PrivstampError
from privstamp.gateway.answer import failed
from privstamp.gateway.cabinet import Cabinet, MemoryCabinet, StoredCabinet
from privstamp.gateway.desk import (
    Desk,
    Lookup,
    Question,
    Ready,
    StreamLearned,
    WholeReply,
    rules_of,
)
from privstamp.gateway.exchange import JSON, LAST, STREAM
from privstamp.gateway.principals import LOCAL, check_principal
from privstamp.gateway.refused import Refused, odd_status, refusal
from privstamp.gateway.routes import (
    CERTIFICATES,
    Route,
    check_head,
    dialect_of,
    is_models,
    no_endpoint,
    returned_headers,
    route,
    sent_headers,
)
from privstamp.gateway.streams import Events
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.sessions.store import Stored, open_store
from privstamp.sessions.vault import Vault, master_key

_LARGEST: Final = 64 << 20


def client(policy: Policy | str | Path | None = None, **options: Any) -> httpx.Client:
    """For `http_client=` of OpenAI, Anthropic and whatever stands on them.

    `store`, `principal` and `key`: sessions that last, as `open_session` has them; else
    they live as long as the client. Other options are those of an HTTP transport: `verify`, ...
    """
    counter, rest = _counter(policy, **options)
    return httpx.Client(transport=_Transport(counter, httpx.HTTPTransport(**rest)))


def async_client(policy: Policy | str | Path | None = None, **options: Any) -> httpx.AsyncClient:
    """The same for clients that must not wait."""
    counter, rest = _counter(policy, **options)
    return httpx.AsyncClient(transport=_AsyncTransport(counter, httpx.AsyncHTTPTransport(**rest)))


def _counter(
    policy: Policy | str | Path | None,
    *,
    store: Stored | None = None,
    principal: str = LOCAL,
    key: bytes | None = None,
    **rest: Any,
) -> tuple[_Counter, dict[str, Any]]:
    check_principal(principal)
    line = Privatizer(policy)
    cabinet: Cabinet = MemoryCabinet(line)
    vault = None
    if store is not None:
        master = master_key() if key is None else key
        opened = open_store(store) if isinstance(store, str | os.PathLike) else store
        vault, cabinet = Vault(opened, master), StoredCabinet(line, opened, master)
    return _Counter(Desk(cabinet, rules_of(line.policy, vault)), principal, Lock()), rest


@dataclass(frozen=True, repr=False)
class _Leaving:
    """PRIVATE. A request that may leave, and what its reply needs."""

    route: Route
    request: httpx.Request
    ready: Ready | None  # none: it has no body


@dataclass(frozen=True, repr=False)
class _Counter:
    """PRIVATE. A desk that threads share, one after the other."""

    desk: Desk
    principal: str
    lock: Lock

    def ask(self, job: object) -> Any:
        with self.lock:
            answer = self.desk(job)
        if isinstance(answer, PrivstampError):
            raise answer
        return answer

    def leaving(self, request: httpx.Request, body: bytes) -> _Leaving | httpx.Response:
        """All that is done before a connection is opened; trouble is a response."""
        try:
            if request.method == "GET" and request.url.path.startswith(CERTIFICATES):
                return self._certificate(request.url.path.removeprefix(CERTIFICATES))
            return self._prepared(request, body)
        except PrivstampError as error:
            refused = error
        return refused_response(request, refused)

    def _prepared(self, request: httpx.Request, body: bytes) -> _Leaving:
        path = path_of(request)
        known = route(request.method, path, request.headers)
        if known is None:
            raise no_endpoint(path)
        check_head(request.url.params.multi_items(), request.headers)
        ready = None
        if not is_models(known):
            named = request.headers.get("x-privstamp-session")
            ready = self.ask(Question(known.endpoint, body, self.principal, named))
        headers = sent_headers(request.headers, known.dialect, None)
        sent = httpx.Request(
            request.method,
            request.url,
            headers=headers | {"content-type": JSON, "accept-encoding": "identity"},
            content=None if ready is None else ready.body,
            extensions={"timeout": request.extensions.get("timeout", {})},
        )
        return _Leaving(known, sent, ready)

    def _certificate(self, number: str) -> httpx.Response:
        certificate = self.ask(Lookup(self.principal, number))
        if certificate is None:
            raise Refused("not_found", "", "no such certificate of yours", status=404)
        return httpx.Response(200, content=certificate, headers={"content-type": JSON})

    def returned(
        self, leaving: _Leaving, response: httpx.Response, size: int, body: bytes
    ) -> httpx.Response:
        """A reply in one piece, or an error."""
        shown = self._headers(leaving, response.headers) | {"content-type": JSON}
        status, ready = response.status_code, leaving.ready
        try:
            if size > _LARGEST:
                why = f"the upstream's reply has more than {_LARGEST:,} bytes"
                raise Refused("upstream_size", "", why, status=502)
            if trouble := odd_status(status):
                raise trouble
            if status >= 400:
                content = failed(leaving.route.dialect, status, body)
                return httpx.Response(status, headers=shown, content=content)
            if ready is None:
                return httpx.Response(status, headers=shown, content=body)
            job = WholeReply(self.principal, ready.label, ready.answer, body)
            restored, told, _ = self.ask(job)
            return httpx.Response(status, headers=shown | told, content=restored)
        except PrivstampError as error:
            refused = error
        return refused_response(leaving.request, refused)

    def stream_headers(self, leaving: _Leaving, headers: Mapping[str, str]) -> dict[str, str]:
        return self._headers(leaving, headers) | {"content-type": STREAM}

    def _headers(self, leaving: _Leaving, headers: Mapping[str, str]) -> dict[str, str]:
        shown = returned_headers(headers.items())
        if leaving.ready is not None:
            shown["x-privstamp-certificate"] = leaving.ready.certificate or "none"
            shown["x-privstamp-session"] = leaving.ready.label.partition("/")[2]
        return shown

    def learn(self, ready: Ready) -> None:
        if ready.answer.remembered:
            self.ask(StreamLearned(self.principal, ready.label, ready.answer.remembered))


def path_of(request: httpx.Request) -> str:
    """The path from its version on: whatever stands before it is the upstream's."""
    _, version, rest = request.url.path.rpartition("/v1/")
    return version + rest


def refused_response(request: httpx.Request, error: PrivstampError) -> httpx.Response:
    dialect = dialect_of(path_of(request), request.headers)
    status, body, headers = refusal(dialect, error)
    return httpx.Response(status, headers=headers, content=body)


class _Restored:
    """PRIVATE. Events on their way to the client."""

    def __init__(self, counter: _Counter, ready: Ready) -> None:
        self._counter, self._ready = counter, ready
        self._events: Events = ready.answer.events()
        self._learned = False

    def fed(self, piece: bytes) -> bytes:
        restored = self._events.feed(piece)
        if LAST.search(restored):
            self._learn()
        return restored

    def ended(self) -> bytes:
        rest = self._events.finish()
        self._learn()
        return rest

    def broken(self) -> bytes:
        return self._events.error(502, "upstream_reset", "the upstream broke off")

    @property
    def over(self) -> bool:
        return self._events.ended

    def _learn(self) -> None:
        if not self._learned:
            self._learned = True
            self._counter.learn(self._ready)


class _Stream(httpx.SyncByteStream):
    def __init__(self, restored: _Restored, response: httpx.Response) -> None:
        self._restored, self._response = restored, response

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._response.iter_raw():
                yield self._restored.fed(piece)
                if self._restored.over:
                    return
            yield self._restored.ended()
        except httpx.TransportError:
            yield self._restored.broken()

    def close(self) -> None:
        self._response.close()


class _AsyncStream(httpx.AsyncByteStream):
    def __init__(self, restored: _Restored, response: httpx.Response) -> None:
        self._restored, self._response = restored, response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._response.aiter_raw():
                yield await asyncio.to_thread(self._restored.fed, piece)
                if self._restored.over:
                    return
            yield await asyncio.to_thread(self._restored.ended)
        except httpx.TransportError:
            yield self._restored.broken()

    async def aclose(self) -> None:
        await self._response.aclose()


class _Transport(httpx.BaseTransport):
    def __init__(self, counter: _Counter, inner: httpx.BaseTransport) -> None:
        self._counter, self._inner = counter, inner

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        leaving = self._counter.leaving(request, request.read())
        if isinstance(leaving, httpx.Response):
            return leaving
        response = self._inner.handle_request(leaving.request)
        if leaving.ready is not None and _streams(leaving.ready, response):
            restored = _Restored(self._counter, leaving.ready)
            headers = self._counter.stream_headers(leaving, response.headers)
            return httpx.Response(200, headers=headers, stream=_Stream(restored, response))
        parts, size = [], 0
        for piece in response.iter_raw():
            size += len(piece)
            if size > _LARGEST:
                break
            parts.append(piece)
        response.close()
        return self._counter.returned(leaving, response, size, b"".join(parts))

    def close(self) -> None:
        self._inner.close()


class _AsyncTransport(httpx.AsyncBaseTransport):
    def __init__(self, counter: _Counter, inner: httpx.AsyncBaseTransport) -> None:
        self._counter, self._inner = counter, inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        given = await request.aread()
        leaving = await asyncio.to_thread(self._counter.leaving, request, given)
        if isinstance(leaving, httpx.Response):
            return leaving
        response = await self._inner.handle_async_request(leaving.request)
        if leaving.ready is not None and _streams(leaving.ready, response):
            restored = _Restored(self._counter, leaving.ready)
            headers = self._counter.stream_headers(leaving, response.headers)
            return httpx.Response(200, headers=headers, stream=_AsyncStream(restored, response))
        parts, size = [], 0
        async for piece in response.aiter_raw():
            size += len(piece)
            if size > _LARGEST:
                break
            parts.append(piece)
        await response.aclose()
        return await asyncio.to_thread(
            self._counter.returned, leaving, response, size, b"".join(parts)
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


def _streams(ready: Ready, response: httpx.Response) -> bool:
    kind = response.headers.get("content-type", "").partition(";")[0].strip()
    return bool(response.status_code == 200 and kind == STREAM and ready.answer.streams)
