"""A model elsewhere, in a process of its own: `python fake_upstream.py [certificate key]`.

It answers as the model's name says, and tells at /seen what it was sent, byte for byte.
"""

import asyncio
import base64
import json
import ssl
import struct
import sys

from aiohttp import web

SEEN: list[dict] = []
STATE = {"open": 0, "cut": 0}


def last_text(body):
    if "prompt" in body:
        return body["prompt"]
    asked = body.get("input", body.get("messages"))
    message = asked if isinstance(asked, str) else asked[-1]["content"]
    return message if isinstance(message, str) else message[-1]["text"]


def chat(text):
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "echo",
        "choices": [choice],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip


def message(text):
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "echo",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def chat_events(text):
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "echo"}

    def event(delta, finish=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"

    yield event({"role": "assistant", "content": ""})
    for start in range(0, len(text), 4):
        yield event({"content": text[start : start + 4]})
    yield event({}, "stop")
    yield b"data: [DONE]\n\n"


def message_events(text):
    def event(kind, **fields):
        data = json.dumps({"type": kind, **fields})
        return f"event: {kind}\ndata: {data}\n\n".encode()

    yield event("message_start", message={**message(""), "content": [], "stop_reason": None})
    yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for start in range(0, len(text), 4):
        delta = {"type": "text_delta", "text": text[start : start + 4]}
        yield event("content_block_delta", index=0, delta=delta)
    yield event("content_block_stop", index=0)
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": 1})
    yield event("message_stop")


def response(text):
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [part],
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "echo", "output": [item],
        "status": "completed", "instructions": None, "tools": [], "parallel_tool_calls": True,
        "tool_choice": "auto", "metadata": {},
    }  # fmt: skip


def response_events(text):
    whole, numbers = response(text), iter(range(1 << 20))
    (item,) = whole["output"]
    (part,) = item["content"]

    def event(kind, **fields):
        data = json.dumps({"type": f"response.{kind}", "sequence_number": next(numbers), **fields})
        return f"event: response.{kind}\ndata: {data}\n\n".encode()

    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    yield event("created", response=whole | {"output": [], "status": "in_progress"})
    yield event("output_item.added", output_index=0, item=item | {"content": []})
    yield event("content_part.added", part=part | {"text": ""}, **at)
    for start in range(0, len(text), 4):
        yield event("output_text.delta", delta=text[start : start + 4], logprobs=[], **at)
    yield event("output_text.done", text=text, logprobs=[], **at)
    yield event("content_part.done", part=part, **at)
    yield event("output_item.done", output_index=0, item=item)
    yield event("completed", response=whole)


def completion(text):
    choice = {"index": 0, "text": text, "finish_reason": "stop", "logprobs": None}
    return {
        "id": "cmpl-1", "object": "text_completion", "created": 1, "model": "echo",
        "choices": [choice],
    }  # fmt: skip


def completion_events(text):
    for start in range(0, len(text), 4):
        whole = completion(text[start : start + 4])
        whole["choices"][0]["finish_reason"] = None
        yield b"data: " + json.dumps(whole).encode() + b"\n\n"
    yield b"data: " + json.dumps(completion("")).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


ANSWERS = {
    "/v1/messages": (message, message_events),
    "/v1/responses": (response, response_events),
    "/v1/completions": (completion, completion_events),
    "/v1/chat/completions": (chat, chat_events),
}


async def stream(request, events, model):
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    STATE["open"] += 1
    try:
        for number, event in enumerate(events):
            if model == "half" and number == 4:
                await response.write(event[: len(event) // 2])
                break
            if model == "cut" and number == 4:
                request.transport.abort()
                break
            if model == "pause" and number == 4:
                await asyncio.sleep(60)
            if model == "slow":
                await asyncio.sleep(0.3)
            await response.write(event)
        while model == "flood":
            await response.write(FLOOD)
    except (asyncio.CancelledError, ConnectionError):
        STATE["cut"] += 1
        raise
    finally:
        STATE["open"] -= 1
    return response


FLOOD = b"data: " + json.dumps({
    "id": "x" * 60_000, "object": "chat.completion.chunk", "created": 1, "model": "echo",
    "choices": [],
}).encode() + b"\n\n"  # fmt: skip
"""Passes at once."""


async def answer(request):
    raw = await request.read()
    body = json.loads(raw or b"{}")
    headers = {name.lower(): value for name, value in request.headers.items()}
    SEEN.append({"path": request.path_qs, "body": raw.decode(), "headers": headers})
    if request.path == "/v1/models/limited":
        error = {"message": "too much of Ann Quux", "code": "rate"}
        return web.json_response({"error": error}, status=429, headers={"retry-after": "0"})
    if request.path.startswith("/v1/models"):
        listed = {"id": "echo", "object": "model", "created": 1, "owned_by": "nobody"}
        return web.json_response({"object": "list", "data": [listed]})
    model = body.get("model")
    if model == "reset":
        request.transport.abort()
        return web.Response()
    if model == "stall":
        await asyncio.sleep(60)
    if model == "limited":
        error = {"message": f"too much of {last_text(body)}", "type": "tokens", "code": "rate"}
        limits = {"retry-after": "0", "x-secret": "no"}
        return web.json_response({"error": error}, status=429, headers=limits)
    if model == "garbage":
        return web.Response(body=b'{"choices": [', content_type="application/json")
    if model == "redirect":
        return web.Response(status=307, headers={"location": "/v1/elsewhere"})
    if request.path == "/v1/messages/count_tokens":
        return web.json_response({"input_tokens": 7})
    if request.path == "/v1/embeddings":
        packed = base64.b64encode(struct.pack("<2f", 0.5, 0.25)).decode()
        vector = packed if body.get("encoding_format") == "base64" else [0.5, 0.25]
        data = [{"object": "embedding", "index": 0, "embedding": vector}]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return web.json_response({"object": "list", "data": data, "model": "echo", "usage": usage})
    text = "You said: " + last_text(body)
    whole, events = ANSWERS[request.path]
    if body.get("stream"):
        return await stream(request, events(text), model)
    return web.json_response(whole(text))


async def seen(request):
    if request.method == "DELETE":
        SEEN.clear()
    return web.json_response({"requests": SEEN, **STATE})


async def main():
    app = web.Application(client_max_size=1 << 28)
    app.router.add_route("*", "/seen", seen)
    app.router.add_route("*", "/{path:.*}", answer)
    context = None
    if len(sys.argv) == 3:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until it is closed
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
