"""What a gateway lets through, and what it costs.

    python benchmarks/gateway.py [--only NAME ...] [--requests 10000] [--litellm PATH] [--write]

`canaries`, `splits`, `hostile` and `held` need no server. For the others everything
listens on loopback, each part in a process of its own: an upstream that answers at once (or after
300 ms), a bare pass-through of aiohttp, a gateway whose desk lets everything pass, gateways as they
are, and with `--litellm` that program of an environment of its own. Ratios are of runs that take
turns. `--write` keeps the figures in benchmarks/results/gateway.json.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import socket
import subprocess
import sys
import time
from asyncio.events import Handle
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import psutil
from aiohttp import web

from privstamp.errors import PrivstampError
from privstamp.gateway.choke import Prepared, learn, prepare
from privstamp.gateway.desk import DeskRecipe, Question, Ready, WholeReply, rules_of
from privstamp.gateway.principals import Keyring
from privstamp.gateway.rules import KINDS, Allowed, Api
from privstamp.gateway.run import run
from privstamp.gateway.settings import Limits, Settings
from privstamp.gateway.staff import Staff
from privstamp.gateway.table import table
from privstamp.gateway.watch import Watch
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.sessions.session import Session
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "gateway.json"
MASTER = bytes(32)
CHEAP = Policy.of({"sensitivity": {"name": "rules"}, "other_languages": "accept"})
ANN, ZORK = "Ann Quux", "Zork Blarg"
WORDS = ("Ann", "Quux", "Zork", "Blarg")
KNOWS = Policy.of({"sensitivity": {"name": "rules"}, "deny": [ANN, ZORK, *WORDS[1:]],
                   "other_languages": "accept"})  # fmt: skip
"""Finds the canaries wherever they stand, so that a miss is the gateway's."""
ASKED = f"I am {ANN}. Where is {ZORK}?"
EVENTS = 40
WAIT = 0.3
KEY = "sk-a-key-of-this-benchmark-alone"
TURNS = (2, 50)
VALUES = 5000
ROUNDS, COUNT = 5, 400


def chunk(text: str) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"


PIECES = [chunk("word ") for _ in range(EVENTS)]
ENDED = chunk("").replace(b'"finish_reason": null', b'"finish_reason": "stop"')
ANSWER = {
    "id": "c", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes, certainly."},
                 "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}  # fmt: skip


async def upstream(wait: float) -> None:
    """Answers; `wait` seconds before the first byte of a stream."""
    whole = json.dumps(ANSWER).encode()

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        body = b"".join([piece async for piece in request.content.iter_any()])
        if b'"stream":true' not in body.replace(b" ", b"")[-200:] + body[:200].replace(b" ", b""):
            return web.Response(body=whole, content_type="application/json")
        await asyncio.sleep(wait)
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        for piece in [*PIECES, ENDED, b"data: [DONE]\n\n"]:
            await response.write(piece)
        return response

    await listening(web.Server(answer, access_log=None))


async def bare(target: str) -> None:
    """The same libraries, and nothing in between."""
    async with aiohttp.ClientSession(auto_decompress=False) as client:

        async def answer(request: web.BaseRequest) -> web.StreamResponse:
            body = b"".join([piece async for piece in request.content.iter_any()])
            headers = {"content-type": "application/json"}
            async with client.post(target + request.path, data=body, headers=headers) as got:
                if got.content_type != "text/event-stream":
                    return web.Response(body=await got.read(), content_type=got.content_type)
                response = web.StreamResponse(headers={"content-type": got.content_type})
                await response.prepare(request)
                async for piece in got.content.iter_any():
                    await response.write(piece)
                return response

        await listening(web.Server(answer, access_log=None))


async def listening(server: web.Server) -> None:  # type: ignore[type-arg]
    listener = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


class Through:
    """A reply that nothing is done to."""

    remembered: tuple[()] = ()
    streams, large = True, False

    def __init__(self) -> None:
        self.ended = self.failed = False

    def events(self) -> Through:
        return self

    def feed(self, piece: bytes) -> bytes:
        return piece

    def whole(self, body: bytes) -> bytes:
        return json.dumps(json.loads(body)).encode()

    @property
    def headers(self) -> dict[str, str]:
        return {}

    def finish(self) -> bytes:
        return b""


@dataclass(frozen=True)
class Off:
    """A desk with privacy off: bodies are read and written, as any desk must."""

    def __call__(self) -> Callable[[object], object]:
        def answer(job: object) -> object:
            if isinstance(job, Question):
                body = json.dumps(json.loads(job.body)).encode()
                return Ready(body, Through(), "local/x", None)  # type: ignore[arg-type]
            if isinstance(job, WholeReply):
                return json.dumps(json.loads(job.body)).encode(), {}, True
            return None

        return answer


async def gateway(target: str, kind: str) -> None:
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "s.db")
        vault = Vault(SqliteStore(file), MASTER)
        policy = CHEAP if kind in ("cheap", "values") else Policy()
        off = kind in ("off", "steps")

        def listening(port: int) -> None:
            print(port, flush=True)
            if kind in ("steps", "values"):
                measured.append(count_steps())

        measured: list[list[float]] = []
        recipe = DeskRecipe(policy, rules_of(policy, vault), file, MASTER)
        await run(
            Settings(target, port=0, workers=1, limits=Limits(privatize=600)),
            elsewhere("Off")() if off else recipe,
            Keyring(vault),
            watch=Watch(io.StringIO() if off else sys.stderr),
            listening=listening,
        )
        for steps in measured:
            print(json.dumps(percentiles(steps)), flush=True)


def elsewhere(name: str) -> Any:
    """By a name that another process imports as well."""
    sys.path.insert(0, str(Path(__file__).parent))
    import gateway as module

    return getattr(module, name)


class Part:
    """A process of this file that listens."""

    def __init__(self, *role: str) -> None:
        self._role = role[0]
        self._process = subprocess.Popen(  # noqa: S603 - this file
            [sys.executable, __file__, "--role", *role],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}"

    @property
    def resident(self) -> dict[str, float]:
        """Megabytes of it and of its worker."""
        process = psutil.Process(self._process.pid)
        found = {"gateway": process, "worker": process.children()[0]}
        return {name: round(each.memory_info().rss / 2**20, 1) for name, each in found.items()}

    @property
    def cpu(self) -> float:
        """Seconds that it and its children have computed."""
        process = psutil.Process(self._process.pid)
        return sum(map(_computed, (process, *process.children())))

    @property
    def loop(self) -> float:
        """Seconds that it has computed itself: on idle processors that is what bounds its rate."""
        return _computed(psutil.Process(self._process.pid))

    def end(self) -> str:
        """What it has still to say."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        if self._role != "probe":
            self._process.terminate()
        said = self._process.stdout.read()
        self._process.wait(60)
        self._process.stdout.close()
        return said


def _computed(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def request(text: str = "Is that so?", history: int = 0, *, stream: bool = False) -> bytes:
    messages = []
    for turn in range(history):
        asked = f"Question {turn}: where does Miriam Castellano live?"
        messages.append({"role": "user", "content": asked})
        messages.append({"role": "assistant", "content": "Yes, certainly."})
    messages.append({"role": "user", "content": text})
    return json.dumps({"model": "m", "messages": messages, "stream": stream}).encode()


async def post(client: aiohttp.ClientSession, url: str, body: bytes) -> tuple[float, float]:
    """Seconds to the first byte of the body and to its end."""
    began, first = time.perf_counter(), 0.0
    headers = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    async with client.post(f"{url}/v1/chat/completions", data=body, headers=headers) as answer:
        async for _ in answer.content.iter_any():
            first = first or time.perf_counter() - began
        assert answer.status == 200, answer.status
    return first, time.perf_counter() - began


async def rate(url: str, body: bytes, count: int) -> float:
    """Requests a second, 16 at a time, on fresh connections: idle ones end."""
    left = iter(range(count))

    async def work(client: aiohttp.ClientSession) -> None:
        for _ in left:
            await post(client, url, body)

    async with aiohttp.ClientSession() as client:
        began = time.perf_counter()
        await asyncio.gather(*(work(client) for _ in range(16)))
        return count / (time.perf_counter() - began)


class LiteLLM(Part):
    """That proxy, of an environment of its own, with one model and no guardrail."""

    def __init__(self, program: str, url: str, folder: str) -> None:
        self._role = "litellm"
        model = {"model": "openai/m", "api_base": f"{url}/v1", "api_key": "x"}
        models = {"model_list": [{"model_name": "m", "litellm_params": model}]}
        config = Path(folder) / "config.yaml"
        config.write_text(json.dumps(models))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        arguments = ["--config", str(config), "--port", str(port), "--host", "127.0.0.1"]
        more = {"LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        self._process = subprocess.Popen(  # noqa: S603 - the program that was named
            [program, *arguments, "--num_workers", "1"], env=os.environ | more, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.url = f"http://127.0.0.1:{port}"

    def end(self) -> str:
        self._process.terminate()
        self._process.communicate(timeout=60)
        return ""

    async def ready(self, client: aiohttp.ClientSession) -> None:
        for _ in range(300):
            with suppress(aiohttp.ClientError):
                async with client.get(f"{self.url}/health/liveliness") as answer:
                    if answer.status == 200:
                        return
            await asyncio.sleep(1)
        raise TimeoutError("litellm does not start")


async def rates(
    client: aiohttp.ClientSession, url: str, litellm: str | None, folder: str
) -> dict[str, Any]:
    """Privacy off, taking turns with a bare pass-through, or with that program."""
    parts: dict[str, Part] = {"off": Part("gateway", url, "off")}
    if litellm is None:
        parts["bare"] = Part("bare", url)
    else:
        parts["litellm"] = proxy = LiteLLM(litellm, url, folder)
        await proxy.ready(client)
    _, rival = parts
    report: dict[str, Any] = {}
    try:
        for kind, body in (("json", request()), ("stream", request(stream=True))):
            runs: dict[str, list[float]] = {name: [] for name in parts}
            costs, loops = dict.fromkeys(parts, 0.0), dict.fromkeys(parts, 0.0)
            for turn in range(ROUNDS + 1):
                for name, part in parts.items():
                    count = COUNT if name != "litellm" else COUNT // 5
                    before, alone = part.cpu, part.loop
                    found = await rate(part.url, body, count)
                    if turn:
                        runs[name].append(found)
                        costs[name] += (part.cpu - before) * 1000 / (ROUNDS * count)
                        loops[name] += (part.loop - alone) * 1000 / (ROUNDS * count)
            report[kind] = {
                "a second": {name: round(median(found)) for name, found in runs.items()},
                "ms of CPU": {name: round(cost, 3) for name, cost in costs.items()},
                "ms of its first process": {name: round(cost, 3) for name, cost in loops.items()},
                f"off / {rival}": _ratio(runs["off"], runs[rival]),
            }
    finally:
        for part in parts.values():
            part.end()
    return report


def _ratio(these: list[float], those: list[float]) -> float:
    """Of runs that took turns."""
    return round(median(this / that for this, that in zip(these, those, strict=True)), 2)


async def first_token(client: aiohttp.ClientSession, _: str) -> dict[str, Any]:
    """History of 20 turns, upstream 300 ms; each time another last message."""
    slow = Part("upstream", str(WAIT))
    part = Part("gateway", slow.url, "default")
    history, times = 20, {"direct": list[float](), "gateway": list[float]()}
    costs = {name: list[float]() for name in times}
    try:
        await post(client, part.url, request("Miriam Castellano asks.", 0, stream=True))
        for turn in range(12):
            body = request(f"Miriam Castellano has asked {turn} times.", history, stream=True)
            for name, url in (("direct", slow.url), ("gateway", part.url)):
                before = part.cpu
                seconds = (await post(client, url, body))[0]
                if turn >= 2:  # the history is new once
                    times[name].append(seconds)
                    costs[name].append(part.cpu - before)
    finally:
        part.end()
        slow.end()
    found = {name: round(median(seconds), 4) for name, seconds in times.items()}
    return {
        **found,
        "ratio": round(found["gateway"] / found["direct"], 3),
        "ms of CPU, all of a reply": round(1000 * median(costs["gateway"]), 1),
    }


async def lag(client: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    """How long the loop is kept by one step, and a question to it waits, while bodies of 10 MB go
    through; and by one step of streams that bring thousands of values back. On a busy machine
    waiting is mostly for a processor: the steps tell."""
    part = Part("gateway", url, "steps")
    await post(client, part.url, request())
    probe, body = Part("probe", part.url), request("word " * 2_000_000)
    for _ in range(8):
        await post(client, part.url, body)
    waits, steps = json.loads(probe.end()), json.loads(part.end())
    part = Part("gateway", url, "values")
    many = " ".join(f"Write to user{number}@example.com." for number in range(VALUES))
    for _ in range(8):
        await post(client, part.url, request(many, stream=True))
    return {
        "bytes": len(body), "waiting, ms": waits, "steps, ms": steps,
        "values": VALUES, "steps with them, ms": json.loads(part.end()),
    }  # fmt: skip


async def hop(_: aiohttp.ClientSession, __: str) -> dict[str, Any]:
    """What the event loop computes to have a small job answered by another process."""
    staff, count = Staff(elsewhere("Off")(), 1, deadline=60), 250
    await staff.start()
    await staff.ready()

    async def work() -> None:
        for _ in range(count):
            await staff.ask(Question(Api.CHAT, request(), "local"))

    rounds = []
    for _ in range(ROUNDS + 1):
        began = time.thread_time()
        await asyncio.gather(*(work() for _ in range(16)))
        rounds.append(1000 * (time.thread_time() - began) / (16 * count))
    await staff.close()
    return {"ms of CPU": round(median(rounds[1:]), 4)}


async def probe(url: str) -> None:
    """Ask the loop again and again until standard input ends."""
    over = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(0, flush=True)  # where others have a port
    waits = []
    async with aiohttp.ClientSession() as client:
        while not over.done():
            began = time.perf_counter()
            async with client.get(f"{url}/healthz") as answer:
                await answer.read()
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(0.002)
    print(json.dumps(percentiles(waits)), flush=True)


def percentiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    places = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    found = {name: ordered[int((len(ordered) - 1) * at)] for name, at in places.items()}
    return {name: round(1000 * value, 2) for name, value in found.items()}


def count_steps() -> list[float]:
    """Seconds of processor time of every step that the event loop takes from now on."""
    steps: list[float] = []
    run_step = Handle._run

    def timed(handle: Handle) -> None:
        began = time.thread_time()
        run_step(handle)
        steps.append(time.thread_time() - began)

    Handle._run = timed  # type: ignore[method-assign]
    return steps


async def turns(client: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    """Seconds of a turn with the whole history before it, under the default preset."""
    part = Part("gateway", url, "default")
    times: dict[int, list[float]] = {turn: [] for turn in TURNS}
    try:
        for chat in range(3):
            messages: list[dict[str, str]] = []
            for turn in range(1, TURNS[1] + 1):
                text = f"Turn {turn} of chat {chat}: Miriam Castellano asks about Lisbon again."
                messages.append({"role": "user", "content": text})
                body = json.dumps({"model": "m", "messages": messages}).encode()
                seconds = (await post(client, part.url, body))[1]
                messages.append({"role": "assistant", "content": "Yes, certainly."})
                near = min(TURNS, key=lambda each: abs(each - turn))
                if abs(near - turn) <= 1 and turn > 1:  # with its neighbours, against luck
                    times[near].append(seconds)
    finally:
        part.end()
    found = {f"turn {turn}": round(median(seconds), 4) for turn, seconds in times.items()}
    ratio = found[f"turn {TURNS[1]}"] / found[f"turn {TURNS[0]}"]
    return {**found, "ratio": round(ratio, 2)}


async def memory(client: aiohttp.ClientSession, url: str, count: int) -> dict[str, Any]:
    """Each request a conversation of its own."""
    part = Part("gateway", url, "cheap")
    marks: dict[str, dict[str, float]] = {}
    try:
        for number in range(count):
            text = f"Mail {number}: user{number}@example.com asks."
            await post(client, part.url, request(text, stream=number % 2 == 0))
            if number + 1 in (count // 5, count):
                marks[str(number + 1)] = part.resident
    finally:
        part.end()
    early, late = marks.values()
    growth = {name: round(late[name] / early[name], 3) for name in late}
    return {"megabytes": marks, "growth": growth}


def parts_of_tests() -> Any:
    """Requests made from the table's types, and replies whole and in events."""
    sys.path.insert(0, str(ROOT / "tests" / "gateway"))
    import test_canaries
    import upstream as replies

    return test_canaries, replies


def canaries() -> dict[str, Any]:
    """A canary in every place that may hold a string, keys and names too, of each endpoint."""
    made, _ = parts_of_tests()
    session, figures = Privatizer(KNOWS).session(), Counter[str]()
    needed: set[str] = set()
    for endpoint, (root,) in made.ENDPOINTS.items():
        types = table(endpoint.table, "request")
        needed |= {row.treatment for rows in types.by_name.values() for row in rows.values()}
        for kind, rules in (
            ("strict", Allowed()),
            ("all", Allowed(frozenset(KINDS), restore=False)),
        ):
            for suffix in ("NonStreaming", "Streaming"):
                roots = tuple(name for name in types.roots if name in (root, root + suffix))
                for position in made.positions(types, roots):
                    if kind == "all" and position.row.verb == "allow":
                        continue
                    figures["positions"] += 1
                    for value in made.planted(position.row.shape, ZORK):
                        body = made.whole(endpoint, made.body(types, position, value))
                        out = _left(endpoint, json.dumps(body).encode(), session, rules)
                        figures["sent" if out is not None else "refused"] += 1
                        figures["reached"] += any(word in (out or "") for word in WORDS)
    return {"treatments": len(needed), **figures}


def _left(endpoint: Api, body: bytes, session: Session, rules: Allowed) -> str | None:
    try:
        return prepare(endpoint, body, session, rules).body.decode()
    except PrivstampError:
        return None


def asking(session: Session, endpoint: Api, text: str = ASKED, *, n: int = 1) -> Prepared:
    key = "input" if endpoint is Api.RESPONSES else "messages"
    body: dict[str, Any] = {"model": "m", key: [{"role": "user", "content": text}]}
    body |= {"max_tokens": 9} if endpoint is Api.MESSAGES else {}
    body |= {"n": n} if n > 1 else {}
    return prepare(endpoint, json.dumps(body).encode(), session, Allowed())


def told(prepared: Prepared) -> str:
    """The text of the message that left."""
    body = json.loads(prepared.body)
    (message,) = body.get("messages") or body["input"]
    return str(message["content"])


def splits() -> dict[str, Any]:
    """Streamed beside whole: every text cut in two at every character, and the stream's bytes at
    every byte; for chat three choices, and three calls of tools that come side by side."""
    _, replies = parts_of_tests()
    session, figures = Privatizer(KNOWS).session(), Counter[str]()
    kinds = {Api.CHAT: replies.Chat, Api.MESSAGES: replies.Messages,
             Api.RESPONSES: replies.Responses}  # fmt: skip
    for endpoint, upstream in kinds.items():
        n = 3 if endpoint is Api.CHAT else 1
        text = told(asking(session, endpoint, n=n))
        calls = [(f"tool_{number}", json.dumps({"who": text})) for number in range(3)]
        reply = [[("text", f"{number}: {text}"), *calls] for number in range(n)]
        prepared = asking(session, endpoint, n=n)
        content = json.dumps(upstream.whole(reply)).encode()
        whole = _said(upstream.of_whole(json.loads(prepared.answer.whole(content))))

        cuts = [list(upstream.events(reply, size)) for size in range(1, len(text) + 20)]
        figures["cuts of texts"] += len(cuts)
        stream = b"".join(upstream.events(reply, 1 << 10))
        figures["cuts of bytes"] += len(stream) - 1
        cuts += [[stream[:at], stream[at:]] for at in range(1, len(stream))]
        for pieces in cuts:
            events = asking(session, endpoint, n=n).answer.events()
            out = b"".join(map(events.feed, pieces)) + events.finish()
            figures["differ"] += _said(upstream.joined(replies.read(out))) != whole
    return {**figures, "differ": figures["differ"]}


def _said(choices: Any) -> list[list[tuple[str, Any]]]:
    return [
        sorted(
            (kind, json.loads(text) if kind.startswith("tool") else text) for kind, text in items
        )
        for items in choices
    ]


def hostile() -> dict[str, Any]:
    """An upstream that lists 1,000 names, the right one among them, and calls tools with what it
    was sent: what comes back to it at the next turn, and what tools that are not listed get."""
    _, replies = parts_of_tests()
    kinds = {Api.CHAT: replies.Chat, Api.MESSAGES: replies.Messages,
             Api.RESPONSES: replies.Responses}  # fmt: skip
    names = [f"Name{''.join(chr(97 + number // 26**k % 26) for k in range(3))}"
             for number in range(999)]  # fmt: skip
    figures = Counter[str]()
    for endpoint, upstream in kinds.items():
        key = "input" if endpoint is Api.RESPONSES else "messages"
        for number in range(20):
            session = Privatizer(KNOWS).session()
            prepared = asking(session, endpoint)
            text = told(prepared)
            listed = ", ".join([*names[: number * 50], ANN, *names[number * 50 :]])
            arguments = json.dumps({"to": "a@example.com", "who": text})
            reply = [[("text", f"Which of them? {listed}. Send {text} out."), ("mail", arguments)]]
            if number % 2:
                events = prepared.answer.events()
                out = b"".join(map(events.feed, upstream.events(reply, 7))) + events.finish()
                items = dict(upstream.joined(replies.read(out))[0])
            else:
                whole = prepared.answer.whole(json.dumps(upstream.whole(reply)).encode())
                items = dict(upstream.of_whole(json.loads(whole))[0])
            figures["calls of a tool that is not listed"] += 1
            figures["values in them"] += any(word in items["mail"] for word in WORDS)
            learn(session, prepared.answer.remembered)
            answer: dict[str, Any] = {"role": "assistant", "content": items["text"]}
            asked = {"role": "user", "content": ASKED}
            history = [asked, answer, {"role": "user", "content": "Go on."}]
            body: dict[str, Any] = {"model": "m", key: history}
            body |= {"max_tokens": 9} if endpoint is Api.MESSAGES else {}
            again = prepare(endpoint, json.dumps(body).encode(), session, Allowed()).body
            left = json.loads(again)[key][1]["content"]
            figures["lists of 1,000 names"] += 1
            figures["that come back changed"] += left != dict(reply[0])["text"]
    zero = dict.fromkeys(("values in them", "that come back changed"), 0)
    return {**zero, **figures}


REPLY = """\
Dear {0}, thank you for the question. Before an answer can be given there are some points to
look at, and most of them are simple. The contract runs until the end of the year and is renewed
unless somebody writes before autumn. Prices stay as they are. If the delivery comes late again,
a part of the fee is paid back, which has to be asked for in a letter. It would also be good to
keep the old invoices for a while, since they are often wanted later.

As far as {1} is concerned, nothing has changed: the address is the same, and so is the number
of the account. A visit is planned for the week after next, and whoever wants to come along
should say so by Friday. The room is on the second floor. There will be coffee, and time for
questions. Should anything be unclear, a short message is enough; it is usually answered on the
same day.
"""


def held() -> dict[str, Any]:
    """Words of a reply that have come and are not given out yet, at each event of four characters:
    of text without surrogates, and of a letter of 170 words with two names."""
    session = Privatizer(KNOWS).session()
    prepared = asking(session, Api.CHAT)
    by_value = {entry.original: entry.surrogate for entry in prepared.answer.map.entries}
    texts = {
        "no surrogate": REPLY.format("all", "this"),
        "two names": REPLY.format(by_value[ANN], by_value[ZORK]),
    }
    report = {}
    for name, text in texts.items():
        waiting = []
        for size in range(4, len(text), 4):
            scan = prepared.answer.map.stream()
            given = "".join(scan.feed(text[at : at + 4]) for at in range(0, size, 4))
            waiting.append(len(f"{given}{scan.finish()}"[len(given) :].split()))
        few = sum(words <= 1 for words in waiting) / len(waiting)
        report[name] = {"events": len(waiting), "at most one word": round(few, 4),
                        "most": max(waiting)}  # fmt: skip
    return report


async def main(given: argparse.Namespace, keep: Callable[[str, Any], None]) -> None:
    plain = Part("upstream", "0")
    steps: dict[str, Callable[[aiohttp.ClientSession, str], Awaitable[dict[str, Any]]]] = {
        "rate": lambda client, url: rates(client, url, None, folder),
        "litellm": lambda client, url: rates(client, url, given.litellm, folder),
        "first": first_token,
        "lag": lag,
        "hop": hop,
        "turns": turns,
        "memory": lambda client, url: memory(client, url, given.requests),
    }
    try:
        async with aiohttp.ClientSession() as client:
            with TemporaryDirectory() as folder:
                for name, step in steps.items():
                    if name in given.only and (name != "litellm" or given.litellm):
                        keep(name, await step(client, plain.url))
    finally:
        plain.end()


OFFLINE: dict[str, Callable[[], dict[str, Any]]] = {
    "canaries": canaries,
    "splits": splits,
    "hostile": hostile,
    "held": held,
}
SERVED = ("rate", "hop", "litellm", "first", "lag", "turns", "memory")


def report(given: argparse.Namespace) -> None:
    def keep(name: str, row: Any) -> None:
        print(json.dumps({name: row}, indent=1), flush=True)
        if given.write:
            figures = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
            figures.update({"command": "python benchmarks/gateway.py --write", name: row})
            RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")

    for name, step in OFFLINE.items():
        if name in given.only:
            keep(name, step())
    if set(SERVED) & set(given.only):
        asyncio.run(main(given, keep))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--role", nargs="+")
    parser.add_argument(
        "--only", nargs="+", choices=[*OFFLINE, *SERVED], default=[*OFFLINE, *SERVED]
    )
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--litellm", help="That program, in an environment of its own.")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.role:
        name, *rest = given.role
        if name == "upstream":
            asyncio.run(upstream(float(rest[0])))
        elif name == "bare":
            asyncio.run(bare(rest[0]))
        elif name == "probe":
            asyncio.run(probe(rest[0]))
        else:
            asyncio.run(gateway(*rest))
    else:
        report(given)
