"""A chat-completions server on the loopback interface that says what it is told to say."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]


def said(text: Any, usage: dict[str, int] | None = None) -> Answer:
    """A proper completion."""
    body = {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


def failed(status: int, **headers: str) -> Answer:
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, b"{}"


@dataclass
class Served:
    """Where it listens, and all that has arrived."""

    url: str
    bodies: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    raw: bytes = b""
    open_now: int = 0
    open_most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def serving(
    answer: Callable[[int, dict[str, Any]], Answer], delay: float = 0.0, drip: float = 0.0
) -> Iterator[Served]:
    """`answer(number of the request, body)` makes a response; `drip` seconds between its parts."""
    piece = 20 if drip else 100_000

    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            with served.lock:
                number = len(served.bodies)
                served.bodies.append(json.loads(content))
                served.paths.append(self.path)
                served.keys.append(self.headers.get("Authorization"))
                served.raw += str(self.headers).encode() + content
                served.open_now += 1
                served.open_most = max(served.open_most, served.open_now)
            time.sleep(delay)
            status, headers, body = answer(number, served.bodies[number])
            with served.lock:
                served.open_now -= 1
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                for start in range(0, len(body), piece):
                    self.wfile.write(body[start : start + piece])
                    time.sleep(drip)
            except OSError:
                pass  # whoever asked has gone

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served = Served(f"http://127.0.0.1:{server.server_port}/v1")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join(5)
