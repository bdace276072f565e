"""Canaries through a whole gateway to an upstream of its own: which of them reach it."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import dataclass, replace
from typing import Any, Final

import aiohttp
from aiohttp import web

from privstamp.errors import StageFailed
from privstamp.gateway.desk import DeskRecipe
from privstamp.gateway.principals import Keyring
from privstamp.gateway.server import Gateway
from privstamp.gateway.settings import Settings
from privstamp.gateway.staff import Staff
from privstamp.gateway.watch import Watch

CANARIES: Final = {
    "name": "Miriam Castellano",
    "mail": "m.castellano@example.com",
    "phone": "+44 20 7946 0958",
    "card": "4111 1111 1111 1111",
    "iban": "GB33 BUKB 2020 1555 5555 55",
}
"""Invented, and of kinds that every preset replaces."""
_TEXT: Final = "My name is {name}, my mail is {mail}, my phone is {phone}."
_MORE: Final = "Charge card {card} or IBAN {iban} of {name}."


@dataclass(frozen=True)
class CheckOutcome:
    """Of one request: its answer, and the kinds of canaries that the upstream saw."""

    request: str
    status: int
    reached: tuple[str, ...]


def requests() -> dict[str, tuple[str, dict[str, Any]]]:
    """Name, path and body of each: canaries wherever a client puts text."""
    text, more = _TEXT.format(**CANARIES), _MORE.format(**CANARIES)
    schema = {
        "type": "object",
        "description": text,
        "properties": {"who": {"type": "string", "description": more}},
    }
    function = {"name": "look_up", "description": text, "parameters": schema}
    arguments = json.dumps({"who": CANARIES["name"]})
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": arguments}}
    chat: dict[str, Any] = {
        "model": "check",
        "messages": [
            {"role": "system", "content": text},
            {"role": "user", "content": [{"type": "text", "text": more}]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": text},
            {"role": "user", "content": more},
        ],
        "tools": [{"type": "function", "function": function}],
        "user": CANARIES["mail"],
        "stop": [CANARIES["name"]],
    }
    tool = {"name": "look_up", "description": text, "input_schema": schema}
    messages: dict[str, Any] = {
        "model": "check",
        "max_tokens": 9,
        "system": [{"type": "text", "text": text}],
        "messages": [
            {"role": "user", "content": more},
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "t", "name": "look_up", "input": {"who": text}}
                ],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t", "content": text}],
            },
        ],
        "tools": [tool],
        "metadata": {"user_id": CANARIES["mail"]},
        "stop_sequences": [CANARIES["name"]],
    }
    responses = {
        "model": "check",
        "instructions": text,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": more}]}],
    }
    hostile = {"model": "check", "messages": [], CANARIES["name"]: text}
    unknown = {"model": "check", "messages": [{"role": "user", "content": text, "new": more}]}
    count = {key: messages[key] for key in ("model", "system", "messages", "tools")}
    return {
        "chat": ("/v1/chat/completions", chat),
        "chat, streamed": ("/v1/chat/completions", {**chat, "stream": True}),
        "chat, an unknown key": ("/v1/chat/completions", hostile),
        "chat, an unknown field": ("/v1/chat/completions", unknown),
        "responses": ("/v1/responses", responses),
        "completions": ("/v1/completions", {"model": "check", "prompt": text, "suffix": more}),
        "embeddings": ("/v1/embeddings", {"model": "check", "input": [text, more]}),
        "messages": ("/v1/messages", messages),
        "messages, streamed": ("/v1/messages", {**messages, "stream": True}),
        "count_tokens": ("/v1/messages/count_tokens", count),
        "no endpoint": ("/v1/files", {"text": text}),
    }


def reached(seen: str) -> tuple[str, ...]:
    """Kinds of canaries, or of words of theirs, in what was received."""
    plain = seen.casefold().replace("\\u0020", " ")
    words = {kind: [text, *text.split()] for kind, text in CANARIES.items() if kind == "name"}
    return tuple(
        kind
        for kind, text in CANARIES.items()
        if any(word.casefold() in plain for word in words.get(kind, [text]))
    )


async def check(recipe: DeskRecipe, keyring: Keyring, settings: Settings) -> list[CheckOutcome]:
    """Send all of them; the upstream is this process."""
    seen: list[str] = []

    async def listen(request: web.BaseRequest) -> web.Response:
        heads = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
        seen.append(f"{request.path_qs}\n{heads}\n{(await request.read()).decode()}")
        return web.json_response({"error": {"message": "a check"}}, status=400)

    upstream = web.Server(listen, access_log=None)
    listener = await asyncio.get_running_loop().create_server(upstream, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    settings = replace(settings, upstream=address, port=0, host="127.0.0.1", dry_run=False)
    staff = Staff(recipe, 1, deadline=settings.limits.privatize)
    log = io.StringIO()
    gateway = Gateway(settings, staff, keyring, Watch(log))
    port = await gateway.start()
    try:
        await staff.ready()
        outcomes = []
        async with aiohttp.ClientSession() as client:
            for name, (path, body) in requests().items():
                seen.clear()
                url = f"http://127.0.0.1:{port}{path}"
                async with client.post(url, json=body) as answer:
                    await answer.read()
                sent = bool(seen) and answer.status == 400
                status = 200 if sent else answer.status  # 400 is what this upstream says
                outcomes.append(CheckOutcome(name, status, reached("\n".join(seen))))
    finally:
        await gateway.stop()
        listener.close()
        await upstream.shutdown(1)
    if reached(log.getvalue()):
        raise StageFailed("a canary stands in the log")
    return outcomes
