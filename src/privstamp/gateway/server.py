"""The gateway's doors: who may come in, how many, how slowly; and how it closes."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import AsyncExitStack
from functools import lru_cache
from typing import Any, Final

from aiohttp import web
from yarl import URL

from privstamp.errors import PrivstampError, UsageError, trouble_of
from privstamp.gateway.desk import Lookup
from privstamp.gateway.exchange import Exchange, House, failure
from privstamp.gateway.principals import Keyring
from privstamp.gateway.refused import Dialect, Refused, refusal
from privstamp.gateway.routes import CERTIFICATES, client_key, dialect_of, no_endpoint, route
from privstamp.gateway.settings import Settings
from privstamp.gateway.staff import Staff
from privstamp.gateway.upstream import Upstream
from privstamp.gateway.watch import METRICS_TYPE, Visit, Watch

OPEN: Final = ("/healthz", "/readyz", "/metrics")
"""Paths without a key: they tell counts."""
GONE: Final = 499
_GRACE: Final = 5.0
"""Seconds to say that it ends."""


class Gateway:
    """Made inside an event loop: `start`, then `stop`."""

    def __init__(
        self, settings: Settings, staff: Staff, keyring: Keyring, watch: Watch, show: Any = print
    ) -> None:
        self._settings, self._staff, self._keyring, self._watch = settings, staff, keyring, watch
        self._show = show
        self._stack = AsyncExitStack()
        self._under_way: dict[asyncio.Task[Any], tuple[web.RequestHandler, Visit]] = {}
        self._idle: dict[web.RequestHandler, float] = {}  # since when
        self._draining = self._ending = False
        self._house: House | None = None
        silent = logging.getLogger("privstamp.gateway.silent")  # it would quote what it cannot read
        silent.disabled, silent.propagate = True, False
        self._server = _Server(
            self.handle,
            settings.limits.connections,
            handler_cancellation=True,
            auto_decompress=False,
            keepalive_timeout=settings.limits.headers,
            logger=silent,
            access_log=None,
        )
        watch.gauge("privstamp_under_way", "Requests.", lambda: len(self._under_way))
        watch.gauge("privstamp_workers", "Processes that are ready.", lambda: staff.at_work)
        watch.gauge("privstamp_workers_replaced", "Since it began.", lambda: staff.replaced)
        watch.gauge("privstamp_jobs_waiting", "For a process.", lambda: staff.waiting)

    async def start(self) -> int:
        """Listen; the port. Processes get ready meanwhile."""
        self._listener = await self._bound()
        upstream = await self._stack.enter_async_context(Upstream(self._settings))
        self._house = House(self._settings, self._staff, upstream, self._watch, self._show)
        await self._staff.start()
        self._stack.push_async_callback(self._staff.close)
        sweep = asyncio.create_task(self._sweep())
        self._stack.callback(sweep.cancel)
        await self._listener.start_serving()
        port: int = self._listener.sockets[0].getsockname()[1]
        self._watch.tell("listening", port=port)
        return port

    async def _bound(self) -> asyncio.Server:
        host, port = self._settings.host, self._settings.port
        try:
            loop = asyncio.get_running_loop()
            return await loop.create_server(self._server, host, port, start_serving=False)
        except OSError as error:
            trouble = trouble_of(error)
        raise UsageError(f"cannot listen on {host}:{port}: {trouble}. Try another --listen")

    async def stop(self) -> None:
        """Take no more, let what is under way end for a while, and end the rest aloud."""
        self._draining = True
        self._listener.close()
        self._watch.tell("draining", under_way=len(self._under_way))
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=self._settings.limits.drain)
        self._ending = True
        left = list(self._under_way)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=_GRACE)
        await self._server.shutdown(_GRACE)
        await self._stack.aclose()
        self._watch.tell("ended", cut_off=len(left))

    async def _sweep(self) -> None:
        """Close connections that send no request, or one byte at a time, or take no reply."""
        limits = self._settings.limits
        while True:
            await asyncio.sleep(min(limits.headers, limits.write) / 4)
            busy, now = {handler for handler, _ in self._under_way.values()}, time.monotonic()
            self._idle = {
                handler: self._idle.get(handler, now)
                for handler in self._server.connections
                if handler not in busy
            }
            for handler, since in self._idle.items():
                if now - since >= limits.headers and handler.transport is not None:
                    handler.transport.close()
            for handler, visit in self._under_way.values():
                late = visit.writing_since is not None and now - visit.writing_since
                if late >= limits.write and handler.transport is not None:
                    visit.code = "slow_reader"
                    handler.transport.abort()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Every request ends in a response in the client's dialect, and in a line of the log."""
        visit, task = Visit(), asyncio.current_task()
        assert task is not None
        self._under_way[task] = request.protocol, visit
        self._idle.pop(request.protocol, None)
        try:
            response = await self._answer(request, visit)
            visit.status = visit.status or response.status
        except PrivstampError as error:
            response = self._refusal(request, visit, error)
        except asyncio.CancelledError:
            if not self._ending:
                visit.status, visit.code = GONE, visit.code or "client_gone"
                raise
            response = self._refusal(request, visit, _ending())
        except Exception as error:
            response = self._refusal(request, visit, failure(error))
        finally:
            del self._under_way[task]
            self._idle[request.protocol] = time.monotonic()
            if f"/{visit.endpoint}" not in OPEN:
                self._watch.over(visit)
        return response

    def _refusal(
        self, request: web.BaseRequest, visit: Visit, error: PrivstampError
    ) -> web.StreamResponse:
        status, body, headers = refusal(_dialect(request), error)
        visit.status, visit.code = status, headers.get("x-privstamp-refused", "")
        visit.returned = len(body)
        headers |= {"x-privstamp-request": visit.number}
        response = web.Response(status=status, body=body, headers=headers)
        if not request.content.is_eof() or self._draining:
            response.force_close()
        return response

    async def _answer(self, request: web.BaseRequest, visit: Visit) -> web.StreamResponse:
        self._check_caller(request)
        if request.path in OPEN and request.method == "GET":
            visit.endpoint = request.path[1:]
            return self._facts(request.path)
        if self._draining:
            raise _ending()
        if len(self._under_way) > self._settings.limits.at_once:
            raise Refused("busy", "", "too many requests at once", status=503, retry=True)
        principal = await self._principal(request)
        if request.method == "GET" and request.path.startswith(CERTIFICATES):
            visit.endpoint = "certificates"
            return await self._certificate(principal, request.path[len(CERTIFICATES) :])
        known = route(request.method, request.path, request.headers)
        if known is None:
            raise no_endpoint(request.path)
        visit.endpoint = known.endpoint.value
        assert self._house is not None
        return await Exchange(self._house, request, known, principal, visit).run()

    def _check_caller(self, request: web.BaseRequest) -> None:
        """A page in a browser must not reach what listens on this machine."""
        allowed = self._settings.hosts
        hosts = [f"//{request.headers.get('host', '')}"]
        if not request.raw_path.startswith("/"):
            hosts.append(request.raw_path)  # as a proxy is asked
        if "origin" in request.headers:
            hosts.append(request.headers["origin"])
        for host in hosts:
            if _host_of(host) not in allowed:
                raise Refused(
                    "host", "", "this host or origin may not call the gateway", status=403
                )

    async def _principal(self, request: web.BaseRequest) -> str:
        if self._keyring.stale:
            await asyncio.to_thread(self._keyring.refresh)
        key = client_key(request.headers, passed=self._settings.pass_key)
        principal = self._keyring.principal(key)
        if principal is None:
            raise Refused("key", "", "no key of this gateway came with it", status=401)
        return principal

    def _facts(self, path: str) -> web.Response:
        if path == "/metrics":
            return web.Response(body=self._watch.metrics(), headers={"content-type": METRICS_TYPE})
        ready = path == "/healthz" or (self._staff.at_work > 0 and not self._draining)
        return web.json_response({"ok": ready}, status=200 if ready else 503)

    async def _certificate(self, principal: str, number: str) -> web.Response:
        found = await self._staff.ask(Lookup(principal, number))
        if isinstance(found, PrivstampError):
            raise found
        if found is None:
            raise Refused("not_found", "", "no such certificate of yours", status=404)
        return web.Response(text=found, content_type="application/json")


class _Server(web.Server):
    """With room for so many connections."""

    def __init__(self, handler: Any, most: int, **options: Any) -> None:
        super().__init__(handler, **options)
        self._most = most

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if len(self.connections) > self._most:
            transport.close()  # nothing of it is read

    def __call__(self) -> web.RequestHandler:
        return _Handler(self, loop=self._loop, **self._kwargs)


class _Handler(web.RequestHandler):
    """What cannot be read as HTTP is refused like anything else: aiohttp would quote it."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        del exc, message
        if request.writer.output_size > 0:
            raise ConnectionError("the response has begun")
        refused = Refused("bad_http", "", "this cannot be read as HTTP", status=status)
        code, body, headers = refusal(Dialect.OPENAI, refused)
        response = web.Response(status=code, body=body, headers=headers)
        response.force_close()
        return response


@lru_cache(maxsize=64)
def _host_of(url: str) -> str | None:
    try:
        name = URL(url).host
    except ValueError:
        return None
    return None if name is None else name.casefold()


def _ending() -> Refused:
    return Refused("ending", "", "the gateway is ending", status=503, retry=True)


def _dialect(request: web.BaseRequest) -> Dialect:
    return dialect_of(request.path, request.headers)
