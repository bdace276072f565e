"""A language model behind an OpenAI-compatible chat-completions URL.

Whatever is asked here leaves this machine: only released text may be. The key comes from the
environment, is read for each call and kept nowhere. No error, repr or log line holds a prompt, a
reply or the key.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from privstamp.crew.threads import Lock
from privstamp.errors import NoAnswer, StageFailed, TooManyRequests, UsageError, optional
from privstamp.models.replies import Closing, ReplyCache, fingerprint_of, key_of
from privstamp.types import Prompt, Reply, Usage

if TYPE_CHECKING:
    import httpx

# Where an endpoint may be, and how long to wait before it is asked again.

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
    pause = longest * (0.5 + secrets.randbelow(1001) / 2000)
    return min(_LONGEST_PAUSE, max(pause, _asked_for(after)))


def _asked_for(after: str) -> float:
    """Retry-After in seconds; it is a number or a date."""
    if after.strip().isdecimal():
        return float(after)
    try:
        return (parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


_LARGEST: Final = 8_000_000
"""Bytes of a response that are read."""
_CHARACTERS: Final = 4
"""Of an English token, roughly: for counts that no server gives."""


class Endpoint(Closing):
    """Asks many prompts at a time, tries again where that can help, and counts.

    `price` is (input, output) per million tokens. `cache` is a folder that keeps replies; without
    it none is kept. A dry run counts what would be sent, and sends nothing. Proxies named in the
    environment are used only if `proxies` says so.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key_variable: str = KEY_VARIABLE,
        timeout: float = 60.0,
        retries: int = 4,
        concurrency: int = 4,
        cache: Path | None = None,
        dry_run: bool = False,
        price: tuple[float, float] | None = None,
        proxies: bool = False,
    ) -> None:
        self.url, self.host = checked(url)
        if not model.strip():
            raise UsageError("an endpoint needs the name of a model, as its server calls it")
        if not (timeout > 0 and retries >= 0 and concurrency >= 1):
            raise UsageError("an endpoint needs timeout > 0, retries >= 0 and concurrency >= 1")
        _httpx()  # refused here if it is missing, not after an hour's work
        self.model = model
        self.name = f"endpoint {self.host}/{model}"
        self.fingerprint = fingerprint_of({"url": self.url.partition("?")[0], "model": model})
        self.place = self.host
        self.dry_run = dry_run
        self._key_variable = key_variable
        self._timeout, self._retries, self._concurrency = timeout, retries, concurrency
        self._replies = None if cache is None else ReplyCache(cache)
        self._price = price
        self._proxies = proxies
        self._usage = Usage(cost=None if price is None else 0.0)
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Endpoint({self.host!r}, {self.model!r})"

    def close(self) -> None:
        """Nothing is held between two calls."""

    @property
    def usage(self) -> Usage:
        """Everything since this endpoint was made; replies from the cache cost nothing."""
        return self._usage

    def complete(
        self, prompts: Sequence[Prompt], *, temperature: float, max_tokens: int
    ) -> list[Reply]:
        """One reply per prompt, in order; equal prompts are asked once.

        The first failure stops what has not been sent yet; what has arrived is in the cache.
        """
        settings: dict[str, str | float] = {
            "url": self.url.partition("?")[0],
            "model": self.model,
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        asked = {key_of(prompt, settings): prompt for prompt in prompts}
        known = {key: reply for key in asked if (reply := self._cached(key)) is not None}
        left = {key: prompt for key, prompt in asked.items() if key not in known}
        if self.dry_run:
            known |= {key: self._dry(prompt, max_tokens) for key, prompt in left.items()}
        elif left:
            body = {"model": self.model, "temperature": temperature, "max_tokens": max_tokens}
            known |= self._ask_all(left, body)
        return [known[key_of(prompt, settings)] for prompt in prompts]

    def _cached(self, key: str) -> Reply | None:
        kept = self._replies.find(key) if self._replies is not None else None
        if kept is not None:
            self._count(kept)
        return kept

    def _dry(self, prompt: Prompt, max_tokens: int) -> Reply:
        """As many tokens as it could cost at most."""
        reply = Reply("", _estimate(prompt), max_tokens, estimated=True)
        self._count(reply)
        return reply

    def _ask_all(self, prompts: dict[str, Prompt], body: dict[str, Any]) -> dict[str, Reply]:
        key, stop = self._key(), threading.Event()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        with (
            _httpx().Client(
                timeout=self._timeout, follow_redirects=False, trust_env=self._proxies
            ) as client,
            ThreadPoolExecutor(self._concurrency, "privstamp-endpoint") as pool,
        ):

            def ask(cache_key: str, prompt: Prompt) -> Reply:
                content = json.dumps(body | {"messages": prompt.messages()}).encode()
                reply = self._ask(client, content, headers, stop)
                if reply.estimated:
                    reply = replace(reply, tokens_in=_estimate(prompt))
                self._count(reply)
                if self._replies is not None and not (key and key in reply.text):
                    self._replies.keep(cache_key, reply)
                return reply

            futures = {key: pool.submit(ask, key, prompt) for key, prompt in prompts.items()}
            try:
                done, _ = wait(futures.values(), return_when=FIRST_EXCEPTION)
                for failed in done:
                    failed.result()
                return {key: future.result() for key, future in futures.items()}
            finally:
                stop.set()
                pool.shutdown(wait=True, cancel_futures=True)

    def _ask(
        self, client: httpx.Client, content: bytes, headers: dict[str, str], stop: threading.Event
    ) -> Reply:
        """One prompt, tried again after a while where the trouble may pass."""
        trouble, status = "another request failed", 0
        for attempt in range(self._retries + 1):
            if stop.is_set():
                break
            status, answer, after = self._post(client, content, headers)
            if status == 200:
                return self._read(answer)
            trouble = answer if status == 0 else f"HTTP {status}"
            if status not in (0, 408, 429) and status < 500:
                raise StageFailed(self._refused(status))
            if attempt < self._retries:
                stop.wait(pause(attempt, after))
        if status == 429:
            raise TooManyRequests(
                f"the endpoint at {self.host} is asked too much ({trouble}, "
                f"{self._retries + 1} attempts). Ask it less at a time, or later"
            )
        raise NoAnswer(
            f"the endpoint at {self.host} did not answer ({trouble}, "
            f"{self._retries + 1} attempts). Check that it is up and that its address is right"
        )

    def _post(
        self, client: httpx.Client, content: bytes, headers: dict[str, str]
    ) -> tuple[int, str, str]:
        """Status, body and Retry-After; status 0 and the kind of trouble if nothing came back."""
        ends = time.monotonic() + self._timeout  # httpx bounds each read, not all of them
        kinds = {"Content-Type": "application/json", "Accept": "application/json"}
        try:
            with client.stream(
                "POST", self.url, content=content, headers=headers | kinds
            ) as response:
                body = b""
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > _LARGEST or time.monotonic() > ends:
                        return 0, "too long or too slow a response", ""
                after = response.headers.get("Retry-After", "")
                return response.status_code, body.decode("utf-8", "replace"), after
        except (_httpx().HTTPError, _httpx().InvalidURL, OSError, ValueError) as error:
            return 0, type(error).__name__, ""

    def _read(self, body: str) -> Reply:
        """The text and counts of a response."""
        try:
            data = json.loads(body)
            text = data["choices"][0]["message"]["content"]
            usage = data.get("usage") or {}
            counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            text, counts = 0, (None, None)
        if text is None or isinstance(text, str):
            text = text or ""  # a model that declines may send null
            if type(counts[0]) is int and type(counts[1]) is int:
                return Reply(text, counts[0], counts[1])
            return Reply(text, 0, _tokens(text), estimated=True)
        raise StageFailed(
            f"the endpoint at {self.host} sent something that is no chat completion. "
            f"Check that the URL ends where {PATH} belongs"
        )

    def _refused(self, status: int) -> str:
        if status in (401, 403):
            fix = f"Set a valid key in the environment variable {self._key_variable}"
        elif 300 <= status < 400:
            fix = "Redirects are not followed: give the final URL"
        elif status == 404:
            fix = "Check the URL and the name of the model"
        else:
            fix = "Check the name of the model, its context length and the settings"
        return f"the endpoint at {self.host} refused the request (HTTP {status}). {fix}"

    def _key(self) -> str:
        key = os.environ.get(self._key_variable, "").strip()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise UsageError(
                f"the key in {self._key_variable} has characters that no key has; set it again"
            )
        return key

    def _count(self, reply: Reply) -> None:
        with self._lock:
            usage = self._usage.plus(reply)
            if self._price is not None:
                cost = usage.tokens_in * self._price[0] + usage.tokens_out * self._price[1]
                usage = replace(usage, cost=cost / 1e6)
            self._usage = usage


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS)


def _estimate(prompt: Prompt) -> int:
    return _tokens(prompt.text) + _tokens(prompt.system or "")


def _httpx() -> Any:
    return optional("httpx", "endpoint", "asking an endpoint")
